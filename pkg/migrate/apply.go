package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Repo is the values repo to write to.
type Repo interface {
	Files
	// Ready returns what stands in the way of a commit of the changes, less uncommitted work.
	Ready(ctx context.Context, changes []gitrepo.Change) error
	// Dirty returns the paths at which writing the changes would lose uncommitted work.
	Dirty(ctx context.Context, changes []gitrepo.Change) ([]string, error)
	// Write writes all changes to the work tree, or none, whatever is lost.
	Write(ctx context.Context, changes []gitrepo.Change) error
	// Save writes all changes and commits exactly them, or does nothing; it returns the commit's id.
	Save(ctx context.Context, changes []gitrepo.Change, message string) (hash string, err error)
	// Delegates returns why Save would have the git binary make the commit, none when it does not.
	Delegates(ctx context.Context, changes []gitrepo.Change) ([]string, error)
	// Push pushes a commit, "" for what HEAD names, fast-forward only. Commits of others on the inputs stand against it.
	Push(ctx context.Context, commit string, inputs []string) (gitrepo.Pushed, error)
}

// ErrHeld says that apps are blocked, and that the plan is all or nothing.
var ErrHeld = errors.New("apps are blocked")

// Check returns why Carry would refuse to write, as gitrepo.RefusedError, or nil. It writes nothing.
func (p *Plan) Check(ctx context.Context, repo Repo, keep bool) error {
	changes := p.Changes()
	if len(changes) == 0 {
		return nil
	}
	ready := readiness(repo.Ready(ctx, changes), keep)
	if !keep {
		if err := p.delegates(ctx, repo, changes); err != nil {
			return errors.Join(ready, err)
		}
	}
	dirty, err := repo.Dirty(ctx, changes)
	if err != nil {
		return errors.Join(ready, err)
	}
	if len(dirty) == 0 {
		return ready
	}
	lost := &gitrepo.RefusedError{}
	for _, path := range dirty {
		lost.Refusals = append(lost.Refusals, gitrepo.Refusal{
			Err: gitrepo.ErrDirty, Path: path, Why: "it has changes that are not committed", Next: "commit or stash them",
		})
	}
	return errors.Join(ready, lost)
}

// readiness drops, from what stands in the way of a commit, what does not hinder files that are left in the work tree.
// What git ignores stays: the commit that a person makes would lack it, and Argo CD fails on a missing value file.
func readiness(err error, keep bool) error {
	var refused *gitrepo.RefusedError
	if !keep || !errors.As(err, &refused) {
		return err
	}
	ignored := slices.DeleteFunc(slices.Clone(refused.Refusals), func(r gitrepo.Refusal) bool { return !errors.Is(r.Err, gitrepo.ErrIgnored) })
	if len(ignored) == 0 {
		return nil
	}
	return &gitrepo.RefusedError{Refusals: ignored}
}

// Carry writes the plan's files, and commits them unless keep tells to leave them in the work tree. It does nothing
// when there is nothing to write. The commit's id becomes part of the plan. A plan that is held writes nothing and returns
// ErrHeld.
//
// It returns what the repo returns, gitrepo's errors, for a repo that must not be written: nothing is written then.
func (p *Plan) Carry(ctx context.Context, repo Repo, keep bool) error {
	changes := p.Changes()
	switch {
	case p.Held():
		return ErrHeld
	case len(changes) == 0:
		return nil
	}
	if keep {
		err := p.Check(ctx, repo, keep) // Write does not ask
		if err == nil {
			err = repo.Write(ctx, changes)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", count(len(changes), "file"), err)
		}
		return nil
	}
	if err := p.delegates(ctx, repo, changes); err != nil {
		return err
	}
	hash, err := repo.Save(ctx, changes, p.Message())
	p.Commit = hash
	if err != nil {
		return fmt.Errorf("commit %s: %w", count(len(changes), "file"), err)
	}
	return nil
}

// subject is the first line of the commit's message.
func (p *Plan) subject() string {
	applications := func(change FileChange) bool {
		return slices.ContainsFunc(p.Apps, func(a App) bool {
			return slices.ContainsFunc(a.Files, func(f File) bool { return f.Change == change && isApplication(f.Path) })
		})
	}
	if applications(Update) && !applications(Create) {
		return fmt.Sprintf("Update the files of %s", count(p.Summary.Migrate, "app"))
	}
	return fmt.Sprintf("Move %s to managed and custom values", count(p.Summary.Migrate, "app"))
}

// Message returns the message of the commit: what moved, what is custom where, what was introduced, what is left. Each is
// one line of text, whatever characters the live names hold.
func (p *Plan) Message() string {
	var b strings.Builder
	b.WriteString(p.subject() + "\n\n")
	b.WriteString("Written by kubectl apl migrate from the live Applications. What runs does not change, but for keys\nlisted as introduced and accepted.\n\n")
	for _, a := range p.Apps {
		if a.Action != Migrate {
			continue
		}
		b.WriteString("* " + oneLine(a.App) + "\n")
		if len(a.Custom) > 0 {
			b.WriteString("  custom: " + oneLine(strings.Join(a.Custom, ", ")) + "\n")
		}
		for _, i := range a.Introduced {
			fmt.Fprintf(&b, "  introduced (%s): %s\n", i.Effect, oneLine(i.Path))
		}
		if len(a.accepted) > 0 {
			b.WriteString("  secrets accepted by .apl.yaml: " + oneLine(strings.Join(a.accepted, ", ")) + "\n")
		}
	}
	if p.Summary.Blocked > 0 {
		b.WriteString("\nNot moved:\n")
		for _, a := range p.Apps {
			if a.Action == Blocked {
				b.WriteString("* " + oneLine(cmp.Or(a.App, a.Application)) + ": " + oneLine(a.Reason) + "\n")
			}
		}
	}
	return b.String()
}

// oneLine quotes text that holds line breaks, other control characters or bytes that are no text. Git refuses a message
// with some of those, and a terminal obeys others.
func oneLine(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return strconv.Quote(text)
}
