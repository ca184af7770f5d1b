package gitrepo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// Outcomes that callers branch on. What wraps them says where, and the next step to take.
var (
	// ErrNotRepository means that no work tree holds the folder.
	ErrNotRepository = errors.New("not a git repository")
	// ErrBare means that the folder lies in a repository that has no work tree, or in a .git folder.
	ErrBare = errors.New("not in a work tree")
	// ErrUnsupported means that the repository uses a feature which this package would get wrong.
	ErrUnsupported = errors.New("not supported")
	// ErrUnsafePath means that a path is malformed, leaves the work tree, is git's own, or passes a symbolic link.
	ErrUnsafePath = errors.New("unsafe path")
	// ErrLocked means that another process is at work in the repo, and did not finish in time.
	ErrLocked = errors.New("the repo is locked")
	// ErrDirty means that writing a path would lose what is not committed.
	ErrDirty = errors.New("uncommitted changes")
	// ErrChanged means that a file, HEAD or the branch changed while we were at work.
	ErrChanged = errors.New("changed meanwhile")
	// ErrNothingToCommit means that HEAD holds all changes already.
	ErrNothingToCommit = errors.New("nothing to commit")
	// ErrNoIdentity means that git knows no author or committer.
	ErrNoIdentity = errors.New("no identity")
	// ErrDetachedHead means that HEAD names no branch, so that a commit would be lost.
	ErrDetachedHead = errors.New("detached HEAD")
	// ErrInProgress means that a merge, rebase or the like is not finished.
	ErrInProgress = errors.New("operation in progress")
	// ErrUnmerged means that the index holds conflicts.
	ErrUnmerged = errors.New("unmerged paths")
	// ErrIgnored means that git ignores an untracked path.
	ErrIgnored = errors.New("ignored path")
	// ErrConverted means that git would not commit the bytes as they are: a filter, an encoding, line ends.
	ErrConverted = errors.New("converted path")
	// ErrNotAFile means that HEAD or the index holds something else at a path or in its way: a folder, a submodule, a link.
	ErrNotAFile = errors.New("not a file")
	// ErrHooks means that hooks would run on git commit.
	ErrHooks = errors.New("hooks are installed")
	// ErrSigning means that commits must be signed.
	ErrSigning = errors.New("commits are to be signed")
	// ErrFilterMissing is an ErrConverted for which git is no help: the filter is not set up, and git would commit plain text.
	ErrFilterMissing = fmt.Errorf("%w: its filter is not set up", ErrConverted)
	// ErrRejected means that git would not make the commit: a hook said no, or signing failed.
	ErrRejected = errors.New("git did not commit")
	// ErrNoUpstream means that the branch says of no remote branch that it belongs to it.
	ErrNoUpstream = errors.New("no upstream")
	// ErrNotPushed means that the remote does not have the commit, which stands in this repo.
	ErrNotPushed = errors.New("not pushed")
	// ErrIndexStale means that the commit was made but the index could not follow.
	ErrIndexStale = errors.New("committed, but the index is not up to date")
)

// errShared is what git is needed for where others use the objects.
var errShared = fmt.Errorf("%w: a shared repository", ErrUnsupported)

const useGit = "put git on the PATH, which is run for that, or use --no-commit and commit with git"

// Refusal is one reason why nothing is written or committed.
type Refusal struct {
	Err  error  // one of the sentinel errors
	Path string // the path that it is about, or "" for the repository
	Why  string // the cause, and where it stands
	Next string // the next step to take
}

// String returns the path, the cause and the next step on one line.
func (f Refusal) String() string {
	var b strings.Builder
	if f.Path != "" {
		fmt.Fprintf(&b, "%s: ", f.Path)
	}
	b.WriteString(f.Why)
	if f.Next != "" {
		fmt.Fprintf(&b, "; %s", f.Next)
	}
	return b.String()
}

// RefusedError lists every reason at once, those of the repository first, then by path.
type RefusedError struct{ Refusals []Refusal }

const shownRefusals = 10

// Error returns a line for each refusal, up to ten of them.
func (e *RefusedError) Error() string {
	var lines []string
	for i, refusal := range e.Refusals {
		if i == shownRefusals {
			lines = append(lines, fmt.Sprintf("and %d more", len(e.Refusals)-i))
			break
		}
		lines = append(lines, refusal.String())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the sentinel error of each refusal, for errors.Is.
func (e *RefusedError) Unwrap() []error {
	all := make([]error, 0, len(e.Refusals))
	for _, refusal := range e.Refusals {
		all = append(all, refusal.Err)
	}
	return all
}

// refused returns nil when there is no refusal.
func refused(refusals []Refusal) error {
	if len(refusals) == 0 {
		return nil
	}
	return &RefusedError{Refusals: refusals}
}

func unsupported(feature, next string) error {
	return fmt.Errorf("%w: %s; %s", ErrUnsupported, feature, next)
}

// needsGitError is an ErrUnsupported that the git binary is a way around.
type needsGitError struct {
	feature string
	error
}

func (e *needsGitError) Unwrap() error { return e.error }

func needsGit(feature, next string) error { return &needsGitError{feature, unsupported(feature, next)} }

// asUnsupported gives an index of a kind that cannot be edited the sentinel that callers know.
func asUnsupported(err error) error {
	var kind *gitindex.UnsupportedError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Feature == "split index":
		return needsGit(kind.Feature, "run git update-index --no-split-index")
	case kind.Feature == "sparse index":
		return needsGit(kind.Feature, "run git sparse-checkout disable, or use another clone")
	}
	return needsGit(kind.Feature, "use a clone without it")
}
