package publish_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// memory is a values repo.
type memory map[string]string

func (m memory) ReadFile(path string) ([]byte, bool, error) {
	data, ok := m[path]
	return []byte(data), ok, nil
}

func (m memory) HeadFile(path string) ([]byte, bool, error) { return m.ReadFile(path) }

func (m memory) HeadFiles(_ context.Context, dir string) ([]string, error) { return m.List(dir) }

func (m memory) List(dir string) ([]string, error) {
	paths := slices.Sorted(maps.Keys(m))
	return slices.DeleteFunc(paths, func(p string) bool { return !strings.HasPrefix(p, dir+"/") }), nil
}

// take makes the plan's changes.
func (m memory) take(p *publish.Plan) {
	for _, c := range p.Changes() {
		if c.Delete {
			delete(m, c.Path)
		} else {
			m[c.Path] = string(c.Data)
		}
	}
}

// corpus returns the recorded platform: its registry, and what its releases render.
func corpus(t *testing.T) (*release.Registry, func() ([]publish.Source, []publish.Skipped)) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus")
	data, err := os.ReadFile(filepath.Join(dir, "releases.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: what a real platform renders cannot be read")
	}
	if err != nil {
		t.Fatal(err)
	}
	registry, err := release.ParseRegistry("releases.json", data)
	if err != nil {
		t.Fatal(err)
	}
	selected, skipped, err := publish.Select(registry, nil)
	if err != nil {
		t.Fatal(err)
	}
	return registry, func() ([]publish.Source, []publish.Skipped) {
		sources, err := publish.Rendered("artifacts", os.DirFS(filepath.Join(dir, "artifacts")), selected)
		if err != nil {
			t.Fatal(err)
		}
		return sources, skipped
	}
}

const corpusExceptions = `secrets:
- {app: argocd/argocd-artifacts, path: Secret/argocd/argocd-repo-apl-core, rule: artifact-secret, reason: it holds no credentials}
- {app: keycloak/keycloak-artifacts, path: Secret/keycloak/custom-ca, rule: artifact-secret, reason: a certificate}
- {app: monitoring/prometheus-operator-artifacts, path: Secret/monitoring/alertmanager-platform-config, rule: artifact-secret, reason: its receivers move}
`

