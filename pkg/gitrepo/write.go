package gitrepo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

const (
	fileMode   = 0o644 // less what the umask takes
	folderMode = 0o755
	tempPrefix = ".kubectl-apl-" // of files that are not in place yet
	tempSuffix = ".tmp"
)

// Write writes all files or none. Each is written beside its place, made durable, and renamed when all are: a reader never
// sees half a file. On an error, and when ctx ends first, everything is put back: contents, and folders that were made. A
// file that holds its data already is not touched; one that is replaced keeps its mode. Files to be taken away go last, and with
// them the folders that are empty then.
//
// A run that is killed leaves a journal, by which the next one puts back what was there.
//
// It returns ErrUnsafePath, before anything is written, for a path that is malformed, git's own, no file, or behind a
// symbolic link, and ErrChanged when a file changes meanwhile. It does not ask what would be lost: see Dirty.
func (r *Repo) Write(ctx context.Context, changes []Change) (err error) {
	list, err := sorted(changes)
	if err != nil {
		return err
	}
	release, err := r.exclusive(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	w, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer w.close()
	targets, err := w.look(ctx, list)
	if err != nil {
		return err
	}
	changed := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !t.changes() })
	if len(changed) == 0 {
		r.forget(targets)
		return nil
	}
	if err := refused(r.sinceRead(changed)); err != nil {
		return err
	}
	if err := r.begin(w, "", targets, false); err != nil {
		_ = r.end() // the next run finds that all is in order, and removes the journal
		return err
	}
	written, err := r.write(ctx, w, targets)
	switch {
	case errors.Is(err, errNotUndone):
		return err // the next run tries again
	case err != nil:
		_ = r.end() // as above
		return err
	}
	if err := r.end(); err != nil {
		return errors.Join(err, written.undo()) // the next run would take the files back
	}
	r.forget(targets)
	return nil
}

// writing is what has been done so far, and so what undo puts back.
type writing struct {
	*worktree
	step    func(string) error
	folders []string // that were made, parents first
	gone    []string // folders that were removed, since nothing was left in them
	files   []*file
	hooked  bool // hooks ran since
}

type file struct {
	target
	temp   string // "" once it is renamed
	placed bool
}

func (r *Repo) write(ctx context.Context, w *worktree, targets []target) (*writing, error) {
	job := &writing{worktree: w, step: r.step}
	if err := job.run(ctx, targets); err != nil {
		return nil, errors.Join(err, job.undo())
	}
	return job, nil
}

func (j *writing) run(ctx context.Context, targets []target) error {
	if err := j.sweep(ctx, targets); err != nil {
		return err
	}
	for _, t := range targets {
		if !t.changes() {
			continue
		}
		if err := errors.Join(ctx.Err(), j.prepare(t)); err != nil {
			return err
		}
	}
	err := inParallel(ctx, len(j.files), func(i int) (err error) {
		f := j.files[i]
		if f.Delete {
			return nil
		}
		dir, _ := splitPath(f.Path)
		var mode *fs.FileMode
		if f.info != nil {
			perm := f.info.Mode().Perm()
			mode = &perm
		}
		f.temp, err = j.writeTemp(dir, f.Data, mode)
		return err
	})
	if err != nil {
		return err
	}
	for _, takesAway := range []bool{false, true} {
		for _, f := range j.files {
			if f.Delete != takesAway {
				continue
			}
			if err := errors.Join(ctx.Err(), j.place(f)); err != nil {
				return err
			}
		}
	}
	if err := j.removeFolders(); err != nil {
		return err
	}
	return j.syncFolders(ctx)
}

// prepare makes the folder of one file.
func (j *writing) prepare(t target) error {
	if t.Delete {
		j.files = append(j.files, &file{target: t})
		return nil
	}
	dir, _ := splitPath(t.Path)
	if err := j.makeFolder(dir); err != nil {
		return err
	}
	if err := j.step("write " + t.Path); err != nil {
		return err
	}
	j.files = append(j.files, &file{target: t})
	return nil
}

// writeTemp writes data to a new file in a folder. It returns the file's path also with an error, once it exists.
func (j *writing) writeTemp(dir string, data []byte, mode *fs.FileMode) (path string, err error) {
	name := filepath.Join(filepath.FromSlash(dir), tempPrefix+rand.Text()+tempSuffix)
	f, err := j.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if mode != nil {
		if err := f.Chmod(*mode); err != nil {
			return name, err
		}
	}
	if _, err := f.Write(data); err != nil {
		return name, err
	}
	return name, f.Sync()
}

// makeFolder makes a folder and those above it. It calls itself once for each path component.
func (j *writing) makeFolder(dir string) error {
	if there, err := j.folder(dir); there || err != nil {
		return err
	}
	parent, _ := splitPath(dir)
	if err := j.makeFolder(parent); err != nil {
		return err
	}
	if err := j.step("make folder " + dir); err != nil {
		return err
	}
	if err := j.root.Mkdir(filepath.FromSlash(dir), folderMode); err != nil {
		return err
	}
	j.folders = append(j.folders, dir)
	j.dirs[dir] = true
	return nil
}

// place renames a file into its place, or takes it away, unless what is there has changed since it was read.
func (j *writing) place(f *file) error {
	if err := j.step("place " + f.Path); err != nil {
		return err
	}
	now, err := j.lstat(f.Path)
	if err != nil {
		return err
	}
	if !unchanged(f.info, now) {
		return fmt.Errorf("%w: %q", ErrChanged, f.Path)
	}
	if f.Delete {
		err = j.root.Remove(filepath.FromSlash(f.Path))
	} else {
		err = j.root.Rename(f.temp, filepath.FromSlash(f.Path))
	}
	if err != nil {
		return err
	}
	f.temp, f.placed = "", true
	return nil
}

// removeFolders removes the folders that are empty since files were taken away, as git does.
func (j *writing) removeFolders() error {
	for _, f := range j.files {
		if !f.Delete {
			continue
		}
		for dir, _ := splitPath(f.Path); dir != "" && j.dirs[dir]; dir, _ = splitPath(dir) { // ends at the root
			if err := j.step("remove folder " + dir); err != nil {
				return err
			}
			if err := j.removeEmpty(dir); err != nil {
				return fmt.Errorf("remove folder %q: %w", dir, err)
			}
			if info, err := j.lstat(dir); err != nil {
				return err
			} else if info != nil {
				break // something else lies in it
			}
			j.dirs[dir] = false
			j.gone = append(j.gone, dir)
		}
	}
	return nil
}

func unchanged(before, now fs.FileInfo) bool {
	if before == nil || now == nil {
		return before == nil && now == nil
	}
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// syncFolders makes the renames durable. Not every file system can, and the files themselves are on the disk already: git
// does not do it at all, so a failure is no reason to give up.
func (j *writing) syncFolders(ctx context.Context) error {
	seen := map[string]bool{}
	var folders []string
	add := func(path string) {
		if dir, _ := splitPath(path); !seen[dir] {
			seen[dir] = true
			folders = append(folders, dir)
		}
	}
	for _, f := range j.files {
		add(f.Path)
	}
	for _, dir := range j.gone {
		add(dir)
	}
	for _, dir := range j.folders {
		add(dir)
	}
	return inParallel(ctx, len(folders), func(i int) error {
		if f, err := j.root.Open(cmp.Or(filepath.FromSlash(folders[i]), ".")); err == nil {
			_ = f.Sync()
			_ = f.Close()
		}
		return nil
	})
}
