package chart

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// What Helm does to values takes most of its time for copying them, and a chart's defaults, which can be thousands of lines, several times
// over. Of a default that nothing lies over, and of a value that lies over none, Helm makes nothing else than itself. So it is spared
// those: it gets a chart and values in which each of them is a hole, and the holes are filled when it is done. What lies over what, and who
// is asked for, it decides itself. This file knows only what nobody looks at (TestJudgedOfAnyChart compares with Helm alone).

// hole stands for a value that Helm is spared, by its place in a list.
type hole string

// spared is a chart as Helm gets it: numbers are spelled, and defaults shared.
type spared struct {
	chart *chart.Chart
	// reserved are the keys that Helm looks for by itself, at whatever depth.
	reserved map[string]bool
	// whole tells that Helm moves defaults about, or has those of several subcharts in one place, so that all of them have to be there.
	whole bool
	// schemas tells that the chart or a subchart has one.
	schemas bool
	// places are all keys at which values of subcharts can be, at whatever depth.
	places map[string]bool
}

// spare prepares a chart, once.
func (c *Chart) spare() *spared {
	c.once.Do(func() {
		s := &spared{chart: clone(c.chart), reserved: map[string]bool{"global": true, "tags": true}, places: map[string]bool{}}
		s.prepare(s.chart)
		c.spared = s
	})
	return c.spared
}

func (s *spared) prepare(c *chart.Chart) {
	if values, ok := spelled(c.Values).(map[string]any); ok {
		c.Values = values
	}
	s.reserved[c.Name()] = true
	s.schemas = s.schemas || c.Schema != nil
	if c.Metadata != nil {
		for _, d := range c.Metadata.Dependencies {
			if d == nil {
				continue
			}
			s.reserved[d.Name], s.reserved[d.Alias] = true, true
			s.whole = s.whole || len(d.ImportValues) > 0
			for condition := range strings.SplitSeq(d.Condition, ",") {
				for key := range strings.SplitSeq(strings.TrimSpace(condition), ".") {
					s.reserved[key] = true
				}
			}
		}
	}
	owner := map[string]*chart.Chart{}
	for _, sub := range c.Dependencies() {
		for _, key := range placesOf(c, sub) {
			s.whole = s.whole || owner[key] != nil && owner[key] != sub
			owner[key] = sub
			s.places[key] = true
		}
		s.prepare(sub)
	}
}

// holes are the values that Helm is spared in one run.
type holes []any

// dig returns the chart for one run with a user's values, and these, with holes.
func (s *spared) dig(user map[string]any) (*chart.Chart, map[string]any, *holes) {
	own, h := clone(s.chart), &holes{}
	if s.whole {
		return own, user, h
	}
	s.digChart(h, own, []map[string]any{user})
	return own, s.digUser(h, s.chart, user, []map[string]any{s.chart.Values}), h
}

// digUser makes holes in a user's values for a chart, or in those below one of their keys, where c is nil. under is what lies under them.
func (s *spared) digUser(h *holes, c *chart.Chart, user map[string]any, under []map[string]any) map[string]any {
	out := make(map[string]any, len(user))
	for key, v := range user {
		out[key] = v
		known, below := at(under, key)
		m, isMap := v.(map[string]any)
		_, isList := v.([]any)
		switch sub := subchart(c, key); {
		case isMap && sub != nil:
			out[key] = s.digUser(h, sub, m, append(below, sub.Values))
		case s.reserved[key]:
		case isList, isMap && !known:
			out[key] = h.add(v)
		case isMap && len(below) > 0:
			out[key] = s.digUser(h, nil, m, below)
		}
	}
	return out
}

func subchart(c *chart.Chart, name string) *chart.Chart {
	if c == nil {
		return nil
	}
	for _, sub := range c.Dependencies() {
		if slices.Contains(placesOf(c, sub), name) {
			return sub
		}
	}
	return nil
}

// placesOf returns the keys at which Helm coalesces a subchart: under its own name too, before it knows of aliases.
func placesOf(c, sub *chart.Chart) []string { return append(keysOf(c, sub), sub.Name()) }

// digChart makes holes in a chart and its subcharts. over is what Helm lays over the chart's values.
func (s *spared) digChart(h *holes, c *chart.Chart, over []map[string]any) {
	above := append(over[:len(over):len(over)], c.Values)
	for _, sub := range c.Dependencies() {
		var below []map[string]any
		for _, key := range placesOf(c, sub) {
			for _, tree := range above {
				if m, ok := tree[key].(map[string]any); ok {
					below = append(below, m)
				}
			}
		}
		s.digChart(h, sub, below)
	}
	c.Values = s.digMap(h, c.Values, over)
}

func (s *spared) digMap(h *holes, defaults map[string]any, over []map[string]any) map[string]any {
	out := make(map[string]any, len(defaults))
	for key, v := range defaults {
		out[key] = v
		if s.reserved[key] {
			continue
		}
		touched, below := at(over, key)
		m, isMap := v.(map[string]any)
		_, isList := v.([]any)
		switch {
		case !touched && (isMap || isList):
			out[key] = h.add(v)
		case isMap && len(below) > 0:
			out[key] = s.digMap(h, m, below)
		}
	}
	return out
}

// at returns the maps that trees have under a key, and whether any of them has the key at all.
func at(trees []map[string]any, key string) (known bool, below []map[string]any) {
	for _, tree := range trees {
		v, ok := tree[key]
		known = known || ok
		if m, isMap := v.(map[string]any); isMap {
			below = append(below, m)
		}
	}
	return known, below
}

func (h *holes) add(v any) hole {
	*h = append(*h, v)
	return hole(strconv.Itoa(len(*h) - 1))
}

// fill puts the defaults back into what Helm made.
func (h holes) fill(tree map[string]any) {
	if len(h) == 0 {
		return
	}
	for key, v := range tree {
		switch x := v.(type) {
		case map[string]any:
			h.fill(x)
		case hole:
			i, _ := strconv.Atoi(string(x)) // add wrote it
			tree[key] = h[i]
		}
	}
}

// spelled copies a tree, with numbers as JSON has those of Helm, which are float64.
func spelled(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if x == nil {
			return x
		}
		out := make(map[string]any, len(x))
		for key, item := range x {
			out[key] = spelled(item)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = spelled(x[i])
		}
		return out
	case float64:
		return json.Number(strconv.FormatFloat(x, 'g', -1, 64))
	case json.Number:
		f, err := strconv.ParseFloat(string(x), 64)
		if err != nil {
			return string(x) // cannot be: Helm's parser has read it
		}
		return spelled(f)
	}
	return v
}
