package chart_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// TestRepo holds that a repo is at hand without a chart at its root, whatever the folder of charts holds, and is fetched once
// with the charts that are in it.
func TestRepo(t *testing.T) {
	git := &gitFunc{commit: "1111111111111111111111111111111111111111"}
	source := chart.Source{RepoURL: "https://ann:hunter2@git.example.test/charts.git", Revision: "main"}
	s := store(t, t.TempDir(), chart.WithGit(git), chart.WithFolder(t.TempDir()))
	repo, err := s.Repo(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := repo.ReadFile("/charts/web/Chart.yaml"); err != nil || len(data) == 0 {
		t.Errorf("a file from the repo's root: %q, %v", data, err)
	}
	if _, err := repo.ReadFile("/charts/none.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is missing is known to be: %v", err)
	}
	if _, err := repo.ReadFile("/../x"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file outside of the repo is refused, not missing: %v", err)
	}
	if want := "https://git.example.test/charts.git at commit 111111111111"; repo.Origin() != want {
		t.Errorf("it is from %q, want %q", repo.Origin(), want)
	}
	source.Path = "charts/web" // says nothing
	if _, err := s.Repo(t.Context(), source); err != nil || git.fetched != 1 {
		t.Errorf("it is fetched once: %d times, %v", git.fetched, err)
	}
	offline := store(t, t.TempDir(), chart.WithGit(git), chart.WithOffline())
	if _, err := offline.Repo(t.Context(), source); !errors.Is(err, chart.ErrOffline) {
		t.Errorf("offline, without a cache: %v", err)
	}
}

func TestStandsIn(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "web-1.0.0.tgz"), packed(t, "web", "1.0.0"), 0o600); err != nil {
		t.Fatal(err)
	}
	git := &gitFunc{commit: "1111111111111111111111111111111111111111"}
	for name, tc := range map[string]struct {
		reason string
		store  *chart.Store
		source chart.Source
		want   bool
	}{
		"Package":    {"a package is not the folder that it was made of", store(t, t.TempDir(), chart.WithFolder(dir)), chart.Source{RepoURL: "https://git.example.test/charts.git", Path: "charts/web"}, true},
		"Checkout":   {"a folder of the repo is", store(t, t.TempDir(), chart.WithGit(git)), chart.Source{RepoURL: "https://git.example.test/charts.git", Path: "charts/web"}, false},
		"Repository": {"and a package is all that a Helm repository has", store(t, t.TempDir(), chart.WithFolder(dir)), chart.Source{RepoURL: "https://charts.example.test", Chart: "web", Revision: "1.0.0"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			located, err := tc.store.Locate(t.Context(), tc.source)
			if err != nil {
				t.Fatal(err)
			}
			if got := located.StandsIn(tc.source); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}
