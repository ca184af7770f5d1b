package printer

import (
	"io"
	"strconv"

	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
)

// Reconcile prints a plan of the steady state: a table of the apps that are not as they are to be, or all of them with wide, what
// there is to say about each, and the summary.
func Reconcile(out io.Writer, format Format, style Style, plan *reconcile.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	rows := [][]cell{{{text: "APP"}, {text: "ACTION"}, {text: "FILES"}, {text: "REASON"}}}
	for i := range plan.Apps {
		a := &plan.Apps[i]
		if a.Action != reconcile.Same || p.wide {
			rows = append(rows, []cell{{text: a.App}, {string(a.Action), reconcileColor(a.Action)}, {text: strconv.Itoa(len(a.Files))}, {text: a.Reason}})
		}
	}
	if len(rows) > 1 {
		p.table(rows)
	}
	for i := range plan.Apps {
		a := &plan.Apps[i]
		files := a.Files
		if plan.Summary.Files > maxListed && !p.wide {
			files = nil
		}
		if len(a.Findings)+len(files) == 0 {
			continue
		}
		p.heading("%s", a.App)
		for _, f := range files {
			p.printf("  %s %s\n", string(f.Change), f.Path)
		}
		p.findings(a.Findings)
	}
	if len(plan.Findings) > 0 {
		p.heading("The repo as a whole")
		p.findings(plan.Findings)
	}
	if plan.Artifacts != nil {
		p.heading("Artifacts")
		p.artifactsPart(plan.Artifacts)
	}
	if len(rows) > 1 || len(plan.Findings) > 0 || plan.Artifacts != nil {
		p.write("\n")
	}
	for _, input := range plan.Inputs {
		p.printf("Changed since: %s\n", input)
	}
	version := plan.Version
	if version == "" {
		version = "not known"
	}
	s := plan.Summary
	p.printf("Platform version: %s. Same: %d, update: %d, add: %d, remove: %d, blocked: %d, skipped: %d. Files to change: %d.\n",
		version, s.Same, s.Update, s.Add, s.Remove, s.Blocked, s.Skipped, s.Files)
	return p.err
}

func reconcileColor(a reconcile.Action) string {
	switch a {
	case reconcile.Blocked:
		return red
	case reconcile.Update, reconcile.Add, reconcile.Remove:
		return green
	}
	return faint
}
