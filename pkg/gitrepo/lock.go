package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const lockFileName = "kubectl-apl" + lockSuffix

// Lock keeps other processes of this tool out of the work tree until release is called. It waits for one that is at work,
// as long as WithLockWait says, and then returns ErrLocked. Write, Commit and Save take the lock by themselves; Lock is
// for a caller who reads first and must find what it read unchanged. A process that dies releases its lock.
func (r *Repo) Lock(ctx context.Context) (release func() error, err error) {
	if r.held {
		return nil, fmt.Errorf("%w: by this process", ErrLocked)
	}
	path := filepath.Join(r.gitDir, lockFileName)
	var unlock func() error
	var holder string
	ok, err := r.retry(ctx, func() (bool, error) {
		var err error
		unlock, holder, err = tryLock(path)
		return unlock != nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("lock repo: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: process %s of kubectl-apl has been at work in it for more than %s; %s",
			ErrLocked, holder, r.wait, fmt.Sprintf(staleLockAdvice, path))
	}
	r.held = true
	return func() error {
		r.held = false
		return unlock()
	}, nil
}

// exclusive takes the lock unless this Repo holds it.
func (r *Repo) exclusive(ctx context.Context) (release func() error, err error) {
	if r.held {
		return func() error { return nil }, nil
	}
	return r.Lock(ctx)
}

// retry calls try until it succeeds, fails, or the time is up.
func (r *Repo) retry(ctx context.Context, try func() (bool, error)) (bool, error) {
	const shortest, longest = 10 * time.Millisecond, 250 * time.Millisecond
	end := time.NewTimer(r.wait)
	defer end.Stop()
	for pause := shortest; ; pause = min(2*pause, longest) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if ok, err := try(); ok || err != nil {
			return ok, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-end.C:
			return false, nil
		case <-time.After(pause):
		}
	}
}

// lockFile is git's way to change one of its files: the new content goes to "name.lock", which keeps others out as long as
// it is there, and is renamed to "name".
type lockFile struct {
	target string
	file   *os.File
	gone   bool // renamed or removed
}

// lockGitFile locks a file of git's. It waits for a git that is at work, and then returns ErrLocked.
func (r *Repo) lockGitFile(ctx context.Context, target string) (*lockFile, error) {
	l := &lockFile{target: target}
	ok, err := r.retry(ctx, func() (bool, error) {
		var err error
		l.file, err = os.OpenFile(target+lockSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less the umask, as git does
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Base(target), err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: %s exists: git is at work, or one died; if none is, remove the file", ErrLocked, target+lockSuffix)
	}
	return l, nil
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
	if dir, err := os.Open(filepath.Dir(l.target)); err == nil {
		_ = dir.Sync() // not every file system can; git does not do it at all
		_ = dir.Close()
	}
	return nil
}

// drop releases the lock and leaves the file as it is, unless the new content is in place.
func (l *lockFile) drop() error {
	if l == nil || l.gone {
		return nil
	}
	_ = l.file.Close() // it may be closed already, and its content does not matter
	l.gone = true
	return os.Remove(l.target + lockSuffix)
}
