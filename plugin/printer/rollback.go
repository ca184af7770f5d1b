package printer

import (
	"io"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
)

// Rollback prints a plan of a way back: a table of the apps, the steps and findings of each, and what is left to do.
func Rollback(out io.Writer, format Format, style Style, plan *rollback.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	if len(plan.Apps) > 0 {
		rows := [][]cell{{{text: "APP"}, {text: "ACTION"}, {text: "MANAGER"}, {text: "REASON"}}}
		for i := range plan.Apps {
			a := &plan.Apps[i]
			manager := a.Manager
			if manager == "" {
				manager = "-"
			}
			rows = append(rows, []cell{{text: a.App}, {string(a.Action), rollbackColor(a.Action)}, {text: manager}, {text: a.Reason}})
		}
		p.table(rows)
	}
	p.rollbackApps(plan)
	p.write("\n")
	for _, next := range plan.Next {
		p.printf("Next: %s\n", next)
	}
	counts := map[rollback.Action]int{}
	for i := range plan.Apps {
		counts[plan.Apps[i].Action]++
	}
	files := "Files to remove"
	if plan.Commit != "" {
		files = "Files removed"
	}
	p.printf("Root app: %s. To put back: %d, as they were: %d, refused: %d. %s: %d.\n", plan.RootApp,
		counts[rollback.Restore], counts[rollback.Restored], counts[rollback.Refused], files, len(plan.Files))
	return p.err
}

// rollbackApps prints the steps and findings of each app. Apps of which all is the same share them, since most often one
// thing stands against all.
func (p *page) rollbackApps(plan *rollback.Plan) {
	type group struct {
		body string
		apps []string
	}
	var groups []group
	for i := range plan.Apps {
		var text strings.Builder
		body := &page{out: &text, style: p.style, wide: p.wide}
		body.rollbackApp(&plan.Apps[i], plan.DryRun)
		if text.Len() == 0 {
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return !p.wide && g.body == text.String() })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{body: text.String()})
		}
		groups[at].apps = append(groups[at].apps, plan.Apps[i].App)
	}
	for _, g := range groups {
		if len(g.apps) == 1 {
			p.heading("%s", g.apps[0])
		} else {
			p.heading("%d apps, each the same (-o wide lists them): %s", len(g.apps), bounded(g.apps, maxNamed))
		}
		p.write(g.body)
	}
}

func (p *page) rollbackApp(a *rollback.App, dryRun cluster.DryRun) {
	for i, s := range a.Steps {
		done := ""
		switch {
		case s.Done && dryRun == cluster.DryRunServer:
			done = " (the server would take it)"
		case s.Done:
			done = " (done)"
		}
		p.printf("  %d. %s: %s%s\n", i+1, string(s.Name), s.Text, done)
	}
	p.findings(a.Findings)
}

func rollbackColor(a rollback.Action) string {
	switch a {
	case rollback.Refused:
		return red
	case rollback.Restore:
		return green
	}
	return faint
}
