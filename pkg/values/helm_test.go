package values

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

// TestMain silences Helm's library, which logs what it skips while it coalesces.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// helmMerge is `helm -f FILE -f FILE ...`: Helm's own code on real files.
func helmMerge(dir string, texts ...string) (map[string]any, error) {
	options := helmvalues.Options{}
	for i, text := range texts {
		file := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		options.ValueFiles = append(options.ValueFiles, file)
	}
	return options.MergeValues(nil)
}

// helmReads is Helm's reading of one text, as Helm itself has it: numbers are float64.
func helmReads(text []byte) (map[string]any, error) {
	out := map[string]any{}
	err := yaml.Unmarshal(text, &out)
	return out, err
}

// treeDiff says where two trees of Helm's types differ, "" for nowhere. cmp.Diff takes time exponential in the depth of lists.
func treeDiff(want, got map[string]any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("they differ at %v", pathNames(Differences(want, got, 10)))
}

// chartSpec describes a chart in memory. Helm changes the charts that it works on, so that each use builds its own.
type chartSpec struct {
	name       string
	defaults   map[string]any
	subcharts  []chartSpec
	dependency []chart.Dependency
}

func (spec chartSpec) build() *chart.Chart {
	out := &chart.Chart{
		Metadata: &chart.Metadata{APIVersion: chart.APIVersionV2, Name: spec.name, Version: "0.1.0"},
		Values:   Plain(spec.defaults),
	}
	for _, d := range spec.dependency {
		out.Metadata.Dependencies = append(out.Metadata.Dependencies, &d)
	}
	for _, sub := range spec.subcharts {
		out.AddDependency(sub.build())
	}
	return out
}

// effective is what the chart's templates see of user-supplied values: what Helm's install does with them.
func (spec chartSpec) effective(user map[string]any) (map[string]any, error) {
	c := spec.build()
	if err := chartutil.ProcessDependenciesWithMerge(c, Plain(user)); err != nil {
		return nil, err
	}
	return chartutil.CoalesceValues(c, Plain(user))
}

// chartValues draws values whose keys mean something to the drawn charts: subcharts, globals, tags, conditions.
func chartValues() treeSpec {
	spec := plainSpec()
	spec.depth, spec.width = 4, 6
	spec.keys = []string{"a", "b", "c", "s", "twin", "deep", "global", "tags", "enabled", "on", "exports"}
	spec.tables = []string{"s", "twin", "deep", "global", "tags", "exports"}
	spec.switches = []string{"enabled", "on"}
	return spec
}

// drawChart draws a chart with subcharts: conditions, tags, an alias, values imported both ways, globals, a
// subchart of a subchart, and nulls among the defaults. Its defaults have much in common with base.
func drawChart(t *rapid.T, base map[string]any) chartSpec {
	spec := chartValues()
	draw := func(tree any) map[string]any {
		m, _ := tree.(map[string]any)
		return spec.perturb(t, m, 1)
	}
	out := chartSpec{name: "top", defaults: draw(base)}
	if chance(t, 4, "no subcharts") {
		return out
	}
	values := base["s"]
	if chance(t, 3, "the same") {
		values = base
	}
	sub := chartSpec{name: "s", defaults: draw(values)}
	if chance(t, 2, "deep") {
		sub.subcharts = []chartSpec{{name: "deep", defaults: draw(base["deep"])}}
		if chance(t, 2, "declared") {
			sub.dependency = []chart.Dependency{drawDependency(t, "deep")}
		}
	}
	out.subcharts = []chartSpec{sub}
	if chance(t, 4, "undeclared") {
		return out
	}
	out.dependency = []chart.Dependency{drawDependency(t, "s")}
	if chance(t, 3, "alias") {
		twin := drawDependency(t, "s")
		twin.Alias = "twin"
		out.dependency = append(out.dependency, twin)
	}
	return out
}

func drawDependency(t *rapid.T, name string) chart.Dependency {
	out := chart.Dependency{Name: name, Version: "0.1.0"}
	if chance(t, 2, "condition") {
		out.Condition = rapid.SampledFrom([]string{name + ".enabled", "global.on", "a.enabled,s.on"}).Draw(t, "condition path")
	}
	if chance(t, 3, "tag") {
		out.Tags = []string{rapid.SampledFrom([]string{"a", "on"}).Draw(t, "tag name")}
	}
	if chance(t, 3, "import") {
		out.ImportValues = []any{rapid.SampledFrom([]any{
			"a", map[string]any{"child": "a", "parent": "b"}, map[string]any{"child": "exports.a", "parent": "."},
		}).Draw(t, "imported")}
	}
	return out
}
