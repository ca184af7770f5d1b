package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// privateFolder is where this tool keeps, in git's folder, what a killed run must leave behind: the journal and its locks.
const privateFolder = "kubectl-apl"

// lockName tells a lock of git's files that we hold.
type lockName string

const (
	lockIndex  lockName = "lock-index"
	lockHead   lockName = "lock-head"
	lockBranch lockName = "lock-branch"
)

// lockFile is git's way to change one of its files: the new content goes to "name.lock", which keeps others out as long as
// it is there, and is renamed to "name".
//
// The file has a second name in our own folder. By it the next run knows that a lock which a killed run left is ours, and
// may be removed. Where the file system has no such links, a person must remove it.
type lockFile struct {
	target string
	own    string
	file   *os.File
	gone   bool // renamed or removed
}

// private returns the path of one of our own files in git's folder, and makes the folder.
func (r *Repo) private(name string) (string, error) {
	dir := filepath.Join(r.gitDir, privateFolder)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return filepath.Join(dir, name), nil
}

// lockGitFile locks a file of git's. It waits for a git that is at work, and then returns ErrLocked. Our own lock must be
// held: no other process has these names then.
func (r *Repo) lockGitFile(ctx context.Context, name lockName, target string) (*lockFile, error) {
	if err := r.step("lock " + string(name)); err != nil {
		return nil, err
	}
	l, err := r.newLockFile(name, target)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Base(target), err)
	}
	ok, err := r.retry(ctx, l.take)
	if err == nil && ok {
		return l, nil
	}
	if l.own != "" {
		_ = l.file.Close() // it is empty
		err = errors.Join(err, os.Remove(l.own))
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Base(target), err)
	}
	return nil, fmt.Errorf("%w: %s exists: git is at work, or one died; if none is, remove the file", ErrLocked, target+lockSuffix)
}

func (r *Repo) newLockFile(name lockName, target string) (*lockFile, error) {
	own, err := r.private(string(name))
	if err != nil {
		return nil, err
	}
	if err := os.Remove(own); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(own, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less the umask, as git does
	if err != nil {
		return nil, err
	}
	return &lockFile{target: target, own: own, file: f}, nil
}

// take tries once to put the lock where git looks for it.
func (l *lockFile) take() (bool, error) {
	var err error
	if l.own != "" {
		if err = os.Link(l.own, l.target+lockSuffix); err == nil || errors.Is(err, fs.ErrExist) {
			return err == nil, nil
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) && !linksRefused(l.own) {
			return false, err
		}
		// No links here, or not from there to here.
		if err := errors.Join(l.file.Close(), os.Remove(l.own)); err != nil {
			return false, err
		}
		l.own = ""
	}
	l.file, err = os.OpenFile(l.target+lockSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// linksRefused reports whether a file cannot get a second name even in its own folder: some file systems say that they
// have no links by refusing permission.
func linksRefused(path string) bool {
	probe := path + ".probe"
	err := os.Link(path, probe)
	_ = os.Remove(probe) // it may not be there
	return err != nil
}

// fill writes the new content.
func (l *lockFile) fill(data []byte) error {
	_, err := l.file.Write(data)
	if err == nil {
		err = l.file.Sync()
	}
	return errors.Join(err, l.file.Close())
}

// commit puts the new content in place.
func (l *lockFile) commit() error {
	if err := os.Rename(l.target+lockSuffix, l.target); err != nil {
		return err
	}
	l.gone = true
	syncFolder(filepath.Dir(l.target))
	return l.forget()
}

// drop releases the lock and leaves the file as it is, unless the new content is in place.
func (l *lockFile) drop() error {
	if l == nil || l.gone {
		return nil
	}
	_ = l.file.Close() // it may be closed already, and its content does not matter
	l.gone = true
	return errors.Join(os.Remove(l.target+lockSuffix), l.forget())
}

func (l *lockFile) forget() error {
	if l.own == "" {
		return nil
	}
	return os.Remove(l.own)
}

// adoptLock takes over a lock that a run of ours left when it was killed, so that nobody gets in between; nil when there is
// none.
func (r *Repo) adoptLock(name lockName, target string) (*lockFile, error) {
	own := filepath.Join(r.gitDir, privateFolder, string(name))
	if !sameFile(own, target+lockSuffix) {
		return nil, nil
	}
	f, err := os.OpenFile(own, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return nil, err
	}
	return &lockFile{target: target, own: own, file: f}, nil
}

// breakLock removes a lock that a run of ours left when it was killed.
func (r *Repo) breakLock(name lockName, target string) error {
	own := filepath.Join(r.gitDir, privateFolder, string(name))
	info, err := os.Lstat(own)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ours := false
	if lock, err := os.Lstat(target + lockSuffix); err == nil {
		ours = os.SameFile(info, lock)
	}
	if ours {
		if err := os.Remove(target + lockSuffix); err != nil {
			return err
		}
	}
	return os.Remove(own)
}

// syncFolder makes renames in a folder durable. Not every file system can; git does not do it at all.
func syncFolder(path string) {
	if dir, err := os.Open(path); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
