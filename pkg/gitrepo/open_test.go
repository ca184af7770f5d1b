package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestOpenFindsTheWorkTree(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"env/values/x.yaml": "a: 1\n"})
	root, err := filepath.EvalSymlinks(repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(repo.Env["HOME"], "link")
	if err := os.Symlink(filepath.Join(repo.Dir, "env"), link); err != nil {
		t.Fatal(err)
	}
	repo.Write(t, "env/other/.git/nothing", "")
	for name, test := range map[string]struct{ reason, dir, prefix string }{
		"Root":       {"the root itself", repo.Dir, ""},
		"Subfolder":  {"any folder below", filepath.Join(repo.Dir, "env/values"), "env/values"},
		"Link":       {"symbolic links on the way in are resolved", filepath.Join(link, "values"), "env/values"},
		"NoRepoHere": {"a .git folder that is no repository is passed over, as git does", filepath.Join(repo.Dir, "env/other"), "env/other"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := tryOpen(repo, test.dir)
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			diff(t, test.reason, []string{root, test.prefix}, []string{r.Root(), r.Prefix()})
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, "file", "")
	home := repo.Env["HOME"]
	bare := filepath.Join(home, "bare")
	repo.Git(t, "init", "-q", "--bare", bare)
	if err := os.MkdirAll(filepath.Join(home, "broken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "broken/.git"), []byte("gitdir: nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		reason, dir string
		want        error
	}{
		"Plain":     {"a folder in no repository", home, ErrNotRepository},
		"File":      {"a file is no folder", filepath.Join(repo.Dir, "file"), ErrNotRepository},
		"Missing":   {"a folder that is not there", filepath.Join(home, "missing"), os.ErrNotExist},
		"Bare":      {"a bare repository has no files", bare, ErrBare},
		"InDotGit":  {"git's own folder is no work tree", filepath.Join(repo.Dir, ".git/refs"), ErrBare},
		"GitFile":   {"a .git file that names nothing", filepath.Join(home, "broken"), ErrNotRepository},
		"BareBelow": {"a folder in a bare repository", filepath.Join(bare, "objects"), ErrBare},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tryOpen(repo, test.dir)
			wantError(t, test.reason, err, test.want)
		})
	}
}

// Case H13: one line that names the feature, before anything is written.
func TestOpenNamesUnsupportedFeatures(t *testing.T) {
	setConfig := func(lines ...string) func(*testing.T, gittest.Repo) {
		return func(t *testing.T, repo gittest.Repo) {
			for _, line := range lines {
				key, value, _ := strings.Cut(line, "=")
				repo.Git(t, "config", key, value)
			}
		}
	}
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
		init   []string
		want   string
	}{
		"SHA256":       {reason: "object ids of another length", init: []string{"--object-format=sha256"}, want: "object format sha256"},
		"Reftable":     {reason: "branches are not files there", setup: setConfig("extensions.refStorage=reftable", "core.repositoryformatversion=1"), want: "reference storage reftable"},
		"Promisor":     {reason: "as git clone --filter marks it now", setup: setConfig("remote.origin.promisor=true"), want: "partial clone"},
		"PartialClone": {reason: "objects may be missing", setup: setConfig("extensions.partialClone=origin", "core.repositoryformatversion=1"), want: "partial clone"},
		"Unknown":      {reason: "an extension of the future", setup: setConfig("extensions.tomorrow=1", "core.repositoryformatversion=1"), want: "extensions.tomorrow"},
		"Version":      {reason: "a format of the future", setup: setConfig("core.repositoryformatversion=2"), want: "format version 2"},
		"SplitIndex":   {reason: "part of the index stands in another file", setup: func(t *testing.T, repo gittest.Repo) { repo.Git(t, "update-index", "--split-index") }, want: "split index"},
		"Sparse":       {reason: "files outside of the cone must not count as deleted", setup: func(t *testing.T, repo gittest.Repo) { repo.Git(t, "sparse-checkout", "set", "--cone", "a") }, want: "sparse checkout"},
		"SparseIndex": {reason: "so with a sparse index", setup: func(t *testing.T, repo gittest.Repo) {
			repo.Git(t, "sparse-checkout", "set", "--cone", "--sparse-index", "a")
		}, want: "sparse"},
		"Worktree": {reason: "git would work in another folder", setup: setConfig("core.worktree=/"), want: "core.worktree"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t, test.init...)
			repo.Commit(t, map[string]string{"a/1": "1", "b/1": "1"})
			if test.setup != nil {
				test.setup(t, repo)
			}
			_, err := tryOpen(repo, repo.Dir, WithoutGit())
			wantError(t, test.reason, err, ErrUnsupported)
			if err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %q must name %q on one line", err, test.want)
			}
		})
	}
}

