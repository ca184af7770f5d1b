package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// TrackedFiles returns the paths of the files below a folder that the branch of HEAD has on the remote that it belongs to, as of
// the last fetch or push, sorted. known is false where there is no such branch, or nothing was fetched of it. Unlike Unpushed it asks no
// network. Symbolic links and submodules are no files.
func (r *Repo) TrackedFiles(ctx context.Context, dir string) (files []string, known bool, err error) {
	if err := checkPath(dir); err != nil {
		return nil, false, err
	}
	commit, err := r.tracked(ctx)
	if err != nil || commit == "" {
		return nil, false, err
	}
	found, err := r.filesOf(ctx, commit, dir)
	if err != nil {
		return nil, false, fmt.Errorf("list %s in what was last fetched: %w", dir, err)
	}
	return slices.Sorted(maps.Keys(found)), true, nil
}

// tracked returns the commit that the remote-tracking branch names; "" where there is none.
func (r *Repo) tracked(ctx context.Context) (string, error) {
	up, err := r.Upstream()
	switch {
	case errors.Is(err, ErrNoUpstream), errors.Is(err, ErrDetachedHead):
		return "", nil
	case err != nil:
		return "", err
	}
	name := plumbing.NewRemoteReferenceName(up.remote, up.Branch) // where git fetches to, unless it is told otherwise
	if !isRef(name) {
		return "", nil // the remote is a URL, and nothing of it is kept
	}
	if r.foreign == "" {
		return r.readBranch(name)
	}
	id, err := oneID(r.git(ctx, call{args: []string{"rev-parse", "-q", "--verify", name.String() + "^{commit}"}}))
	if exitCode(err) == 1 {
		id, err = "", nil // nothing was fetched
	}
	return id, err
}

func isRef(name plumbing.ReferenceName) bool { return name.Validate() == nil }
