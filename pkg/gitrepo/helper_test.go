package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

var testTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 2*60*60))

func openTest(t *testing.T, repo gittest.Repo, options ...Option) *Repo {
	t.Helper()
	r, err := tryOpen(repo, repo.Dir, options...)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return r
}

func tryOpen(repo gittest.Repo, dir string, options ...Option) (*Repo, error) {
	clock := func() time.Time { return testTime }
	return Open(dir, clock, append([]Option{WithEnviron(repo.Environ()), WithLockWait(100 * time.Millisecond)}, options...)...)
}

func changes(files map[string]string) []Change {
	var list []Change
	for path, data := range files {
		list = append(list, Change{Path: path, Data: []byte(data)})
	}
	return list
}

// tree returns every file of a folder by path, with its content and mode, but for what git keeps of its own accord.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if rel == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files[rel] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files[rel] += " " + string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("walk: %v", err)
	}
	return files
}

// noLocks fails when a lock or a temporary file of git's is left.
func noLocks(t *testing.T, repo gittest.Repo) {
	t.Helper()
	nothingLeft(t, repo, true)
}

// nothingLeft lets temporary objects be where a process was killed: git gc removes them.
func nothingLeft(t *testing.T, repo gittest.Repo, objects bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(repo.Dir, ".git"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".lock") && d.Name() != lockFileName || objects && strings.HasPrefix(d.Name(), "tmp_obj")) {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatalf("walk: %v", err)
	}
}

func wantError(t *testing.T, reason string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s\nerror: %v, want %v", reason, got, want)
	}
}

const longWait = time.Minute

func ignoreUnexported() cmp.Option { return cmpopts.IgnoreUnexported(Upstream{}) }

func diff(t *testing.T, reason string, want, got any, options ...cmp.Option) {
	t.Helper()
	if d := cmp.Diff(want, got, options...); d != "" {
		t.Errorf("%s\n-want +got:\n%s", reason, d)
	}
}

func save(t *testing.T, r *Repo, files map[string]string) string {
	t.Helper()
	hash, err := r.Save(context.Background(), changes(files), "apl: test")
	if err != nil {
		t.Fatalf("Save: %v", err)
	}
	return hash
}

// run runs a program that has to succeed.
func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
}
