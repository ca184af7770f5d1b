package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// The formats of validate's -o, besides JSON: text for a person, and what CI systems read.
const (
	Text     Format = "text"
	SARIF    Format = "sarif"
	JUnit    Format = "junit"
	GitHub   Format = "github"
	Markdown Format = "markdown"
)

// ValidateFormats lists the formats of validate, the default first.
func ValidateFormats() []string {
	return []string{string(Text), string(JSON), string(SARIF), string(JUnit), string(GitHub), string(Markdown)}
}

// ParseValidateFormat reads the value of validate's -o.
func ParseValidateFormat(text string) (Format, error) {
	if !slices.Contains(ValidateFormats(), text) {
		return "", fmt.Errorf("-o %q: use one of %s", text, strings.Join(ValidateFormats(), ", "))
	}
	return Format(text), nil
}

// Excerpt returns the line that a finding is about, as it stands in its file, with secrets masked; not ok where there is none to
// show.
type Excerpt func(f finding.Finding) (line string, ok bool)

// Validate prints what a run of checks found. Text shows the lines that findings are about where excerpt, which can be nil,
// knows them.
func Validate(out io.Writer, format Format, style Style, report *finding.Report, excerpt Excerpt) error {
	switch format {
	case SARIF:
		return finding.SARIF(out, report)
	case JUnit:
		return finding.JUnit(out, report)
	case GitHub:
		return finding.GitHub(out, report)
	case Markdown:
		return markdownReport(out, report)
	case Text:
		p := &page{out: out, style: style}
		p.report(report, excerpt)
		return p.err
	}
	return Data(out, format, report)
}

// noApp heads what is about no app.
const noApp = "The repo as a whole"

// report prints errors and warnings by app, each with its line and what to do, then the notes, and how many there are.
func (p *page) report(r *finding.Report, excerpt Excerpt) {
	var act, notes []finding.Finding
	for _, f := range r.Findings {
		if f.Severity == finding.Info {
			notes = append(notes, f)
		} else {
			act = append(act, f)
		}
	}
	for i, f := range act {
		if i == 0 || act[i-1].App != f.App {
			if i > 0 {
				p.write("\n")
			}
			p.write(p.style.paint(bold, noCommand(oneLine(cmp.Or(f.App, noApp)))) + "\n")
		}
		p.problem(f, excerpt)
		// A step that many findings in a row ask for is said once.
		if f.Next != "" && (i == len(act)-1 || act[i+1].Next != f.Next || act[i+1].App != f.App) {
			p.next(f.Next)
		}
	}
	if len(act) > 0 {
		p.write("\n")
	}
	p.notes(notes)
	color := green
	switch {
	case r.Summary.Errors > 0:
		color = red
	case r.Summary.Warnings > 0:
		color = yellow
	}
	p.write(p.style.paint(color, r.Summary.String()+".") + "\n")
}

// problem prints a finding as compilers do: its place first, as a link that terminals and editors follow, and its line.
func (p *page) problem(f finding.Finding, excerpt Excerpt) {
	if place := oneLine(f.Place()); place != "" {
		p.write(noCommand(place) + ": ")
	}
	p.write(p.style.paint(severityColor(f.Severity), oneLine(string(f.Severity))))
	p.printf(": %s ", about(f))
	p.write(p.style.paint(faint, "["+oneLine(f.Rule)+"]") + "\n")
	if excerpt == nil || f.Line < 1 {
		return
	}
	if line, ok := excerpt(f); ok && strings.TrimSpace(line) != "" {
		p.excerpt(f, line)
	}
}

// next prints what to do. An entry for .apl.yaml at its end has a line of its own, to be copied.
func (p *page) next(text string) {
	say, entry, ok := strings.Cut(text, ": - {")
	if !ok {
		p.printf("    next: %s\n", text)
		return
	}
	p.printf("    next: %s:\n", say)
	p.printf("      - {%s\n", entry)
}

// noCommand keeps the beginning of a line from being a command of GitHub's workflows, which runs what its log shows: two colons.
func noCommand(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		return "./" + text
	}
	return text
}

// about is what is wrong, and at which path.
func about(f finding.Finding) string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}