// TestCorpus publishes what a real platform renders: its plain Secrets stand against it, and without them each object has a file
// of its own.
func TestCorpus(t *testing.T) {
	registry, read := corpus(t)
	repo := memory{}
	plan := func(exceptions string) *publish.Plan {
		t.Helper()
		parsed, err := config.Parse(".apl.yaml", []byte(exceptions))
		if err != nil {
			t.Fatal(err)
		}
		in := publish.Input{Registry: registry, Repo: repo, Config: parsed, Scopes: artifact.NewScopes(nil)}
		in.Sources, in.Skipped = read()
		p, err := publish.New(t.Context(), in, publish.Options{Prune: true})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}

	refused := plan("")
	var secrets []string
	for _, r := range refused.Releases {
		for _, f := range r.Findings {
			if f.Severity == "error" {
				secrets = append(secrets, f.Rule+" "+f.Path)
			}
		}
	}
	slices.Sort(secrets)
	want := []string{"artifact-secret Secret/argocd/argocd-repo-apl-core", "artifact-secret Secret/keycloak/custom-ca", "artifact-secret Secret/monitoring/alertmanager-platform-config"}
	if diff := cmp.Diff(want, secrets); diff != "" || !refused.Refused() || len(refused.Changes()) != 0 {
		t.Errorf("%d changes (-want +got)\n%s", len(refused.Changes()), diff)
	}

	got := plan(corpusExceptions)
	for _, r := range got.Releases {
		for _, f := range r.Findings {
			if f.Severity != "info" {
				t.Errorf("%+v", f)
			}
		}
	}
	wantSummary := publish.Summary{Releases: 25, Empty: 2, Objects: 87, Add: 82, Left: 5, Protected: 2}
	if diff := cmp.Diff(wantSummary, got.Summary); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var empty, left, skipped, elsewhere []string
	global, paths := 0, map[string]bool{}
	for _, r := range got.Releases {
		switch {
		case r.Reason == "it renders nothing":
			empty = append(empty, r.App)
		case r.Reason != "":
			skipped = append(skipped, r.App)
		}
		namespace, _, _ := strings.Cut(r.App, "/")
		for _, o := range r.Objects {
			if o.Action == publish.Left {
				left = append(left, o.Object)
				continue
			}
			place, ok := layout.Parse(o.File)
			at, isObject := place.(layout.Object)
			if !ok || !isObject || paths[o.File] {
				t.Errorf("%s has the file %q", o.Object, o.File)
			}
			paths[o.File] = true
			switch at.Namespace {
			case "":
				global++
			case namespace:
			default:
				elsewhere = append(elsewhere, o.Object)
			}
		}
	}
	slices.Sort(left)
	if diff := cmp.Diff([][]string{
		{"istio-system/istio-artifacts", "knative-serving/knative-serving-artifacts"},
		{"AuthorizationPolicy.security.istio.io/team-demo/platform-team-auth-require-jwt", "AuthorizationPolicy.security.istio.io/team-dev/platform-team-auth-require-jwt",
			"Secret/argocd/argocd-repo-apl-core", "Secret/keycloak/custom-ca", "Secret/monitoring/alertmanager-platform-config"},
		{"team-demo/tekton-dashboard-demo-artifacts", "team-dev/tekton-dashboard-dev-artifacts"},
	}, [][]string{empty, left, skipped}); diff != "" {
		t.Errorf("what renders nothing, is left out, is a team's (-want +got)\n%s", diff)
	}
	if global != 12 || len(elsewhere) != 6 {
		t.Errorf("%d global ones, %d in another namespace than their release's: %v", global, len(elsewhere), elsewhere)
	}
	for _, c := range got.Changes() {
		place, _ := layout.Parse(c.Path)
		stream, err := artifact.Read(bytes.NewReader(c.Data))
		if err != nil || len(stream.Objects) != 1 || stream.Objects[0].ID.Namespace != place.(layout.Object).Namespace {
			t.Errorf("%s does not hold one object that says its namespace: %v", c.Path, err)
		}
		if protected := strings.Contains(string(c.Data), "Prune=false,Delete=false"); protected != slices.Contains([]string{"appproject", "persistentvolumeclaim"}, path.Base(path.Dir(c.Path))) {
			t.Errorf("%s is protected: %t", c.Path, protected)
		}
	}

	// Twice the same input, no change; and what one release alone renders removes no file of another.
	repo.take(got)
	if again := plan(corpusExceptions); len(again.Changes()) != 0 || again.Summary.Unchanged != 82 {
		t.Errorf("%d changes, %+v", len(again.Changes()), again.Summary)
	}
	before := maps.Clone(repo)
	for _, r := range got.Releases {
		if r.App != "gitea/gitea-artifacts" {
			continue
		}
		selected, _, err := publish.Select(registry, []string{r.App})
		if err != nil {
			t.Fatal(err)
		}
		sources, err := publish.Rendered("none", memoryFolder(selected[0]), selected)
		if err != nil {
			t.Fatal(err)
		}
		p, err := publish.New(t.Context(), publish.Input{Sources: sources, Registry: registry, Repo: repo, Scopes: artifact.NewScopes(nil)}, publish.Options{Prune: true})
		if err != nil {
			t.Fatal(err)
		}
		if p.Summary.Remove != len(r.Objects) || p.Summary.Empty != 1 {
			t.Errorf("of %d objects that it renders no more, %+v", len(r.Objects), p.Summary)
		}
		repo.take(p)
		if removed := len(before) - len(repo); removed != len(r.Objects) {
			t.Errorf("%d files are gone", removed)
		}
	}
}
