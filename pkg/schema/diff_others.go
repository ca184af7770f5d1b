package schema

import (
	"maps"
	"slices"
)

// patterns puts what b says of keys that match a pattern to a. Keys that a schema names are looked at by name.
func (w *walk) patterns(p pair) []failure {
	var out []failure
	for _, s := range p.b.members {
		subs := map[string]*subschema{}
		for pattern, sub := range s.PatternProperties {
			subs[pattern.String()] = sub
		}
		for _, pattern := range slices.Sorted(maps.Keys(subs)) {
			out = append(out, w.implies(w.others(p.a, map[string]bool{pattern: true}), w.conjunction(p.b.owner, subs[pattern]), allTypes, someKey(p.path), p.depth+1, nil)...)
		}
	}
	return out
}

// others returns what a conjunction says of each key that it does not name, and that matches the one pattern given.
func (w *walk) others(c conjunction, given map[string]bool) conjunction {
	var list []*subschema
	never := false
	for _, s := range c.members {
		for pattern, sub := range s.PatternProperties {
			if given[pattern.String()] {
				list = append(list, sub)
			}
		}
		if len(s.PatternProperties) > 0 {
			continue // the key can match one of them, and then it is not among the others
		}
		switch others := s.AdditionalProperties.(type) {
		case bool:
			never = never || !others
		case *subschema:
			list = append(list, others)
		}
	}
	return w.below(c.owner, never, list, w.nameless(c))
}

// additional puts what b says of keys without a name to a.
func (w *walk) additional(p pair) []failure {
	var out []failure
	for _, s := range p.b.members {
		if s.AdditionalProperties == nil || s.AdditionalProperties == true {
			continue
		}
		from := w.unmatched(p.a, s)
		sub, isSchema := s.AdditionalProperties.(*subschema)
		switch {
		case from.never:
		case isSchema:
			out = append(out, w.implies(from, w.conjunction(p.b.owner, sub), allTypes, someKey(p.path), p.depth+1, nil)...)
		default:
			out = append(out, failure{path: someKey(p.path), keyword: "additionalProperties", from: "any key", to: "no other key"})
		}
	}
	return out
}

// unmatched returns what a conjunction says of each key that it does not name, and that matches no pattern of another subschema.
func (w *walk) unmatched(c conjunction, other *subschema) conjunction {
	theirs := map[string]bool{}
	for pattern := range other.PatternProperties {
		theirs[pattern.String()] = true
	}
	var list []*subschema
	never := false
	for _, s := range c.members {
		covered := true
		for pattern := range s.PatternProperties {
			covered = covered && theirs[pattern.String()]
		}
		if !covered {
			continue
		}
		switch others := s.AdditionalProperties.(type) {
		case bool:
			never = never || !others
		case *subschema:
			list = append(list, others)
		}
	}
	return w.below(c.owner, never, list, w.nameless(c))
}
