package publish_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// charts makes a checkout with a chart that renders what its values list, a test, and what the Kubernetes is.
func charts(t *testing.T) chart.Folder {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Chart.yaml":           "apiVersion: v2\nname: raw\nversion: 0.1.0\n",
		"templates/all.yaml":   "{{- range .Values.resources }}\n---\n{{ toYaml . }}\n{{- end }}\n{{- if .Values.fails }}{{ fail \"warm-kettle-19\" }}{{ end }}\n",
		"templates/kube.yaml":  "{{- if .Values.kube }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube}\ndata: {version: {{ .Capabilities.KubeVersion.Version | quote }}, has: {{ .Capabilities.APIVersions.Has \"acme.test/v1\" | quote }}}\n{{- end }}\n",
		"templates/check.yaml": "{{- if .Values.kube }}\napiVersion: v1\nkind: Pod\nmetadata: {name: check, annotations: {helm.sh/hook: test}}\n{{- end }}\n",
	} {
		path := filepath.Join(dir, "charts", "raw", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return chart.NewFolder(dir)
}

func TestRenderer(t *testing.T) {
	registry, err := release.ParseRegistry("r", []byte(`[
		{"name": "a-artifacts", "namespace": "a", "enabled": true, "installed": true, "chart": "../charts/raw"},
		{"name": "b-artifacts", "namespace": "b", "enabled": true, "installed": false, "chart": "../charts/raw"},
		{"name": "c-artifacts", "namespace": "c", "enabled": true, "installed": true, "chart": "../charts/raw"},
		{"name": "d-artifacts", "namespace": "d", "enabled": true, "installed": true, "chart": "../gone/raw"},
		{"name": "e-artifacts", "namespace": "e", "enabled": true, "installed": true, "chart": "repo/raw"},
		{"name": "f-artifacts", "namespace": "f", "enabled": true, "installed": true, "chart": "../charts/raw"},
		{"name": "g-artifacts", "namespace": "g", "enabled": true, "installed": true, "chart": "../charts/raw"}]`))
	if err != nil {
		t.Fatal(err)
	}
	selected, _, err := publish.Select(registry, nil)
	if err != nil {
		t.Fatal(err)
	}
	managed := release.NewManaged(fstest.MapFS{
		"a-a-artifacts.yaml": {Data: []byte("kube: true\nresources:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n")},
		"c-c-artifacts.yaml": {Data: []byte("fails: true\n")},
		"f-f-artifacts.yaml": {Data: []byte("a: [\n")},
	})
	r := publish.Renderer{Charts: charts(t), Managed: managed, KubeVersion: "1.35.0", APIVersions: []string{"acme.test/v1"}}
	sources, err := r.Sources(t.Context(), selected)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range sources {
		var told []string
		if s.Note != "" {
			told = append(told, s.Note)
		}
		if s.Stream != nil {
			for _, o := range s.Stream.Objects {
				told = append(told, o.ID.Kind+"/"+o.ID.Name)
				if strings.Contains(string(o.Text), "version:") && !strings.Contains(string(o.Text), `{version: "v1.35.0", has: "true"}`) {
					t.Errorf("it is rendered for another Kubernetes: %s", o.Text)
				}
			}
		}
		for _, f := range s.Findings {
			told = append(told, f.Rule)
			if strings.Contains(f.Message, "warm-kettle") || f.App != s.Release.String() {
				t.Errorf("%+v", f)
			}
		}
		got[s.Release.Namespace] = told
	}
	want := map[string][]string{"a": {"ConfigMap/one", "ConfigMap/kube"}, "b": {"it is not installed"}, "c": {"artifact-render"}, "d": {"artifact-render"},
		"e": {"artifact-render"}, "f": {"artifact-missing"}, "g": {"artifact-missing"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("each release says what is wrong with it, and hides no other (-want +got)\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Sources(ctx, selected); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is interrupted: %v", err)
	}
}

func TestRendered(t *testing.T) {
	registry := registryOf(t, "a/a-artifacts", "b/b-artifacts")
	selected, _, err := publish.Select(registry, nil)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := publish.Rendered("out", fstest.MapFS{"a-a-artifacts.yaml": {Data: []byte(raw("a-artifacts", "v1", "ConfigMap", "x"))}}, selected)
	if err != nil || len(sources) != 2 || sources[0].Name != "out/a-a-artifacts.yaml" || len(sources[0].Stream.Objects) != 1 || sources[1].Findings[0].Rule != "artifact-missing" {
		t.Errorf("%+v, %v", sources, err)
	}
	sources, err = publish.Rendered("out", fstest.MapFS{"a-a-artifacts.yaml": {}, "b-b-artifacts.yaml": {Data: []byte("\n")}}, selected)
	if err != nil || len(sources[0].Findings) != 1 || sources[0].Findings[0].Rule != "artifact-missing" || len(sources[1].Findings) != 0 {
		t.Errorf("an empty file is what a command that failed leaves, and helm template writes an empty line for nothing: %+v, %v", sources, err)
	}
	if _, err := publish.Rendered("out", broken{}, selected); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a folder that cannot be read: %v", err)
	}
}

// broken is a folder that nobody may read.
type broken struct{}

func (broken) Open(string) (fs.File, error) { return nil, fs.ErrPermission }
