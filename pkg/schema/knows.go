package schema

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Knowledge is what a schema knows of a path.
type Knowledge int

// What Knows returns.
const (
	// Silent: the schema says nothing of what is below some map or list on the way.
	Silent Knowledge = iota
	// Known: it names the path, or has a pattern or a schema for it.
	Known
	// Unknown: it names other keys beside one on the way, and not this one.
	Unknown
)

// Knows tells whether a schema knows a path of keys and places in lists, be it in one branch of a choice only. It does not tell whether the
// schema takes what stands there.
func (s *Schema) Knows(path values.Path) Knowledge {
	g := newGraph()
	here := g.conjunction(s, s.compiled)
	for _, step := range path {
		list := g.inPlace(here)
		var next conjunction
		if step.IsIndex {
			next = g.item(here, step.Index)
		} else {
			next = g.child(here, step.Key)
		}
		switch {
		case step.IsIndex && len(next.members)+len(next.may) == 0, len(list) == 0:
			return Silent
		case !step.IsIndex && !g.knows(here, step.Key):
			return Unknown
		case !step.IsIndex && !slices.ContainsFunc(list, func(s *subschema) bool {
			_, ok := s.Properties[step.Key]
			return ok || matches(s, step.Key) || describesOthers(s)
		}):
			return Silent
		}
		here = next
	}
	return Known
}
