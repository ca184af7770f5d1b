package migrate

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// idle warns of entries of .apl.yaml that do nothing: what they were made for is gone, or they are misspelt.
func (p *planner) idle(plan *Plan) []finding.Finding {
	read, scanned := map[app.ID]bool{}, map[string]bool{}
	for _, a := range p.in.Applications {
		if id, err := a.ID(); err == nil {
			class, _ := a.Class()
			read[id] = read[id] || class == argocd.Platform
		}
	}
	for _, a := range plan.Apps {
		scanned[a.App] = scanned[a.App] || a.scanned
	}
	var out []finding.Finding
	unknown := func(rule string, id app.ID, line, column int) {
		out = append(out, finding.Finding{Rule: rule, Severity: finding.Warning, App: id.String(), File: layout.ConfigFile, Line: line, Column: column,
			Message: fmt.Sprintf("%s is none of the platform apps that were read%s", id, p.suggest(id.String())), Next: "correct or remove the entry"})
	}
	for _, e := range p.in.Config.Exclude {
		if !read[e.App] {
			unknown("exclusion-unused", e.App, e.Line, e.Column)
		}
	}
	for _, e := range p.in.Config.Secrets {
		if e.File == "" && !read[e.App] { // one with a file is another command's
			unknown(scan.RuleUnused, e.App, e.Line, e.Column)
		}
	}
	return append(out, p.scanner.Unused(func(e config.Exception) bool { return read[e.App] && scanned[e.App.String()] })...)
}
