package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// subschema is what the library makes of one: references are followed, and words that its draft does not have are left out.
type subschema = jsonschema.Schema

// graph numbers the subschemas of two schemas, and bounds the work with them.
type graph struct {
	left   int
	ids    map[*subschema]int
	known  map[factsKey]facts
	places map[string][]*subschema // inPlace by conjunction
	alike  map[[2]*subschema]bool  // equal by pair
	log    [][2]*subschema         // the pairs that alike has as equal, in their order
	loose  bool                    // equal follows references that depend on who refers
}

func newGraph() *graph {
	return &graph{left: maxDiffSteps, ids: map[*subschema]int{}, known: map[factsKey]facts{}, places: map[string][]*subschema{}}
}

// step takes one step, and tells whether there was one left.
func (g *graph) step() bool {
	g.left--
	return g.left >= 0
}

func (g *graph) id(s *subschema) int {
	id, ok := g.ids[s]
	if !ok {
		id = len(g.ids) + 1
		g.ids[s] = id
	}
	return id
}

// conjunction is a set of subschemas of one schema that a value has to fit all: references and allOf are taken apart.
type conjunction struct {
	owner   *Schema
	members []*subschema // sorted by number
	never   bool         // nothing fits
	may     []*subschema // what else may be put to the value, by branches further up; sorted by number
	key     string       // the same for the same of these
}

func (g *graph) conjunction(owner *Schema, list ...*subschema) conjunction {
	c := conjunction{owner: owner}
	seen := map[*subschema]bool{}
	list = slices.Clone(list) // it is written to
	for len(list) > 0 {
		s := list[len(list)-1]
		list = list[:len(list)-1]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		if s.Always != nil {
			c.never = c.never || !*s.Always
			continue
		}
		if !g.bare(s) {
			c.members = append(c.members, s)
		}
		list = append(append(list, s.Ref), s.AllOf...)
	}
	return g.sealed(c)
}

// sealed sorts a conjunction and gives it its key.
func (g *graph) sealed(c conjunction) conjunction {
	byID := func(a, b *subschema) int { return g.id(a) - g.id(b) }
	slices.SortFunc(c.members, byID)
	slices.SortFunc(c.may, byID)
	c.may = slices.Compact(c.may)
	var b strings.Builder
	if c.never {
		b.WriteByte('!')
	}
	for _, s := range c.members {
		b.WriteString(strconv.Itoa(g.id(s)))
		b.WriteByte(' ')
	}
	for _, s := range c.may {
		b.WriteByte('~')
		b.WriteString(strconv.Itoa(g.id(s)))
	}
	c.key = b.String()
	return c
}

// below returns the conjunction of what is put to a part of a value, and what else may be.
func (g *graph) below(owner *Schema, never bool, list, may []*subschema) conjunction {
	c := g.conjunction(owner, list...)
	c.never = c.never || never
	known := g.inPlace(c)
	for _, s := range may {
		if s != nil && s.Always == nil && !slices.Contains(known, s) && !g.bare(s) {
			c.may = append(c.may, s)
		}
	}
	return g.sealed(c)
}

// bare tells whether a subschema says nothing but by references and allOf.
func (g *graph) bare(s *subschema) bool {
	if s.Ref == nil && len(s.AllOf) == 0 {
		return false
	}
	own, nothing := *s, subschema{MinProperties: -1, MaxProperties: -1, MinItems: -1, MaxItems: -1, MinLength: -1, MaxLength: -1, MinContains: 1, MaxContains: -1}
	own.Ref, own.AllOf = nil, nil
	return g.scalars(&own, &nothing) && g.collections(&own, &nothing)
}

// with returns the conjunction with one more subschema of the same schema.
func (g *graph) with(c conjunction, s *subschema) conjunction {
	out := g.conjunction(c.owner, append(slices.Clone(c.members), s)...)
	out.never = out.never || c.never
	out.may = slices.Clone(c.may)
	return g.sealed(out)
}

// inPlace returns the members of a conjunction, and all subschemas that may be put to the same value: branches of choices and
// conditions too, also of those further up. What "not" forbids is no part of it.
func (g *graph) inPlace(c conjunction) []*subschema {
	if list, ok := g.places[c.key]; ok {
		return list
	}
	seen := map[*subschema]bool{}
	var list []*subschema
	open := slices.Concat(c.members, c.may)
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s == nil || seen[s] || s.Always != nil {
			continue
		}
		seen[s] = true
		list = append(list, s)
		open = append(open, s.Ref, s.RecursiveRef, s.DynamicRef, s.If, s.Then, s.Else)
		open = slices.Concat(open, s.AllOf, s.AnyOf, s.OneOf)
		for _, sub := range s.DependentSchemas {
			open = append(open, sub)
		}
		for _, sub := range s.Dependencies {
			if sub, ok := sub.(*subschema); ok {
				open = append(open, sub)
			}
		}
	}
	g.places[c.key] = list
	return list
}

// isLate tells whether a subschema is of a draft that does not assert formats.
func isLate(s *subschema) bool {
	return s.Draft == jsonschema.Draft2019 || s.Draft == jsonschema.Draft2020
}

// format returns the format that a subschema holds texts to, "" for none. surely is false where a dialect of its own may say so.
func (c conjunction) format(s *subschema) (name string, surely bool) {
	if s.Format == "" || isLate(s) && !c.owner.dialect {
		return "", false
	}
	if is, ok := formats()[s.Format]; ok && is == nil || !ok && jsonschema.Formats[s.Format] == nil {
		return "", false // nobody knows it
	}
	return s.Format, !isLate(s)
}

// fits puts a value to one subschema of s. known is false when that cannot be said.
func (s *Schema) fits(sub *subschema, v any) (fits, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget.left = maxFitSteps
	defer func() {
		if recover() != nil { // as in run
			fits, known = false, false
		}
	}()
	err := sub.Validate(v)
	if _, invalid := err.(*jsonschema.ValidationError); err != nil && !invalid { //nolint:errorlint // the library wraps none
		return false, false
	}
	return err == nil, true
}

// maxFitSteps bounds what one constant of a schema may ask for.
const maxFitSteps = 2_000
