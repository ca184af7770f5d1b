package artifact

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Source is what was rendered of one release, or what somebody gave in its place.
type Source struct {
	// Release is the release. Release.Release is "" where nobody says it; each object's labels then may.
	Release app.ID
	// Name is how findings name the stream: a file, or standard input.
	Name   string
	Stream *Stream
}

// Scanner looks for secret material in the text of an object, whose place is as Object.Place writes it. The findings have Line and
// Column in the text from 1, 0 where unknown, and no File, but for those that point at something else than the object; and
// never a value.
type Scanner interface {
	Scan(release app.ID, place string, text []byte) []finding.Finding
}

// Rules are what Items decides by.
type Rules struct {
	Scopes *Scopes
	// Protect is ProtectData where it is "".
	Protect Protection
	// Scanner is asked about every object but Secrets, which are judged by what they are; nil asks nobody.
	Scanner Scanner
}

// Item is an object, and what becomes of it.
type Item struct {
	// From is the index of its Source among those that were given.
	From int
	// Release is that of its Source, the name from the object's labels where that has none.
	Release app.ID
	// Source is the name of the stream.
	Source string
	// Object has its namespace and its protection in its text. That of a Secret with data has no text.
	Object Object
	// Left is why the object is left out of git; "" for one that goes there.
	Left string
	// Protected tells that the object outlives its file.
	Protected bool
	// Owner is the release that the object's labels name, "" for none.
	Owner string
	// Findings are about this object. One of severity error stands against the whole.
	Findings []finding.Finding
}

// Items decides about the objects of all sources, in their order: whether each may be in git, in which namespace it lives, and
// what is to be known of it. Where an object lives is looked up once all CustomResourceDefinitions of all sources
// are known. The findings it returns besides are about documents that hold no object.
//
// It takes the streams over: their objects are gone afterwards, so that no text is held twice.
func Items(sources []Source, rules Rules) (items []Item, others []finding.Finding) {
	count := 0
	for _, s := range sources {
		for _, p := range s.Stream.Problems {
			others = append(others, finding.Finding{Rule: ruleDocument, Severity: finding.Error, App: appOf(s.Release), File: s.Name, Line: p.Line, Message: p.Message,
				Next: "correct the document where it is rendered"})
		}
		count += len(s.Stream.Objects)
	}
	items = make([]Item, 0, count)
	for from, s := range sources {
		for _, o := range s.Stream.Objects {
			i := Item{From: from, Release: s.Release, Source: s.Name, Object: o}
			if err := rules.Scopes.Define(o); err != nil {
				i.note(finding.Error, ruleCRD, err.Error(), "correct the CustomResourceDefinition")
			}
			items = append(items, i)
		}
		s.Stream.Objects = nil
	}
	p := &placer{Rules: rules, data: holdsData(), places: map[string]*Item{}}
	for at := range items {
		p.place(&items[at])
	}
	return items, others
}

type placer struct {
	Rules
	data   map[GroupKind]bool
	places map[string]*Item
}

// once finds the object a second time: two documents that are one object would be one file. Kinds of a group that differ in
// case alone count as one.
func (p *placer) once(i *Item) {
	key := foldKind(i.Object.ID)
	first, twice := p.places[key]
	if !twice {
		p.places[key] = i
		return
	}
	i.note(finding.Error, ruleTwice, fmt.Sprintf("the object stands here again; it is at %s:%d too%s", first.Source, first.Object.Line, of(first.Release)),
		"leave one of the two out where it is rendered")
}

// of names a release in a sentence.
func of(id app.ID) string {
	if id.Release == "" {
		return ""
	}
	return ", of release " + id.String()
}
