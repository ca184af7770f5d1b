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

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Repo is the values repo to write to.
type Repo interface {
	Files
	// Check returns why Land would refuse to write; Land writes all changes, or none, and commits exactly them unless keep tells
	// to leave them in the work tree. It returns the commit's id.
	Check(ctx context.Context, changes []gitrepo.Change, keep bool) error
	Land(ctx context.Context, changes []gitrepo.Change, message string, keep bool) (hash string, err error)
	// Delegates returns why Land would have the git binary make the commit, none when it does not.
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
	refused := repo.Check(ctx, changes, keep)
	if keep {
		return refused
	}
	return errors.Join(refused, p.delegates(ctx, repo, changes))
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
	if !keep {
		if err := p.delegates(ctx, repo, changes); err != nil {
			return err
		}
	}
	hash, err := repo.Land(ctx, changes, p.Message(), keep)
	p.Commit = hash
	return err
}

// subject is the first line of the commit's message.
func (p *Plan) subject() string {
	applications := func(change FileChange) bool {
		return slices.ContainsFunc(p.Apps, func(a App) bool {
			return slices.ContainsFunc(a.Files, func(f File) bool { return f.Change == change && isApplication(f.Path) })
		})
	}
	if others := p.Parts.subject(); len(others) > 0 {
		if p.Summary.Migrate > 0 {
			others = append([]string{finding.Count(p.Summary.Migrate, "app")}, others...)
		}
		return "Move to git: " + strings.Join(others, ", ")
	}
	if applications(Update) && !applications(Create) {
		return fmt.Sprintf("Update the files of %s", finding.Count(p.Summary.Migrate, "app"))
	}
	return fmt.Sprintf("Move %s to managed and custom values", finding.Count(p.Summary.Migrate, "app"))
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
	b.WriteString(p.Parts.message())
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
