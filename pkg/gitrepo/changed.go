package gitrepo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// ErrRevision means that a revision names no commit that this clone has, or none that HEAD has history in common with.
var ErrRevision = errors.New("not a commit that HEAD can be compared with")

// ChangedSince returns the paths of the files of the work tree, the given ones and all below the given folders, that are other than where
// HEAD's history parted from a revision's: added, changed and deleted ones, committed or not, sorted. That is what a pull request onto
// the revision brings. Files that git ignores count as well: more is told than git diff would, never less.
// It returns ErrRevision, wrapped with the reason.
func (r *Repo) ChangedSince(ctx context.Context, revision string, paths ...string) ([]string, error) {
	for _, path := range paths {
		if err := checkPath(path); err != nil {
			return nil, err
		}
	}
	base, err := r.parting(ctx, revision)
	if err != nil {
		return nil, err
	}
	was, err := r.entriesOf(ctx, base, paths)
	if err != nil {
		return nil, fmt.Errorf("list the files of %.10s: %w", base, err)
	}
	w, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	defer w.close()
	var changed []string
	for _, path := range paths {
		err := fs.WalkDir(w.root.FS(), path, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return ctx.Err()
			case err != nil:
				return err
			case entry.IsDir():
				return ctx.Err()
			}
			same, err := w.holds(path, entry, was[path])
			if !same {
				changed = append(changed, path)
			}
			delete(was, path)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("compare %s with %.10s: %w", path, base, err)
		}
	}
	for path := range was {
		changed = append(changed, path)
	}
	slices.Sort(changed)
	return slices.Compact(changed), nil
}

// entriesOf returns what a commit has at some paths and below them, less its folders.
func (r *Repo) entriesOf(ctx context.Context, commit string, paths []string) (map[string]treeEntry, error) {
	out := map[string]treeEntry{}
	add := func(path string, mode filemode.FileMode, id string) error {
		if len(out) == maxListed {
			return fmt.Errorf("it has more than %d files", maxListed)
		}
		out[path] = treeEntry{mode, id}
		return ctx.Err()
	}
	if r.foreign != "" {
		all, err := r.askTreeOf(ctx, commit)
		if err != nil {
			return nil, err
		}
		for path, e := range all {
			asked := slices.ContainsFunc(paths, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
			if asked && e.mode != filemode.Dir {
				if err := add(path, e.mode, e.id); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	}
	s, err := r.snapshotOf(Head{Commit: commit})
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		e, there, err := s.entry(path)
		switch {
		case err != nil:
			return nil, err
		case !there:
		case e.Mode == filemode.Dir:
			err = s.walk(path, add)
		default:
			err = add(path, e.Mode, e.Hash.String())
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// holds tells whether the work tree has at a path what a commit has there. Line ends do not count: git can be told to change them.
func (w *worktree) holds(path string, entry fs.DirEntry, was treeEntry) (bool, error) {
	isLink := entry.Type()&fs.ModeSymlink != 0
	switch {
	case was.id == "", isLink != (was.mode == filemode.Symlink), !isLink && !entry.Type().IsRegular():
		return false, nil
	case isLink:
		to, err := w.root.Readlink(filepath.FromSlash(path))
		return idLike(was.id, []byte(filepath.ToSlash(to))) == was.id, err
	}
	data, _, err := w.read(path)
	if err != nil {
		return false, err
	}
	return idLike(was.id, data) == was.id || idLike(was.id, bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) == was.id, nil
}

// idLike returns git's id of a file's content, by the hash that another id is of.
func idLike(id string, data []byte) string {
	if len(id) == 2*sha256.Size {
		sum := sha256.Sum256(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
		return hex.EncodeToString(sum[:])
	}
	return blobID(data).String()
}

// parting returns the commit at which HEAD's history parted from a revision's.
func (r *Repo) parting(ctx context.Context, revision string) (string, error) {
	head, err := r.Head()
	switch {
	case err != nil:
		return "", err
	case head.Commit == "":
		return "", fmt.Errorf("%w: HEAD has no commit yet", ErrRevision)
	case revision == "" || strings.HasPrefix(revision, "-"):
		return "", fmt.Errorf("%w: %q is no revision; name a branch, a tag or a commit", ErrRevision, revision)
	}
	var commit, base string
	if r.findGit() != "" {
		commit, err = r.oneOrNone(ctx, "rev-parse", "-q", "--verify", "--end-of-options", revision+"^{commit}")
		if commit != "" {
			base, err = r.oneOrNone(ctx, "merge-base", commit, head.Commit)
		}
	} else {
		commit, base, err = r.partingByLibrary(revision, head.Commit)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("look up %q: %w", revision, err)
	case commit == "":
		return "", fmt.Errorf("%w: this clone has no %q; fetch it (in CI with the whole history: fetch-depth: 0)", ErrRevision, revision)
	case base == "":
		return "", fmt.Errorf("%w: %q and HEAD have no commit in common here; fetch more of the history (in CI: fetch-depth: 0)", ErrRevision, revision)
	}
	return base, nil
}

// partingByLibrary is for machines without git.
func (r *Repo) partingByLibrary(revision, head string) (commit, base string, err error) {
	repo, err := gogit.Open(r.store.storage, nil)
	if err != nil {
		return "", "", err
	}
	id, err := repo.ResolveRevision(plumbing.Revision(revision))
	if err != nil {
		return "", "", nil //nolint:nilerr // go-git's errors do not tell what is missing from what is malformed
	}
	theirs, err := repo.CommitObject(*id)
	if err != nil {
		return "", "", nil //nolint:nilerr // as above
	}
	mine, err := repo.CommitObject(plumbing.NewHash(head))
	if err != nil {
		return "", "", err
	}
	bases, err := mine.MergeBase(theirs)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return id.String(), "", nil // a shallow clone
	}
	if err != nil || len(bases) == 0 {
		return id.String(), "", err
	}
	return id.String(), bases[0].Hash.String(), nil
}
