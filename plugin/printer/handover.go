package printer

import (
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
)

// Handover prints the plan of a hand-over: a table of the Applications, the steps, objects and findings of each, what stands
// against it as a whole, and what is left to do. Objects that are adopted are listed in the wide table only.
func Handover(out io.Writer, format Format, style Style, plan *handover.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	if len(plan.Apps) > 0 {
		rows := [][]cell{{{text: "APP"}, {text: "ACTION"}, {text: "REASON"}}}
		for i := range plan.Apps {
			a := &plan.Apps[i]
			rows = append(rows, []cell{{text: a.App}, {string(a.Action), handoverColor(a.Action)}, {text: a.Reason}})
		}
		p.table(rows)
	}
	counts := map[handover.State]int{}
	for i := range plan.Apps {
		a := &plan.Apps[i]
		for _, o := range a.Objects {
			counts[o.State]++
		}
		if len(a.Steps)+len(a.Findings) > 0 {
			p.heading("%s", a.App)
			p.handoverApp(a, plan.DryRun)
		}
	}
	if len(plan.Findings) > 0 {
		p.heading("The cluster as a whole")
		p.findings(plan.Findings)
	}
	p.write("\n")
	for _, next := range plan.Next {
		p.printf("Next: %s\n", next)
	}
	if plan.Tracking.Method != "" {
		p.printf("Whose an object is: %s.\n", plan.Tracking.String())
	}
	p.printf("To hand over: %d. Objects adopted: %d, waiting: %d, kept: %d, of others: %d, gone: %d.\n", plan.Pending(),
		counts[handover.Adopted], counts[handover.Waiting], counts[handover.Kept], counts[handover.Other], counts[handover.Gone])
	return p.err
}

func (p *page) handoverApp(a *handover.App, dryRun cluster.DryRun) {
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
	var shown []handover.Object
	for _, o := range a.Objects {
		if p.wide || o.State != handover.Adopted {
			shown = append(shown, o)
		}
	}
	for n, o := range shown {
		if n == p.most(len(shown)) {
			p.printf("  and %d more objects (-o wide lists them)\n", len(shown)-n)
			break
		}
		to, why := "", ""
		if o.Adopter != "" {
			to = ", by " + o.Adopter
		}
		if o.Why != "" {
			why = ": " + o.Why
		}
		p.printf("  %s: %s%s%s\n", o.String(), string(o.State), to, why)
	}
	p.findings(a.Findings)
}

func handoverColor(a handover.Action) string {
	switch a {
	case handover.Refused:
		return red
	case handover.HandOver:
		return green
	}
	return faint
}
