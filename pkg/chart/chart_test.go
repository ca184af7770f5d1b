package chart_test

import (
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// TestMain silences Helm's library, which logs what it skips while it coalesces.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

func metadata(name string) string { return "apiVersion: v2\nname: " + name + "\nversion: 1.0.0\n" }

// write writes files below a new folder and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	root := write(t, map[string]string{
		"charts/one/Chart.yaml":       metadata("one"),
		"charts/empty/values.yaml":    "",
		"charts/file":                 "",
		"charts/charts/in/Chart.yaml": metadata("in"),
		"Chart.yaml":                  metadata("root"),
		"other/charts/one/x.yaml":     "",
	})
	cases := map[string]struct {
		reason string
		dir    string
		path   string
		want   string // below root; "" for ErrNotFound
	}{
		"Relative":     {reason: "a path is relative to the folder", dir: "", path: "charts/one", want: "charts/one"},
		"Unclean":      {reason: "Argo CD takes such paths too", dir: "", path: "./charts/one/", want: "charts/one"},
		"FolderItself": {reason: "the folder may be the first one of the path", dir: "charts", path: "charts/one", want: "charts/one"},
		"OwnFirst":     {reason: "what is there as it is written comes first", dir: "charts", path: "charts/in", want: "charts/charts/in"},
		"Root":         {reason: "a repo can be a chart", dir: "", path: ".", want: "."},
		"NoChartYAML":  {reason: "a folder without Chart.yaml is no chart", dir: "", path: "charts/empty"},
		"Missing":      {reason: "nothing is there", dir: "", path: "charts/none"},
		"OtherName":    {reason: "only a folder of that name stands for the first of the path", dir: "other", path: "charts/one"},
		"Upwards":      {reason: "a path cannot leave the folder", dir: "other", path: "../charts/one"},
		"Hidden":       {reason: "not by a detour either", dir: "other", path: "x/../../charts/one"},
		"Absolute":     {reason: "nor from the root of the machine", dir: "", path: "/charts/one"},
		"Empty":        {reason: "no path is no chart", dir: "", path: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := chart.NewFolder(filepath.Join(root, tc.dir)).Find(tc.path)
			if tc.want == "" {
				if !errors.Is(err, chart.ErrNotFound) {
					t.Errorf("%s: %q, %v", tc.reason, got, err)
				}
				return
			}
			if want := filepath.Join(root, tc.want); err != nil || got != want {
				t.Errorf("%s: %q, %v; want %q", tc.reason, got, err, want)
			}
		})
	}
	if _, err := (chart.Folder{}).Find("charts/one"); !errors.Is(err, chart.ErrNotFound) {
		t.Errorf("the zero Folder has no charts: %v", err)
	}
	if _, err := chart.NewFolder(root).Find("charts/file"); err == nil {
		t.Error("a file is no chart")
	}
}

// TestFindFromWithin holds that the working directory's own name counts, not how it is written.
func TestFindFromWithin(t *testing.T) {
	root := write(t, map[string]string{"charts/one/Chart.yaml": metadata("one")})
	t.Chdir(filepath.Join(root, "charts"))
	if got, err := chart.NewFolder(".").Find("charts/one"); err != nil || got != "one" {
		t.Errorf("--charts . in charts: %q, %v", got, err)
	}
}

