// Package gitrepo owns the values repo on disk: it finds the work tree, reads files, writes files all or not at all, and makes
// one commit of exactly what it wrote. It takes and returns paths, bytes and text, and knows nothing of apps, values or
// Argo CD. It is the only importer of go-git.
//
// go-git stores and reads objects here. What decides whether a person's work is safe is done by git's own rules in this
// package, because go-git's differ: configuration, ignore rules and attributes, the index, the move of the branch, the
// checks before a commit. Where git would do something that this package does not (filters, hooks, signing, sparse
// checkouts), it refuses and says so.
//
// Paths are relative to the root of the work tree, with forward slashes.
package gitrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// Repo is an open work tree with its repository. It is not for use by more than one goroutine at a time.
type Repo struct {
	root      string // of the work tree, symbolic links resolved
	prefix    string
	gitDir    string
	commonDir string // objects and branches; differs from gitDir in a linked worktree

	env    func(string) (string, bool)
	now    func() time.Time
	wait   time.Duration
	config *gitconfig.Config
	store  *objectStore
	held   bool // this Repo holds the lock

	atHead   *snapshot // what HeadFile has read of the commit atHeadOf
	atHeadOf string

	// step is called before each change on disk; an error stops there. Tests use it to fail or to look at every point.
	step func(name string) error
}

// Option changes how a repo is opened.
type Option func(*Repo)

// WithEnv takes environment variables from lookup; os.LookupEnv is the default.
func WithEnv(lookup func(name string) (string, bool)) Option {
	return func(r *Repo) { r.env = lookup }
}

// WithLockWait bounds how long to wait for another process that is at work in the repo; ten seconds is the default.
func WithLockWait(wait time.Duration) Option {
	return func(r *Repo) { r.wait = wait }
}

const defaultLockWait = 10 * time.Second

// Open opens the work tree that holds the folder dir, which may be its root or any folder below. It returns
// ErrNotRepository when there is none, ErrBare when dir lies in a repository without a work tree, and ErrUnsupported, with the
// feature's name, for a repository of a kind that would be read wrong. now is the clock that commits are dated by.
func Open(dir string, now func() time.Time, options ...Option) (*Repo, error) {
	r := &Repo{env: os.LookupEnv, now: now, wait: defaultLockWait, step: func(string) error { return nil }}
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
	if err != nil {
		return err
	}
	if r.store, err = newObjectStore(r.commonDir); err != nil {
		return err
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
	if sparse, err := r.config.Bool("core.sparsecheckout", false); err != nil {
		return err
	} else if sparse {
		return unsupported("sparse checkout", "run git sparse-checkout disable, or use another clone")
	}
	_, _, err = r.readIndex()
	return err
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
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", asUnsupported(err))
	}
	return index, info.ModTime(), nil
}
