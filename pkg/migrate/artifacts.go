package migrate

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
)

// handOver tells of the Applications whose objects are handed over apart from this plan, and in which order (DESIGN 10). It
// says nothing where the plan is about some apps only.
func (p *planner) handOver() []finding.Finding {
	if len(p.options.Apps) > 0 || p.options.Selected != nil {
		return nil
	}
	var apps []string
	for _, a := range p.in.Applications {
		id, err := a.ID()
		if class, _ := a.Class(); err != nil || class != argocd.Platform {
			continue
		}
		if _, excluded := p.in.Config.Excluded(id); excluded {
			continue
		}
		if r, ok := p.in.Registry.Get(id); ok && r.Artifacts() {
			apps = append(apps, id.String())
		}
	}
	if len(apps) == 0 {
		return nil
	}
	var order []string
	for i, step := range handover.Order() {
		order = append(order, fmt.Sprintf("%d. %s", i+1, step))
	}
	const most = 3
	which := strings.Join(apps[:min(len(apps), most)], ", ")
	if more := len(apps) - most; more > 0 {
		which = fmt.Sprintf("%s and %d more", which, more)
	}
	noun := "Applications stay"
	if len(apps) == 1 {
		noun = "Application stays"
	}
	return []finding.Finding{{
		Rule: "artifacts-handover", Severity: finding.Info,
		Message: fmt.Sprintf("%d -artifacts %s: %s. Once the objects are files that are committed, they are handed over apart, in an order that deletes none: %s",
			len(apps), noun, which, strings.Join(order, "; ")),
		Next: "on the cluster, step by step: kubectl apl migrate --artifacts --releases FILE --dry-run",
	}}
}
