package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestDirty(t *testing.T) {
	remove := func(t *testing.T, repo gittest.Repo, path string) {
		if err := os.Remove(filepath.Join(repo.Dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	add := func(t *testing.T, repo gittest.Repo, path, data string) {
		repo.Write(t, path, data)
		repo.Git(t, "add", path)
	}
	for name, test := range map[string]struct {
		reason  string
		setup   func(*testing.T, gittest.Repo)
		changes map[string]string
		want    []string
	}{
		"Clean":         {"what HEAD has is safe there", nil, map[string]string{"d/a": "2", "new": "2"}, nil},
		"Modified":      {"an edit would be lost", func(t *testing.T, r gittest.Repo) { r.Write(t, "d/a", "mine") }, map[string]string{"d/a": "2"}, []string{"d/a"}},
		"ModifiedSame":  {"an edit that says the same is not lost", func(t *testing.T, r gittest.Repo) { r.Write(t, "d/a", "2") }, map[string]string{"d/a": "2"}, nil},
		"Untracked":     {"an untracked file would be lost", func(t *testing.T, r gittest.Repo) { r.Write(t, "d/u", "mine") }, map[string]string{"d/u": "2"}, []string{"d/u"}},
		"UntrackedSame": {"unless it says the same", func(t *testing.T, r gittest.Repo) { r.Write(t, "d/u", "2") }, map[string]string{"d/u": "2"}, nil},
		"Staged":        {"a staged edit would be lost", func(t *testing.T, r gittest.Repo) { add(t, r, "d/a", "mine") }, map[string]string{"d/a": "2"}, []string{"d/a"}},
		"StagedOnly": {"also when the file was put back since", func(t *testing.T, r gittest.Repo) {
			add(t, r, "d/a", "mine")
			r.Write(t, "d/a", "1")
		}, map[string]string{"d/a": "2"}, []string{"d/a"}},
		"StagedSame": {"a staged edit that says the same is not lost", func(t *testing.T, r gittest.Repo) { add(t, r, "d/a", "2") }, map[string]string{"d/a": "2"}, nil},
		"StagedNew": {"a file that is only staged", func(t *testing.T, r gittest.Repo) {
			add(t, r, "n", "mine")
			remove(t, r, "n")
		}, map[string]string{"n": "2"}, []string{"n"}},
		"Deleted":       {"a deletion is an edit too", func(t *testing.T, r gittest.Repo) { remove(t, r, "d/a") }, map[string]string{"d/a": "2"}, []string{"d/a"}},
		"StagedDeleted": {"so is a staged one", func(t *testing.T, r gittest.Repo) { r.Git(t, "rm", "-q", "--cached", "d/a") }, map[string]string{"d/a": "2"}, []string{"d/a"}},
		"Announced":     {"git add -N stages no content", func(t *testing.T, r gittest.Repo) { r.Write(t, "n", "2"); r.Git(t, "add", "-N", "n") }, map[string]string{"n": "2"}, nil},
		"AnnouncedOwn":  {"but the file's own content counts", func(t *testing.T, r gittest.Repo) { r.Write(t, "n", "mine"); r.Git(t, "add", "-N", "n") }, map[string]string{"n": "2"}, []string{"n"}},
		"Elsewhere":     {"other paths do not matter", func(t *testing.T, r gittest.Repo) { r.Write(t, "d/b", "mine"); add(t, r, "n", "mine") }, map[string]string{"d/a": "2"}, nil},
		"NothingToDo":   {"what would not be written is left alone, staged or not", func(t *testing.T, r gittest.Repo) { add(t, r, "d/a", "mine"); r.Write(t, "d/a", "1") }, map[string]string{"d/a": "1"}, nil},
		"Sorted": {"all are named, in order", func(t *testing.T, r gittest.Repo) {
			r.Write(t, "z", "m")
			r.Write(t, "d/b", "m")
			r.Write(t, "d/a", "m")
		},
			map[string]string{"z": "2", "d/b": "2", "d/a": "2"}, []string{"d/a", "d/b", "z"}},
		"CheckoutEnds": {"line ends of a checkout are no edit, although the file is as young as the index", func(t *testing.T, r gittest.Repo) {
			r.Git(t, "config", "core.autocrlf", "true")
			r.Commit(t, map[string]string{"n": "x\ny\n"})
			r.Write(t, "n", "x\r\ny\r\n")
		}, map[string]string{"n": "x\nz\n"}, nil},
		"CheckoutEndsEdited": {"an edit beside them is", func(t *testing.T, r gittest.Repo) {
			r.Git(t, "config", "core.autocrlf", "true")
			r.Commit(t, map[string]string{"n": "x\ny\n"})
			r.Write(t, "n", "x\r\nmine\r\n")
		}, map[string]string{"n": "x\nz\n"}, []string{"n"}},
		"Conflict": {"a conflict is not resolved by overwriting it", func(t *testing.T, r gittest.Repo) {
			r.Git(t, "checkout", "-qb", "other")
			r.Commit(t, map[string]string{"n": "theirs"})
			r.Git(t, "checkout", "-q", "main")
			r.Commit(t, map[string]string{"n": "mine"})
			_, _ = r.Try(nil, "merge", "other")
			r.Write(t, "n", "2")
		}, map[string]string{"n": "2"}, []string{"n"}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"d/a": "1", "d/b": "1"})
			if test.setup != nil {
				test.setup(t, repo)
			}
			r := openTest(t, repo)
			before, status := tree(t, repo.Dir), repo.Git(t, "status", "--porcelain")
			got, err := r.Dirty(context.Background(), changes(test.changes))
			if err != nil {
				t.Fatalf("Dirty: %v", err)
			}
			diff(t, test.reason, test.want, got)
			_, err = r.Save(context.Background(), changes(test.changes), "m")
			if len(test.want) > 0 {
				wantError(t, "Save must refuse what Dirty finds", err, ErrDirty)
				diff(t, "and leave all as it was", before, tree(t, repo.Dir))
				diff(t, "and leave all as it was", status, repo.Git(t, "status", "--porcelain"))
			}
		})
	}
}

