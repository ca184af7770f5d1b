package gitrepo

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func deletions(paths ...string) []Change {
	var list []Change
	for _, path := range paths {
		list = append(list, Change{Path: path, Delete: true})
	}
	return list
}

// Taking files away is one more change: the same commit, the same refusals, and the same way back.
func TestDelete(t *testing.T) {
	cases := map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
		paths  []string
		err    error
		status string // of git afterwards
		names  string // what the commit changes
		gone   []string
	}{
		"One": {
			reason: "a file goes, and the folders that are empty then, as git does it",
			paths:  []string{"a/b/c"}, names: "D\ta/b/c\n", gone: []string{"a/b"},
		},
		"All": {
			reason: "the last file of all leaves an empty commit tree",
			paths:  []string{"a/b/c", "a/d", "e"}, names: "D\ta/b/c\nD\ta/d\nD\te\n", gone: []string{"a", "e"},
		},
		"GoneAlready": {
			reason: "a file that a person has removed and not committed is removed by the commit",
			setup: func(t *testing.T, r gittest.Repo) {
				if err := os.Remove(r.Dir + "/a/b/c"); err != nil {
					t.Fatal(err)
				}
			},
			paths: []string{"a/b/c"}, names: "D\ta/b/c\n",
		},
		"Staged": {
			reason: "so is one whose removal is staged; what else is staged stays out",
			setup: func(t *testing.T, r gittest.Repo) {
				r.Git(t, "rm", "-q", "a/b/c")
				r.Write(t, "new", "1")
				r.Git(t, "add", "new")
			},
			paths: []string{"a/b/c"}, names: "D\ta/b/c\n", status: "A  new\n",
		},
		"NotThere": {
			reason: "there is nothing to commit where there is nothing",
			paths:  []string{"x/y"}, err: ErrNothingToCommit,
		},
		"Edited": {
			reason: "work that is not committed is not lost",
			setup:  func(t *testing.T, r gittest.Repo) { r.Write(t, "a/d", "mine") },
			paths:  []string{"a/d"}, err: ErrDirty, status: " M a/d\n",
		},
		"Untracked": {
			reason: "nor is a file that git does not know",
			setup:  func(t *testing.T, r gittest.Repo) { r.Write(t, "a/new", "mine") },
			paths:  []string{"a/new"}, err: ErrDirty, status: "?? a/new\n",
		},
		"Ignored": {
			reason: "a rule that ignores a committed file does not keep it",
			setup:  func(t *testing.T, r gittest.Repo) { r.Write(t, ".git/info/exclude", "e\n") },
			paths:  []string{"e"}, names: "D\te\n", gone: []string{"e"},
		},
		"Folder": {
			reason: "a folder is no file",
			paths:  []string{"a/b"}, err: ErrUnsafePath,
		},
	}
	for name, tc := range cases {
		for _, way := range []string{"Own", "Git"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				repo := gittest.New(t)
				repo.Commit(t, map[string]string{"a/b/c": "1", "a/d": "1", "e": "1"})
				if way == "Git" {
					hook("pre-commit", "exit 0")(t, repo)
				}
				if tc.setup != nil {
					tc.setup(t, repo)
				}
				_, err := openTest(t, repo).Save(context.Background(), deletions(tc.paths...), "m")
				if !errors.Is(err, tc.err) {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				diff(t, tc.reason, tc.status, repo.Git(t, "status", "--porcelain"))
				repo.Git(t, "fsck", "--strict", "--no-dangling")
				if tc.err != nil {
					return
				}
				diff(t, tc.reason, tc.names, repo.Git(t, "diff", "--name-status", "HEAD^", "HEAD"))
				for _, path := range tc.gone {
					if _, err := os.Lstat(repo.Dir + "/" + path); !os.IsNotExist(err) {
						t.Errorf("%s: %s is there: %v", tc.reason, path, err)
					}
				}
			})
		}
	}
}

func TestDeleteIsUndone(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/b/c": "1", "a/d": "1"})
	before := tree(t, repo.Dir)
	r := openTest(t, repo, WithoutGit())
	broken := errors.New("broken")
	r.step = func(name string) error {
		if name == "store commit" {
			return broken
		}
		return nil
	}
	if _, err := r.Save(context.Background(), append(deletions("a/b/c", "a/d"), Change{Path: "new", Data: []byte("1")}), "m"); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	diff(t, "files and folders are back", before, tree(t, repo.Dir))
	diff(t, "and git sees no change", "", repo.Git(t, "status", "--porcelain"))
}

func TestWriteDeletes(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/b/c": "1", "e": "1"})
	if err := openTest(t, repo).Write(context.Background(), append(deletions("a/b/c"), Change{Path: "new", Data: []byte("1")})); err != nil {
		t.Fatal(err)
	}
	diff(t, "left in the work tree", " D a/b/c\n?? new\n", repo.Git(t, "status", "--porcelain"))
}
