package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxFile bounds a file that is read: values are far smaller, and whole files are held in memory.
const maxFile = 256 << 20

// target is a change and what the work tree has at its path.
type target struct {
	Change
	info fs.FileInfo // nil when there is no file
	old  []byte
}

// id returns the object id of what is there, zero when there is no file.
func (t target) id() plumbing.Hash {
	if t.info == nil {
		return plumbing.ZeroHash
	}
	return blobID(t.old)
}

// changes reports whether the file is to be written, or taken away.
func (t target) changes() bool {
	if t.Delete {
		return t.info != nil
	}
	return t.info == nil || !bytes.Equal(t.old, t.Data)
}

// worktree looks at the files of a work tree without following a symbolic link. It looks at each folder once.
type worktree struct {
	root *os.Root
	dirs map[string]bool // whether a folder is there
}

func (r *Repo) openWorktree() (*worktree, error) {
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return nil, fmt.Errorf("open work tree: %w", err)
	}
	return &worktree{root: root, dirs: map[string]bool{"": true}}, nil
}

func (w *worktree) close() { _ = w.root.Close() } // it only holds a folder open: nothing can be lost

// look reads what is at each path. It returns ErrUnsafePath where that is something else than a file, or lies behind a
// symbolic link or in another repository.
func (w *worktree) look(ctx context.Context, changes []Change) ([]target, error) {
	targets := make([]target, 0, len(changes))
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, info, err := w.read(c.Path)
		if err != nil {
			return nil, err
		}
		targets = append(targets, target{Change: c, info: info, old: data})
	}
	return targets, nil
}

// read returns a file and its content; info is nil when there is none.
func (w *worktree) read(path string) ([]byte, fs.FileInfo, error) {
	info, err := w.stat(path)
	if info == nil || err != nil {
		return nil, nil, err
	}
	f, err := w.root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, nil, fmt.Errorf("read file: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only: nothing can be lost
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, nil, fmt.Errorf("read file %q: %w", path, errors.Join(ErrChanged, err))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read file: %w", err)
	}
	if len(data) > maxFile {
		return nil, nil, fmt.Errorf("read file %q: it is larger than %d bytes", path, maxFile)
	}
	return data, info, nil
}

// stat looks at a path, component by component; info is nil when nothing is there.
func (w *worktree) stat(path string) (fs.FileInfo, error) {
	dir, _ := splitPath(path)
	if there, err := w.folder(dir); !there || err != nil {
		return nil, err
	}
	info, err := w.lstat(path)
	switch {
	case err != nil || info == nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%w: %q is a symbolic link; put a file in its place", ErrUnsafePath, path)
	case info.IsDir():
		return nil, fmt.Errorf("%w: %q is a folder; move it away", ErrUnsafePath, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %q is no regular file; move it away", ErrUnsafePath, path)
	}
	return info, nil
}

// folder reports whether a folder is there. It calls itself once for each path component.
func (w *worktree) folder(dir string) (bool, error) {
	if there, ok := w.dirs[dir]; ok {
		return there, nil
	}
	parent, _ := splitPath(dir)
	there, err := w.folder(parent)
	if err != nil {
		return false, err
	}
	if there {
		info, err := w.lstat(dir)
		switch {
		case err != nil:
			return false, err
		case info == nil:
			there = false
		case info.Mode()&fs.ModeSymlink != 0:
			return false, fmt.Errorf("%w: %q is a symbolic link; put a folder in its place", ErrUnsafePath, dir)
		case !info.IsDir():
			return false, fmt.Errorf("%w: %q is no folder; move it away", ErrUnsafePath, dir)
		default:
			if nested, err := w.lstat(dir + "/" + dotGit); err != nil {
				return false, err
			} else if nested != nil {
				return false, fmt.Errorf("%w: %q is a repository of its own; the values repo must hold the files itself", ErrUnsafePath, dir)
			}
		}
	}
	w.dirs[dir] = there
	return there, nil
}

// lstat returns nil when nothing is at the path, whose folder must be known to hold no symbolic link.
func (w *worktree) lstat(path string) (fs.FileInfo, error) {
	info, err := w.root.Lstat(filepath.FromSlash(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at file: %w", err)
	}
	return info, nil
}

// ReadFile returns the content of a file of the work tree; found is false when there is none. It returns ErrUnsafePath where
// the path is malformed, is no file, or passes a symbolic link. Save, Commit and Write refuse to change a file that is not what
// ReadFile found.
func (r *Repo) ReadFile(path string) (data []byte, found bool, err error) {
	if err := checkPath(path); err != nil {
		return nil, false, err
	}
	w, err := r.openWorktree()
	if err != nil {
		return nil, false, err
	}
	defer w.close()
	data, info, err := w.read(path)
	if err == nil {
		r.seen[path] = target{info: info, old: data}.id()
	}
	return data, info != nil, err
}

// sinceRead returns the targets that are not what ReadFile found, so that what is to be written may not be what is wanted: it
// was made from that. What was never read does not count.
func (r *Repo) sinceRead(targets []target) (refusals []Refusal) {
	for _, t := range targets {
		if was, ok := r.seen[t.Path]; ok && was != t.id() {
			refusals = append(refusals, Refusal{ErrChanged, t.Path, "somebody has changed it since it was read", "run again"})
		}
	}
	return refusals
}

// forget lets what is written now be what was read.
func (r *Repo) forget(targets []target) {
	for _, t := range targets {
		delete(r.seen, t.Path)
	}
}

// HeadFile returns the content of a file in the commit that HEAD names, as a filter would write it to the work tree; found is
// false when it has none there.
func (r *Repo) HeadFile(path string) (data []byte, found bool, err error) {
	if err := checkPath(path); err != nil {
		return nil, false, err
	}
	return r.headFile(context.Background(), path)
}

func (r *Repo) headFile(ctx context.Context, path string) (data []byte, found bool, err error) {
	head, err := r.readHead()
	if err != nil {
		return nil, false, err
	}
	if r.foreign != "" {
		return r.askFile(ctx, head, path)
	}
	// Trees do not change, so that what was read of a commit holds until HEAD names another.
	if r.atHead == nil || r.atHeadOf != head.Commit {
		if err := r.readAtHead(head); err != nil {
			return nil, false, err
		}
	}
	entry, ok, err := r.atHead.entry(path)
	if err != nil || !ok || kindOf(entry.Mode) != "file" {
		return nil, false, err
	}
	c, err := r.atHeadRules.conversion(path)
	if err != nil {
		return nil, false, err
	}
	if c.filter && r.findGit() != "" {
		data, err = r.smudged(ctx, path, entry.Hash.String())
		return data, err == nil, err
	}
	data, err = r.store.blob(entry.Hash)
	return data, err == nil, err
}

// readAtHead reads the tree of the commit and the rules that hold meanwhile.
func (r *Repo) readAtHead(head Head) error {
	r.atHead = nil
	snapshot, err := r.snapshotOf(head)
	if err != nil {
		return err
	}
	index, _, err := r.readIndex()
	if err != nil {
		return err
	}
	if r.atHeadRules, err = r.newRules(index); err != nil {
		return err
	}
	r.atHead, r.atHeadOf = snapshot, head.Commit
	return nil
}
