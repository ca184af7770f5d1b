package gitindex_test

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func load(t *testing.T, repo gittest.Repo) *gitindex.Index {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repo.Dir, ".git/index"))
	if err != nil {
		t.Fatalf("read index: %v", err)
	}
	x, err := gitindex.Decode(data)
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	return x
}

func store(t *testing.T, repo gittest.Repo, x *gitindex.Index) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(repo.Dir, ".git/index"), x.Encode(), 0o644); err != nil {
		t.Fatalf("write index: %v", err)
	}
}

// A person's flags and everything else that git shows of an index must survive, whatever version it is of.
func TestRewriteKeepsWhatGitShows(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  [][]string
	}{
		"Version2": {"the default", nil},
		"Version3": {"extended flags need it", [][]string{{"update-index", "--skip-worktree", "a/b.yaml"}, {"add", "-N", "new"}}},
		"Version4": {"names are compressed", [][]string{{"update-index", "--index-version", "4"}}},
		"Version4Flags": {"names are compressed, and flags extended", [][]string{
			{"update-index", "--index-version", "4"}, {"update-index", "--skip-worktree", "a/b.yaml"},
		}},
		"AssumeUnchanged": {"go-git loses this flag", [][]string{{"update-index", "--assume-unchanged", "a/c.yaml"}}},
		"Executable":      {"a mode is no content", [][]string{{"update-index", "--chmod=+x", "a/c.yaml"}}},
		"Caches":          {"untracked cache and cached tree may go, entries not", [][]string{{"update-index", "--force-untracked-cache"}, {"write-tree"}}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{
				"a/b.yaml": "1", "a/c.yaml": "2", "a-b": "3", "z/" + strings.Repeat("long/", 40) + "x": "4", "ä": "5",
			})
			repo.Write(t, "new", "n")
			for _, args := range test.setup {
				repo.Git(t, args...)
			}
			show := func() string {
				return repo.Git(t, "ls-files", "--stage", "--debug") + repo.Git(t, "ls-files", "-v") + repo.Git(t, "ls-files", "-t")
			}
			want := show()
			store(t, repo, load(t, repo))
			if diff := cmp.Diff(want, show()); diff != "" {
				t.Errorf("%s\nls-files: -before +after:\n%s", test.reason, diff)
			}
			repo.Git(t, "fsck", "--strict")
		})
	}
}

func TestUnmerged(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"f.yaml": "1", "g.yaml": "1"})
	repo.Git(t, "checkout", "-qb", "other")
	repo.Commit(t, map[string]string{"f.yaml": "2"})
	repo.Git(t, "checkout", "-q", "main")
	repo.Commit(t, map[string]string{"f.yaml": "3"})
	if _, err := repo.Try(nil, "merge", "other"); err == nil {
		t.Fatal("the merge must end in a conflict")
	}
	x := load(t, repo)
	if diff := cmp.Diff([]string{"f.yaml"}, x.Unmerged()); diff != "" {
		t.Errorf("Unmerged: -want +got:\n%s", diff)
	}
	if _, ok := x.Find("f.yaml"); ok {
		t.Error("Find must not return one side of a conflict")
	}
	before := repo.Git(t, "ls-files", "--unmerged")
	store(t, repo, x)
	if diff := cmp.Diff(before, repo.Git(t, "ls-files", "--unmerged")); diff != "" {
		t.Errorf("ls-files --unmerged: -before +after:\n%s", diff)
	}
	repo.Write(t, "f.yaml", "4")
	repo.Git(t, "add", "f.yaml")
	store(t, repo, load(t, repo))
	if out := repo.Git(t, "ls-files", "--resolve-undo"); strings.Count(out, "f.yaml") != 3 {
		t.Errorf("resolve-undo must be kept, so that git checkout -m still works; git shows %q", out)
	}
}

