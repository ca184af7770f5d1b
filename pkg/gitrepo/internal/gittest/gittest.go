// Package gittest owns the git binary as tests use it: as an oracle, and to make repositories that people make. It knows
// nothing of the packages under test.
package gittest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// T is what a test and a rapid check have in common.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Dirs is a T that has folders to give away, as *testing.T.
type Dirs interface {
	T
	TempDir() string
}

// Repo is a folder in which git runs, cut off from the configuration of the machine.
type Repo struct {
	Dir string
	Env map[string]string
}

// New returns an empty repository whose branch is main.
func New(t Dirs, initOptions ...string) Repo {
	t.Helper()
	home := t.TempDir()
	r := Repo{Dir: filepath.Join(home, "repo"), Env: map[string]string{
		"HOME":                home,
		"PATH":                os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM": "1",
		"GIT_ATTR_NOSYSTEM":   "1",
		"GIT_AUTHOR_NAME":     "Ann Author",
		"GIT_AUTHOR_EMAIL":    "ann@example.com",
		"GIT_COMMITTER_NAME":  "Cid Committer",
		"GIT_COMMITTER_EMAIL": "cid@example.com",
	}}
	// A folder of its own, so that what an older git makes of XDG does not come in.
	if err := os.Mkdir(r.Dir, 0o755); err != nil {
		t.Fatalf("make repo: %v", err)
	}
	r.Git(t, append([]string{"init", "-q", "-b", "main"}, initOptions...)...)
	return r
}

// Lookup is the repo's environment in the form of os.LookupEnv.
func (r Repo) Lookup(name string) (string, bool) {
	value, ok := r.Env[name]
	return value, ok
}

// Environ is the repo's environment in the form of os.Environ.
func (r Repo) Environ() []string {
	list := make([]string, 0, len(r.Env))
	for name, value := range r.Env {
		list = append(list, name+"="+value)
	}
	return list
}

// Git runs git and returns what it prints; it must succeed.
func (r Repo) Git(t T, args ...string) string {
	t.Helper()
	out, err := r.Try(nil, args...)
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// Try runs git with an input and returns what it prints.
func (r Repo) Try(input []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = r.Dir
	cmd.Env = r.Environ()
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), &Error{err, stderr.String()}
	}
	return string(out), nil
}

// Error is a failure of git and what it said.
type Error struct {
	Err    error
	Stderr string
}

func (e *Error) Error() string { return e.Err.Error() + ": " + e.Stderr }

// Write writes a file of the work tree, and the folders above it.
func (r Repo) Write(t T, path, data string) {
	t.Helper()
	full := filepath.Join(r.Dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
	if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
}

// Read returns a file of the work tree; "<none>" when there is none.
func (r Repo) Read(t T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(path)))
	if os.IsNotExist(err) {
		return "<none>"
	}
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return string(data)
}

// Commit writes files and commits everything.
func (r Repo) Commit(t T, files map[string]string) {
	t.Helper()
	for path, data := range files {
		r.Write(t, path, data)
	}
	r.Git(t, "add", "-A", "--force")
	r.Git(t, "commit", "-q", "--allow-empty", "-m", "commit")
}
