package printer

import (
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
)

// Rollback prints a plan of a way back: a table of the apps, the steps and findings of each, and what is left to do.
func Rollback(out io.Writer, format Format, style Style, plan *rollback.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: true}
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
	for i := range plan.Apps {
		p.rollbackApp(&plan.Apps[i])
	}
	p.write("\n")
	for _, next := range plan.Next {
		p.printf("Next: %s\n", next)
	}
	counts := map[rollback.Action]int{}
	for i := range plan.Apps {
		counts[plan.Apps[i].Action]++
	}
	p.printf("Root app: %s. To put back: %d, as they were: %d, refused: %d. Files to remove: %d.\n", plan.RootApp,
		counts[rollback.Restore], counts[rollback.Restored], counts[rollback.Refused], len(plan.Files))
	return p.err
}

func (p *page) rollbackApp(a *rollback.App) {
	if len(a.Steps)+len(a.Findings) == 0 {
		return
	}
	p.heading("%s", a.App)
	for i, s := range a.Steps {
		done := ""
		if s.Done {
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
