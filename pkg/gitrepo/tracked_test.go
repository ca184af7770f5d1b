package gitrepo

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// TestTrackedFiles holds what is listed of the remote's branch to what was pushed there, also where only git reads the
// repository.
func TestTrackedFiles(t *testing.T) {
	for name, format := range map[string]string{"Here": "sha1", "ByGit": "sha256"} {
		t.Run(name, func(t *testing.T) {
			remote := gittest.New(t, "--object-format="+format, "--bare")
			repo := gittest.New(t, "--object-format="+format)
			if _, known, err := openTest(t, repo).TrackedFiles(t.Context(), "env"); err != nil || known {
				t.Fatalf("a branch of no remote tracks nothing: %v", err)
			}
			repo.Write(t, "env/b/x.yaml", "x")
			repo.Write(t, "env/a/deep/y.yaml", "y")
			repo.Write(t, "environment/z.yaml", "z")
			repo.Git(t, "add", "-A")
			repo.Git(t, "commit", "-q", "-m", "one")
			repo.Git(t, "remote", "add", "origin", remote.Dir)
			repo.Git(t, "config", "branch.main.merge", "refs/heads/main")
			repo.Git(t, "config", "branch.main.remote", remote.Dir)
			if _, known, err := openTest(t, repo).TrackedFiles(t.Context(), "env"); err != nil || known {
				t.Fatalf("nothing is kept of a remote that is a path: %v", err)
			}
			repo.Git(t, "config", "branch.main.remote", "origin")
			if _, known, err := openTest(t, repo).TrackedFiles(t.Context(), "env"); err != nil || known {
				t.Fatalf("nothing was fetched or pushed yet: %v", err)
			}
			repo.Git(t, "push", "-q", "-u", "origin", "main")
			repo.Git(t, "rm", "-q", "env/b/x.yaml")
			repo.Git(t, "commit", "-q", "-m", "two")

			files, known, err := openTest(t, repo).TrackedFiles(t.Context(), "env")
			if err != nil || !known {
				t.Fatalf("the remote's branch is known: %v, %v", known, err)
			}
			diff(t, "what was pushed", []string{"env/a/deep/y.yaml", "env/b/x.yaml"}, files)
			if _, _, err := openTest(t, repo).TrackedFiles(t.Context(), "../env"); err == nil {
				t.Error("a path that leaves the repo is listed")
			}
		})
	}
}
