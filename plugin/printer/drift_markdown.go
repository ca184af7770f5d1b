package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// driftMarkdown prints a report as a comment of a pull request: the verdict, what breaks, what it does to files, and folded away the rest.
// What has no room in a comment is counted instead.
func driftMarkdown(out io.Writer, r *drift.Report) error {
	breaking, others := split(r)
	var errors, rest []entry
	for _, f := range driftFindings(r) {
		if f.Severity == finding.Error {
			errors = append(errors, driftEntry(f))
		} else {
			rest = append(rest, driftEntry(f))
		}
	}
	m := &markdown{left: len(breaking) + len(others) + len(errors) + len(rest)}
	mark := "✅"
	if r.Broken() {
		mark = "❌"
	}
	m.write("### " + mark + " " + prose(title(r)) + "\n\n" + prose(headline(r)) + "\n")
	m.section("\n#### Changes that break\n\n"+tableHead, "", driftRows(breaking))
	m.section("\n#### Errors\n\n", "", errors)
	m.section(fmt.Sprintf("\n<details>\n<summary>Other findings: %d</summary>\n\n", len(rest)), "\n</details>\n", rest)
	m.section(fmt.Sprintf("\n<details>\n<summary>Other changes: %d</summary>\n\n", len(others))+tableHead, "\n</details>\n", driftRows(others))
	if m.left > 0 {
		m.write(more(m.left))
	}
	foot := "\n<sub>" + prose(strings.Join(compared(r), " ")) + "</sub>\n"
	if m.size+characters(foot) <= maxComment {
		m.write(foot)
	}
	if _, err := io.WriteString(out, m.text.String()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

const tableHead = "| key | change | what |\n|---|---|---|\n"

// driftFindings returns the findings about the charts, then those about files.
func driftFindings(r *drift.Report) []finding.Finding {
	list := append([]finding.Finding{}, r.Findings...)
	for _, a := range r.Apps {
		list = append(list, a.Findings...)
	}
	return list
}

func driftRows(list []drift.Change) []entry {
	var out []entry
	for _, c := range list {
		out = append(out, entry{"| " + tableCode(c.Path) + " | " + prose(string(c.Kind)) + " | " + prose(c.Text) + " |\n", 1})
	}
	return out
}

// tableCode is code in a table, in which a bar ends the cell wherever it stands.
func tableCode(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// driftEntry is a finding as an item of a list: where, what, and what to do.
func driftEntry(f finding.Finding) entry {
	var names []string
	for _, name := range []string{f.App, f.Place(), f.Path} {
		if name != "" {
			names = append(names, code(name))
		}
	}
	text := "- " + strings.Join(names, " ") + ": " + prose(f.Message) + " (" + code(f.Rule) + ")"
	if f.Next != "" {
		text += "<br>Next: " + prose(f.Next)
	}
	return entry{text + "\n", 1}
}
