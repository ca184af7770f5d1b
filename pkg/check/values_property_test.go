package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/cli/values"
	"helm.sh/helm/v3/pkg/getter"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// TestVerdictIsHelms holds, for drawn charts, schemas and values, that validate refuses what Helm's install refuses before it renders and
// nothing else; that what is told of managed is refused without custom too, and what is told of the chart without any values; and that
// every finding stands at a line of its file.
func TestVerdictIsHelms(t *testing.T) {
	base, draws, refused, told := t.TempDir(), 0, 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		draws++
		dir := filepath.Join(base, strconv.Itoa(draws))
		defer os.RemoveAll(dir) //nolint:errcheck // the test's folder goes anyway
		r := drawRepo(t)
		in := r.in(t, dir)
		result, err := check.Run(t.Context(), in, check.Options{StrictKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		var list []finding.Finding
		for _, f := range result.Findings {
			lines := strings.Count(r.files[f.File], "\n")
			if f.Line < 1 || f.Line > lines || f.Column < 1 {
				t.Fatalf("%s has %d lines: %+v", f.File, lines, f)
			}
			if f.Rule == check.RuleSchema || f.Rule == check.RuleSchemaUnusable {
				list = append(list, f)
				told[f.File]++
			}
		}
		want := r.helm(t, dir, managedFile, customFile)
		if (want != nil) != (len(list) > 0) {
			t.Fatalf("Helm says: %v\nvalidate: %+v", want, list)
		}
		for _, f := range list {
			switch {
			case f.Rule == check.RuleSchemaUnusable:
			case f.File == appFile && r.helm(t, dir) == nil:
				t.Fatalf("the chart alone is not refused: %+v", f)
			case f.File == managedFile && r.helm(t, dir, managedFile) == nil:
				t.Fatalf("without custom nothing is refused: %+v", f)
			}
		}
		if want != nil {
			refused++
		}
	})
	t.Logf("refused: %d; told of %v", refused, told)
}

// in writes the charts and the value files below dir, and returns the input.
func (r repo) in(t *rapid.T, dir string) check.Input {
	for name, text := range r.charts {
		write(t, filepath.Join(dir, name), text)
	}
	for _, name := range []string{managedFile, customFile} {
		write(t, filepath.Join(dir, name), r.files[name])
	}
	r.charts = nil
	in := r.input(t)
	in.Charts = &folder{charts: chart.NewFolder(dir)}
	return in
}

// helm is what Helm's install does before it renders.
func (r repo) helm(t *rapid.T, dir string, files ...string) error {
	options := values.Options{}
	for _, file := range files {
		options.ValueFiles = append(options.ValueFiles, filepath.Join(dir, file))
	}
	user, err := options.MergeValues(getter.Providers{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := loader.LoadDir(filepath.Join(dir, "charts", "web"))
	if err != nil {
		t.Fatal(err)
	}
	if err := chartutil.ProcessDependenciesWithMerge(loaded, user); err != nil {
		return err
	}
	coalesced, err := chartutil.CoalesceValues(loaded, user)
	if err != nil {
		return err
	}
	return chartutil.ValidateAgainstSchema(loaded, coalesced)
}

func write(t *rapid.T, file, text string) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// drawRepo draws a repo with one app, its chart and a subchart.
func drawRepo(t *rapid.T) repo {
	text := func(name string) string {
		out, err := yaml.Marshal(drawTree(t, name, 0))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	schema := func(name string) string {
		if !rapid.Bool().Draw(t, name+"?") {
			return ""
		}
		s := drawSchema(t, name, 0)
		if rapid.Bool().Draw(t, "draft 7") {
			s["$schema"] = "http://json-schema.org/draft-07/schema#"
		}
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	r := web(text("managed"), "# mine\n"+text("custom"), text("defaults"), schema("schema"))
	if rapid.Bool().Draw(t, "subchart") {
		r = r.subchart("db", text("subchart's defaults"), schema("subchart's schema"), rapid.SampledFrom([]string{"", "db.a", "global.a"}).Draw(t, "condition"))
	}
	return r
}

func drawTree(t *rapid.T, name string, depth int) map[string]any {
	out := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, name) {
		key := rapid.SampledFrom([]string{"a", "b", "db", "db", "global"}).Draw(t, "key")
		if depth < 3 && rapid.IntRange(0, 2).Draw(t, "map") > 0 {
			out[key] = drawTree(t, name, depth+1)
			continue
		}
		out[key] = rapid.SampledFrom([]any{nil, true, 1, 2.5, 1e6, "x", []any{1, "x"}}).Draw(t, "value")
	}
	return out
}

func drawSchema(t *rapid.T, name string, depth int) map[string]any {
	out := map[string]any{}
	keys := rapid.SampledFrom([]string{"a", "b", "db", "global"})
	for range rapid.IntRange(0, 3).Draw(t, name) {
		switch rapid.SampledFrom([]string{"properties", "properties", "required", "closed", "type", "count", "choice", "if", "dependency"}).Draw(t, "keyword") {
		case "required":
			out["required"] = rapid.SliceOfNDistinct(keys, 1, 2, rapid.ID[string]).Draw(t, "required")
		case "closed":
			out["additionalProperties"] = false
		case "count":
			out["maxProperties"] = rapid.IntRange(0, 3).Draw(t, "most")
		case "type":
			if depth > 0 {
				out["type"] = rapid.SampledFrom([]any{"string", "integer", "object", []any{"boolean", "null"}}).Draw(t, "type")
			}
		case "dependency":
			out["dependencies"] = map[string]any{keys.Draw(t, "asking"): []any{keys.Draw(t, "asked")}}
		case "choice":
			if depth < 3 {
				out[rapid.SampledFrom([]string{"oneOf", "anyOf"}).Draw(t, "choice")] = []any{drawSchema(t, name, depth+1), drawSchema(t, name, depth+1)}
			}
		case "if":
			if depth < 3 {
				out["if"], out["then"] = drawSchema(t, name, depth+1), drawSchema(t, name, depth+1)
			}
		default:
			if depth < 3 {
				out["properties"] = map[string]any{keys.Draw(t, "key"): drawSchema(t, name, depth+1), keys.Draw(t, "key"): drawSchema(t, name, depth+1)}
			}
		}
	}
	return out
}
