package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxTreeFiles bounds how many files of a values repo are listed. The largest of platforms has some thousands below env/.
const maxTreeFiles = 200_000

// tree is a values repo that is only read, in git or not. Nothing outside of it is.
type tree struct {
	dir  string
	root *os.Root
}

// openTree opens the values repo in a folder, or in the nearest one upwards that holds env/ where dir is "".
func openTree(dir string) (*tree, error) {
	dir, err := findRepo(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("--repo %s: %w", dir, plainPathError(err))
	}
	t := &tree{dir: dir, root: root}
	if info, err := root.Lstat("env"); err != nil || !info.IsDir() {
		t.close()
		return nil, fmt.Errorf("--repo %s: it holds no env/, as the root of a values repo does", dir)
	}
	return t, nil
}

// close closes the folder; it was only read, so that nothing can be lost.
func (t *tree) close() { _ = t.root.Close() }

// files lists all files below env/, sorted.
func (t *tree) files(ctx context.Context) ([]check.File, error) {
	var files []check.File
	err := fs.WalkDir(t.root.FS(), "env", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return ctx.Err()
		case len(files) == maxTreeFiles:
			return fmt.Errorf("there are more than %d files", maxTreeFiles)
		}
		files = append(files, check.File{Path: path, Irregular: !entry.Type().IsRegular()})
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", t.dir, err)
	}
	slices.SortFunc(files, func(a, b check.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// read returns the text of a file that was seen to be regular; nothing outside of the repo is read even where it is a link by now.
func (t *tree) read(path string) ([]byte, error) {
	f, err := t.root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, plainPathError(err)
	}
	defer f.Close() //nolint:errcheck // read only: nothing can be lost
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, plainPathError(err)
	case !info.Mode().IsRegular():
		return nil, errIrregular
	case info.Size() > values.MaxSize:
		return nil, fmt.Errorf("it has %d bytes; %d are the most that is read", info.Size(), values.MaxSize)
	}
	data := make([]byte, info.Size()+1) // one more, to see the end
	n, err := io.ReadFull(f, data)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	case err != nil:
		return nil, plainPathError(err)
	}
	return nil, errors.New("it grows while it is read")
}

var errIrregular = errors.New("it is no regular file")

// config reads .apl.yaml; one that is missing says nothing.
func (t *tree) config() (*config.Config, error) {
	info, err := t.root.Lstat(layout.ConfigFile)
	var data []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errIrregular
	default:
		data, err = t.read(layout.ConfigFile)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &config.Config{}, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", layout.ConfigFile, err)
	}
	return config.Parse(layout.ConfigFile, data)
}

// within returns the path in the repo of what a person names: from the working directory, or else from the repo's root. What is named
// has to be there.
func (t *tree) within(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil && filepath.IsLocal(name) {
		if _, rooted := t.root.Lstat(name); rooted == nil {
			return path.Clean(filepath.ToSlash(name)), nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, plainPathError(err))
	}
	// The root can be known by another name than the path that leads through it, by a link: so folders are compared as such.
	home, err := t.root.Stat(".")
	if err != nil {
		return "", fmt.Errorf("%s: %w", t.dir, plainPathError(err))
	}
	at, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	for inside := "."; ; {
		if os.SameFile(info, home) {
			return filepath.ToSlash(inside), nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", fmt.Errorf("%s is not in the values repo %s", name, t.dir)
		}
		inside, at = filepath.Join(filepath.Base(at), inside), parent
		if info, err = os.Stat(at); err != nil {
			return "", fmt.Errorf("%s: %w", at, plainPathError(err))
		}
	}
}
