package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ready reports all that stands in the way of a commit of the changes, at once, as a RefusedError: an unfinished merge, rebase
// or the like, conflicts, a detached HEAD, hooks, signing, no identity; and of each path, that git ignores it, would convert
// it, or has something else than a file there. Every refusal names the next step. Uncommitted changes are Dirty's to tell.
func (r *Repo) Ready(ctx context.Context, changes []Change) error {
	list, err := sorted(changes)
	if err != nil {
		return fmt.Errorf("check repo: %w", err)
	}
	w, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer w.close()
	targets, err := w.look(ctx, list)
	if err != nil {
		return fmt.Errorf("check repo: %w", err)
	}
	s, err := r.view(ctx, targets)
	if err != nil {
		return fmt.Errorf("check repo: %w", err)
	}
	all, err := r.refusals(ctx, s, targets)
	if err != nil {
		return fmt.Errorf("check repo: %w", err)
	}
	refusals, _ := r.delegate(all)
	return refused(refusals)
}

// Delegates returns why Save would have the git binary make the commit: hooks, signing, filters, or a repository that only
// git reads. It returns none where this package makes it.
func (r *Repo) Delegates(ctx context.Context, changes []Change) ([]string, error) {
	list, err := sorted(changes)
	if err != nil {
		return nil, fmt.Errorf("check repo: %w", err)
	}
	w, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	defer w.close()
	targets, err := w.look(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("check repo: %w", err)
	}
	s, err := r.view(ctx, targets)
	if err != nil {
		return nil, fmt.Errorf("check repo: %w", err)
	}
	all, err := r.refusals(ctx, s, targets)
	if err != nil {
		return nil, fmt.Errorf("check repo: %w", err)
	}
	_, reasons := r.delegate(all)
	return reasons, nil
}

// delegate takes out of the refusals what the git binary can do, and returns it as the reasons to run git.
func (r *Repo) delegate(all []Refusal) (left []Refusal, reasons []string) {
	if r.findGit() == "" {
		return all, nil
	}
	if r.foreign != "" {
		reasons = append(reasons, r.foreign)
	}
	for _, refusal := range all {
		switch err := refusal.Err; {
		case errors.Is(err, ErrFilterMissing):
			left = append(left, refusal)
		case errors.Is(err, ErrHooks), errors.Is(err, ErrSigning), errors.Is(err, errShared), errors.Is(err, ErrConverted):
			if !slices.Contains(reasons, refusal.Why) {
				reasons = append(reasons, refusal.Why)
			}
		default:
			left = append(left, refusal)
		}
	}
	return left, reasons
}

func (r *Repo) refusals(ctx context.Context, s view, targets []target) ([]Refusal, error) {
	all, err := r.repoRefusals(s)
	if err != nil {
		return nil, err
	}
	found, err := s.refusals(ctx, targets)
	return append(all, found...), err
}