func TestUnsupported(t *testing.T) {
	for name, test := range map[string]struct {
		setup [][]string
		want  string
	}{
		"Split":  {[][]string{{"update-index", "--split-index"}}, "split index"},
		"Sparse": {[][]string{{"sparse-checkout", "set", "--cone", "--sparse-index", "a"}}, "sparse index"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a/1": "1", "b/1": "1"})
			for _, args := range test.setup {
				repo.Git(t, args...)
			}
			data, err := os.ReadFile(filepath.Join(repo.Dir, ".git/index"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = gitindex.Decode(data)
			var unsupported *gitindex.UnsupportedError
			if !errors.As(err, &unsupported) || unsupported.Feature != test.want {
				t.Errorf("Decode: %v, want that %q is not supported", err, test.want)
			}
		})
	}
}

// index.skipHash, which feature.manyFiles sets since Git 2.40, leaves the checksum out.
func TestNoChecksum(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	path := filepath.Join(repo.Dir, ".git/index")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	body := data[:len(data)-sha1.Size]
	if _, err := gitindex.Decode(append(slices.Clone(body), make([]byte, sha1.Size)...)); err != nil {
		t.Errorf("Decode without checksum: %v", err)
	}
	if _, err := gitindex.Decode(append(slices.Clone(body), data[:sha1.Size]...)); !errors.Is(err, gitindex.ErrFormat) {
		t.Errorf("Decode with a wrong checksum: %v, want %v", err, gitindex.ErrFormat)
	}
}

func TestPut(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"b": "1", "d": "1"})
	repo.Git(t, "update-index", "--assume-unchanged", "b")
	x := load(t, repo)
	if err := x.Put([]gitindex.Entry{{Path: "e", Mode: 0o100644}, {Path: "b", Mode: 0o100755}, {Path: "a/c", Mode: 0o100644}}); err != nil {
		t.Fatalf("Put: %v", err)
	}
	var got []string
	for _, e := range x.Entries() {
		got = append(got, fmt.Sprintf("%s %o %t", e.Path, e.Mode, e.AssumeUnchanged()))
	}
	want := []string{"a/c 100644 false", "b 100755 true", "d 100644 false", "e 100644 false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries: -want +got:\n%s", diff)
	}
	if !x.HasBelow("a") || x.HasBelow("b") || x.HasBelow("a/c") {
		t.Error("HasBelow must find entries below a, and only there")
	}
	if err := x.Put([]gitindex.Entry{{Path: "q"}, {Path: "q"}}); !errors.Is(err, gitindex.ErrFormat) {
		t.Errorf("Put of one path twice: %v, want %v", err, gitindex.ErrFormat)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := gitindex.New()
		paths := rapid.SliceOfDistinct(rapid.StringMatching(`[a-c/.]{1,12}`), rapid.ID[string]).Draw(t, "paths")
		var want []gitindex.Entry
		for i, path := range paths {
			want = append(want, gitindex.Entry{Path: path, Mode: 0o100644, ID: [gitindex.IDSize]byte{byte(i)}, Stat: gitindex.Stat{
				MtimeSec: rapid.Uint32().Draw(t, "mtime"), Size: rapid.Uint32().Draw(t, "size"),
			}})
		}
		if err := x.Put(want); err != nil {
			t.Fatalf("Put: %v", err)
		}
		slices.SortFunc(want, func(a, b gitindex.Entry) int { return strings.Compare(a.Path, b.Path) })
		y, err := gitindex.Decode(x.Encode())
		if err != nil {
			t.Fatalf("Decode: %v", err)
		}
		if diff := cmp.Diff(want, y.Entries(), cmp.AllowUnexported(gitindex.Entry{})); diff != "" && len(want) > 0 {
			t.Errorf("entries: -want +got:\n%s", diff)
		}
	})
}

func FuzzDecode(f *testing.F) {
	x := gitindex.New()
	if err := x.Put([]gitindex.Entry{{Path: "a/b", Mode: 0o100644}, {Path: "a/bc", Mode: 0o100644}}); err != nil {
		f.Fatal(err)
	}
	data := x.Encode()
	f.Add(data[:len(data)-sha1.Size])
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"))
	f.Add([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		x, err := gitindex.Decode(append(slices.Clone(body), make([]byte, sha1.Size)...))
		if err != nil {
			return
		}
		if _, err := gitindex.Decode(x.Encode()); err != nil {
			t.Errorf("what was read cannot be read back: %v", err)
		}
	})
}
