package schema

import "slices"

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
