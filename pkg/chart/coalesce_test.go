package chart

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestCoalesceOfAnyChart holds that Coalesce has what Helm has when it comes to schemas: the values, and the chart less the subcharts that
// are off, under the names that their values have.
func TestCoalesceOfAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		build := drawChart(t, "top", 0)
		shared, user := &Chart{chart: build()}, drawMap(t, 0)
		own := build()
		want, wantErr := helm(own, copyOf(user))
		for range 2 {
			got, err := shared.Coalesce(user)
			var refused *RefusedError
			if (err == nil) != (wantErr == nil) || err != nil && !errors.As(err, &refused) {
				t.Fatalf("Helm says %v, Coalesce %v", wantErr, err)
			}
			if err != nil {
				break
			}
			if diff := cmp.Diff(want, values.Plain(got.Values)); diff != "" {
				t.Fatalf("schemas would see other values (-helm +coalesce)\n%s", diff)
			}
			if diff := cmp.Diff(names(own), schemaNames(got.Schemas)); diff != "" {
				t.Fatalf("other charts (-helm +coalesce)\n%s", diff)
			}
		}
		if diff := cmp.Diff(describe(build()), describe(shared.chart)); diff != "" {
			t.Fatalf("the chart was changed (-before +after)\n%s", diff)
		}
	})
}

// TestEverythingOfAnyChart holds that no user can make a key appear that Everything does not have, but by setting it.
func TestEverythingOfAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shared := &Chart{chart: drawChart(t, "top", 0)()}
		all, err := shared.Everything()
		if err != nil {
			return // its own defaults are refused
		}
		user := drawMap(t, 0)
		got, err := shared.Coalesce(user)
		if err != nil {
			return
		}
		if missing := lacks(all.Values, got.Values, user); missing != "" {
			t.Fatalf("Everything lacks %s", missing)
		}
	})
}

// lacks names a key of tree that neither of two others has.
func lacks(all, tree map[string]any, user any) string {
	own, _ := user.(map[string]any)
	for key, v := range tree {
		if key == "global" {
			continue // those of the user go into every subchart
		}
		known, ok := all[key]
		if _, set := own[key]; !ok && !set {
			return key
		}
		below, isMap := v.(map[string]any)
		knownBelow, knownMap := known.(map[string]any)
		if isMap && knownMap {
			if missing := lacks(knownBelow, below, own[key]); missing != "" {
				return key + "." + missing
			}
		}
	}
	return ""
}

func names(c *chart.Chart) any {
	list := []any{c.Name()}
	for _, sub := range c.Dependencies() {
		list = append(list, names(sub))
	}
	return list
}

func schemaNames(s Schemas) any {
	list := []any{s.Name}
	for _, sub := range s.Subcharts {
		list = append(list, schemaNames(sub))
	}
	return list
}

// TestCoalesce holds what Coalesce says besides Helm's values.
func TestCoalesce(t *testing.T) {
	sub := &chart.Chart{Metadata: &chart.Metadata{APIVersion: "v2", Name: "db", Version: "1.0.0"}, Schema: []byte(`{}`), Values: map[string]any{"n": 1e6, "l": []any{0.5, "x", map[string]any{"n": 18446744073709551616.0}}}}
	c := &chart.Chart{Metadata: &chart.Metadata{APIVersion: "v2", Name: "web", Version: "1.0.0", Dependencies: []*chart.Dependency{
		{Name: "db", Version: "1.0.0", Alias: "primary", Condition: "primary.on"}, {Name: "db", Version: "1.0.0", Alias: "replica", Tags: []string{"more"}}}}}
	c.AddDependency(sub)
	shared := &Chart{chart: c}
	got, err := shared.Coalesce(map[string]any{"a": json.Number("0.10"), "primary": map[string]any{"on": false}})
	if err != nil {
		t.Fatal(err)
	}
	defaults := func(more map[string]any) map[string]any {
		out := map[string]any{"global": map[string]any{}, "n": json.Number("1e+06"), "l": []any{json.Number("0.5"), "x", map[string]any{"n": json.Number("1.8446744073709552e+19")}}}
		for key, v := range more {
			out[key] = v
		}
		return out
	}
	want := Coalesced{
		Values:  map[string]any{"a": json.Number("0.1"), "primary": map[string]any{"on": false}, "replica": defaults(nil)},
		Schemas: Schemas{Name: "web", Subcharts: []Schemas{{Name: "replica", Schema: []byte(`{}`)}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	all, err := shared.Everything()
	if err != nil {
		t.Fatal(err)
	}
	want = Coalesced{
		Values:  map[string]any{"primary": defaults(map[string]any{"on": false}), "replica": defaults(nil), "tags": map[string]any{"more": false}},
		Schemas: Schemas{Name: "web", Subcharts: []Schemas{{Name: "primary", Schema: []byte(`{}`)}, {Name: "replica", Schema: []byte(`{}`)}}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("everything (-want +got)\n%s", diff)
	}
}

// TestRefused holds which values are named of those that Helm refuses, and that none is quoted.
func TestRefused(t *testing.T) {
	leaf := func(name string, values map[string]any, subs ...*chart.Chart) *chart.Chart {
		c := &chart.Chart{Metadata: &chart.Metadata{APIVersion: "v2", Name: name, Version: "1.0.0"}, Values: values}
		for _, s := range subs {
			c.AddDependency(s)
		}
		return c
	}
	aliased := leaf("web", nil, leaf("db", nil))
	aliased.Metadata.Dependencies = []*chart.Dependency{{Name: "db", Version: "1.0.0", Alias: "primary"}}
	for name, tc := range map[string]struct {
		reason string
		chart  *chart.Chart
		user   map[string]any
		want   string
	}{
		"Scalar":  {"text where a map has to be", leaf("web", nil, leaf("db", nil)), map[string]any{"db": "hunter2"}, "db"},
		"Null":    {"a null over no default stays, and is no map", leaf("web", nil, leaf("db", nil)), map[string]any{"db": nil}, "db"},
		"Deep":    {"Helm names the last step alone", leaf("web", nil, leaf("db", nil, leaf("disk", nil))), map[string]any{"db": map[string]any{"disk": "hunter2"}}, "db.disk"},
		"Alias":   {"by its other name", aliased, map[string]any{"primary": "hunter2"}, "primary"},
		"Default": {"a chart's own defaults", leaf("web", map[string]any{"db": "hunter2"}, leaf("db", nil)), nil, "db"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &Chart{chart: tc.chart}
			for what, ask := range map[string]func() error{
				"Coalesce":  func() error { _, err := c.Coalesce(tc.user); return err },
				"Effective": func() error { _, err := c.Effective(tc.user); return err },
			} {
				err := ask()
				var refused *RefusedError
				if !errors.As(err, &refused) || refused.Path.String() != tc.want || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%s: %s: %v", tc.reason, what, err)
				}
			}
		})
	}
}
