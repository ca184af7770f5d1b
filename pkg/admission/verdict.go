// Package admission owns what the webhook says to one object: which rules hold for it, by what it was before, and which findings refuse it. The
// rules themselves are pkg/check's. It knows no HTTP and no cluster; who else asks it (kubectl apl collect) gets the same verdict.
package admission

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Verdict is what is said to an object. It is refused where Denied holds something, whatever the mode.
type Verdict struct {
	Denied   []finding.Finding // sorted; each a violation, with its path and line where it has one
	Warnings []finding.Finding // sorted; advice, also to who is refused
}

// Policy is what happens to values that cannot be judged: those of a chart that nobody published, or by a schema that cannot be evaluated.
type Policy string

// The policies. The zero Policy is PolicyWarn.
const (
	PolicyWarn Policy = "warn"
	PolicyDeny Policy = "deny"
)

// Message returns every violation in one text of at most limit bytes, one a line: "file:line:column: path: message; next (rule)". What does not
// fit is counted on a last line, "and N more"; a first violation that does not fit by itself is cut within. It is "" where nothing is denied.
func (v Verdict) Message(limit int) string {
	var lines []string
	size := 0
	for i, f := range v.Denied {
		line := Line(f)
		more := ""
		if left := len(v.Denied) - i - 1; left > 0 { // room for the last line, should the next one not fit
			more = andMore(left)
		}
		if size+len(line)+len(more) > limit {
			if i == 0 {
				return cutTo(line, limit-len(more)) + more
			}
			return strings.Join(lines, "\n") + andMore(len(v.Denied)-i)
		}
		lines, size = append(lines, line), size+len(line)+1
	}
	return strings.Join(lines, "\n")
}

func andMore(n int) string { return fmt.Sprintf("\nand %d more", n) }

// Line returns one finding on one line, as Message writes it.
func Line(f finding.Finding) string {
	var b strings.Builder
	for _, part := range []string{f.Place(), f.Path} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	b.WriteString(f.Message)
	if f.Next != "" {
		b.WriteString("; " + f.Next)
	}
	if f.Rule != "" {
		b.WriteString(" (" + f.Rule + ")")
	}
	return strings.Join(strings.Fields(finding.Visible(b.String())), " ")
}

// cutTo cuts text to at most limit bytes, between characters.
func cutTo(text string, limit int) string {
	const mark = "…"
	switch {
	case len(text) <= limit:
		return text
	case limit < len(mark):
		return ""
	}
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
