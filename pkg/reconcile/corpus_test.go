package reconcile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// TestCorpus holds on the recorded platform that there is nothing to do after a move, and that one app which is switched off loses
// one Application file.
func TestCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "corpus")
	data, err := os.ReadFile(filepath.Join(dir, "releases.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a recorded platform")
	}
	if err != nil {
		t.Fatal(err)
	}
	registry, err := release.ParseRegistry("releases.json", data)
	if err != nil {
		t.Fatal(err)
	}
	repo := memory{}
	settings, err := os.ReadFile(filepath.Join(dir, "values-repo", "env", "settings", "otomi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	repo["env/settings/otomi.yaml"] = string(settings)
	var apps []*argocd.Application
	for _, name := range []string{"applications.yaml", "applications-other.yaml"} {
		file, err := os.Open(filepath.Join(dir, "live", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := argocd.Read(name, file, func(a *argocd.Application) error { apps = append(apps, a); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	values := release.NewManaged(os.DirFS(filepath.Join(dir, "managed")))
	moved, err := migrate.New(context.Background(), migrate.Input{Applications: apps, Registry: registry, Managed: values, Repo: repo, Config: &config.Config{}},
		migrate.Options{KeepGoing: true, AcceptAll: true})
	if err != nil || moved.Summary.Migrate != 43 {
		t.Fatalf("%+v, %v", moved.Summary, err)
	}
	repo.land(moved.Changes())

	plan := func(registry *release.Registry) *reconcile.Plan {
		p, err := reconcile.New(context.Background(), reconcile.Input{Registry: registry, Managed: values, Repo: repo, Config: &config.Config{}}, reconcile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := plan(registry); len(p.Changes()) != 0 || p.Summary.Same != 43 || p.Summary.Blocked != 0 {
		t.Errorf("after the move: %v", summary(p))
	}
	off, err := release.ParseRegistry("releases.json", switchOff(t, data, "loki"))
	if err != nil {
		t.Fatal(err)
	}
	changes := plan(off).Changes()
	if len(changes) != 1 || !changes[0].Delete || changes[0].Path != "env/manifests/namespaces/argocd/applications/monitoring-loki.yaml" {
		t.Errorf("loki off: %v", summary(plan(off)))
	}
}
