package migrate

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// preflight looks at the cluster and at the plan as a whole. A plan that moves nothing, and is not held up in doing so, has
// nothing to look at, unless it pushes what an earlier one has committed.
func (p *planner) preflight(plan *Plan, decisions []*decision) {
	var moving []*argocd.Application
	for _, d := range decisions {
		moves := d.Action == Migrate || d.Action == Blocked || d.Action == Unchanged && p.options.Push
		if class, _ := d.source.Class(); class == argocd.Platform && moves {
			moving = append(moving, d.source)
		}
	}
	if len(moving) == 0 || plan.ValuesRepo.URL == "" {
		return
	}
	p.noteOperator(plan)
	plan.Preflight = preflight.Check(preflight.Input{
		Cluster:         p.in.Cluster,
		Applications:    p.in.Applications,
		Moving:          moving,
		ValuesRepoURL:   plan.ValuesRepo.URL,
		ValuesRevision:  plan.ValuesRepo.Revision,
		RootApp:         plan.RootApp.Name,
		OperatorMakesIt: plan.RootApp.Name == DefaultRootApp,
		Push:            p.options.Push,
		AcceptOperator:  p.options.AcceptOperator,
	})
}

// noteOperator corrects what the plan says of a root app that is not live yet, where the operator that would make it is
// known not to.
func (p *planner) noteOperator(plan *Plan) {
	facts := p.in.Cluster
	if facts == nil || plan.RootApp.Live || plan.RootApp.Name != DefaultRootApp || facts.Operator.Unknown != "" {
		return
	}
	switch {
	case !facts.Operator.Found:
		plan.RootApp.Note = "It is not live, and the cluster has no operator of the platform that would make it: nothing takes over the Applications until it is."
	case !facts.Operator.Running():
		plan.RootApp.Note = "It is not live yet: once the commit is pushed and the platform's operator runs again, that makes it, and it takes over the Applications in it."
	}
}

// Refused tells whether the preflight found something that stands against the whole plan, --keep-going or not.
func (p *Plan) Refused() bool { return preflight.Stops(p.Preflight) }
