package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// maxListed bounds how many files List returns. The largest of platforms has some thousands below env/.
const maxListed = 200_000

// List returns the paths of the files of the work tree below a folder, at any depth, sorted; none where there is no such folder. A
// symbolic link is a file here, which ReadFile refuses. It returns ErrUnsafePath where the folder's path is malformed.
func (r *Repo) List(folder string) ([]string, error) {
	if err := checkPath(folder); err != nil {
		return nil, err
	}
	w, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	defer w.close()
	var paths []string
	err = fs.WalkDir(w.root.FS(), filepath.ToSlash(folder), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			return nil
		case len(paths) == maxListed:
			return fmt.Errorf("there are more than %d files", maxListed)
		}
		paths = append(paths, path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	return paths, nil
}
