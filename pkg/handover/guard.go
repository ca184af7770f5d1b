package handover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// guard returns ErrRefused, and adds the finding, unless the platform's operator is known to be paused. In each of its rounds
// it applies every Application, the old ones with their automation too: then both would take the objects from each other. What
// counts is its Deployment, since that is what writes (ADR 0014).
func (p *Plan) guard(ctx context.Context) error {
	operator, err := p.in.Cluster.Operator(ctx)
	if err != nil {
		return err
	}
	p.Findings = slices.DeleteFunc(p.Findings, func(f finding.Finding) bool { return f.Rule == RuleOperator })
	var message, next string
	switch {
	case operator.Running():
		message = "the platform's operator runs, and about every five minutes has the old Applications sync by themselves again: both owners would delete each other's objects"
	case operator.Unknown != "":
		message = "nobody knows whether the platform's operator runs, which would have the old Applications sync by themselves again: " + operator.Unknown
		next = "run this as someone who may see it; "
	case !operator.Found:
		p.Findings = append(p.Findings, finding.Finding{Rule: RuleOperator, Severity: finding.Warning,
			Message: "the cluster has no Deployment apl-operator in namespace apl-operator: nobody can see whether something else makes the old Applications",
			Next:    "see that nothing does, until the hand-over is done"})
		return nil
	default:
		return nil
	}
	own, err := p.in.Cluster.Application(ctx, p.in.Namespace, argocd.OperatorApp)
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	p.Findings = append(p.Findings, finding.Finding{Rule: RuleOperator, Severity: finding.Error, Message: message, Next: next + "pause it: " + argocd.PauseOperator(own)})
	return fmt.Errorf("%w: %s", ErrRefused, message)
}
