package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Keywords that are none of JSON schema's.
const (
	keywordFalse = "false" // nothing is taken
	keywordSize  = "size"  // nobody has compared to the end
)

// failure is one reason why a schema does not imply another: a value can fit the first and not the second.
type failure struct {
	path     values.Path
	keyword  string
	from, to string // what both say
	unknown  bool   // it may be so, or not
}

// walk looks whether every value that fits one schema fits another, from conjunction to conjunction. Each constraint of the second is
// put to the first; what it cannot reason about is a failure that is unknown, unless the first has the same.
type walk struct {
	*graph
	strict bool
	events []Change
	seen   int // events, also those that are not noted
	cut    bool
	quiet  int // more than 0 where nothing is noted

	done  map[string]bool // pairs that are implied
	log   []string        // those of done in their order
	open  map[string]int  // pairs that are looked at, and how deep in a value
	found int
}

func newWalk(g *graph, strict bool) *walk {
	return &walk{graph: g, strict: strict, done: map[string]bool{}, open: map[string]int{}}
}

// pair is two conjunctions that are put side by side for values of some types, at a path and a depth in the values. spent are the choices
// of the first that are taken apart already.
type pair struct {
	a, b  conjunction
	types types
	path  values.Path
	depth int
	spent []int
}

func (p pair) key() string { return fmt.Sprint(p.a.key, "|", p.b.key, "|", p.types, p.spent) }

func (p pair) fail(keyword, from, to string) failure {
	return failure{path: p.path, keyword: keyword, from: from, to: to}
}

// implies returns why values that fit a need not fit b; nothing, when they all do.
//
// A pair that comes up again while it is looked at, deeper in a value, holds as long as nothing else fails: values end.
func (w *walk) implies(a, b conjunction, mask types, path values.Path, depth int, spent []int) []failure {
	if a.never || w.cut {
		return nil
	}
	if !w.step() || depth > maxNesting {
		w.cut = true
		return nil
	}
	p := pair{a, b, w.facts(a, mask).types, path, depth, spent}
	key := p.key()
	if w.done[key] {
		return nil
	}
	if at, again := w.open[key]; again {
		if depth > at {
			return nil
		}
		return []failure{{path: path, keyword: "$ref", unknown: true}}
	}
	w.open[key] = depth
	events, mark := w.seen, len(w.log)
	list := w.plain(p)
	if len(list) > 0 {
		list = w.apart(p, list, mark)
	}
	delete(w.open, key)
	if len(list) == 0 && events == w.seen && !w.cut {
		w.done[key] = true
		w.log = append(w.log, key)
	}
	if w.quiet == 0 {
		if w.found += len(list); w.found > 4*maxChanges {
			w.cut = true
		}
	}
	return list
}

// trial tells whether a implies b. What a trial that fails has noted rests on nothing.
func (w *walk) trial(a, b conjunction, mask types, depth int, spent []int) bool {
	mark := len(w.log)
	w.quiet++
	list := w.implies(a, b, mask, nil, depth, spent)
	w.quiet--
	if len(list) > 0 || w.cut {
		w.rollBack(mark)
		return false
	}
	return true
}

func (w *walk) rollBack(mark int) {
	for _, key := range w.log[mark:] {
		delete(w.done, key)
	}
	w.log = w.log[:mark]
}

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

// plain puts each constraint of b to a.
func (w *walk) plain(p pair) []failure {
	if w.included(p.a, p.b) && (w.quiet > 0 || w.included(p.b, p.a)) { // what went is to be noted
		return nil
	}
	from, to := w.facts(p.a, p.types), w.facts(p.b, allTypes)
	switch extra := from.types &^ to.types; {
	case from.types == 0:
		return nil
	case p.b.never:
		return []failure{p.fail(keywordFalse, "", "nothing")}
	case extra != 0:
		out := []failure{p.fail("type", from.types.String(), to.types.String())}
		p.types = from.types &^ extra
		if p.types == 0 {
			return out
		}
		return append(out, w.plain(p)...)
	}
	if from.finite {
		return w.finite(p, from)
	}
	var out []failure
	for _, v := range simple(from.types) {
		if !p.a.refuses(v) && !p.b.takes(v) {
			out = append(out, p.fail("enum", quoteJSON(v), p.b.constants()))
		}
	}
	p.types = from.types &^ (typeNull | typeBoolean)
	if p.types == 0 {
		return out
	}
	if to.finite && p.b.hasConstants() {
		return append(out, p.fail("enum", "", p.b.constants()))
	}
	out = append(out, p.scalars(from, to)...)
	if p.types&typeObject != 0 {
		out = append(out, w.object(p, from, to)...)
	}
	if p.types&typeArray != 0 {
		out = append(out, w.array(p, from, to)...)
	}
	return append(out, w.wholes(p)...)
}

// included tells whether a has all members of b, or equal ones.
func (w *walk) included(a, b conjunction) bool {
	if b.never {
		return false
	}
	for _, s := range b.members {
		if !slices.ContainsFunc(a.members, func(t *subschema) bool { return w.equal(t, s, false) }) {
			return false
		}
	}
	return true
}

// finite puts each of a few values to b, by the library.
func (w *walk) finite(p pair, from facts) []failure {
	if from.many {
		return []failure{{path: p.path, keyword: "enum", unknown: true, from: fmt.Sprintf("%d values", len(from.values)), to: p.b.constants()}}
	}
	var lost []string
	unsure := true
	for _, v := range from.values {
		if !w.step() {
			w.cut = true
			break
		}
		if p.b.takes(v) {
			continue
		}
		unsure = unsure && !p.b.refuses(v)
		lost = append(lost, quoteJSON(v))
	}
	if len(lost) == 0 {
		return nil
	}
	return []failure{{path: p.path, keyword: "enum", from: shorten(strings.Join(lost, ", ")), to: p.b.constants(), unknown: unsure}}
}

func (c conjunction) hasConstants() bool {
	return slices.ContainsFunc(c.members, func(s *subschema) bool { return len(s.Enum)+len(s.Constant) > 0 })
}

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

// survey looks for words by which a schema means something else than it says in its place.
func (s *Schema) survey(doc any) {
	if m, ok := doc.(map[string]any); ok {
		draft, _ := m["$schema"].(string)
		s.dialect = s.dialect || draft != "" && !strings.Contains(draft, "//json-schema.org/")
	}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, sub := range v {
				s.dynamic = s.dynamic || key == "$dynamicRef" || key == "$recursiveRef"
				look(sub)
			}
		case []any:
			for _, sub := range v {
				look(sub)
			}
		}
	}
	look(doc)
}
