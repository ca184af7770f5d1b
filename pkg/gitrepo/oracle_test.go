package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// Whatever a person has staged, changed and left lying around: the commit is what git commit --only would make of the same
// files, and everything else is as before.
func TestSaveLikeGitCommitOnly(t *testing.T) {
	t.Parallel() // it waits for the disk and for git most of the time
	root := gittest.New(t)
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		repo := root
		repo.Dir = filepath.Join(root.Env["HOME"], fmt.Sprint("check", count))
		if err := os.Mkdir(repo.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(repo.Dir) }()
		repo.Git(t, "init", "-q", "-b", "main")
		path := rapid.SampledFrom([]string{"a", "b", "a-b", "a.b", "d/a", "d/e/b", "d-e", "d/e.f", "d0"})
		content := rapid.SampledFrom([]string{"", "1", "2\n"})
		if rapid.Bool().Draw(t, "born") {
			repo.Commit(t, rapid.MapOfN(path, content, 0, 5).Draw(t, "committed"))
		}
		ours := rapid.MapOfN(path, content, 1, 4).Draw(t, "ours")
		theirs := rapid.MapOfN(path.Filter(func(p string) bool { _, taken := ours[p]; return !taken }), content, 0, 3).Draw(t, "theirs")
		for _, p := range slicesSorted(theirs) {
			repo.Write(t, p, theirs[p])
			if rapid.Bool().Draw(t, "stage "+p) {
				repo.Git(t, "add", p)
			}
		}
		before := withoutLines(repo.Git(t, "ls-files", "--stage"), slicesSorted(ours)...)

		r, err := tryOpen(repo, repo.Dir)
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		_, err = r.Save(context.Background(), changes(ours), "m")
		if errors.Is(err, ErrNothingToCommit) {
			for p, text := range ours {
				if got := repo.Read(t, p); got != text {
					t.Fatalf("nothing to commit, but %s is %q", p, got)
				}
			}
			return
		}
		if err != nil {
			t.Fatalf("Save: %v", err)
		}
		got := repo.Git(t, "rev-parse", "HEAD^{tree}")
		if after := withoutLines(repo.Git(t, "ls-files", "--stage"), slicesSorted(ours)...); strings.Join(after, "") != strings.Join(before, "") {
			t.Fatalf("other index entries changed: %q, were %q", after, before)
		}
		if out := repo.Git(t, append([]string{"status", "--porcelain", "--"}, slicesSorted(ours)...)...); out != "" {
			t.Fatalf("status of our files: %q", out)
		}
		repo.Git(t, "fsck", "--strict", "--no-dangling")

		// The same by git: take the branch back, and let git commit the very files.
		if repo.Git(t, "rev-list", "--count", "HEAD") == "1\n" {
			repo.Git(t, "update-ref", "-d", "HEAD")
		} else {
			repo.Git(t, "reset", "-q", "--soft", "HEAD^")
		}
		repo.Git(t, append([]string{"commit", "-q", "--only", "-m", "m", "--"}, slicesSorted(ours)...)...)
		if want := repo.Git(t, "rev-parse", "HEAD^{tree}"); got != want {
			t.Fatalf("tree %q, git makes %q", got, want)
		}
	})
}

func slicesSorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range maps.Keys(m) {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
