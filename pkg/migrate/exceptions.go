package migrate

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// readExceptions takes the findings about secrets that .apl.yaml accepts.
func (p *planner) readExceptions() {
	for _, e := range p.in.Config.Secrets {
		p.exceptions = append(p.exceptions, secret.Exception{App: e.App.String(), Path: e.Path, Rule: e.Rule, Reason: e.Reason})
	}
	p.used = make([]bool, len(p.exceptions))
}

// unusedExceptions warns of exceptions that accepted nothing although their app was looked at whole: what they were
// made for is gone, or they are misspelt.
func (p *planner) unusedExceptions(plan *Plan) []finding.Finding {
	scanned := map[string]bool{}
	for _, a := range plan.Apps {
		scanned[a.App] = scanned[a.App] || a.scanned
	}
	var out []finding.Finding
	for i, e := range p.in.Config.Secrets {
		if p.used[i] || !scanned[e.App.String()] {
			continue
		}
		out = append(out, finding.Finding{
			Rule: "exception-unused", Severity: finding.Warning, App: e.App.String(),
			File: layout.ConfigFile, Line: e.Line, Path: e.Path,
			Message: fmt.Sprintf("the exception for rule %s accepts nothing: there is no such finding", e.Rule), Next: "remove or correct it",
		})
	}
	return out
}
