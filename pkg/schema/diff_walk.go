package schema

import (
	"fmt"
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
