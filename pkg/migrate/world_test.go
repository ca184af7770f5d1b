package migrate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// world is a small platform that a test makes up. What the plan reads of it passes through the same readers as a real one.
type world struct {
	applications []map[string]any
	releases     []map[string]any
	managed      fstest.MapFS
	charts       string // the folder of --charts; "" for none
	config       string // .apl.yaml
	repo         memory
}

func newWorld() *world { return &world{managed: fstest.MapFS{}, repo: memory{}} }

// add adds an installed release of the platform with its Application, whose source is the chart at charts/<name>, and
// returns the Application for the test to change.
func (w *world) add(t testing.TB, id, chartName, live, managed string) map[string]any {
	t.Helper()
	parsed, err := app.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	w.releases = append(w.releases, map[string]any{
		"name": parsed.Release, "namespace": parsed.Namespace, "chart": "../charts/" + chartName, "installed": true, "enabled": true,
	})
	w.managed[parsed.Name()+".yaml"] = &fstest.MapFile{Data: []byte(managed)}
	application := map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{
			"name": parsed.Name(), "namespace": "argocd", "labels": map[string]any{"otomi.io/app": "managed"},
		},
		"spec": map[string]any{
			"project":     "default",
			"destination": map[string]any{"namespace": parsed.Namespace, "server": "https://kubernetes.default.svc"},
			"source": map[string]any{
				"repoURL": "https://git.example.test/platform.git", "path": "charts/" + chartName, "targetRevision": "v1",
				"helm": map[string]any{"releaseName": parsed.Release, "values": live},
			},
		},
	}
	w.applications = append(w.applications, application)
	return application
}

// at returns the map at a path of keys below an Application.
func at(tree map[string]any, path ...string) map[string]any {
	for _, key := range path {
		tree = tree[key].(map[string]any)
	}
	return tree
}

// files writes files below a folder, as the charts of the world.
func (w *world) files(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	w.charts = dir
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) input(t testing.TB) migrate.Input {
	t.Helper()
	var stream bytes.Buffer
	for _, application := range w.applications {
		text, err := yaml.Marshal(application)
		if err != nil {
			t.Fatal(err)
		}
		stream.WriteString("---\n")
		stream.Write(text)
	}
	list, err := json.Marshal(w.releases)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := release.ParseRegistry("releases.json", list)
	if err != nil {
		t.Fatal(err)
	}
	in := migrate.Input{
		Applications: readApplications(t, "live.yaml", stream.Bytes()),
		Registry:     registry,
		Managed:      release.NewManaged(w.managed),
		Repo:         w.repo,
		Config:       parseConfig(t, w.config),
	}
	if w.charts != "" {
		in.Charts = chart.NewStore(chart.WithFolder(w.charts), chart.WithCache(t.TempDir()), chart.WithOffline())
	}
	return in
}

func parseConfig(t testing.TB, text string) *config.Config {
	t.Helper()
	c, err := config.Parse(".apl.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// plan plans the move of the world. It holds what is true of every plan: see checkPlan.
func (w *world) plan(t testing.TB, options migrate.Options) *migrate.Plan {
	t.Helper()
	options.ValuesRepoURL, options.ValuesRevision = "https://git.example.test/values.git", "main"
	plan := newPlan(t, w.input(t), options)
	checkPlan(t, plan)
	return plan
}

// checkPlan holds what is true of every plan: each Application has one action and a reason, what is blocked has a finding
// that says so and lands nothing, value files come before Application files, and the summary counts what is there.
func checkPlan(t fataler, plan *migrate.Plan) {
	t.Helper()
	want := migrate.Summary{Releases: plan.Summary.Releases, WithCustom: plan.Summary.WithCustom}
	files := map[string]string{} // path to app
	for _, a := range plan.Apps {
		want.Applications++
		errors := 0
		for _, rule := range rulesOf(a) {
			if strings.HasPrefix(rule, "error ") {
				errors++
			}
		}
		switch a.Action {
		case migrate.Migrate:
			want.Migrate++
		case migrate.Unchanged:
			want.Unchanged++
		case migrate.Skipped:
			want.Skipped++
		case migrate.Blocked:
			want.Blocked++
		default:
			t.Fatalf("%s has no action", a.Application)
		}
		if a.Reason == "" || (a.Action == migrate.Blocked) != (errors > 0) {
			t.Fatalf("%s is %s because %q, with %d errors", a.Application, a.Action, a.Reason, errors)
		}
		for _, f := range a.Files {
			if other, taken := files[f.Path]; taken || a.Action == migrate.Blocked || a.Action == migrate.Skipped {
				t.Fatalf("%s is %s and has the file %s (of %q)", a.Application, a.Action, f.Path, other)
			}
			files[f.Path] = a.App
			if f.Change != migrate.Same {
				want.Files++
			}
		}
	}
	if diff := cmp.Diff(want, plan.Summary); diff != "" {
		t.Fatalf("the summary does not add up (-want +got)\n%s", diff)
	}
	checkChanges(t, plan, files)
}

func checkChanges(t fataler, plan *migrate.Plan, files map[string]string) {
	t.Helper()
	changes := plan.Changes()
	if len(changes) != plan.Summary.Files {
		t.Fatalf("%d files are written, the summary says %d", len(changes), plan.Summary.Files)
	}
	applications := false
	for _, c := range changes {
		if _, ok := files[c.Path]; !ok {
			t.Fatalf("%s is written, and no app that moves has it", c.Path)
		}
		application := strings.HasPrefix(c.Path, "env/manifests/")
		if applications && !application {
			t.Fatalf("the value file %s comes after an Application file", c.Path)
		}
		applications = applications || application
	}
}

// fataler is what tests, benchmarks and rapid have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}
