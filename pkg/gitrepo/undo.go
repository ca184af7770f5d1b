package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// errNotUndone comes with what could not be put back. The journal stays then, by which the next run tries again.
var errNotUndone = errors.New("not everything is as it was; the next run tries again")

// undo puts back what was there. What it cannot put back it names; what somebody else has changed since stays theirs.
func (j *writing) undo() error {
	var failed []error
	for _, f := range slices.Backward(j.files) {
		if err := j.undoFile(f); err != nil {
			failed = append(failed, fmt.Errorf("put back %q: %w", f.Path, err))
		}
	}
	for _, dir := range slices.Backward(j.folders) {
		if err := j.removeEmpty(dir); err != nil {
			failed = append(failed, fmt.Errorf("remove folder %q: %w", dir, err))
		}
	}
	if len(failed) > 0 {
		failed = append(failed, errNotUndone)
	}
	return errors.Join(failed...)
}

func (j *writing) undoFile(f *file) error {
	if f.temp != "" {
		return j.root.Remove(f.temp)
	}
	if !f.placed {
		return nil
	}
	data, info, err := j.read(f.Path)
	if err != nil {
		return err
	}
	if f.Delete {
		if info != nil && !j.hooked {
			return fmt.Errorf("%w: somebody else wrote it since", ErrChanged)
		}
		return j.bring(f.Path, f.old, f.info.Mode().Perm(), f.info.ModTime())
	}
	// What a hook has made of a file that we have just written is not somebody's work.
	if info == nil && f.info == nil && j.hooked {
		return nil
	}
	if (info == nil || !bytes.Equal(data, f.Data)) && !j.hooked {
		return fmt.Errorf("%w: somebody else wrote it since", ErrChanged)
	}
	path := filepath.FromSlash(f.Path)
	if f.info == nil {
		return j.root.Remove(path)
	}
	dir, _ := splitPath(f.Path)
	return j.replace(dir, path, f.old, f.info.Mode().Perm(), f.info.ModTime())
}

// bring puts a file back that was taken away, and its folder.
func (j *writing) bring(path string, data []byte, mode fs.FileMode, modified time.Time) error {
	dir, _ := splitPath(path)
	made := j.folders
	err := j.makeFolder(dir)
	j.folders = made // those that were there before are not removed again
	if err != nil {
		return err
	}
	return j.replace(dir, filepath.FromSlash(path), data, mode, modified)
}

// replace puts an old content back, with its mode, and with its time: so git still sees at a glance that the file is as it
// was; without it git compares the content.
func (j *writing) replace(dir, path string, data []byte, mode fs.FileMode, modified time.Time) error {
	temp, err := j.writeTemp(dir, data, &mode)
	if err == nil {
		err = j.root.Rename(temp, path)
	}
	if err != nil {
		if temp != "" {
			err = errors.Join(err, j.root.Remove(temp))
		}
		return err
	}
	_ = j.root.Chtimes(path, time.Time{}, modified)
	return nil
}

// removeEmpty removes a folder that we made, unless somebody else has put something in it.
func (j *writing) removeEmpty(dir string) error {
	f, err := j.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return err
	}
	names, _ := f.Readdirnames(1) // an empty folder is an error too
	if err := f.Close(); err != nil || len(names) > 0 {
		return err
	}
	return j.root.Remove(filepath.FromSlash(dir))
}
