package printer

import (
	"io"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
)

// Artifacts prints a plan of artifacts: a table of the objects whose file changes, or which have none, the findings of each release,
// and what it comes to. Wide has the objects whose file stays as it is too.
func Artifacts(out io.Writer, format Format, style Style, plan *publish.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	p.artifactsPart(plan)
	return p.err
}

// artifactsPart prints all of a plan of artifacts, alone or as a part of another plan.
func (p *page) artifactsPart(plan *publish.Plan) {
	p.artifacts(plan)
	for _, r := range plan.Releases {
		if len(r.Findings) > 0 {
			p.heading("%s", r.App)
			p.findings(r.Findings)
		}
	}
	if len(plan.Findings) > 0 {
		p.heading("The releases as a whole")
		p.findings(plan.Findings)
	}
	p.artifactsEnd(plan)
}

func (p *page) artifacts(plan *publish.Plan) {
	header := []cell{{text: "ACTION"}, {text: "FILE"}}
	if p.wide {
		header = []cell{{text: "ACTION"}, {text: "RELEASE"}, {text: "OBJECT"}, {text: "PROTECTED"}, {text: "FILE"}}
	}
	rows := [][]cell{header}
	for _, r := range plan.Releases {
		for _, o := range r.Objects {
			if o.Action == publish.Unchanged && !p.wide {
				continue
			}
			rows = append(rows, p.artifact(r.App, o))
		}
	}
	if len(rows) > 1 {
		p.table(rows)
	}
}

func (p *page) artifact(release string, o publish.Object) []cell {
	action := cell{string(o.Action), artifactColor(o.Action)}
	last, reason := o.File, o.Reason
	switch {
	case last == "" && p.wide:
		last = "-"
	case last == "":
		last = o.Object
	}
	if reason != "" {
		last += " (" + reason + ")"
	}
	if !p.wide {
		return []cell{action, {text: last}}
	}
	protected := "-"
	if o.Protected {
		protected = "yes"
	}
	return []cell{action, {text: release}, {text: o.Object}, {text: protected}, {text: strings.TrimSpace(last)}}
}

// artifactsEnd names the releases without objects, and counts the others'.
func (p *page) artifactsEnd(plan *publish.Plan) {
	p.write("\n")
	var reasons []string
	apps := map[string][]string{}
	for _, r := range plan.Releases {
		if r.Reason == "" {
			continue
		}
		if len(apps[r.Reason]) == 0 {
			reasons = append(reasons, r.Reason)
		}
		apps[r.Reason] = append(apps[r.Reason], r.App)
	}
	for _, reason := range reasons {
		list := apps[reason]
		p.printf("No objects (%s): %s\n", strings.TrimPrefix(reason, "it "), bounded(list, p.most(len(list))))
	}
	s := plan.Summary
	p.printf("Releases: %d. Objects: %d. To add: %d, to change: %d, unchanged: %d, left out: %d, refused: %d. Files to remove: %d. Protected: %d.\n",
		s.Releases, s.Objects, s.Add, s.Change, s.Unchanged, s.Left, s.Refused, s.Remove, s.Protected)
}

func artifactColor(a publish.Action) string {
	switch a {
	case publish.Refused:
		return red
	case publish.Remove:
		return yellow
	case publish.Add, publish.Change:
		return green
	case publish.Left, publish.Unchanged:
		return faint
	}
	return ""
}