func TestOpenBareByConfig(t *testing.T) {
	repo := gittest.New(t)
	repo.Git(t, "config", "core.bare", "true")
	_, err := tryOpen(repo, repo.Dir)
	wantError(t, "git refuses to commit there too", err, ErrBare)
}

// A copied folder of git worktree add is not one of its own: git would move the original's branch, and not its files.
func TestOpenRefusesACopiedWorktree(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	home := repo.Env["HOME"]
	repo.Git(t, "worktree", "add", "-q", "-b", "side", "../linked")
	if err := os.CopyFS(filepath.Join(home, "copy"), os.DirFS(filepath.Join(home, "linked"))); err != nil {
		t.Fatal(err)
	}
	_, err := tryOpen(repo, filepath.Join(home, "copy"))
	wantError(t, "the original is there", err, ErrUnsupported)
	if err := os.RemoveAll(filepath.Join(home, "linked")); err != nil {
		t.Fatal(err)
	}
	_, err = tryOpen(repo, filepath.Join(home, "copy"))
	wantError(t, "a worktree that was moved", err, nil)
}

func TestOpenLooksAtTheEnvironment(t *testing.T) {
	repo, other := gittest.New(t), gittest.New(t)
	for name, test := range map[string]struct {
		reason, variable, value string
		want                    error
	}{
		"Same":      {"git sets it for its hooks, to what is true anyway", "GIT_DIR", filepath.Join(repo.Dir, ".git"), nil},
		"SameIndex": {"so with the index, which may not be there yet", "GIT_INDEX_FILE", filepath.Join(repo.Dir, ".git/index"), nil},
		"Other":     {"git would look at another repository", "GIT_DIR", filepath.Join(other.Dir, ".git"), ErrUnsupported},
		"Tree":      {"git would write to other files", "GIT_WORK_TREE", other.Dir, ErrUnsupported},
		"Index":     {"git commit -a keeps its index there while hooks run", "GIT_INDEX_FILE", filepath.Join(repo.Dir, ".git/next-index"), ErrUnsupported},
		"Objects":   {"git quarantines objects", "GIT_OBJECT_DIRECTORY", filepath.Join(other.Dir, ".git/objects"), ErrUnsupported},
		"Alternate": {"objects may be elsewhere", "GIT_ALTERNATE_OBJECT_DIRECTORIES", filepath.Join(repo.Dir, ".git/objects"), ErrUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			env := func(name string) (string, bool) {
				if name == test.variable {
					return test.value, true
				}
				return repo.Lookup(name)
			}
			_, err := tryOpen(repo, repo.Dir, WithEnv(env))
			wantError(t, test.reason, err, test.want)
		})
	}
}

