package schema

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// array puts what b says of lists to a.
func (w *walk) array(p pair, from, to facts) []failure {
	var out []failure
	length := max(tuple(p.a), tuple(p.b))
	for i := range length + 1 {
		if from.maxItems >= 0 && i >= from.maxItems {
			break
		}
		path := p.path.Index(i)
		if i == length {
			path = someItem(p.path)
		}
		x := w.item(p.a, i)
		if x.never {
			if from.maxItems < 0 || i < from.maxItems {
				from.maxItems = i
			}
			break
		}
		out = append(out, w.implies(x, w.item(p.b, i), allTypes, path, p.depth+1, nil)...)
	}
	out = append(out, p.counts("minItems", from.minItems, to.minItems, 1)...)
	out = append(out, p.counts("maxItems", from.maxItems, to.maxItems, -1)...)
	if to.unique && !from.unique && (from.maxItems < 0 || from.maxItems > 1) {
		out = append(out, p.fail("uniqueItems", "items may be equal", "no two items may be equal"))
	}
	for _, s := range p.b.members {
		if s.Contains != nil && !slices.ContainsFunc(p.a.members, func(t *subschema) bool {
			return t.MinContains == s.MinContains && t.MaxContains == s.MaxContains && w.equal(t.Contains, s.Contains, false)
		}) {
			out = append(out, failure{path: p.path, keyword: "contains", unknown: true})
		}
	}
	return out
}

// tuple returns how many items a conjunction has subschemas of their own for.
func tuple(c conjunction) int {
	n := 0
	for _, s := range c.members {
		list, _ := s.Items.([]*subschema)
		n = max(n, len(list), len(s.PrefixItems))
	}
	return n
}

// item returns what a conjunction says of the i-th item of a list.
func (w *graph) item(c conjunction, i int) conjunction {
	list, never := itemOf(c.members, i)
	may, _ := itemOf(w.inPlace(c), i)
	return w.below(c.owner, never, list, may)
}

// itemOf returns what each of some subschemas puts to the i-th item; never tells that one of them forbids it.
func itemOf(of []*subschema, i int) (list []*subschema, never bool) {
	for _, s := range of {
		switch items := s.Items.(type) {
		case *subschema:
			list = append(list, items)
		case []*subschema:
			if i < len(items) {
				list = append(list, items[i])
				break
			}
			switch others := s.AdditionalItems.(type) {
			case bool:
				never = never || !others
			case *subschema:
				list = append(list, others)
			}
		}
		if i < len(s.PrefixItems) {
			list = append(list, s.PrefixItems[i])
		} else if s.Items2020 != nil {
			list = append(list, s.Items2020)
		}
	}
	return list, never
}

// Keyed is a key that a schema knows.
type Keyed struct {
	// Path is written as in Change.
	Path string
	// Type says what it may hold, "" for anything.
	Type string
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
		if len(path) > 0 && path[len(path)-1] != (values.Step{Index: anyItem, IsIndex: true}) {
			k.keys = append(k.keys, Keyed{pathText(path), k.facts(sub, allTypes).types.String()})
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
