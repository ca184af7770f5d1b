package schema

import (
	"cmp"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Kind says how what a schema says of a key has changed.
type Kind string

// The kinds of changes.
const (
	// Came and Went are keys that one of both schemas does not know.
	Came Kind = "came"
	Went Kind = "went"
	// Narrowed takes fewer values, Widened more.
	Narrowed Kind = "narrowed"
	Widened  Kind = "widened"
	// Retyped takes other types, Changed other values: some that were taken are not, and some are that were not.
	Retyped Kind = "retyped"
	Changed Kind = "changed"
)

const (
	// maxChanges bounds what one comparison lists.
	maxChanges = 5_000

	// maxDiffSteps bounds its work, in pairs of schemas that are put side by side.
	maxDiffSteps = 400_000
)

// Change is one way in which two schemas differ. No field holds a value of a user's; the schemas' own text it can.
type Change struct {
	// Path is the key: controller.image.tag, with [] for the items of a list and * for keys that have no name of their own.
	Path string
	Kind Kind
	// Keyword is the word of JSON schema that the change is about, "" for keys that came or went.
	Keyword string
	// Old and New are what both schemas say, "" for nothing.
	Old, New string
	// Breaking tells that there can be values which the old schema takes, and the new one does not.
	Breaking bool
	// Unknown tells that nobody knows whether there are such values; it then counts as breaking.
	Unknown bool
	// Defaulted tells that a key is required now, and that the chart's own values have it.
	Defaulted bool

	path values.Path
}

// Comparison is what Compare found: nothing, when both schemas take the same values.
type Comparison struct {
	Changes []Change // sorted by path
	// Cut tells that changes are left out for their number, others before breaking ones, or that the schemas are too large to be
	// compared to the end; where that leaves open whether values break, one of the changes says so, and is breaking.
	Cut bool
}

// Breaking tells whether there can be values that the old schema takes and the new one does not.
func (c Comparison) Breaking() bool {
	return slices.ContainsFunc(c.Changes, func(c Change) bool { return c.Breaking })
}

// Compare compares what two schemas take. When no change is breaking, the new one takes all values that the old one takes,
// with one exception: a key that came is not held against values which had it before, when the old schema did not know it.
// A schema knows a key when it names it, gives a pattern or a schema for it, or names no keys at all. It is said of too many
// changes rather than of too few that they break.
//
// defaults are the values of the new chart itself: a key that is required and stands there is never missing, unless somebody
// takes it out by a null.
func Compare(before, after *Schema, defaults map[string]any) Comparison {
	return compare(before, after, defaults, false)
}

// compare is Compare; strict makes no exception.
func compare(before, after *Schema, defaults map[string]any, strict bool) Comparison {
	if before == after {
		return Comparison{}
	}
	g := newGraph()
	a, b := g.conjunction(before, before.compiled), g.conjunction(after, after.compiled)
	if g.equal(before.compiled, after.compiled, true) {
		return Comparison{}
	}
	forward := newWalk(g, strict)
	lost := forward.implies(a, b, typeObject, nil, 0, nil)
	g.left = maxDiffSteps // each direction has its own
	backward := newWalk(g, strict)
	backward.quiet = 1
	won := backward.implies(b, a, typeObject, nil, 0, nil)
	out := Comparison{Changes: merge(forward.events, lost, won, defaults), Cut: forward.cut || backward.cut}
	if forward.cut {
		out.Changes = append(out.Changes, Change{Path: values.Path(nil).String(), Kind: Changed, Breaking: true, Unknown: true, Keyword: keywordSize})
	}
	slices.SortStableFunc(out.Changes, Change.compare)
	if len(out.Changes) > maxChanges {
		out = out.bounded()
	}
	return out
}

// bounded keeps the breaking changes before the others.
func (c Comparison) bounded() Comparison {
	slices.SortStableFunc(c.Changes, func(a, b Change) int { return cmp.Or(-compareBool(a.Breaking, b.Breaking), a.compare(b)) })
	c.Changes, c.Cut = c.Changes[:maxChanges], true
	slices.SortStableFunc(c.Changes, Change.compare)
	return c
}

func (c Change) compare(d Change) int {
	return cmp.Or(c.path.Compare(d.path), cmp.Compare(c.Keyword, d.Keyword), cmp.Compare(c.Kind, d.Kind))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// merge makes changes of what is not implied in one direction, in the other, or in both.
func merge(events []Change, lost, won []failure, defaults map[string]any) []Change {
	type place struct{ path, keyword string }
	out := slices.Clone(events)
	told := map[string]bool{}
	for _, e := range events {
		told[e.Path] = true
	}
	at := map[place]int{}
	for _, f := range lost {
		key := place{pathText(f.path), f.keyword}
		if i, ok := at[key]; ok {
			out[i].Unknown = out[i].Unknown && f.unknown
			continue
		}
		if f.keyword == keywordFalse && told[key.path] {
			continue // it came or went, which says it
		}
		c := Change{Path: key.path, path: f.path, Kind: Narrowed, Keyword: f.keyword, Old: f.from, New: f.to, Breaking: true, Unknown: f.unknown}
		if f.keyword == "required" && hasDefault(defaults, f.path) {
			c.Breaking, c.Defaulted = false, true
		}
		at[key] = len(out)
		out = append(out, c)
	}
	for _, f := range won {
		key := place{pathText(f.path), f.keyword}
		i, ok := at[key]
		switch {
		case f.keyword == keywordFalse && told[key.path]:
		case !ok:
			at[key] = len(out)
			out = append(out, Change{Path: key.path, path: f.path, Kind: Widened, Keyword: f.keyword, Old: f.to, New: f.from})
		case out[i].Kind == Narrowed && f.keyword == "type":
			out[i].Kind = Retyped
		case out[i].Kind == Narrowed:
			out[i].Kind = Changed
		}
	}
	return out
}

// hasDefault tells whether a chart's own values have something at a path of keys.
func hasDefault(defaults map[string]any, path values.Path) bool {
	v, ok := values.Lookup(defaults, path)
	return ok && v != nil
}
