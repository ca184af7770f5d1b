package schema

import (
	"maps"
	"slices"
)

// wholes looks at what is compared as a whole: choices, conditions, and what "not" forbids.
func (w *walk) wholes(p pair) []failure {
	var out []failure
	same := func(equal func(s, t *subschema) bool, s *subschema) bool {
		return slices.ContainsFunc(p.a.members, func(t *subschema) bool { return equal(t, s) })
	}
	unknown := func(keyword string) {
		out = append(out, failure{path: p.path, keyword: keyword, unknown: true})
	}
	for _, s := range p.b.members {
		if len(s.AnyOf) > 0 && !same(func(s, t *subschema) bool { return w.equalSets(s.AnyOf, t.AnyOf) }, s) && !w.choice(p, s.AnyOf, false) {
			unknown("anyOf")
		}
		if len(s.OneOf) > 0 && !same(func(s, t *subschema) bool { return w.equalSets(s.OneOf, t.OneOf) }, s) && !w.choice(p, s.OneOf, true) {
			unknown("oneOf")
		}
		if s.Not != nil && !same(func(s, t *subschema) bool { return w.equal(s.Not, t.Not, false) }, s) &&
			!w.disjoint(p.a, w.conjunction(p.b.owner, s.Not), p.types, 0) {
			unknown("not")
		}
		if s.If != nil && (s.Then != nil || s.Else != nil) && !same(w.equalConditions, s) && !w.condition(p, s) {
			unknown("if")
		}
		if s.RecursiveRef != nil && !same(func(s, t *subschema) bool { return s == t }, s) {
			unknown("$recursiveRef")
		}
		if s.DynamicRef != nil && !same(func(s, t *subschema) bool { return s == t }, s) {
			unknown("$dynamicRef")
		}
		for _, part := range []struct {
			keyword string
			sub     *subschema
			of      types
		}{{"unevaluatedProperties", s.UnevaluatedProperties, typeObject}, {"unevaluatedItems", s.UnevaluatedItems, typeArray}} {
			// What is left to these depends on all that stands beside them.
			free := part.sub == nil || part.sub.Always != nil && *part.sub.Always
			if !free && p.types&part.of != 0 && !same(func(s, t *subschema) bool { return w.equal(s, t, false) }, s) {
				unknown(part.keyword)
			}
		}
	}
	return out
}

// condition tells whether all values of a fit whatever a condition may ask for.
func (w *walk) condition(p pair, s *subschema) bool {
	for _, sub := range []*subschema{s.Then, s.Else} {
		if sub != nil && !w.trial(p.a, w.conjunction(p.b.owner, sub), p.types, p.depth, p.spent) {
			return false
		}
	}
	return true
}

// choice tells whether all values of a fit one of several branches, and only one of them where one may fit. Each type has a branch of its
// own mostly.
func (w *walk) choice(p pair, branches []*subschema, one bool) bool {
	if len(branches) > maxBranches {
		return false
	}
	for _, bit := range w.facts(p.a, p.types).types.each() {
		if !slices.ContainsFunc(branches, func(branch *subschema) bool {
			if !w.trial(p.a, w.conjunction(p.b.owner, branch), bit, p.depth, p.spent) {
				return false
			}
			return !one || !slices.ContainsFunc(branches, func(other *subschema) bool {
				return other != branch && !w.disjoint(p.a, w.conjunction(p.b.owner, other), bit, 0) &&
					!w.disjoint(w.conjunction(p.b.owner, branch), w.conjunction(p.b.owner, other), bit, 0)
			})
		}) {
			return false
		}
	}
	return true
}

// maxApart is how deep in values disjoint looks for what tells them apart.
const maxApart = 3

// disjoint tells whether surely no value of some types fits both.
func (w *walk) disjoint(a, b conjunction, mask types, depth int) bool {
	from, to := w.facts(a, mask), w.facts(b, mask)
	shared := from.types & to.types
	switch {
	case shared == 0:
		return true
	case from.finite && !from.many:
		return !slices.ContainsFunc(from.values, func(v any) bool { return !b.refuses(v) })
	case to.finite && !to.many:
		return !slices.ContainsFunc(to.values, func(v any) bool { return !a.refuses(v) })
	case shared != typeObject || depth >= maxApart:
		return false
	}
	required := maps.Clone(from.required)
	maps.Copy(required, to.required)
	for key := range required {
		if w.disjoint(w.child(a, key), w.child(b, key), allTypes, depth+1) {
			return true
		}
	}
	return false
}
