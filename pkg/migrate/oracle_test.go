package migrate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// What follows says what a chart's templates see, with Helm's library and none of this project's code: that is what the
// project is measured by.

// helmEffective is what `helm template` hands to the templates of the chart in a folder. Helm changes the chart and the
// values that it works on, so that each call loads its own.
func helmEffective(chartDir string, options helmvalues.Options) (map[string]any, error) {
	c, err := loader.LoadDir(chartDir)
	if err != nil {
		return nil, err
	}
	user, err := options.MergeValues(nil)
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, user); err != nil {
		return nil, err
	}
	effective, err := chartutil.CoalesceValues(c, user)
	if err != nil {
		return nil, err
	}
	return printable(map[string]any(effective)).(map[string]any), nil
}

// printable gives small integers the type that numbers of files have. --set brings int64 and -f float64; the two print
// alike up to a million (Go writes 1e+06 for a float64 of that size), so that larger ones stay different.
func printable(v any) any {
	switch x := v.(type) {
	case chartutil.Values:
		return printable(map[string]any(x))
	case map[string]any:
		out := make(map[string]any, len(x))
		for key, item := range x {
			out[key] = printable(item)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = printable(x[i])
		}
		return out
	case int64:
		if x > -1_000_000 && x < 1_000_000 {
			return float64(x)
		}
	}
	return v
}

// liveOptions is how Argo CD calls Helm for a live Application: the values as a file, parameters as --set.
func liveOptions(t testing.TB, application map[string]any) helmvalues.Options {
	t.Helper()
	source := application["spec"].(map[string]any)["source"].(map[string]any)
	name := application["metadata"].(map[string]any)["name"].(string)
	helm, _ := source["helm"].(map[string]any)
	text, _ := helm["values"].(string)
	if object, ok := helm["valuesObject"]; ok {
		encoded, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	file := filepath.Join(t.TempDir(), "live.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := helmvalues.Options{ValueFiles: []string{file}}
	parameters, _ := helm["parameters"].([]any)
	for _, p := range parameters {
		parameter := p.(map[string]any)
		value, _ := parameter["value"].(string)
		value = strings.ReplaceAll(value, "$ARGOCD_APP_NAME", name)
		assignment := fmt.Sprintf("%s=%s", parameter["name"], strings.ReplaceAll(value, ",", `\,`))
		if parameter["forceString"] == true {
			out.StringValues = append(out.StringValues, assignment)
		} else {
			out.Values = append(out.Values, assignment)
		}
	}
	return out
}

// valueFiles is how Argo CD calls Helm for a written Application of the repo in a folder.
func valueFiles(repo, id string) helmvalues.Options {
	return helmvalues.Options{ValueFiles: []string{
		filepath.Join(repo, "env", "values", filepath.FromSlash(id), "values.managed.yaml"),
		filepath.Join(repo, "env", "values", filepath.FromSlash(id), "values.custom.yaml"),
	}}
}

// rawApplications reads the live Applications as plain trees, by name.
func (r recording) rawApplications(t testing.TB) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, stream := range r.live(t) {
		var list struct{ Items []map[string]any }
		readYAML(t, stream, &list)
		for _, item := range list.Items {
			out[item["metadata"].(map[string]any)["name"].(string)] = item
		}
	}
	return out
}

func (r recording) chartOf(application map[string]any) string {
	source := application["spec"].(map[string]any)["source"].(map[string]any)
	return r.path(filepath.FromSlash(source["path"].(string)))
}

// checkEffective holds that each app that a plan moved has the effective values that it had, less the paths in differ.
func (r recording) checkEffective(t *testing.T, repo string, plan *migrate.Plan, differ map[string][]string) {
	t.Helper()
	live, checked, empty := r.rawApplications(t), 0, 0
	for _, a := range plan.Apps {
		if a.Action != migrate.Migrate {
			continue
		}
		checked++
		chartDir := r.chartOf(live[a.Application])
		before, err := helmEffective(chartDir, liveOptions(t, live[a.Application]))
		if err != nil {
			t.Fatalf("%s: live values: %v", a.App, err)
		}
		after, err := helmEffective(chartDir, valueFiles(repo, a.App))
		if err != nil {
			t.Fatalf("%s: the two files: %v", a.App, err)
		}
		if len(before) == 0 {
			empty++
		}
		if diff := cmp.Diff(differ[a.App], differing(before, after)); diff != "" {
			t.Errorf("%s: templates see other values than expected (-want paths +got)\n%s", a.App, diff)
		}
		if diff := cmp.Diff(before, after); diff != "" && differ[a.App] == nil {
			t.Errorf("%s: templates see other values (-live +files)\n%s", a.App, diff)
		}
	}
	if checked != plan.Summary.Migrate || empty > 1 { // a chart of CRDs has no values
		t.Errorf("%d of %d apps were checked, %d of them have no values", checked, plan.Summary.Migrate, empty)
	}
}

// differing lists the leaves in which two trees differ, sorted, each as its keys with dots. Lists are compared whole.
func differing(a, b map[string]any) []string {
	out := differences("", a, b)
	slices.Sort(out)
	return out
}

func differences(path string, a, b any) []string {
	left, isMap := a.(map[string]any)
	right, isMapToo := b.(map[string]any)
	if !isMap || !isMapToo {
		if cmp.Equal(a, b) {
			return nil
		}
		return []string{path}
	}
	var out []string
	for key, value := range left {
		at := strings.TrimPrefix(path+"."+key, ".")
		if other, ok := right[key]; ok {
			out = append(out, differences(at, value, other)...)
		} else {
			out = append(out, leaves(at, value)...)
		}
	}
	for key, value := range right {
		if _, ok := left[key]; !ok {
			out = append(out, leaves(strings.TrimPrefix(path+"."+key, "."), value)...)
		}
	}
	return out
}

func leaves(path string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return []string{path}
	}
	var out []string
	for key, value := range m {
		out = append(out, leaves(path+"."+key, value)...)
	}
	return out
}
