package chart_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// writeFiles writes files below a new folder, and returns it.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string) *chart.Chart {
	t.Helper()
	located, err := chart.NewStore().Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := located.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func withSubcharts() map[string]string {
	return map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\nkubeVersion: '>=1.25.0-0'\ndependencies:\n- {name: cache, version: 1.x.x, alias: store, condition: 'store.enabled,global.cache'}\n" +
			"- {name: audit, version: 2.x.x, tags: [extra]}\n",
		"values.yaml":                         "replicas: 2\nstore: {enabled: false, size: 1}\n",
		"values.schema.json":                  "{}",
		"crds/w.yaml":                         "kind: CustomResourceDefinition\n",
		"charts/cache/Chart.yaml":             "apiVersion: v2\nname: cache\nversion: 1.4.0\n",
		"charts/cache/values.yaml":            "size: 3\nport: 6379\n",
		"charts/cache/values.schema.json":     `{"type":"object"}`,
		"charts/audit/Chart.yaml":             "apiVersion: v2\nname: audit\nversion: 2.0.0\ndependencies:\n- {name: disk, version: 1.0.0, condition: disk.on}\n",
		"charts/audit/crds/a.yaml":            "kind: CustomResourceDefinition\n",
		"charts/audit/charts/disk/Chart.yaml": "apiVersion: v2\nname: disk\nversion: 1.0.0\n",
	}
}

func TestParts(t *testing.T) {
	c := open(t, writeFiles(t, withSubcharts()))
	defaults, all, err := c.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	want := chart.Part{Name: "shop", Version: "1.0.0", Schema: []byte("{}"), Parts: []chart.Part{
		{Name: "audit", Version: "2.0.0", Parts: []chart.Part{{Name: "disk", Version: "1.0.0"}}},
		{Name: "store", Version: "1.4.0", Schema: []byte(`{"type":"object"}`)},
	}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("all subcharts, by their aliases, those that are off too: -want +got:\n%s", diff)
	}
	store, _ := defaults["store"].(map[string]any)
	if store["size"] != json.Number("1") || store["port"] != json.Number("6379") {
		t.Errorf("the parent's values win over those of a subchart that is off: got %v", store)
	}
	var switches []string
	for _, path := range c.Switches() {
		switches = append(switches, path.String())
	}
	if diff := cmp.Diff([]string{"audit.disk.on", "global.cache", "store.enabled", "tags.extra"}, switches); diff != "" {
		t.Errorf("what switches subcharts: -want +got:\n%s", diff)
	}
	var crds []string
	for _, crd := range c.CRDs() {
		crds = append(crds, filepath.ToSlash(crd.Source))
	}
	if diff := cmp.Diff([]string{"shop/charts/audit/crds/a.yaml", "shop/crds/w.yaml"}, crds); diff != "" {
		t.Errorf("crds/ of subcharts too: -want +got:\n%s", diff)
	}
	if again, _, err := c.Defaults(); err != nil || cmp.Diff(defaults, again) != "" {
		t.Errorf("asking changes nothing: %v", err)
	}
}

func TestRefusedKubernetes(t *testing.T) {
	with := func(kubeVersion string) *chart.Chart {
		text := "apiVersion: v2\nname: web\nversion: 1.0.0\n"
		if kubeVersion != "" {
			text += "kubeVersion: '" + kubeVersion + "'\n"
		}
		return open(t, writeFiles(t, map[string]string{"Chart.yaml": text}))
	}
	for name, c := range map[string]struct {
		reason        string
		before, after string
		want          string
	}{
		"same":      {"nothing is lost", ">=1.29.0-0", ">= 1.29-0", ""},
		"wider":     {"nothing is lost", ">=1.29.0-0", ">=1.25.0-0", ""},
		"newer":     {"older ones are lost", ">=1.25.0-0", ">=1.29.0-0", "1.25 to 1.28"},
		"a range":   {"any was taken", "", ">=1.29.0-0 <1.33.0-0", "up to 1.28, from 1.33 on"},
		"patches":   {"some of a minor version", ">=1.27.0-0", ">=1.27.3-0", "1.27"},
		"no suffix": {"managed clusters have one", ">=1.25.0-0", ">=1.25.0", "versions with a suffix, as 1.30.1-gke.1"},
		"or":        {"a hole in the middle", "", "<1.20.0-0 || >=1.22.0-0", "1.20 to 1.21"},
		"no range":  {"what Helm cannot read takes nothing", "", "latest", "all versions 1.x"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := with(c.before).Refused(with(c.after)); got != c.want {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
	if ok, err := with(">=1.29.0-0").Takes("1.28"); ok || err != nil {
		t.Errorf("1.28 is no 1.29: %v %v", ok, err)
	}
	if _, err := with("").Takes("x"); err == nil {
		t.Error("x is no version")
	}
}

func TestOpen(t *testing.T) {
	dir := writeFiles(t, map[string]string{"web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "file.tgz": "x", "none/values.yaml": ""})
	store := chart.NewStore(chart.WithCache(t.TempDir()), chart.WithFolder(dir))
	for name, c := range map[string]struct {
		reason string
		path   string
		want   error
	}{
		"a folder":   {"a chart", "web", nil},
		"no chart":   {"a folder without Chart.yaml", "none", chart.ErrNotFound},
		"nothing":    {"nothing is there", "missing", chart.ErrNotFound},
		"no package": {"a file that is no package", "file.tgz", chart.ErrUnfit},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := store.Open(context.Background(), filepath.Join(dir, c.path)); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v", c.reason, err)
			}
		})
	}
	if _, err := store.AtHand(context.Background(), chart.Source{Chart: "web", Revision: "1.0.0"}); err != nil {
		t.Error(err)
	}
	if _, err := store.AtHand(context.Background(), chart.Source{Chart: "web", Revision: "2.0.0"}); !errors.Is(err, chart.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
