package publish

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

const ruleLeftFile = "artifact-left-file"

// progress looks at objects, tells how many it has seen, and looks at no more once the run is interrupted.
type progress struct {
	ctx       context.Context //nolint:containedctx // of the one call that it lives for; artifact.Scanner has no room for it
	scanner   *scan.Scanner
	done, all int
	tell      func(what string, done, all int)
}

// Scan implements artifact.Scanner.
func (s *progress) Scan(release app.ID, place string, text []byte) []finding.Finding {
	if s.ctx.Err() != nil {
		return nil
	}
	if s.done++; s.tell != nil {
		s.tell("looking at objects", s.done, s.all)
	}
	return s.scanner.Artifact(release, place, text)
}

// leaveOut leaves a Secret out of git where .apl.yaml says so: its finding is none any more that stands against the plan.
func (p *planner) leaveOut(i *artifact.Item) {
	for n := range i.Findings {
		if i.Findings[n].Rule != artifact.RuleSecret {
			continue
		}
		if accepted, reason, ok := p.scanner.LeftOut(i.Release, i.Object.Place()); ok {
			i.Findings[n], i.Left = accepted, layout.ConfigFile+": "+reason
		}
	}
}

// renders notes that an object is rendered although no file is written of it, so that its file is none to prune. Where an object that is
// refused lives is not always known.
func (p *planner) renders(i *artifact.Item) {
	id := i.Object.ID
	p.unwritten[id] = true
	if id.Namespace == "" {
		id.Namespace = i.Release.Namespace
		p.unwritten[id] = true
	}
}

// tellFile warns of a Secret that is left out of git, and stands there.
func (p *planner) tellFile(i *artifact.Item) error {
	if i.Object.Kind() != (artifact.GroupKind{Kind: "Secret"}) {
		return nil
	}
	for _, at := range i.Object.ID.Files() {
		there, err := p.hold(at, nil)
		if errors.Is(err, gitrepo.ErrUnsafePath) {
			continue // a symbolic link, which no run made
		}
		if err != nil {
			return err
		}
		if there.is(i.Object.ID) {
			p.releases[i.From].blame(finding.Warning, ruleLeftFile, at.Path(), i.Object.Place(), "it is left out of git, and git has it: the file stays as it is",
				"remove the file once the Secret comes from elsewhere: Argo CD deletes the Secret with it")
		}
	}
	return nil
}

// idle warns of exceptions for the releases that were looked at which accepted nothing.
func (p *planner) idle(apps map[string]bool) []finding.Finding {
	return p.scanner.Unused(func(e config.Exception) bool { return apps[e.App.String()] })
}
