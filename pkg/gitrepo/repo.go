// Package gitrepo owns the values repo on disk: it finds the work tree, reads files, writes files all or not at all, and makes
// one commit of exactly what it wrote. It takes and returns paths, bytes and text, and knows nothing of apps, values or
// Argo CD. It is the only importer of go-git.
//
// go-git stores and reads objects here. What decides whether a person's work is safe is done by git's own rules in this
// package, because go-git's differ: configuration, ignore rules and attributes, the index, the move of the branch, the
// checks before a commit. Where git would do something that this package does not (filters, hooks, signing, sparse
// checkouts), the git binary makes the commit, under the same promise; where there is none, it refuses and says so.
//
// The promise is all or nothing, also for a process that is killed: a journal in git's folder says what is being changed,
// and the next run completes it or takes it back.
//
// Paths are relative to the root of the work tree, with forward slashes.
package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// Repo is an open work tree with its repository. It is not for use by more than one goroutine at a time.
type Repo struct {
	root      string // of the work tree, symbolic links resolved
	prefix    string
	gitDir    string
	commonDir string // objects and branches; differs from gitDir in a linked worktree

	env        func(string) (string, bool)
	environ    func() []string
	withoutGit bool
	detached   bool   // a commit may be on no branch
	foreign    string // the feature for which only git can read this repository; "" for none

	now    func() time.Time
	wait   time.Duration
	config *gitconfig.Config
	store  *objectStore
	held   *heldLock                // this Repo holds the lock
	seen   map[string]plumbing.Hash // what ReadFile has found, zero for nothing

	atHead      *snapshot // what HeadFile has read of the commit atHeadOf
	atHeadOf    string
	atHeadRules *rules
	listed      map[string]treeEntry // the same where only git reads the repository
	listedOf    string

	// step is called before each change on disk; an error stops there. Tests use it to fail or to look at every point.
	step func(name string) error
}

// Option changes how a repo is opened.
type Option func(*Repo)

// WithEnv takes environment variables from lookup; os.LookupEnv is the default.
func WithEnv(lookup func(name string) (string, bool)) Option {
	return func(r *Repo) { r.env = lookup }
}

// WithEnviron gives the git binary this environment, and takes environment variables from it; os.Environ is the default.
func WithEnviron(environ []string) Option {
	return func(r *Repo) {
		r.environ = func() []string { return environ }
		r.env = func(name string) (string, bool) {
			for _, entry := range slices.Backward(environ) {
				if value, ok := strings.CutPrefix(entry, name+"="); ok {
					return value, true
				}
			}
			return "", false
		}
	}
}

// WithoutGit never runs the git binary, as if there were none.
func WithoutGit() Option {
	return func(r *Repo) { r.withoutGit = true }
}

// WithDetached lets Save and Commit commit on a detached HEAD, which no branch keeps.
func WithDetached() Option {
	return func(r *Repo) { r.detached = true }
}

// WithLockWait bounds how long to wait for another process that is at work in the repo; ten seconds is the default.
func WithLockWait(wait time.Duration) Option {
	return func(r *Repo) { r.wait = wait }
}

const defaultLockWait = 10 * time.Second

// Open opens the work tree that holds the folder dir, which may be its root or any folder below. It returns
// ErrNotRepository when there is none, ErrBare when dir lies in a repository without a work tree, and ErrUnsupported, with the
// feature's name, for a repository of a kind that would be read wrong and that no git binary is there to read. What a run that
// was killed has left half done is put right first; ErrLocked means that a run is still at work. now is the clock that commits are dated by.
func Open(dir string, now func() time.Time, options ...Option) (*Repo, error) {
	r := &Repo{seen: map[string]plumbing.Hash{}, env: os.LookupEnv, environ: os.Environ, now: now, wait: defaultLockWait, step: func(string) error { return nil }}
	for _, option := range options {
		option(r)
	}
	if err := r.open(dir); err != nil {
		return nil, fmt.Errorf("open repo %q: %w", dir, err)
	}
	return r, nil
}

func (r *Repo) open(dir string) error {
	found, err := discover(dir)
	if err != nil {
		return err
	}
	r.root, r.prefix, r.gitDir, r.commonDir = found.root, found.prefix, found.gitDir, found.commonDir
	if err := r.checkEnvironment(); err != nil {
		return err
	}
	format, err := readFormat(found)
	if err = r.orGit(err); err != nil {
		return err
	}
	if r.foreign == "" {
		if r.store, err = newObjectStore(r.commonDir); err != nil {
			return err
		}
	}
	head, err := r.readHead()
	if err != nil {
		return err
	}
	r.config, err = gitconfig.Load(r.env, gitconfig.Place{
		GitDir: r.gitDir, CommonDir: r.commonDir, Branch: head.Branch, Worktree: format.worktreeConfig,
	})
	if err != nil {
		return err
	}
	if err := r.orGit(r.checkIndex()); err != nil {
		return err
	}
	return r.recoverAtOpen()
}

// checkIndex refuses what this package cannot read or write of a work tree.
func (r *Repo) checkIndex() error {
	if sparse, err := r.config.Bool("core.sparsecheckout", false); err != nil {
		return err
	} else if sparse {
		return needsGit("sparse checkout", "run git sparse-checkout disable, or use another clone")
	}
	if r.foreign != "" {
		return nil
	}
	_, _, err := r.readIndex()
	return err
}

// orGit takes a repository that only git can read for what it is, if there is a git that reads it.
func (r *Repo) orGit(err error) error {
	var needs *needsGitError
	if !errors.As(err, &needs) || r.findGit() == "" {
		return err
	}
	out, failed := r.git(context.Background(), call{args: []string{"rev-parse", "--show-toplevel"}})
	if failed != nil {
		return fmt.Errorf("%w; nor does git read it: %w", err, failed)
	}
	if !sameFile(strings.TrimRight(string(out), "\r\n"), r.root) {
		return fmt.Errorf("%w; and git finds another work tree", err)
	}
	r.foreign = needs.feature
	return nil
}

// recoverAtOpen puts right what a run that was killed has left. Where there is a journal, a run is at work or was killed, and
// the files may be half written: nobody is to read them, so it waits.
func (r *Repo) recoverAtOpen() error {
	if !r.unfinished() {
		return nil
	}
	_, err := os.Lstat(filepath.Join(r.gitDir, privateFolder, journalName))
	writing := err == nil
	if !writing {
		defer func(wait time.Duration) { r.wait = wait }(r.wait)
		r.wait = 0
	}
	release, err := r.Lock(context.Background())
	if errors.Is(err, ErrLocked) && !writing {
		return nil // whoever has the lock sees to it
	}
	if err != nil {
		return err
	}
	return release()
}

// Root returns the work tree's root, an absolute path in which symbolic links are resolved.
func (r *Repo) Root() string { return r.root }

// Prefix returns the folder that was opened, relative to the root with forward slashes; "" for the root itself.
func (r *Repo) Prefix() string { return r.prefix }

// readIndex returns the index and when its file was last written, which is zero when there is no file.
func (r *Repo) readIndex() (*gitindex.Index, time.Time, error) {
	f, err := os.Open(filepath.Join(r.gitDir, indexFile))
	if os.IsNotExist(err) {
		return gitindex.New(), time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only: nothing can be lost
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", err)
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", err)
	}
	index, err := gitindex.Decode(data)
	if errors.Is(err, gitindex.ErrFormat) {
		err = fmt.Errorf("%w; remove %s, and run git reset: what was staged is lost with it", err, f.Name())
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", asUnsupported(err))
	}
	return index, info.ModTime(), nil
}
