package schema

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Keyed is a key that a schema knows.
type Keyed struct {
	// Path is written as in Change.
	Path string
	// Type says what it may hold, "" for anything.
	Type string
	// Keys is the path, nil where items or keys without a name are on the way.
	Keys values.Path
}

// maxKeys bounds what Keys lists.
const maxKeys = 20_000

// Keys lists the keys that a schema knows, sorted by path; those of branches too, and those of a subschema that refers to itself once. more
// tells that there are others.
func (s *Schema) Keys() (keys []Keyed, more bool) {
	k := &keyLister{graph: newGraph(), open: map[string]bool{}}
	k.list(k.conjunction(s, s.compiled), nil)
	return k.keys, k.more
}

type keyLister struct {
	*graph
	open map[string]bool
	keys []Keyed
	more bool
}

func (k *keyLister) list(c conjunction, path values.Path) {
	all := k.conjunction(c.owner, k.inPlace(c)...)
	if k.open[all.key] || len(path) > maxNesting {
		return
	}
	k.open[all.key] = true
	defer delete(k.open, all.key)
	add := func(sub conjunction, path values.Path) {
		if k.more = k.more || len(k.keys) >= maxKeys; k.more || sub.never {
			return
		}
		named := path
		if slices.ContainsFunc(path, func(s values.Step) bool { return s.IsIndex }) {
			named = nil
		}
		if len(path) > 0 && path[len(path)-1] != (values.Step{Index: anyItem, IsIndex: true}) {
			k.keys = append(k.keys, Keyed{pathText(path), k.facts(sub, allTypes).types.String(), named})
		}
		k.list(sub, path)
	}
	var others, items []*subschema
	for _, s := range all.members {
		for _, sub := range s.PatternProperties {
			others = append(others, sub)
		}
		if sub, ok := s.AdditionalProperties.(*subschema); ok {
			others = append(others, sub)
		}
		switch sub := s.Items.(type) {
		case *subschema:
			items = append(items, sub)
		case []*subschema:
			items = append(items, sub...)
		}
		items = append(append(items, s.PrefixItems...), s.Items2020)
	}
	for _, key := range named(all.members) {
		var subs []*subschema
		for _, s := range all.members {
			subs = append(subs, s.Properties[key])
		}
		add(k.conjunction(c.owner, subs...), path.Key(key))
	}
	if len(others) > 0 {
		add(k.conjunction(c.owner, others...), someKey(path))
	}
	if list := k.conjunction(c.owner, items...); len(list.members) > 0 {
		add(list, someItem(path))
	}
}
