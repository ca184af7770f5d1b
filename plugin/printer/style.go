package printer

import (
	"strings"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// Style is how text looks where somebody reads it. The zero Style is plain text, the same everywhere.
type Style struct {
	// Color marks what needs a look. It is for terminals.
	Color bool
}

// The colours, as a terminal takes them: those of git and kubectl, which every terminal shows on any background.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// paint gives text a colour. The text has been made printable before, so that it cannot bring any of its own.
func (s Style) paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + reset
}

func actionColor(a migrate.Action) string {
	switch a {
	case migrate.Blocked:
		return red
	case migrate.Migrate:
		return green
	case migrate.Skipped, migrate.Unchanged:
		return faint
	}
	return ""
}

func severityColor(s finding.Severity) string {
	switch s {
	case finding.Error:
		return red
	case finding.Warning:
		return yellow
	}
	return ""
}

func proofColor(r migrate.Result) string {
	switch r {
	case migrate.Equal:
		return green
	case migrate.Differs:
		return red
	case migrate.Unproven:
		return yellow
	}
	return ""
}

// cell is a cell of a table.
type cell struct{ text, color string }

// gap stands between two columns.
const gap = "   "

// table aligns columns by characters; the last one of each row is as long as it is.
func (p *page) table(rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(oneLine(c.text)))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, c := range row {
			text := oneLine(c.text)
			b.WriteString(p.style.paint(c.color, text))
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)) + gap)
			}
		}
		p.write(b.String() + "\n")
	}
}