func TestDirtyBeforeTheFirstCommit(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, "a", "mine")
	repo.Write(t, "b", "mine")
	repo.Git(t, "add", "b")
	got, err := openTest(t, repo).Dirty(context.Background(), changes(map[string]string{"a": "2", "b": "2", "c": "2"}))
	if err != nil {
		t.Fatalf("Dirty: %v", err)
	}
	diff(t, "what is there is not committed anywhere", []string{"a", "b"}, got)
}

// A filter makes a file differ from what is committed: only git's memory of the file tells that nobody has edited it.
func TestDirtyUnderAFilter(t *testing.T) {
	repo := gittest.New(t)
	repo.Git(t, "config", "filter.rot.clean", "tr a-z n-za-m")
	repo.Git(t, "config", "filter.rot.smudge", "tr a-z n-za-m")
	repo.Commit(t, map[string]string{".gitattributes": "f filter=rot\n", "f": "hunter", "g": "hunter"})
	past := time.Now().Add(-time.Hour)
	for _, path := range []string{"f", "g"} {
		if err := os.Chtimes(filepath.Join(repo.Dir, path), past, past); err != nil {
			t.Fatal(err)
		}
	}
	repo.Git(t, "status") // records the new times
	r := openTest(t, repo)
	list := changes(map[string]string{"f": "2"})
	got, err := r.Dirty(context.Background(), list)
	if err != nil {
		t.Fatalf("Dirty: %v", err)
	}
	diff(t, "nobody has edited the file", []string(nil), got)
	_, err = openTest(t, repo, WithoutGit()).Save(context.Background(), list, "m")
	wantError(t, "but git would have to commit it", err, ErrConverted)
	repo.Write(t, "f", "huntex")
	if got, err = r.Dirty(context.Background(), list); err != nil {
		t.Fatalf("Dirty: %v", err)
	}
	diff(t, "now somebody has", []string{"f"}, got)
}
