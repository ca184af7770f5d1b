package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Check returns why Land would refuse to write the changes, all at once as a RefusedError, or nil. It writes nothing. keep is
// Land's.
func (r *Repo) Check(ctx context.Context, changes []Change, keep bool) error {
	if len(changes) == 0 {
		return nil
	}
	ready := readiness(r.Ready(ctx, changes), keep)
	dirty, err := r.Dirty(ctx, changes)
	if err != nil {
		return errors.Join(ready, err)
	}
	if len(dirty) == 0 {
		return ready
	}
	lost := &RefusedError{}
	for _, path := range dirty {
		lost.Refusals = append(lost.Refusals, Refusal{
			Err: ErrDirty, Path: path, Why: "it has changes that are not committed", Next: "commit or stash them",
		})
	}
	return errors.Join(ready, lost)
}

// readiness drops, from what stands in the way of a commit, what does not hinder files that are left in the work tree.
// What git ignores stays: the commit that a person makes would lack it, and Argo CD fails on a missing value file.
func readiness(err error, keep bool) error {
	var refused *RefusedError
	if !keep || !errors.As(err, &refused) {
		return err
	}
	ignored := slices.DeleteFunc(slices.Clone(refused.Refusals), func(r Refusal) bool { return !errors.Is(r.Err, ErrIgnored) })
	if len(ignored) == 0 {
		return nil
	}
	return &RefusedError{Refusals: ignored}
}

// Land writes the changes and commits exactly them, or, with keep, leaves them in the work tree; it does either whole or not
// at all. It returns the commit's id, "" with keep and for no changes. The errors are those of Save, and of Check.
func (r *Repo) Land(ctx context.Context, changes []Change, message string, keep bool) (hash string, err error) {
	if len(changes) == 0 {
		return "", nil
	}
	verb := "commit"
	if keep {
		verb = "write"
		if err = r.Check(ctx, changes, true); err == nil { // Write does not ask
			err = r.Write(ctx, changes)
		}
	} else {
		hash, err = r.Save(ctx, changes, message)
	}
	switch {
	case err == nil:
		return hash, nil
	case len(changes) == 1:
		return hash, fmt.Errorf("%s 1 file: %w", verb, err)
	}
	return hash, fmt.Errorf("%s %d files: %w", verb, len(changes), err)
}
