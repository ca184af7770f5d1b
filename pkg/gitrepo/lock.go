package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const lockFileName = "kubectl-apl" + lockSuffix

// Lock keeps other processes of this tool out of the work tree until release is called. It waits for one that is at work,
// as long as WithLockWait says, and then returns ErrLocked. Write, Commit and Save take the lock by themselves; Lock is
// for a caller who reads first and must find what it read unchanged. A process that dies releases its lock; what it left
// half done is put back, or completed, before release is returned.
func (r *Repo) Lock(ctx context.Context) (release func() error, err error) {
	if r.held != nil {
		return nil, fmt.Errorf("%w: by this process", ErrLocked)
	}
	path := filepath.Join(r.gitDir, lockFileName)
	var held *heldLock
	var holder string
	ok, err := r.retry(ctx, func() (bool, error) {
		var err error
		held, holder, err = tryLock(path)
		return held != nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("lock repo: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: process %s of kubectl-apl has been at work in it for more than %s; %s",
			ErrLocked, holder, r.wait, fmt.Sprintf(staleLockAdvice, path))
	}
	r.held = held
	if err := r.recover(ctx); err != nil {
		return nil, errors.Join(err, r.release())
	}
	return r.release, nil
}

// heldLock is the lock of this tool. The file is what a child process gets, to hold the lock in its turn; nil where locks
// are of another kind.
type heldLock struct {
	file    *os.File
	release func() error
}

func (r *Repo) release() error {
	held := r.held
	r.held = nil
	_ = os.Remove(filepath.Join(r.gitDir, privateFolder)) // if nothing is left in it
	return held.release()
}

// exclusive takes the lock unless this Repo holds it.
func (r *Repo) exclusive(ctx context.Context) (release func() error, err error) {
	if r.held != nil {
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
