package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// Save writes the changes and commits exactly them on the branch that HEAD names, and returns the commit's id. Either all
// happens or nothing: where the commit cannot be made, the files are put back as they were. The whole runs under this tool's
// lock and under git's, so that no git changes the index or the branch meanwhile.
//
// Before anything is written it returns a RefusedError for all that Ready and Dirty would find, ErrUnsafePath as Write does,
// and ErrNothingToCommit when HEAD has every change. ErrIndexStale comes with the id of a commit that stands. No error says
// that it is about a commit: that is for the caller, who knows of what.
func (r *Repo) Save(ctx context.Context, changes []Change, message string) (hash string, err error) {
	return r.save(ctx, changes, message, true)
}

// Commit commits exactly the changes on the branch that HEAD names, like git commit --only with their paths: what else is
// staged stays staged and out of the commit. It takes the content from the changes, and expects Write to have written it.
// It returns the commit's id, and the errors that Save returns.
func (r *Repo) Commit(ctx context.Context, changes []Change, message string) (hash string, err error) {
	return r.save(ctx, changes, message, false)
}

func (r *Repo) save(ctx context.Context, changes []Change, message string, write bool) (hash string, err error) {
	list, err := sorted(changes)
	if err != nil {
		return "", err
	}
	if message, err = cleanMessage(message); err != nil {
		return "", err
	}
	release, err := r.exclusive(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, release()) }()
	indexLock, err := r.lockGitFile(ctx, lockIndex, filepath.Join(r.gitDir, indexFile))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, indexLock.drop()) }()
	w, err := r.openWorktree()
	if err != nil {
		return "", err
	}
	defer w.close()
	job := &saving{repo: r, worktree: w, indexLock: indexLock, message: message}
	if err := job.check(ctx, list); err != nil {
		return "", err
	}
	if err := r.begin(w, job.view.at().Branch, job.targets, true); err != nil {
		_ = r.end() // as below
		return "", err
	}
	hash, err = job.run(ctx, write)
	if hash != "" {
		r.forget(job.targets)
	}
	if !errors.Is(err, errNotUndone) {
		_ = r.end() // the next run finds that all is in order, and removes the journal
	}
	return hash, err
}

// run writes the files and makes the commit.
func (j *saving) run(ctx context.Context, write bool) (string, error) {
	commit := j.commit
	if len(j.reasons) > 0 {
		commit = j.commitByGit
	}
	if !write {
		return commit(ctx)
	}
	written, err := j.repo.write(ctx, j.worktree, j.targets)
	if err != nil {
		return "", fmt.Errorf("write files: %w", err)
	}
	j.written = written
	hash, err := commit(ctx)
	if hash == "" {
		err = errors.Join(err, written.undo())
	}
	return hash, err
}

// saving is one commit in the making, under both locks.
type saving struct {
	repo      *Repo
	worktree  *worktree
	indexLock *lockFile
	message   string

	view     view
	state    *state   // the view, where git is not needed to read the repository
	reasons  []string // why git makes the commit; none when this package does
	targets  []target
	written  *writing
	identity Identity
}

// check reads what is there and refuses what must not be written or committed.
func (j *saving) check(ctx context.Context, changes []Change) error {
	var err error
	if j.targets, err = j.worktree.look(ctx, changes); err != nil {
		return err
	}
	if j.view, err = j.repo.view(ctx, j.targets); err != nil {
		return err
	}
	j.state, _ = j.view.(*state)
	all, err := j.repo.refusals(ctx, j.view, j.targets)
	if err != nil {
		return err
	}
	var refusals []Refusal
	refusals, j.reasons = j.repo.delegate(all)
	dirty, err := j.view.dirty(ctx, j.targets)
	if err != nil {
		return err
	}
	for _, path := range dirty {
		refusals = append(refusals, Refusal{ErrDirty, path, "it has changes that are not committed", "commit or stash them"})
	}
	if err := refused(refusals); err != nil {
		return err
	}
	if j.identity, err = j.repo.Identity(); err != nil {
		return err
	}
	if err := j.keepChanged(ctx); err != nil {
		return err
	}
	return refused(j.repo.sinceRead(j.targets))
}

