package migrate

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
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
	warn := func(rule string, id app.ID, line, column int, path, message, next string) {
		out = append(out, finding.Finding{Rule: rule, Severity: finding.Warning, App: id.String(),
			File: layout.ConfigFile, Line: line, Column: column, Path: path, Message: message, Next: next})
	}
	unknown := func(rule string, id app.ID, line, column int) {
		warn(rule, id, line, column, "", fmt.Sprintf("%s is none of the platform apps that were read%s", id, p.suggest(id.String())), "correct or remove the entry")
	}
	for _, e := range p.in.Config.Exclude {
		if !read[e.App] {
			unknown("exclusion-unused", e.App, e.Line, e.Column)
		}
	}
	for i, e := range p.in.Config.Secrets {
		switch {
		case e.File != "": // another command's
		case !read[e.App]:
			unknown("exception-unused", e.App, e.Line, e.Column)
		case !p.scanner.Used(i) && scanned[e.App.String()]:
			warn("exception-unused", e.App, e.Line, e.Column, e.Path,
				fmt.Sprintf("the exception for rule %s accepts nothing: there is no such finding", e.Rule), "remove or correct it")
		}
	}
	return out
}