// The forms of a repository that must work, each proved by a commit that git itself finds in order.
func TestSaveInEveryForm(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo) gittest.Repo
	}{
		"Plain": {"what git init makes", func(_ *testing.T, repo gittest.Repo) gittest.Repo { return repo }},
		"Version4": {"case H13: feature.manyFiles", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "config", "feature.manyFiles", "true")
			repo.Git(t, "update-index", "--index-version", "4")
			return repo
		}},
		"WorktreeConfig": {"it stays on after a sparse checkout was ended", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "sparse-checkout", "set", "--cone", "a")
			repo.Git(t, "sparse-checkout", "disable")
			return repo
		}},
		"Packed": {"objects and branches are packed", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "gc", "-q")
			return repo
		}},
		"Linked": {"a worktree of git worktree add", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "worktree", "add", "-q", "-b", "side/branch", "../linked")
			repo.Dir = filepath.Join(repo.Env["HOME"], "linked")
			return repo
		}},
		"LinkedOfBare": {"a worktree of a bare repository", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "clone", "-q", "--bare", ".", "../bare")
			repo.Dir = filepath.Join(repo.Env["HOME"], "bare")
			repo.Git(t, "worktree", "add", "-q", "../linked", "main")
			repo.Dir = filepath.Join(repo.Env["HOME"], "linked")
			return repo
		}},
		"Shared": {"objects stand in another repository", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "clone", "-q", "--shared", ".", "../shared")
			repo.Dir = filepath.Join(repo.Env["HOME"], "shared")
			return repo
		}},
		"SharedRelative": {"so with a relative path, and over two steps", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "clone", "-q", "--shared", ".", "../one")
			repo.Git(t, "clone", "-q", "--shared", "../one", "../two")
			repo.Dir = filepath.Join(repo.Env["HOME"], "two")
			repo.Write(t, ".git/objects/info/alternates", "# borrowed\n../../../one/.git/objects\n")
			return repo
		}},
		"Shallow": {"history is cut off", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Commit(t, map[string]string{"more": "1"})
			repo.Git(t, "clone", "-q", "--depth", "1", "file://"+repo.Dir, "../shallow")
			repo.Dir = filepath.Join(repo.Env["HOME"], "shallow")
			return repo
		}},
		"Submodule": {"the values repo is a submodule of another: .git is a file, core.worktree is set", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			outer := gittest.New(t)
			outer.Git(t, "-c", "protocol.file.allow=always", "submodule", "add", "-q", repo.Dir, "sub")
			outer.Dir = filepath.Join(outer.Dir, "sub")
			return outer
		}},
		"SeparateDir": {"git init --separate-git-dir", func(t *testing.T, repo gittest.Repo) gittest.Repo {
			repo.Git(t, "init", "-q", "--separate-git-dir", "../elsewhere")
			return repo
		}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a/1": "1", "b/1": "1"})
			repo = test.setup(t, repo)
			r := openTest(t, repo)
			before := repo.Git(t, "rev-parse", "HEAD")
			hash := save(t, r, map[string]string{"b/2": "2\n", "c/d/e": "3\n", "a/1": "new\n"})
			diff(t, test.reason, hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
			diff(t, test.reason, before, repo.Git(t, "rev-parse", "HEAD^"))
			diff(t, "the status must be clean", "", repo.Git(t, "status", "--porcelain"))
			diff(t, test.reason, "a/1\nb/2\nc/d/e\n", repo.Git(t, "diff", "--name-only", "HEAD^", "HEAD"))
			repo.Git(t, "fsck", "--strict", "--no-dangling")
			data, found, err := r.HeadFile("c/d/e")
			diff(t, "HeadFile", "3\n true <nil>", strings.Join([]string{string(data), map[bool]string{true: "true"}[found], errorText(err)}, " "))
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

func TestHeadIsNotTakenForUnborn(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	repo.Git(t, "pack-refs", "--all", "--no-prune") // what is packed is soon of an older time
	repo.Commit(t, map[string]string{"a": "2"})
	r := openTest(t, repo)
	for name, text := range map[string]string{
		"Empty": "", "Short": "abc123\n", "Symbolic": "ref: refs/heads/other\n",
		"Unreadable": "",
		"Zeros":      strings.Repeat("\x00", 41), // as a power cut leaves a file whose size was on the disk before its content
	} {
		t.Run(name, func(t *testing.T) {
			branch := filepath.Join(repo.Dir, ".git/refs/heads/main")
			if err := os.Remove(branch); err != nil {
				t.Fatal(err)
			}
			if name == "Unreadable" { // that binds the superuser too
				if err := os.Symlink("main", branch); err != nil {
					t.Fatal(err)
				}
			} else {
				repo.Write(t, ".git/refs/heads/main", text)
			}
			hash, err := r.Save(context.Background(), []Change{{Path: "b"}}, "m")
			if err == nil || hash != "" || errors.Is(err, ErrNothingToCommit) {
				t.Errorf("Save = %q, %v: a damaged branch must not be taken for one without commits", hash, err)
			}
			diff(t, "nothing is written", "<none>", repo.Read(t, "b"))
		})
	}
}
