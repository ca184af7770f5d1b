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

// TestJudgedOfAnyChart holds that Judged returns what Helm has when it comes to schemas: the values, and the chart less the subcharts that
// are off, under the names that their values have.
func TestJudgedOfAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		build := drawChart(t, "top", 0)
		shared, user := &Chart{chart: build()}, drawMap(t, 0)
		own := build()
		want, wantErr := helm(own, copyOf(user))
		if wantErr != nil && shared.Unjudged(user) {
			t.Fatalf("Helm refuses them: %v", wantErr)
		}
		for range 2 {
			got, part, err := shared.Judged(user)
			var refused *RefusedError
			if (err == nil) != (wantErr == nil) || err != nil && !errors.As(err, &refused) {
				t.Fatalf("Helm says %v, Judged %v", wantErr, err)
			}
			if err != nil {
				break
			}
			if diff := cmp.Diff(want, values.Plain(got)); diff != "" {
				t.Fatalf("schemas would see other values of %v (-helm +judged)\n%s\nuser %v", describe(build()), diff, user)
			}
			if diff := cmp.Diff(names(partOf(own)), names(part)); diff != "" {
				t.Fatalf("other charts (-helm +judged)\n%s", diff)
			}
		}
		if diff := cmp.Diff(describe(build()), describe(shared.chart)); diff != "" {
			t.Fatalf("the chart was changed (-before +after)\n%s", diff)
		}
	})
}

// TestDefaultsOfAnyChart holds that no user can make a key appear that Defaults does not have, but by setting it. It holds for charts whose
// defaults have no nulls, which take away what others bring, and without aliases: of a subchart that is there twice, Helm renames what is
// below one of them only.
func TestDefaultsOfAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shared := &Chart{chart: ordinary(drawChart(t, "top", 0)())}
		all, _, err := shared.Defaults()
		if err != nil {
			return // its own defaults are refused
		}
		user := drawMap(t, 0)
		got, _, err := shared.Judged(user)
		if err != nil {
			return
		}
		if missing := lacks(all, got, user); missing != "" {
			t.Fatalf("Defaults lack %s", missing)
		}
	})
}

// ordinary takes nulls and aliases out of a chart.
func ordinary(c *chart.Chart) *chart.Chart {
	c.Values, _ = withoutNulls(c.Values).(map[string]any)
	for _, d := range c.Metadata.Dependencies {
		d.Alias = ""
	}
	for _, sub := range c.Dependencies() {
		ordinary(sub)
	}
	return c
}

func withoutNulls(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for key, item := range m {
		if item != nil {
			out[key] = withoutNulls(item)
		}
	}
	return out
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

// names tells how parts are called, in no order.
func names(p Part) any {
	list := map[string]any{}
	for _, sub := range p.Parts {
		list[sub.Name] = names(sub)
	}
	return map[string]any{p.Name: list}
}

// TestNumbers holds that schemas see the digits of Helm's float64.
func TestNumbers(t *testing.T) {
	c := &Chart{chart: &chart.Chart{Metadata: &chart.Metadata{APIVersion: "v2", Name: "web", Version: "1.0.0"},
		Values: map[string]any{"n": 1e6, "l": []any{0.5, "x", map[string]any{"n": 18446744073709551616.0}}}}}
	got, _, err := c.Judged(map[string]any{"a": json.Number("0.10"), "b": json.Number("9007199254740993")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": json.Number("0.1"), "b": json.Number("9.007199254740992e+15"), "n": json.Number("1e+06"),
		"l": []any{json.Number("0.5"), "x", map[string]any{"n": json.Number("1.8446744073709552e+19")}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
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
				"Judged":    func() error { _, _, err := c.Judged(tc.user); return err },
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
