package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestUnsafePaths(t *testing.T) {
	repo := gittest.New(t)
	outside := filepath.Join(repo.Env["HOME"], "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	repo.Write(t, "file", "1")
	repo.Write(t, "folder/x", "1")
	repo.Git(t, "init", "-q", "nested")
	for link, target := range map[string]string{"out": outside, "in": "folder", "dotgit": ".git", "leaf": "file", "dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(repo.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	r := openTest(t, repo)
	for name, test := range map[string]struct {
		reason string
		paths  []string
	}{
		"Absolute":  {"a path starts at the root of the work tree", []string{"/etc/x", outside + "/x"}},
		"Leaves":    {"a path stays in the work tree", []string{"../x", "a/../../x", "..", "a/.."}},
		"Unclean":   {"a path has one spelling", []string{"", ".", "a//b", "./a", "a/./b", "a/", "folder/../file"}},
		"DotGit":    {"git's own folder, in any spelling that a file system takes for it", []string{".git/config", "a/.git/x", ".GIT/x", ".Git", ".git./x", ".git /x", "git~1/x", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x"}},
		"Steers":    {"rules are for people", []string{".gitattributes", "a/.gitignore", ".GitModules"}},
		"Bytes":     {"a path is portable text", []string{"a\\b", "a\x00", "a\nb", "a\xff"}},
		"Long":      {"a path has a bound", []string{strings.Repeat("a/", 3000) + "b"}},
		"Links":     {"no component is a symbolic link, wherever it leads", []string{"out/x", "in/x", "dotgit/x", "leaf", "dangling", "dangling/x"}},
		"Kinds":     {"a folder is no file, a file no folder", []string{"folder", "file/x"}},
		"Nested":    {"files of another repository are not ours to commit", []string{"nested/x", "nested/a/b"}},
		"SameTwice": {"one path, one content", []string{"a", "a"}},
		"FolderToo": {"a file cannot be a folder", []string{"a", "a-b", "a/b"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := tree(t, repo.Dir)
			sets := [][]string{test.paths}
			if name != "SameTwice" && name != "FolderToo" {
				sets = nil
				for _, path := range test.paths {
					sets = append(sets, []string{"good", path})
				}
			}
			for _, paths := range sets {
				var list []Change
				for _, path := range paths {
					list = append(list, Change{Path: path, Data: []byte("2")})
				}
				ctx := context.Background()
				wantError(t, test.reason, r.Write(ctx, list), ErrUnsafePath)
				_, err := r.Save(ctx, list, "m")
				wantError(t, test.reason, err, ErrUnsafePath)
				_, err = r.Dirty(ctx, list)
				wantError(t, test.reason, err, ErrUnsafePath)
				wantError(t, test.reason, r.Ready(ctx, list), ErrUnsafePath)
			}
			diff(t, "nothing is written, not even what could be", before, tree(t, repo.Dir))
		})
	}
}

func TestReadFile(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/b": "1", ".gitattributes": "x text\n"})
	repo.Write(t, "a/b", "2")
	if err := os.Symlink("a", filepath.Join(repo.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	r := openTest(t, repo)
	for name, test := range map[string]struct {
		reason, path, work, head string
		workErr, headErr         error
	}{
		"File":    {reason: "the work tree and HEAD differ", path: "a/b", work: "2", head: "1"},
		"Missing": {reason: "a file that is nowhere", path: "a/c/d", work: "<none>", head: "<none>"},
		"Rules":   {reason: "rule files can be read", path: ".gitattributes", work: "x text\n", head: "x text\n"},
		"GitsOwn": {reason: "git's folder cannot", path: ".git/config", work: "<none>", head: "<none>", workErr: ErrUnsafePath, headErr: ErrUnsafePath},
		"Folder":  {reason: "a folder is no file", path: "a", work: "<none>", head: "<none>", workErr: ErrUnsafePath},
		"Link":    {reason: "no symbolic link is followed", path: "link/b", work: "<none>", head: "<none>", workErr: ErrUnsafePath},
	} {
		t.Run(name, func(t *testing.T) {
			shown := func(data []byte, found bool) string {
				if !found {
					return "<none>"
				}
				return string(data)
			}
			data, found, err := r.ReadFile(test.path)
			wantError(t, test.reason, err, test.workErr)
			diff(t, test.reason, test.work, shown(data, found))
			data, found, err = r.HeadFile(test.path)
			wantError(t, test.reason, err, test.headErr)
			diff(t, test.reason, test.head, shown(data, found))
		})
	}
}

func TestWrite(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"same": "1", "read-only": "1"})
	if err := os.Chmod(filepath.Join(repo.Dir, "read-only"), 0o444); err != nil {
		t.Fatal(err)
	}
	same, err := os.Stat(filepath.Join(repo.Dir, "same"))
	if err != nil {
		t.Fatal(err)
	}
	r := openTest(t, repo)
	list := changes(map[string]string{"same": "1", "read-only": "2", "new/folder/file": "2", "empty": ""})
	if err := r.Write(context.Background(), list); err != nil {
		t.Fatalf("Write: %v", err)
	}
	diff(t, "files, modes, and nothing else", map[string]string{
		".": "drwxr-xr-x", "same": "-rw-r--r-- 1", "read-only": "-r--r--r-- 2", "new": "drwxr-xr-x", "new/folder": "drwxr-xr-x",
		"new/folder/file": "-rw-r--r-- 2", "empty": "-rw-r--r-- ",
	}, tree(t, repo.Dir))
	after, err := os.Stat(filepath.Join(repo.Dir, "same"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(same, after) {
		t.Error("a file that holds its data must not be replaced")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wantError(t, "a context that has ended", r.Write(ctx, changes(map[string]string{"x": "1"})), context.Canceled)
	diff(t, "nothing is written", "<none>", repo.Read(t, "x"))
}

// What others put into a folder that we made is not removed with it.
func TestUndoKeepsOthersFiles(t *testing.T) {
	repo := gittest.New(t)
	r := openTest(t, repo)
	r.step = func(name string) error {
		if name == "place b" {
			repo.Write(t, "a/theirs", "1")
			return ErrChanged
		}
		return nil
	}
	wantError(t, "the step fails", r.Write(context.Background(), changes(map[string]string{"a/ours": "2", "b": "2"})), ErrChanged)
	diff(t, "only theirs is left", map[string]string{".": "drwxr-xr-x", "a": "drwxr-xr-x", "a/theirs": "-rw-r--r-- 1"}, tree(t, repo.Dir))
}
