package schema

import (
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// equal tells whether two subschemas say the same, apart from descriptions; false also where it cannot be told. A pair that refers to
// itself is equal as long as nothing else differs. loose takes references for equal that depend on who refers, which only holds for
// whole schemas.
func (g *graph) equal(x, y *subschema, loose bool) bool {
	if g.alike == nil || g.loose != loose {
		g.alike, g.log, g.loose = map[[2]*subschema]bool{}, nil, loose
	}
	return g.same(x, y)
}

func (g *graph) same(x, y *subschema) bool {
	if x == y {
		return true
	}
	if x == nil || y == nil {
		return false
	}
	pair := [2]*subschema{x, y}
	if is, ok := g.alike[pair]; ok {
		return is
	}
	if !g.step() {
		return false
	}
	mark := len(g.log)
	g.alike[pair] = true
	g.log = append(g.log, pair)
	if g.scalars(x, y) && g.collections(x, y) {
		return true
	}
	for _, rested := range g.log[mark:] { // on this pair
		delete(g.alike, rested)
	}
	g.log = g.log[:mark]
	g.alike[pair] = false
	return false
}

// scalars compares what is no subschema.
func (g *graph) scalars(x, y *subschema) bool {
	asserted := func(s *subschema) string {
		if isLate(s) {
			return "late " + s.Format
		}
		return s.Format
	}
	if x.Format != "" || y.Format != "" {
		if asserted(x) != asserted(y) {
			return false
		}
	}
	return reflect.DeepEqual(x.Always, y.Always) && sameTypes(x, y) && sameValues(x.Enum, y.Enum) && sameValues(x.Constant, y.Constant) &&
		x.MinProperties == y.MinProperties && x.MaxProperties == y.MaxProperties && x.MinItems == y.MinItems && x.MaxItems == y.MaxItems &&
		x.MinLength == y.MinLength && x.MaxLength == y.MaxLength && x.UniqueItems == y.UniqueItems &&
		sameRat(x.Minimum, y.Minimum) && sameRat(x.Maximum, y.Maximum) && sameRat(x.MultipleOf, y.MultipleOf) &&
		sameRat(x.ExclusiveMinimum, y.ExclusiveMinimum) && sameRat(x.ExclusiveMaximum, y.ExclusiveMaximum) &&
		samePattern(x.Pattern, y.Pattern) && sameSet(x.Required, y.Required) &&
		maps.EqualFunc(x.DependentRequired, y.DependentRequired, sameSet) &&
		(x.Contains == nil && y.Contains == nil || x.MinContains == y.MinContains && x.MaxContains == y.MaxContains && x.ContainsEval == y.ContainsEval)
}

// collections compares what is made of subschemas.
func (g *graph) collections(x, y *subschema) bool {
	if (x.DynamicRef != nil || y.DynamicRef != nil || x.RecursiveRef != nil || y.RecursiveRef != nil) && !g.loose {
		return false
	}
	if g.loose && (x.DynamicAnchor != y.DynamicAnchor || x.RecursiveAnchor != y.RecursiveAnchor) {
		return false
	}
	for _, one := range [][2]*subschema{{x.Ref, y.Ref}, {x.DynamicRef, y.DynamicRef}, {x.RecursiveRef, y.RecursiveRef}, {x.Not, y.Not},
		{x.If, y.If}, {x.Then, y.Then}, {x.Else, y.Else}, {x.PropertyNames, y.PropertyNames}, {x.UnevaluatedProperties, y.UnevaluatedProperties},
		{x.UnevaluatedItems, y.UnevaluatedItems}, {x.Contains, y.Contains}, {x.Items2020, y.Items2020}} {
		if !g.same(one[0], one[1]) {
			return false
		}
	}
	return g.sameSets(x.AllOf, y.AllOf) && g.sameSets(x.AnyOf, y.AnyOf) && g.sameSets(x.OneOf, y.OneOf) &&
		slices.EqualFunc(x.PrefixItems, y.PrefixItems, g.same) && maps.EqualFunc(x.Properties, y.Properties, g.same) &&
		maps.EqualFunc(x.DependentSchemas, y.DependentSchemas, g.same) && maps.EqualFunc(x.Dependencies, y.Dependencies, g.sameAny) &&
		maps.EqualFunc(byPattern(x), byPattern(y), g.same) && g.sameAny(x.AdditionalProperties, y.AdditionalProperties) &&
		g.sameAny(x.Items, y.Items) && g.sameAny(x.AdditionalItems, y.AdditionalItems)
}

// sameAny compares what is a subschema, a list of them, or something else.
func (g *graph) sameAny(x, y any) bool {
	switch x := x.(type) {
	case *subschema:
		y, ok := y.(*subschema)
		return ok && g.same(x, y)
	case []*subschema:
		y, ok := y.([]*subschema)
		return ok && slices.EqualFunc(x, y, g.same)
	case []string:
		y, ok := y.([]string)
		return ok && sameSet(x, y)
	}
	return reflect.DeepEqual(x, y)
}

// equalSets compares the branches of a choice, in whatever order.
func (g *graph) equalSets(x, y []*subschema) bool {
	if g.alike == nil || g.loose {
		g.alike, g.log, g.loose = map[[2]*subschema]bool{}, nil, false
	}
	return g.sameSets(x, y)
}

func (g *graph) sameSets(x, y []*subschema) bool {
	if len(x) != len(y) {
		return false
	}
	used := make([]bool, len(y))
	for _, s := range x {
		found := false
		for i, t := range y {
			if !used[i] && g.same(s, t) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func (g *graph) equalConditions(x, y *subschema) bool {
	return g.equal(x.If, y.If, false) && g.equal(x.Then, y.Then, false) && g.equal(x.Else, y.Else, false)
}

func byPattern(s *subschema) map[string]*subschema {
	out := map[string]*subschema{}
	for pattern, sub := range s.PatternProperties {
		out[pattern.String()] = sub
	}
	return out
}

func sameTypes(x, y *subschema) bool { return sameSet(x.Types, y.Types) }

func sameSet(x, y []string) bool {
	a, b := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// sameValues compares the values of two enums, in whatever order.
func sameValues(x, y []any) bool {
	within := func(v any, list []any) bool {
		return slices.ContainsFunc(list, func(w any) bool { return values.Equal(v, w) })
	}
	if len(x) != len(y) || len(x) > maxFinite {
		return reflect.DeepEqual(x, y)
	}
	return !slices.ContainsFunc(x, func(v any) bool { return !within(v, y) }) && !slices.ContainsFunc(y, func(v any) bool { return !within(v, x) })
}

func sameRat(x, y *big.Rat) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.Cmp(y) == 0
}

func samePattern(x, y *regexp.Regexp) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.String() == y.String()
}
