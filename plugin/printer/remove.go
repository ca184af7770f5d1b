package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/remove"
)

// Remove prints what is to go, or what went: the Application, what it deploys, the steps and the findings.
func Remove(out io.Writer, format Format, style Style, plan *remove.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	p.table([][]cell{
		{{text: "APP"}, {text: "APPLICATION"}, {text: "ACTION"}, {text: "REASON"}},
		{{text: plan.App}, {text: plan.Application}, {string(plan.Action), removeColor(plan.Action)}, {text: plan.Reason}},
	})
	p.removed(plan)
	if len(plan.Steps) > 0 && plan.Action != remove.Refused {
		p.heading("Steps")
		for i, s := range plan.Steps {
			done := ""
			switch {
			case s.Done && plan.DryRun == cluster.DryRunServer:
				done = " (the server would take it)"
			case s.Done:
				done = " (done)"
			}
			p.printf("  %d. %s: %s%s\n", i+1, string(s.Name), s.Text, done)
		}
	}
	if len(plan.Findings) > 0 {
		p.heading("Findings")
		p.findings(plan.Findings)
	}
	return p.err
}

// removed prints what the Application deploys.
func (p *page) removed(plan *remove.Plan) {
	if len(plan.Resources) > 0 {
		total := 0
		var kinds []string
		for _, c := range plan.Resources {
			total += c.Count
			kinds = append(kinds, fmt.Sprintf("%d %s", c.Count, oneLine(c.Kind)))
		}
		what := "Goes with it"
		if plan.Action == remove.Orphan {
			what = "Stays"
		}
		p.heading("%s: %s", what, number(total, "object"))
		p.write("  " + strings.Join(kinds, ", ") + "\n")
	}
	if len(plan.Data) > 0 && plan.Action != remove.Orphan {
		p.heading("What of it holds data, or takes objects of others along")
		p.resources(plan.Data)
	}
	if len(plan.Left) > 0 {
		p.heading("Still there")
		p.resources(plan.Left)
	}
}

func (p *page) resources(list []remove.Resource) {
	for _, r := range list[:p.most(len(list))] {
		name, note := r.Name, ""
		if r.Namespace != "" {
			name = r.Namespace + "/" + name
		}
		if r.Note != "" {
			note = ": " + r.Note
		}
		p.printf("  %s %s%s\n", r.Kind, name, note)
	}
	if more := len(list) - p.most(len(list)); more > 0 {
		p.printf("  and %d more (-o wide lists them)\n", more)
	}
}

func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func removeColor(a remove.Action) string {
	switch a {
	case remove.Refused, remove.Remove:
		return red
	case remove.Orphan, remove.Going:
		return yellow
	}
	return faint
}
