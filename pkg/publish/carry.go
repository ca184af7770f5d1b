package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Repo is the values repo to write to; gitrepo.Repo is one.
type Repo interface {
	Files
	// Check returns why Land would refuse to write; Land writes all changes, or none, and commits exactly them unless keep tells
	// to leave them in the work tree. It returns the commit's id.
	Check(ctx context.Context, changes []gitrepo.Change, keep bool) error
	Land(ctx context.Context, changes []gitrepo.Change, message string, keep bool) (hash string, err error)
	// Delegates returns why Land would have the git binary make the commit, none when it does not.
	Delegates(ctx context.Context, changes []gitrepo.Change) ([]string, error)
}

// ErrRefused says that findings stand against the plan, and that it is all or nothing.
var ErrRefused = errors.New("findings stand against it")

// Check returns why Carry would refuse to write, as gitrepo.RefusedError, or nil. It writes nothing.
func (p *Plan) Check(ctx context.Context, repo Repo, keep bool) error {
	changes := p.Changes()
	if len(changes) == 0 {
		return nil
	}
	refused := repo.Check(ctx, changes, keep)
	if keep {
		return refused
	}
	return errors.Join(refused, p.delegates(ctx, repo, changes))
}

// Carry writes the plan's files, and commits them unless keep tells to leave them in the work tree. It does nothing when there is
// nothing to write. The commit's id becomes part of the plan. A plan that is refused writes nothing and returns ErrRefused; the
// other errors are the repo's.
func (p *Plan) Carry(ctx context.Context, repo Repo, keep bool) error {
	if p.Refused() {
		return ErrRefused
	}
	changes := p.Changes()
	if len(changes) == 0 {
		return nil
	}
	if !keep {
		if err := p.delegates(ctx, repo, changes); err != nil {
			return err
		}
	}
	hash, err := repo.Land(ctx, changes, p.Message(), keep)
	p.Commit = hash
	return err
}

func (p *Plan) delegates(ctx context.Context, repo Repo, changes []gitrepo.Change) (err error) {
	p.Git, err = repo.Delegates(ctx, changes)
	return err
}

// Message returns the message of the commit: how many files of which releases, and what is left out of git.
func (p *Plan) Message() string {
	s := p.Summary
	var b strings.Builder
	switch {
	case s.Add+s.Change == 0:
		fmt.Fprintf(&b, "Remove %s that no release renders any more\n\n", finding.Count(s.Remove, "artifact"))
	case s.Add == 0:
		fmt.Fprintf(&b, "Update %s\n\n", finding.Count(s.Change+s.Remove, "artifact"))
	default:
		fmt.Fprintf(&b, "Write %s, one object a file\n\n", finding.Count(s.Add+s.Change, "artifact"))
	}
	b.WriteString("Written by kubectl apl artifacts from what the releases render.\n\n" + p.Body())
	return b.String()
}

// Body returns the lines of the message that say what changes of which release, and what is left out.
func (p *Plan) Body() string {
	var b strings.Builder
	for _, r := range p.Releases {
		var counts []string
		for _, action := range []Action{Add, Change, Remove} {
			if n := r.number(action); n > 0 {
				counts = append(counts, fmt.Sprintf("%s %d", action, n))
			}
		}
		if len(counts) > 0 {
			fmt.Fprintf(&b, "* %s: %s\n", r.App, strings.Join(counts, ", "))
		}
		for _, o := range r.Objects {
			if o.Action == Left {
				fmt.Fprintf(&b, "* %s: left out: %q\n", r.App, o.Object)
			}
		}
	}
	return b.String()
}

func (r *Release) number(action Action) (n int) {
	for _, o := range r.Objects {
		if o.Action == action {
			n++
		}
	}
	return n
}
