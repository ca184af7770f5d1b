package schema

import "slices"

// maxBranches is up to how many branches of a choice are looked at one by one, maxSpent in how many choices at once.
const (
	maxBranches = 30
	maxSpent    = 3
)

// apart looks at each branch of a choice that a makes, when the whole of a does not imply b: every value fits one of them.
func (w *walk) apart(p pair, failed []failure, mark int) []failure {
	if len(p.spent) >= maxSpent {
		return failed
	}
	for _, s := range p.a.members {
		for i, branches := range [][]*subschema{s.AnyOf, s.OneOf} {
			id := 2*w.id(s) + i
			if len(branches) == 0 || len(branches) > maxBranches || slices.Contains(p.spent, id) || !w.concerns(p, branches, failed) {
				continue
			}
			w.rollBack(mark)
			spent := append(slices.Clip(p.spent), id)
			var list []failure
			w.quiet++
			for _, branch := range branches {
				list = append(list, w.implies(w.with(p.a, branch), p.b, p.types, p.path, p.depth, spent)...)
			}
			w.quiet--
			return toldBy(failed, list)
		}
	}
	return failed
}

// toldBy returns failures in the words of others that are about the same: those of the whole, not of one branch.
func toldBy(whole, list []failure) []failure {
	for i, f := range list {
		at := slices.IndexFunc(whole, func(g failure) bool { return g.keyword == f.keyword && g.path.Compare(f.path) == 0 })
		if at >= 0 {
			list[i].from, list[i].to = whole[at].from, whole[at].to
		}
	}
	return list
}

// concerns tells whether branches can say something of what has failed: of the value itself, or of a key that they speak of.
func (w *walk) concerns(p pair, branches []*subschema, failed []failure) bool {
	var all []*subschema
	for _, branch := range branches {
		all = append(all, w.inPlace(w.conjunction(p.a.owner, branch))...)
	}
	return slices.ContainsFunc(failed, func(f failure) bool {
		if len(f.path) <= len(p.path) || f.path[len(p.path)].IsIndex {
			return true
		}
		key := f.path[len(p.path)].Key
		return slices.ContainsFunc(all, func(s *subschema) bool {
			_, names := s.Properties[key]
			return names || matches(s, key) || s.AdditionalProperties != nil || s.PropertyNames != nil
		})
	})
}
