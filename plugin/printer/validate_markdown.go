package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const (
	// maxComment is how many characters GitHub takes as a comment. It counts characters, of which emojis can be two; here they
	// always are.
	maxComment = 65536
	// Bounds of one finding's parts, in characters.
	maxMessage = 1500
	maxName    = 300
)

// markdownReport prints a report as a comment of a pull request, in GitHub's Markdown: errors, warnings, and folded away the notes. What
// has no room in a comment is counted instead, the notes first; no finding is cut in two.
func markdownReport(out io.Writer, r *finding.Report) error {
	m := &markdown{left: len(r.Findings)}
	m.write("### kubectl apl validate\n\n" + r.Summary.String() + ".\n")
	m.section("\n#### Errors\n\n", "", problems(r, func(s finding.Severity) bool { return s != finding.Warning && s != finding.Info }))
	m.section("\n#### Warnings\n\n", "", problems(r, func(s finding.Severity) bool { return s == finding.Warning }))
	m.section(fmt.Sprintf("\n<details>\n<summary>Notes: %d</summary>\n\n", r.Summary.Infos), "\n</details>\n", notes(r))
	if m.left > 0 {
		m.write(more(m.left))
	}
	if _, err := io.WriteString(out, m.text.String()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// entry is an item of a list, and how many findings it tells.
type entry struct {
	text  string
	tells int
}

// markdown is a comment, how many findings it does not tell yet, and whether it has no room for them.
type markdown struct {
	text strings.Builder
	size int
	left int
	full bool
}

func (m *markdown) write(text string) {
	m.text.WriteString(text)
	m.size += characters(text)
}

// section writes entries between a head and a foot, as long as there is room for them and for what has to follow.
func (m *markdown) section(head, foot string, entries []entry) {
	reserve := characters(foot) + characters(more(m.left))
	open := false
	for _, e := range entries {
		text := e.text
		if !open {
			text = head + text
		}
		if m.full = m.full || m.size+characters(text)+reserve > maxComment; m.full {
			break
		}
		m.write(text)
		m.left -= e.tells
		open = true
	}
	if open {
		m.write(foot)
	}
}

func more(n int) string { return fmt.Sprintf("\n… and %d more: `-o text` shows them.\n", n) }

// characters counts as the strictest of those do who say what GitHub counts.
func characters(text string) (n int) {
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

func problems(r *finding.Report, is func(finding.Severity) bool) (list []entry) {
	for _, f := range r.Findings {
		if is(f.Severity) {
			list = append(list, entry{"- " + markdownAbout(f, cut([]string{f.App}, 1)) + "\n", 1})
		}
	}
	return list
}

func notes(r *finding.Report) (list []entry) {
	infos := slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool { return f.Severity != finding.Info })
	for _, n := range alikeNotes(infos) {
		if len(n.of) > 1 {
			n.File = ""
		}
		list = append(list, entry{"- " + markdownAbout(n.Finding, cut(n.of, maxListed)) + "\n", n.tells})
	}
	return list
}

// cut returns the first names of a list as code, and how many more there are.
func cut(names []string, most int) (list []string) {
	for i, name := range names {
		if i == most {
			return append(list, fmt.Sprintf("and %d more", len(names)-most))
		}
		if name != "" {
			list = append(list, code(name))
		}
	}
	return list
}

// markdownAbout is a finding as an item of a list: of what, where, what is wrong, the rule with a link to its page, what to do.
func markdownAbout(f finding.Finding, of []string) string {
	var b strings.Builder
	b.WriteString(strings.Join(of, ", "))
	for _, part := range []string{f.Place(), f.Path} {
		if part != "" && !slices.Contains(of, code(part)) {
			b.WriteString(" " + code(part))
		}
	}
	// Something of ours stands first: a message could begin a list or a heading.
	text := cmp.Or(strings.TrimSpace(b.String()), noApp) + ": " + prose(f.Message) + " ([" + code(f.Rule) + "](" + finding.RuleURL(f.Rule) + "))"
	if f.Next != "" {
		text += "<br>Next: " + prose(f.Next)
	}
	return text
}

// code writes text as a code span, in which GitHub makes nothing of it: no markup, no link, no mention of a person.
func code(text string) string {
	text = limited(oneLine(finding.Visible(text)), maxName)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text == "" || strings.Trim(text, "` ") != text {
		text = " " + text + " " // else a backtick would belong to the fence
	}
	return fence + text + fence
}

// prose writes text so that GitHub's Markdown shows it as it is: no markup, no HTML, no formula, no link of an address, no mention.
func prose(text string) string {
	text = limited(oneLine(finding.Visible(text)), maxMessage)
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '@' || r == '#':
			b.WriteRune(r)
			b.WriteRune('\u200b') // a mention is made of what is shown, so that an escape would not do
		case strings.ContainsRune("\\`*_[]>|~$!", r), r == ':' && strings.HasPrefix(text[i:], "://"), r == '.' && i >= 3 && strings.EqualFold(text[i-3:i], "www"):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// limited cuts text that is longer than most characters.
func limited(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