// keepChanged drops the targets that HEAD has already, so that the index entries of those are left alone.
func (j *saving) keepChanged(ctx context.Context) error {
	there, err := j.view.committed(ctx, j.targets)
	if err != nil {
		return err
	}
	if j.targets = slices.DeleteFunc(j.targets, func(t target) bool { return there[t.Path] }); len(j.targets) == 0 {
		return fmt.Errorf("%w: HEAD has all of it", ErrNothingToCommit)
	}
	return nil
}

// commit returns the id as soon as the branch has moved, also with an error.
func (j *saving) commit(ctx context.Context) (string, error) {
	trust, err := j.repo.config.Bool("core.filemode", true)
	if err != nil {
		return "", err
	}
	modes := make(map[string]filemode.FileMode, len(j.targets))
	for _, t := range j.targets {
		modes[t.Path] = j.state.mode(t, trust)
	}
	id, err := j.store(ctx, modes)
	if err != nil {
		return "", err
	}
	if err := j.prepareIndex(modes); err != nil {
		return "", err
	}
	subject, _, _ := strings.Cut(j.message, "\n")
	moved, left := j.repo.moveBranch(ctx, move{from: j.state.head, to: id, who: j.identity.Committer, subject: subject})
	if !moved {
		return "", left
	}
	if err = j.repo.step("replace index"); err == nil {
		err = j.indexLock.commit()
	}
	if err != nil {
		err = fmt.Errorf("%w: commit %s stands; run git reset to bring the index there: %w", ErrIndexStale, id, err)
	}
	return id.String(), errors.Join(left, err)
}

// store writes the blobs, the trees and the commit. Until a branch names them they are harmless, and git gc removes them.
func (j *saving) store(ctx context.Context, modes map[string]filemode.FileMode) (plumbing.Hash, error) {
	builder := treeBuilder{
		ctx: ctx, store: j.repo.store, base: j.state.commit, step: j.repo.step,
		modes: func(path string) filemode.FileMode { return modes[path] },
	}
	tree, err := builder.build("", j.targets)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	c := object.Commit{
		Author:    j.identity.Author.signature(),
		Committer: j.identity.Committer.signature(),
		Message:   j.message,
		TreeHash:  tree,
	}
	if from := j.state.head.Commit; from != "" {
		c.ParentHashes = []plumbing.Hash{plumbing.NewHash(from)}
	}
	obj := &plumbing.MemoryObject{}
	if err := c.Encode(obj); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("encode commit: %w", err)
	}
	if err := j.repo.step("store commit"); err != nil {
		return plumbing.ZeroHash, err
	}
	id, err := j.repo.store.put(obj)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if err := j.repo.step("sync objects"); err != nil {
		return plumbing.ZeroHash, err
	}
	return id, j.repo.store.sync(ctx)
}

// prepareIndex writes the index as it will be to git's lock file. It replaces the index only after the branch has moved, as
// git commit does it.
func (j *saving) prepareIndex(modes map[string]filemode.FileMode) error {
	entries := make([]gitindex.Entry, 0, len(j.targets))
	for _, t := range j.targets {
		if t.Delete {
			j.state.index.Remove(t.Path)
			continue
		}
		e := gitindex.Entry{Path: t.Path, Mode: uint32(modes[t.Path]), ID: blobID(t.Data)}
		if old, ok := j.state.index.Find(t.Path); ok && !old.IntentToAdd() {
			e.Mode = old.Mode // a mode that is staged stays staged
		}
		// Only of the very bytes may git believe, by their looks, that they are unchanged.
		if data, info, err := j.worktree.read(t.Path); err == nil && info != nil && string(data) == string(t.Data) {
			e.Stat = statOf(info)
		}
		entries = append(entries, e)
	}
	if !j.state.written.IsZero() {
		j.state.index.Smudge(j.state.written.Unix())
	}
	if err := j.state.index.Put(entries); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	if err := j.repo.step("write index"); err != nil {
		return err
	}
	if err := j.indexLock.fill(j.state.index.Encode()); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// cleanMessage ends the message in one newline. It refuses what git fsck would complain of.
func cleanMessage(message string) (string, error) {
	message = strings.TrimSpace(message)
	switch {
	case message == "":
		return "", errors.New("the message is empty")
	case strings.ContainsRune(message, 0) || !utf8.ValidString(message):
		return "", errors.New("the message holds bytes that are no text")
	}
	return message + "\n", nil
}
