package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// tempRandom is the length of what stands between tempPrefix and tempSuffix: crypto/rand.Text writes 128 bits in base32.
const tempRandom = 26

// isTemp reports whether a file has a name as writeTemp makes them.
func isTemp(name string) bool {
	name, hasPrefix := strings.CutPrefix(name, tempPrefix)
	name, hasSuffix := strings.CutSuffix(name, tempSuffix)
	return hasPrefix && hasSuffix && len(name) == tempRandom && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// sweep removes temporary files that a process of this tool left when it was killed, in the folders of the targets: the
// next git add -A would commit them. The lock must be held, so that no other process still needs them. What has such a
// name and is no regular file is not ours.
func (j *writing) sweep(ctx context.Context, targets []target) error {
	seen := map[string]bool{}
	var dirs []string
	for _, t := range targets {
		if dir, _ := splitPath(t.Path); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	return j.sweepFolders(ctx, dirs)
}

func (j *writing) sweepFolders(ctx context.Context, dirs []string) error {
	for _, dir := range dirs {
		there, err := j.folder(dir) // follows no symbolic link
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		if err := errors.Join(ctx.Err(), j.sweepFolder(dir)); err != nil {
			return err
		}
	}
	return nil
}

func (j *writing) sweepFolder(dir string) error {
	entries, err := fs.ReadDir(j.root.FS(), path.Clean(dir))
	if err != nil {
		return fmt.Errorf("look for temporary files: %w", err)
	}
	for _, e := range entries {
		if !isTemp(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		err := j.root.Remove(filepath.FromSlash(path.Join(dir, e.Name())))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove temporary file: %w", err)
		}
	}
	return nil
}
