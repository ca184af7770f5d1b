package scan

import (
	"cmp"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Part is an object in a document: the document's own, or an item of a list.
type Part struct {
	Document *values.Document
	// Object is what is searched, and At its path in the document.
	Object map[string]any
	At     values.Path
	// Comments are those that are the object's.
	Comments []Comment
}

// Comment is a comment of a document, and its first line there.
type Comment struct {
	Line int
	Text string
}

// Comments returns the comments of a document.
func Comments(doc *values.Document) []Comment {
	var out []Comment
	doc.Comments(func(line int, text string) { out = append(out, Comment{line, text}) })
	return out
}

// Part returns what an object in a document of manifests holds, as Artifact does; with place "", paths are those in the object alone. Lines are
// those of the document. The App of the findings is "" where id is none.
func (s *Scanner) Part(id app.ID, place string, p Part) []finding.Finding {
	r := report{Scanner: s, id: id}
	if place != "" {
		r.Scanner = s.of(place)
	}
	r.part(p)
	if id == (app.ID{}) {
		r.unowned()
	}
	if place == "" {
		return r.findings
	}
	return named(r.findings, place)
}

// File returns what a settings file holds, which belongs to no app: exceptions name it. tree is what of the document is searched.
func (s *Scanner) File(file string, doc *values.Document, tree map[string]any) []finding.Finding {
	own := *s
	own.exceptions = make([]secret.Exception, len(s.exceptions)) // as many, so that each keeps its index
	for i, e := range s.config.Secrets {
		if e.File == file {
			own.exceptions[i] = s.exceptions[i]
		}
	}
	r := report{Scanner: &own, file: file}
	r.part(Part{Document: doc, Object: tree, Comments: Comments(doc)})
	r.unowned()
	for i := range r.findings {
		r.findings[i].Path = cmp.Or(r.findings[i].Path, values.Path(nil).String())
	}
	return r.findings
}

// unowned takes the app off the findings, where there is none.
func (r *report) unowned() {
	for i := range r.findings {
		r.findings[i].App = ""
	}
}

// part searches an object, the comments that are its, and what is not read of its document.
func (r *report) part(p Part) {
	hits := r.detector.Scan(p.Object)
	r.add(hits, func(h secret.Hit, f *finding.Finding) {
		f.Line, f.Column = p.Document.Position(append(p.At[:len(p.At):len(p.At)], h.Path...))
	})
	for _, c := range p.Comments {
		r.add(r.detector.ScanText(c.Text), func(h secret.Hit, f *finding.Finding) {
			f.Line, f.Column, f.Message = c.Line+h.Line-1, 1, "in a comment: "+f.Message
		})
	}
	if len(p.Document.Warnings) > 0 && len(p.At) == 0 {
		r.add(unread(r.detector.Scan(p.Document.Text()), hits), func(_ secret.Hit, f *finding.Finding) {
			f.Message = "in text that no parser reads: " + f.Message
		})
	}
}

// Left tells whether .apl.yaml leaves an object of any release out of git, by its place.
func (s *Scanner) Left(place string) bool {
	left := false
	for _, e := range s.config.Secrets {
		if e.Path != place || e.Rule != RuleLeftOut {
			continue
		}
		_, _, ok := s.LeftOut(e.App, place)
		left = left || ok
	}
	return left
}

// ReleaseOf returns the release by which exceptions of .apl.yaml name the object at a place. Places name objects of a whole cluster, so that
// one name is as good as another.
func (s *Scanner) ReleaseOf(place string) (app.ID, bool) {
	for _, e := range s.config.Secrets {
		if e.File == "" && (e.Path == place || strings.HasPrefix(e.Path, place+":")) {
			return e.App, true
		}
	}
	return app.ID{}, false
}
