package schema

import (
	"maps"
	"slices"
)

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
