package check

import (
	"maps"
	"slices"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// known is what a chart and its subcharts know of one place in values.
type known struct {
	defaults []any
	schema   schema.Place
	charts   []knownChart // whose values stand at this place
}

// knownChart is a chart and its schema.
type knownChart struct {
	schema    schema.Place
	name      string
	subcharts []knownChart
}

// knownOf returns what a chart knows, computed once for all apps that have it.
func (r *run) knownOf(loaded *chart.Chart) known {
	compute := sync.OnceValue(func() known {
		defaults, all, err := loaded.Defaults()
		if err != nil {
			return known{defaults: []any{nil}} // nothing is known, so that anything goes: another rule tells why
		}
		for _, path := range loaded.Switches() {
			plant(defaults, path)
		}
		top := r.knownChart(all)
		return known{defaults: []any{defaults}, schema: top.schema, charts: []knownChart{top}}
	})
	kept, _ := r.known.LoadOrStore(loaded, compute)
	return kept.(func() known)() //nolint:forcetypeassert // nothing else is stored
}

// plant puts a switch of subcharts among defaults that lack it: it is known by what it does.
func plant(defaults map[string]any, path values.Path) {
	for i, step := range path {
		next, there := defaults[step.Key]
		if i == len(path)-1 && !there {
			defaults[step.Key] = false
		}
		if !there && i < len(path)-1 {
			next = map[string]any{}
			defaults[step.Key] = next
		}
		defaults, there = next.(map[string]any)
		if !there {
			return // no map can be there
		}
	}
}

// knownChart reads schemas; one that does not compile says nothing.
func (r *run) knownChart(p chart.Part) knownChart {
	out := knownChart{name: p.Name}
	if p.Schema != nil {
		if compiled, err := r.in.Schemas.Compile(p.Name, p.Schema); err == nil {
			out.schema = compiled.Root()
		}
	}
	for _, sub := range p.Parts {
		out.subcharts = append(out.subcharts, r.knownChart(sub))
	}
	return out
}

// key returns what is known of the place under a key, and whether anything is.
func (k known) key(key string) (below known, ok bool) {
	below.schema, ok = k.schema.Key(key)
	for _, d := range k.defaults {
		m, _ := d.(map[string]any)
		if v, has := m[key]; has {
			below.defaults, ok = append(below.defaults, v), true
		}
	}
	for _, c := range k.charts {
		for _, sub := range c.subcharts {
			if sub.name == key {
				below.charts, below.schema, ok = append(below.charts, sub), below.schema.Join(sub.schema), true
			}
		}
		if key == global {
			below, ok = below.globals(c, k.defaults), true
		}
	}
	return below, ok
}

// globals adds what subcharts know of globals, of which they see those of their parents.
func (k known) globals(c knownChart, defaults []any) known {
	for _, sub := range c.subcharts {
		var own []any
		for _, d := range defaults {
			m, _ := d.(map[string]any)
			of, _ := m[sub.name].(map[string]any)
			own = append(own, of)
			if g, _ := of[global].(map[string]any); len(g) > 0 { // Helm puts an empty one into each
				k.defaults = append(k.defaults, g)
			}
		}
		if s, ok := sub.schema.Key(global); ok {
			k.schema = k.schema.Join(s)
		}
		k = k.globals(sub, own)
	}
	return k
}

// free tells whether anything goes below.
func (k known) free() bool {
	if k.schema.Free() {
		return true
	}
	for _, d := range k.defaults {
		m, _ := d.(map[string]any)
		keys := len(m)
		if _, has := m[global]; has && len(k.charts) > 0 {
			keys-- // which Helm puts there
		}
		if keys == 0 {
			return true
		}
	}
	return len(k.defaults) == 0 && len(k.schema.Names()) == 0 && len(k.charts) > 0
}

// names returns the keys that can stand at this place.
func (k known) names() []string {
	out := k.schema.Names()
	for _, d := range k.defaults {
		m, _ := d.(map[string]any)
		out = slices.AppendSeq(out, maps.Keys(m))
	}
	for _, c := range k.charts {
		for _, sub := range c.subcharts {
			out = append(out, sub.name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
