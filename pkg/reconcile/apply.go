package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Repo is the values repo to write to. Its errors are those of package gitrepo.
type Repo interface {
	Check(ctx context.Context, changes []gitrepo.Change, keep bool) error
	Land(ctx context.Context, changes []gitrepo.Change, message string, keep bool) (hash string, err error)
	Delegates(ctx context.Context, changes []gitrepo.Change) ([]string, error)
}

// ErrHeld says that apps are blocked, and that the plan is all or nothing.
var ErrHeld = errors.New("apps are blocked")

// Carry writes the plan's files, and commits them unless keep tells to leave them in the work tree. It does nothing when nothing
// changes. A plan that is held writes nothing and returns ErrHeld; other errors are those of the repo, and nothing is written then.
func (p *Plan) Carry(ctx context.Context, repo Repo, keep bool) (err error) {
	changes := p.Changes()
	switch {
	case p.Held():
		return ErrHeld
	case len(changes) == 0:
		return nil
	}
	if !keep {
		if p.Git, err = repo.Delegates(ctx, changes); err != nil {
			return fmt.Errorf("look at the repo: %w", err)
		}
	}
	p.Commit, err = repo.Land(ctx, changes, p.Message(), keep)
	return err
}

// Message returns the message of the commit: which inputs changed, and what that changes.
func (p *Plan) Message() string {
	var b strings.Builder
	var what []string
	for _, part := range []struct {
		n    int
		noun string
	}{{p.Summary.Update + p.Summary.Add + p.Summary.Remove, "app"}, {p.objects(), "artifact"}} {
		switch {
		case part.n == 1:
			what = append(what, "1 "+part.noun)
		case part.n > 1:
			what = append(what, fmt.Sprintf("%d %ss", part.n, part.noun))
		}
	}
	fmt.Fprintf(&b, "Reconcile %s with the platform\n\nWritten by kubectl apl reconcile.\n", strings.Join(what, " and "))
	for _, input := range p.Inputs {
		b.WriteString("Changed since: " + input + "\n")
	}
	b.WriteString("\n")
	for i := range p.Apps {
		a := &p.Apps[i]
		if len(a.changes) == 0 {
			continue
		}
		var files []string
		for _, f := range a.Files {
			files = append(files, string(f.Change)+" "+f.Path)
		}
		fmt.Fprintf(&b, "* %s: %s\n  %s\n", a.App, a.Action, strings.Join(files, "\n  "))
	}
	if p.objects() > 0 {
		b.WriteString("\nArtifacts:\n" + p.Artifacts.Body())
	}
	return b.String()
}

// objects counts the files of artifacts that change.
func (p *Plan) objects() int {
	if p.Artifacts == nil || finding.HasError(p.Findings) {
		return 0
	}
	return len(p.Artifacts.Changes())
}

// changedInputs gathers what has changed since the values that change were written.
func (p *Plan) changedInputs() []string {
	all, unknown := map[string]bool{}, false
	for i := range p.Apps {
		a := &p.Apps[i]
		for _, input := range a.inputs {
			all[input] = true
		}
		managed := slices.ContainsFunc(a.Files, func(f File) bool { return f.Change == UpdateFile && !isApplication(f.Path) })
		unknown = unknown || managed && len(a.inputs) == 0
	}
	if unknown {
		all["what helmfile computes, from the same settings, registry and version as far as is known"] = true
	}
	inputs := slices.AppendSeq([]string{}, maps.Keys(all)) // never nil: it is a list in JSON
	slices.Sort(inputs)
	return inputs
}
