package chart

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"pgregory.net/rapid"
)

// TestEffectiveOfAnyChart holds that Effective is Helm's answer on a chart that nobody has used, however often it was
// asked before, and that it changes neither the chart nor the values.
func TestEffectiveOfAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		build := drawChart(t, "top", 0)
		shared := &Chart{chart: build()}
		for range 3 {
			user := drawMap(t, 0)
			before := copyOf(user)
			got, gotErr := shared.Effective(user)
			if diff := cmp.Diff(before, user); diff != "" {
				t.Fatalf("the values were changed (-before +after)\n%s", diff)
			}
			want, wantErr := helm(build(), user)
			if (gotErr == nil) != (wantErr == nil) {
				t.Fatalf("Helm says %v, Effective %v", wantErr, gotErr)
			}
			if diff := cmp.Diff(want, got); diff != "" && wantErr == nil {
				t.Fatalf("templates would see other values (-helm +effective)\n%s", diff)
			}
		}
		if diff := cmp.Diff(describe(build()), describe(shared.chart)); diff != "" {
			t.Fatalf("the chart was changed (-before +after)\n%s", diff)
		}
	})
}

// helm is what Helm's install hands to templates. It changes the chart and the values.
func helm(c *chart.Chart, user map[string]any) (map[string]any, error) {
	if err := chartutil.ProcessDependenciesWithMerge(c, user); err != nil {
		return nil, err
	}
	effective, err := chartutil.CoalesceValues(c, user)
	return effective, err
}

// describe tells all of a chart that Helm's processing can change.
func describe(c *chart.Chart) map[string]any {
	var subcharts []any
	for _, s := range c.Dependencies() {
		subcharts = append(subcharts, describe(s))
	}
	return map[string]any{"metadata": c.Metadata, "values": c.Values, "subcharts": subcharts}
}

// drawChart draws a chart with up to two levels of subcharts, as a function that builds it anew.
func drawChart(t *rapid.T, name string, depth int) func() *chart.Chart {
	defaults := drawMap(t, 0)
	var (
		subcharts    []func() *chart.Chart
		dependencies []chart.Dependency
	)
	for _, sub := range []string{"s", "u"} {
		if depth == 2 || !rapid.Bool().Draw(t, "subchart") {
			continue
		}
		subcharts = append(subcharts, drawChart(t, sub, depth+1))
		for range rapid.IntRange(0, 2).Draw(t, "declared") {
			dependencies = append(dependencies, drawDependency(t, sub))
		}
	}
	return func() *chart.Chart {
		out := &chart.Chart{
			Metadata: &chart.Metadata{APIVersion: chart.APIVersionV2, Name: name, Version: "0.1.0"},
			Values:   copyOf(defaults),
		}
		for _, d := range dependencies {
			out.Metadata.Dependencies = append(out.Metadata.Dependencies, &d)
		}
		for _, build := range subcharts {
			out.AddDependency(build())
		}
		return out
	}
}

func drawDependency(t *rapid.T, name string) chart.Dependency {
	return chart.Dependency{
		Name:      name,
		Version:   "0.1.0",
		Alias:     rapid.SampledFrom([]string{"", "", "", "twin", name + "win"}).Draw(t, "alias"),
		Condition: rapid.SampledFrom([]string{"", "", name + ".a", "a.a,s.a", "global.a"}).Draw(t, "condition"),
		Tags:      rapid.SampledFrom([][]string{nil, {"a"}, {"s"}}).Draw(t, "tags"),
		ImportValues: rapid.SampledFrom([][]any{nil, nil, nil, nil, nil, nil, {"a"}, {map[string]any{"child": "a", "parent": "u"}},
			{map[string]any{"child": "s", "parent": "."}}}).Draw(t, "imported"),
	}
}

func drawMap(t *rapid.T, depth int) map[string]any {
	out := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "width") {
		key := rapid.SampledFrom([]string{"a", "s", "u", "twin", "swin", "global", "tags", "exports", "k", "m"}).Draw(t, "key")
		if depth < 3 && rapid.Bool().Draw(t, "deeper") {
			out[key] = drawMap(t, depth+1)
			continue
		}
		out[key] = rapid.SampledFrom([]any{nil, true, false, 1.0, "x", []any{"y", nil}}).Draw(t, "scalar")
	}
	return out
}

func copyOf(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for key, value := range m {
		if inner, ok := value.(map[string]any); ok {
			value = copyOf(inner)
		}
		out[key] = value
	}
	return out
}