func (s *state) refusals(ctx context.Context, targets []target) ([]Refusal, error) {
	var all []Refusal
	for _, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := s.pathRefusals(t)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (r *Repo) repoRefusals(s view) ([]Refusal, error) {
	var all []Refusal
	busy, err := r.inProgress()
	if err != nil {
		return nil, err
	}
	all = append(all, busy...)
	if paths := s.unmerged(); len(paths) > 0 {
		shown := strings.Join(paths[:min(len(paths), shownRefusals)], ", ")
		why := fmt.Sprintf("the index holds %d unmerged paths: %s", len(paths), shown)
		all = append(all, Refusal{ErrUnmerged, "", why, "resolve and commit them, or run git merge --abort"})
	}
	if s.at().Branch == "" && !r.detached {
		all = append(all, Refusal{ErrDetachedHead, "", "HEAD is detached, so a commit would be on no branch", "check out a branch, or use --allow-detached"})
	}
	if r.shared() {
		const why = "core.sharedRepository is set, and others could not use objects that are not written by git"
		all = append(all, Refusal{errShared, "", why, useGit})
	}
	if sign, err := r.config.Bool("commit.gpgsign", false); err != nil {
		return nil, err
	} else if sign {
		e, _ := r.config.Get("commit.gpgsign")
		why := fmt.Sprintf("commit.gpgSign is set (%s), and only git signs commits", e.Where())
		all = append(all, Refusal{ErrSigning, "", why, useGit})
	}
	hooks, err := r.hooks()
	if err != nil {
		return nil, err
	}
	if len(hooks) > 0 {
		why := "hooks have to run on a commit: " + strings.Join(hooks, ", ")
		all = append(all, Refusal{ErrHooks, "", why, useGit})
	}
	switch _, err := r.Identity(); {
	case errors.Is(err, ErrNoIdentity):
		all = append(all, Refusal{ErrNoIdentity, "", err.Error(), ""})
	case err != nil:
		return nil, err
	}
	return all, nil
}

// inProgress finds what git status calls so, by the files that git leaves in its folder meanwhile (wt-status.c).
func (r *Repo) inProgress() ([]Refusal, error) {
	var all []Refusal
	for _, op := range []struct{ file, what, next string }{
		{"MERGE_HEAD", "a merge", "commit it, or run git merge --abort"},
		{"rebase-merge", "a rebase", "run git rebase --continue or --abort"},
		{"rebase-apply", "a rebase or git am", "run git rebase --continue or --abort, or git am --continue or --abort"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "run git cherry-pick --continue or --abort"},
		{"REVERT_HEAD", "a revert", "run git revert --continue or --abort"},
		{"sequencer", "a cherry-pick or revert of several commits", "run git cherry-pick or git revert with --continue or --abort"},
		{"BISECT_LOG", "a bisection", "run git bisect reset"},
	} {
		_, err := os.Lstat(filepath.Join(r.gitDir, op.file))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			all = append(all, Refusal{ErrInProgress, "", op.what + " is in progress", op.next})
		}
	}
	return all, nil
}

// shared reports whether core.sharedRepository asks for other modes than those of the umask.
func (r *Repo) shared() bool {
	e, ok := r.config.Get("core.sharedrepository")
	if !ok || e.Implicit {
		return ok
	}
	switch strings.ToLower(e.Value) {
	case "umask", "false", "no", "off", "0", "":
		return false
	}
	return true
}

func (s *state) pathRefusals(t target) ([]Refusal, error) {
	var all []Refusal
	at, kind, err := s.commit.inTheWay(t.Path)
	if err != nil {
		return nil, err
	}
	if kind == "" {
		at, kind = s.stagedInTheWay(t.Path)
	}
	if kind != "" {
		all = append(all, Refusal{ErrNotAFile, t.Path, fmt.Sprintf("git has a %s at %s", kind, at), "move or remove it, and commit that"})
	}
	entry, tracked := s.index.Find(t.Path)
	if tracked && entry.SkipWorktree() {
		const why = "it is left out of the work tree (skip-worktree)"
		all = append(all, Refusal{ErrUnsupported, t.Path, why, "run git update-index --no-skip-worktree on it"})
	}
	if t.Delete {
		return all, nil // nothing of it goes into the commit
	}
	if !tracked {
		rule, ignored, err := s.rules.ignores.Ignored(t.Path)
		if err != nil {
			return nil, fmt.Errorf("read ignore rules: %w", err)
		}
		if ignored {
			all = append(all, Refusal{ErrIgnored, t.Path, fmt.Sprintf("it is ignored by %s (%s)", rule, rule.Text), "change that rule"})
		}
	}
	c, err := s.rules.bites(t.Path, t.Data)
	if err != nil {
		return nil, err
	}
	if refusal := s.repo.conversionRefusal(t.Path, c); refusal != nil {
		all = append(all, *refusal)
	}
	return all, nil
}

// stagedInTheWay is inTheWay for the index.
func (s *state) stagedInTheWay(path string) (at, kind string) {
	for at := path; at != ""; at, _ = splitPath(at) { // ends at the root
		e, ok := s.index.Find(at)
		if !ok {
			continue
		}
		if kind := kindOf(modeOf(e)); at != path || kind != "file" {
			return at, kind
		}
	}
	if s.index.HasBelow(path) {
		return path, "folder"
	}
	return "", ""
}
