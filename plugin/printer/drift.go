package printer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// DriftFormats lists the formats of schema diff, the default first.
func DriftFormats() []string {
	return []string{string(Text), string(Markdown), string(JSON), string(YAML)}
}

// ParseDriftFormat reads the value of schema diff's -o.
func ParseDriftFormat(text string) (Format, error) {
	if !slices.Contains(DriftFormats(), text) {
		return "", fmt.Errorf("-o %q: use one of %s", text, strings.Join(DriftFormats(), ", "))
	}
	return Format(text), nil
}

// Drift prints what the upgrade of a chart does: what breaks, then what it does to files, then what else is other.
func Drift(out io.Writer, format Format, style Style, report *drift.Report) error {
	switch format {
	case Markdown:
		return driftMarkdown(out, report)
	case Text:
		p := &page{out: out, style: style, wide: true}
		p.drift(report)
		return p.err
	}
	return Data(out, format, report)
}

func (p *page) drift(r *drift.Report) {
	p.write(p.style.paint(verdictColor(r), oneLine(title(r))) + "\n" + oneLine(headline(r)) + "\n")
	breaking, others := split(r)
	p.changes("Changes of the interface that break", breaking)
	if len(r.Findings) > 0 {
		p.heading("The charts")
		p.findings(r.Findings)
	}
	for _, a := range r.Apps {
		if len(a.Findings) > 0 {
			p.heading("%s", a.App)
			p.findings(a.Findings)
		}
	}
	p.changes("Other changes of the interface", others)
	p.write("\n")
	for _, line := range compared(r) {
		p.printf("%s\n", line)
	}
}

func (p *page) changes(heading string, list []drift.Change) {
	if len(list) == 0 {
		return
	}
	p.heading("%s", heading)
	rows := [][]cell{{{text: "CHANGE"}, {text: "KEY"}, {text: "WHAT"}}}
	for _, c := range list {
		color := ""
		if c.Breaking {
			color = red
		}
		rows = append(rows, []cell{{string(c.Kind), color}, {text: c.Path}, {text: c.Text}})
	}
	p.table(rows)
}

func verdictColor(r *drift.Report) string {
	if r.Broken() {
		return red
	}
	return green
}

// split takes apart the changes that break and the others.
func split(r *drift.Report) (breaking, others []drift.Change) {
	for _, c := range r.Changes {
		if c.Breaking {
			breaking = append(breaking, c)
		} else {
			others = append(others, c)
		}
	}
	return breaking, others
}

// title names both charts and the verdict.
func title(r *drift.Report) string {
	verdict := string(r.Verdict)
	switch r.Verdict {
	case drift.Nothing:
		verdict = "nothing to compare"
	case drift.Same:
		verdict = "no difference"
	}
	return fmt.Sprintf("%s to %s: %s", r.Old.Name, r.New.Name, verdict)
}

// headline says in a sentence or two what was found.
func headline(r *drift.Report) string {
	breaking, others := split(r)
	unknown := 0
	for _, c := range breaking {
		if c.Unknown {
			unknown++
		}
	}
	var said string
	switch {
	case len(r.Changes) == 0:
		said = "Nothing of the interface changes. "
	case len(breaking) == 0:
		said = finding.Count(len(others), "change") + " of the interface; nothing in it breaks. "
	default:
		said = fmt.Sprintf("%s of the interface %s", finding.Count(len(breaking), "change"), verb(len(breaking), "breaks", "break"))
		if unknown > 0 {
			said += fmt.Sprintf(" (of %d it cannot be told)", unknown)
		}
		said += fmt.Sprintf(", %s not. ", verb(len(others), "1 does", fmt.Sprintf("%d do", len(others))))
	}
	if n := severe(r.Findings); n > 0 {
		said += fmt.Sprintf("%s with the charts. ", finding.Count(n, "error"))
	}
	return said + apps(r)
}

// apps says what becomes of the files of apps.
func apps(r *drift.Report) string {
	if !r.Repo {
		return "No files were looked at."
	}
	broken := 0
	for _, a := range r.Apps {
		if severe(a.Findings) > 0 {
			broken++
		}
	}
	switch {
	case len(r.Apps) == 0:
		return "No app of the values repo uses the chart."
	case broken == 0:
		return fmt.Sprintf("Nothing breaks in the files of %s.", finding.Count(len(r.Apps), "app"))
	}
	return fmt.Sprintf("Values of %d of %s break.", broken, finding.Count(len(r.Apps), "app"))
}

func severe(list []finding.Finding) (n int) {
	for _, f := range list {
		if f.Severity == finding.Error {
			n++
		}
	}
	return n
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// compared says over how much was looked, so that nobody takes nothing for proof.
func compared(r *drift.Report) []string {
	var lines []string
	for _, s := range []struct {
		word string
		side drift.Side
	}{{"Old", r.Old}, {"New", r.New}} {
		how := "no schema"
		if len(s.side.Schemas) > 0 {
			how = fmt.Sprintf("%s of the schemas of %s", finding.Count(s.side.Keys, "key"), bounded(s.side.Schemas, min(len(s.side.Schemas), maxNamed)))
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s): %s, %s, %s in crds/, Kubernetes %s.", s.word, s.side.Name, s.side.Origin, how,
			finding.Count(s.side.Defaults, "default"), finding.Count(s.side.CRDs, "file"), orAnyVersion(s.side.KubeVersion)))
	}
	if len(r.Old.Schemas)+len(r.New.Schemas) == 0 {
		lines = append(lines, "Neither has a schema: they were compared by the charts' own values.")
	} else if len(r.Old.Schemas) == 0 || len(r.New.Schemas) == 0 {
		lines = append(lines, "One of them has no schema: they were compared by the charts' own values.")
	}
	if r.Cut {
		lines = append(lines, "There are more changes than are listed; those that break come first.")
	}
	return lines
}

func orAnyVersion(text string) string {
	if text == "" {
		return "of any version"
	}
	return text
}
