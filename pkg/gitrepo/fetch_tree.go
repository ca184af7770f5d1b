package gitrepo

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
	"sync/atomic"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// maxLink bounds the target of a symbolic link, in bytes.
const maxLink = 4096

// errUnsafeTree is about a tree that is not checked out.
var errUnsafeTree = errors.New("its tree is not safe to check out")

// checkout writes the tree of a commit to a folder. Through os.Root nothing is written outside.
func checkout(ctx context.Context, store *filesystem.Storage, id plumbing.Hash, dir string) error {
	commit, err := object.GetCommit(store, id)
	if err != nil {
		return fmt.Errorf("read commit %s: %w", id, err)
	}
	tree, err := commit.Tree()
	if err != nil {
		return fmt.Errorf("read the tree of %s: %w", id, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // its files are closed
	walk := object.NewTreeWalker(tree, true, nil)
	defer walk.Close()
	links := map[string]string{}
	left := int64(maxCheckout)
	for files := 0; ; files++ {
		name, entry, err := walk.Next()
		switch {
		case errors.Is(err, io.EOF):
			return makeLinks(root, links)
		case err != nil:
			return fmt.Errorf("read the tree of %s: %w", id, err)
		case ctx.Err() != nil:
			return ctx.Err()
		case files == maxCheckoutFiles:
			return fmt.Errorf("it has more than %d files", maxCheckoutFiles)
		case entry.Mode == filemode.Dir, entry.Mode == filemode.Submodule:
			continue
		case !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name:
			return fmt.Errorf("%w: %q", errUnsafeTree, name)
		}
		blob, err := object.GetBlob(store, entry.Hash)
		if err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		if left -= blob.Size; left < 0 {
			return fmt.Errorf("checked out it is larger than %d MiB", maxCheckout>>20)
		}
		if entry.Mode == filemode.Symlink {
			if links[name], err = linkTarget(blob); err != nil {
				return fmt.Errorf("%w: symbolic link %q", errUnsafeTree, name)
			}
			continue
		}
		if err := writeBlob(root, name, blob, entry.Mode); err != nil {
			return fmt.Errorf("write %q: %w", name, err)
		}
	}
}

func writeBlob(root *os.Root, name string, blob *object.Blob, mode filemode.FileMode) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return err
	}
	perm := fs.FileMode(0o600)
	if mode == filemode.Executable {
		perm = 0o700
	}
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	data, err := blob.Reader()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	_, err = io.Copy(file, data)
	return errors.Join(err, data.Close(), file.Close())
}

func linkTarget(blob *object.Blob) (string, error) {
	if blob.Size > maxLink {
		return "", errUnsafeTree
	}
	data, err := blob.Reader()
	if err != nil {
		return "", err
	}
	defer data.Close()
	target, err := io.ReadAll(data)
	return string(target), err
}

// makeLinks makes symbolic links after all files, so that nothing is written through one, and refuses any that leads out, by
// whatever way. One that leads nowhere is let be.
func makeLinks(root *os.Root, links map[string]string) error {
	names := make([]string, 0, len(links))
	for name, target := range links {
		names = append(names, name)
		err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700)
		if err == nil {
			err = root.Symlink(filepath.FromSlash(target), filepath.FromSlash(name))
		}
		if err != nil {
			return fmt.Errorf("%w: symbolic link %q cannot be made", errUnsafeTree, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if _, err := root.Stat(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: symbolic link %q leads out of it", errUnsafeTree, name)
		}
	}
	return nil
}

// quota is a file system that takes no more than so many bytes: what a server sends has no other bound. What is over is
// dropped without an error, and stop is called: go-git ends a server's process only where reading from it fails.
type quota struct {
	billy.Filesystem
	left atomic.Int64
	stop context.CancelFunc
}

func (q *quota) over() bool { return q.left.Load() < 0 }

// Create is billy's.
func (q *quota) Create(name string) (billy.File, error) { return q.file(q.Filesystem.Create(name)) }

// OpenFile is billy's.
func (q *quota) OpenFile(name string, flag int, perm os.FileMode) (billy.File, error) {
	return q.file(q.Filesystem.OpenFile(name, flag, perm))
}

// TempFile is billy's.
func (q *quota) TempFile(dir, prefix string) (billy.File, error) {
	return q.file(q.Filesystem.TempFile(dir, prefix))
}

func (q *quota) file(f billy.File, err error) (billy.File, error) {
	if err != nil {
		return nil, err
	}
	return &quotaFile{f, q}, nil
}

type quotaFile struct {
	billy.File
	quota *quota
}

func (f *quotaFile) Write(data []byte) (int, error) {
	if f.quota.left.Add(-int64(len(data))) < 0 {
		f.quota.stop()
		return len(data), nil
	}
	return f.File.Write(data)
}
