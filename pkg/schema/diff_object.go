package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Steps of a path that are no keys and no places in a list: pathText writes them.
const (
	anyItem = -1 // []
	anyKey  = -2 // *
)

func someItem(path values.Path) values.Path { return path.Index(anyItem) }
func someKey(path values.Path) values.Path  { return path.Index(anyKey) }

// pathText writes a path as values.Path does, with [] for items and * for keys without a name.
func pathText(path values.Path) string {
	var b strings.Builder
	for i := 0; i < len(path); {
		if path[i].IsIndex && path[i].Index < 0 {
			switch {
			case path[i].Index == anyItem:
				b.WriteString("[]")
			case b.Len() > 0:
				b.WriteString(".*")
			default:
				b.WriteString("*")
			}
			i++
			continue
		}
		end := i + 1
		for end < len(path) && (!path[end].IsIndex || path[end].Index >= 0) {
			end++
		}
		part := path[i:end].String()
		if b.Len() > 0 && !strings.HasPrefix(part, "[") {
			b.WriteByte('.')
		}
		b.WriteString(part)
		i = end
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}

// named returns the keys that subschemas name, sorted. Those that begin with NUL are our own (besideRef).
func named(lists ...[]*subschema) []string {
	all := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			for key := range s.Properties {
				all[key] = true
			}
		}
	}
	maps.DeleteFunc(all, func(key string, _ bool) bool { return strings.HasPrefix(key, "\x00") })
	return slices.Sorted(maps.Keys(all))
}

// knows tells whether a conjunction says something of a key: it names it, in a branch too, has a pattern or a schema for it, or names no
// keys at all. What it forbids it does not know.
func (w *graph) knows(c conjunction, key string) bool {
	if w.child(c, key).never {
		return false
	}
	list := w.inPlace(c)
	names := false
	for _, s := range list {
		if _, ok := s.Properties[key]; ok || matches(s, key) {
			return true
		}
		names = names || len(s.Properties) > 0 || len(s.PatternProperties) > 0
	}
	return !names || slices.ContainsFunc(list, describesOthers)
}

// describesOthers tells whether a subschema says outright what keys without a name may hold.
func describesOthers(s *subschema) bool {
	switch others := s.AdditionalProperties.(type) {
	case bool:
		return others
	case *subschema:
		return others.Always == nil || *others.Always
	}
	return false
}

func matches(s *subschema, key string) bool {
	for pattern := range s.PatternProperties {
		if pattern.MatchString(key) {
			return true
		}
	}
	return false
}

// child returns what a conjunction says of the value of a key.
func (w *graph) child(c conjunction, key string) conjunction {
	list, never := valueOf(c.members, key)
	may, _ := valueOf(w.inPlace(c), key)
	return w.below(c.owner, never, list, may)
}

// valueOf returns what each of some subschemas puts to the value of a key; never tells that one of them forbids the key.
func valueOf(of []*subschema, key string) (list []*subschema, never bool) {
	for _, s := range of {
		sub, ok := s.Properties[key]
		if ok {
			list = append(list, sub)
		}
		for pattern, sub := range s.PatternProperties {
			if pattern.MatchString(key) {
				list = append(list, sub)
				ok = true
			}
		}
		if ok {
			continue
		}
		switch others := s.AdditionalProperties.(type) {
		case bool:
			never = never || !others
		case *subschema:
			list = append(list, others)
		}
	}
	return list, never
}

// nameless returns all that may be put to the values of keys without a name.
func (w *graph) nameless(c conjunction) []*subschema {
	var list []*subschema
	for _, s := range w.inPlace(c) {
		for _, sub := range s.PatternProperties {
			list = append(list, sub)
		}
		if sub, ok := s.AdditionalProperties.(*subschema); ok {
			list = append(list, sub)
		}
	}
	return list
}

// object puts what b says of maps to a.
func (w *walk) object(p pair, from, to facts) []failure {
	var out []failure
	for _, key := range named(p.a.members, p.b.members) {
		out = append(out, w.property(p, key)...)
	}
	out = append(out, w.patterns(p)...)
	out = append(out, w.additional(p)...)
	out = append(out, w.names(p)...)
	for _, key := range slices.Sorted(maps.Keys(to.required)) {
		if !from.required[key] {
			out = append(out, failure{path: p.path.Key(key), keyword: "required", from: "not required", to: "required"})
		}
	}
	if to.minProperties > len(from.required) {
		out = append(out, p.counts("minProperties", from.minProperties, to.minProperties, 1)...)
	}
	if n, few := w.atMost(p.a); !few || n > to.maxProperties {
		out = append(out, p.counts("maxProperties", from.maxProperties, to.maxProperties, -1)...)
	}
	return append(out, w.dependencies(p, from)...)
}

// atMost returns how many keys a map can have that names all it may have.
func (w *walk) atMost(c conjunction) (n int, few bool) {
	if !w.others(c, nil).never {
		return 0, false
	}
	return len(named(c.members)), true
}

// property puts what b says of a key to a, and notes keys that came or went.
func (w *walk) property(p pair, key string) []failure {
	x, y := w.child(p.a, key), w.child(p.b, key)
	knew, knows := w.knows(p.a, key), w.knows(p.b, key)
	switch path := p.path.Key(key); {
	case !knew && knows:
		w.note(Change{Path: pathText(path), path: path, Kind: Came, New: w.summary(y)})
	case knew && !knows:
		w.note(Change{Path: pathText(path), path: path, Kind: Went, Old: w.summary(x), Breaking: y.never})
	}
	if !knew && !w.strict {
		return nil
	}
	return w.implies(x, y, allTypes, p.path.Key(key), p.depth+1, nil)
}

func (w *walk) note(c Change) {
	w.seen++
	if w.quiet == 0 {
		w.events = append(w.events, c)
	}
}

// summary says in a few words what a key may hold.
func (w *walk) summary(c conjunction) string {
	if c.never {
		return ""
	}
	return w.facts(c, allTypes).types.String()
}

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

// names puts what b says of the names of keys to a.
func (w *walk) names(p pair) []failure {
	var mine []*subschema
	for _, s := range p.a.members {
		mine = append(mine, s.PropertyNames)
	}
	have := w.conjunction(p.a.owner, mine...)
	var out []failure
	for _, s := range p.b.members {
		if s.PropertyNames == nil {
			continue
		}
		want := w.conjunction(p.b.owner, s.PropertyNames)
		if w.trial(have, want, typeString, p.depth+1, nil) {
			continue
		}
		closed := w.others(p.a, nil).never // and its names are all that there are
		if closed && !slices.ContainsFunc(named(p.a.members), func(key string) bool { return !w.child(p.a, key).never && !want.takes(key) }) {
			continue
		}
		out = append(out, failure{path: someKey(p.path), keyword: "propertyNames", to: quoted(w.facts(want, typeString).patterns)})
	}
	return out
}

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
