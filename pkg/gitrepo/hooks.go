package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// hooks returns the hooks that git commit would run: those in the hooks folder that can be executed (githooks(5)), and those
// that the configuration names (git-hook(1), since Git 2.54).
func (r *Repo) hooks() ([]string, error) {
	return r.hooksOf([]string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction"})
}

func (r *Repo) hooksOf(events []string) ([]string, error) {
	folder, err := r.hooksFolder()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range events {
		if folder == "" {
			break
		}
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || isNotFolder(folder) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			found = append(found, path)
		}
	}
	disabled := map[string]bool{}
	for _, e := range r.config.All() {
		section, name, key := gitconfig.Split(e.Key)
		if section == "hook" && key == "enabled" {
			on, err := e.Bool()
			if err != nil {
				return nil, err
			}
			disabled[name] = !on
		}
	}
	for _, e := range r.config.All() {
		section, name, key := gitconfig.Split(e.Key)
		if section == "hook" && key == "event" && !disabled[name] && slices.Contains(events, e.Value) {
			found = append(found, e.Value+" ("+e.Where()+")")
		}
	}
	return found, nil
}

// hooksFolder returns where hooks are, "" when core.hooksPath is set to nothing.
func (r *Repo) hooksFolder() (string, error) {
	e, ok := r.config.Get("core.hookspath")
	if !ok {
		return filepath.Join(r.commonDir, "hooks"), nil
	}
	path, err := gitconfig.ExpandPath(r.env, e.Value)
	if err != nil {
		return "", fmt.Errorf("read core.hooksPath (%s): %w", e.Where(), err)
	}
	if path == "" || filepath.IsAbs(path) {
		return path, nil
	}
	return filepath.Join(r.root, path), nil // git runs hooks in the root of the work tree
}

// isNotFolder is for core.hooksPath=/dev/null, which is how people switch hooks off.
func isNotFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func modeOf(e gitindex.Entry) filemode.FileMode { return filemode.FileMode(e.Mode) }
