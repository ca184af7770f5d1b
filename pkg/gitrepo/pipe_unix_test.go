//go:build darwin || linux

package gitrepo

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestPipeIsNoFile(t *testing.T) {
	repo := gittest.New(t)
	if err := syscall.Mkfifo(filepath.Join(repo.Dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := openTest(t, repo)
	wantError(t, "to open a pipe would wait for ever", r.Write(context.Background(), []Change{{Path: "pipe"}}), ErrUnsafePath)
	_, _, err := r.ReadFile("pipe")
	wantError(t, "to open a pipe would wait for ever", err, ErrUnsafePath)
}
