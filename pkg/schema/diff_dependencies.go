package schema

import (
	"maps"
	"slices"
)

// dependencies puts to a what b wants of maps that have some key.
func (w *walk) dependencies(p pair, from facts) []failure {
	var out []failure
	for _, s := range p.b.members {
		wanted := map[string][]string{}
		subs := maps.Clone(s.DependentSchemas)
		maps.Copy(wanted, s.DependentRequired)
		for key, d := range s.Dependencies {
			switch d := d.(type) {
			case []string:
				wanted[key] = append(slices.Clip(wanted[key]), d...)
			case *subschema:
				if subs == nil {
					subs = map[string]*subschema{}
				}
				subs[key] = d
			}
		}
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			if w.child(p.a, key).never || !slices.ContainsFunc(wanted[key], func(other string) bool { return !from.required[other] && !needs(p.a, key, other) }) {
				continue
			}
			out = append(out, failure{path: p.path.Key(key), keyword: "dependentRequired", to: quoted(wanted[key])})
		}
		for _, key := range slices.Sorted(maps.Keys(subs)) {
			sub := subs[key]
			if w.child(p.a, key).never || slices.ContainsFunc(p.a.members, func(t *subschema) bool {
				own, ok := t.DependentSchemas[key]
				if !ok {
					own, ok = t.Dependencies[key].(*subschema)
				}
				return ok && w.equal(own, sub, false)
			}) || w.trial(p.a, w.conjunction(p.b.owner, sub), p.types, p.depth, p.spent) {
				continue
			}
			out = append(out, failure{path: p.path.Key(key), keyword: "dependentSchemas", unknown: true})
		}
	}
	return out
}

// needs tells whether a map that has a key has to have another.
func needs(c conjunction, key, other string) bool {
	return slices.ContainsFunc(c.members, func(s *subschema) bool {
		list, _ := s.Dependencies[key].([]string)
		return slices.Contains(s.DependentRequired[key], other) || slices.Contains(list, other)
	})
}