func TestLoad(t *testing.T) {
	dir := write(t, map[string]string{
		"broken/Chart.yaml":  metadata("broken"),
		"broken/values.yaml": "a: [\n",
		"bare/Chart.yaml":    "description: no name\n",
	})
	if _, err := chart.NewFolder(dir).Load("none"); !errors.Is(err, chart.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
	for _, path := range []string{"broken", "bare"} {
		if _, err := chart.NewFolder(dir).Load(path); err == nil || errors.Is(err, chart.ErrNotFound) {
			t.Errorf("%s is there, and no chart: %v", path, err)
		}
	}
}

// parent are the files of a chart with a subchart that can be switched off, is imported from, and shares globals.
func parent() map[string]string {
	return map[string]string{
		"top/Chart.yaml": metadata("top") +
			"dependencies: [{name: sub, version: 1.0.0, condition: sub.enabled, import-values: [shared, {child: port, parent: ports}]}]\n",
		"top/values.yaml":                        "sub: {enabled: true}\nkeep: {a: 1, b: null}\nlist: [1, 2]\n",
		"top/charts/sub/Chart.yaml":              metadata("sub") + "dependencies: [{name: leaf, version: 1.0.0, alias: twig, tags: [extra]}]\n",
		"top/charts/sub/values.yaml":             "port: {http: 80}\nexports: {shared: {fromSub: true}}\nglobal: {zone: x}\n",
		"top/charts/sub/charts/leaf/Chart.yaml":  metadata("leaf"),
		"top/charts/sub/charts/leaf/values.yaml": "size: 1\n",
	}
}

// TestEffective compares with Helm's own library on a chart that was loaded anew, each case twice and in any order:
// what is asked before must not change what is answered.
func TestEffective(t *testing.T) {
	dir := write(t, parent())
	c, err := chart.NewFolder(dir).Load("top")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		user   map[string]any
	}{
		"Defaults":     {reason: "no values at all"},
		"Null":         {reason: "a null deletes a default, and stays where there is none", user: map[string]any{"keep": map[string]any{"a": nil, "c": nil}}},
		"NullSubchart": {reason: "a null over a subchart's values leaves its defaults", user: map[string]any{"sub": nil}},
		"ListReplace":  {reason: "lists are replaced", user: map[string]any{"list": []any{"x"}}},
		"SwitchedOff":  {reason: "a subchart that is off leaves nothing, imported values neither", user: map[string]any{"sub": map[string]any{"enabled": false}}},
		"Global":       {reason: "globals reach subcharts", user: map[string]any{"global": map[string]any{"zone": "y"}}},
		"Tag":          {reason: "tags switch off what is below", user: map[string]any{"tags": map[string]any{"extra": false}}},
		"Alias":        {reason: "values go by the alias", user: map[string]any{"sub": map[string]any{"twig": map[string]any{"size": 2.0}}}},
		"OverTable":    {reason: "text over a table wins with a warning", user: map[string]any{"keep": "text"}},
	}
	for range 2 {
		for name, tc := range cases {
			t.Run(name, func(t *testing.T) {
				got, err := c.Effective(tc.user)
				if err != nil {
					t.Fatal(err)
				}
				want, err := helm(filepath.Join(dir, "top"), tc.user)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-helm +effective)\n%s", tc.reason, diff)
				}
			})
		}
	}
}

// TestEffectiveRefused holds that an error says where, and never what: Helm quotes the value.
func TestEffectiveRefused(t *testing.T) {
	c, err := chart.NewFolder(write(t, parent())).Load("top")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]any{"Text": "hunter2", "Map": []any{map[string]any{"password": "hunter2"}}} {
		t.Run(name, func(t *testing.T) {
			for _, user := range []map[string]any{{"sub": value}, {"sub": map[string]any{"twig": value}}} {
				_, err := c.Effective(user)
				if err == nil {
					t.Fatal("Helm wants a map there")
				}
				if text := err.Error(); strings.Contains(text, "hunter2") || !strings.Contains(text, "sub") && !strings.Contains(text, "twig") {
					t.Errorf("the error is %s", text)
				}
			}
		})
	}
}

// helm is what `helm template` hands to templates.
func helm(dir string, user map[string]any) (map[string]any, error) {
	c, err := loader.LoadDir(dir)
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, user); err != nil {
		return nil, err
	}
	return chartutil.CoalesceValues(c, user)
}

// TestRecordedCharts loads every chart of the recordings and compares its defaults with Helm's.
func TestRecordedCharts(t *testing.T) {
	for name, dir := range map[string]string{
		"Platform": filepath.Join("..", "..", "testdata", "platform", "charts"),
		"Corpus":   filepath.Join("..", "..", "..", "shared", "corpus", "charts"),
	} {
		t.Run(name, func(t *testing.T) {
			entries, err := os.ReadDir(dir)
			if errors.Is(err, fs.ErrNotExist) && name == "Corpus" {
				t.Skip("../shared/corpus is not here: the charts of a real platform cannot be read")
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				c, err := chart.NewFolder(dir).Load("charts/" + entry.Name())
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Effective(nil)
				if err != nil {
					t.Fatal(err)
				}
				want, err := helm(filepath.Join(dir, entry.Name()), map[string]any{})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-helm +effective)\n%s", entry.Name(), diff)
				}
			}
			if len(entries) == 0 {
				t.Error("there are no charts")
			}
		})
	}
}
