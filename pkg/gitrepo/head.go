package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
)

// Head is what HEAD names.
type Head struct {
	Branch string // short name, like "main"; "" when HEAD is detached
	Commit string // its id; "" when the branch has no commit yet
}

const branchPrefix = "refs/heads/"

// Head returns what HEAD names now.
func (r *Repo) Head() (Head, error) { return r.readHead() }

// readHead reads HEAD of this work tree and then the branch, which linked worktrees share.
func (r *Repo) readHead() (Head, error) {
	if r.foreign != "" {
		return r.askHead(context.Background())
	}
	data, err := readSmall(filepath.Join(r.gitDir, headFile))
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	text := strings.TrimSpace(string(data))
	target, symbolic := strings.CutPrefix(text, "ref:")
	if !symbolic {
		if !plumbing.IsHash(text) {
			return Head{}, errors.New("read HEAD: it holds neither a branch nor a commit id")
		}
		return Head{Commit: text}, nil
	}
	name := plumbing.ReferenceName(strings.TrimSpace(target))
	branch, ok := strings.CutPrefix(name.String(), branchPrefix)
	if !ok || name.Validate() != nil {
		return Head{}, fmt.Errorf("read HEAD: %q is no branch", name)
	}
	id, err := r.readBranch(name)
	if err != nil {
		return Head{}, err
	}
	return Head{Branch: branch, Commit: id}, nil
}

// readBranch returns the commit id of a branch, "" when it has none yet. The loose file is read here: go-git takes an empty
// one, which a crash can leave, for a branch without commits, and we would start a new history over it.
func (r *Repo) readBranch(name plumbing.ReferenceName) (string, error) {
	data, err := readSmall(filepath.Join(r.commonDir, filepath.FromSlash(name.String())))
	switch text := strings.TrimSpace(string(data)); {
	case err == nil && plumbing.IsHash(text):
		return text, nil
	case err == nil && strings.HasPrefix(text, "ref:"):
		feature := fmt.Sprintf("branch %q, which is a symbolic reference", name.Short())
		return "", unsupported(feature, "check out the branch that it names")
	case err == nil:
		return "", fmt.Errorf("read branch %q: it holds no commit id; run git fsck", name.Short())
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EISDIR) && !errors.Is(err, syscall.ENOTDIR):
		// The packed branch, if there is one, is of an older time.
		return "", fmt.Errorf("read branch %q: %w; see who may read it, and run git fsck", name.Short(), err)
	}
	ref, err := r.store.storage.Reference(name) // of the packed ones
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read branch %q: %w", name.Short(), err)
	}
	return ref.Hash().String(), nil
}
