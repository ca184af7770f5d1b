package finding

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxAnnotations is how many annotations of each severity GitHub shows of a step.
const maxAnnotations = 10

// maxTitle bounds the title of an annotation; GitHub refuses one of more than 255 characters.
const maxTitle = 200

// GitHub writes a report as commands of GitHub's workflows, one a line, which become annotations of the files of a pull request:
// errors, then warnings, as many of each as GitHub shows. Infos are none: nobody has to act on them, and a custom file can
// have one on each line. The last line is no command; it counts all findings. It returns what out returns.
func GitHub(out io.Writer, r *Report) error {
	var b strings.Builder
	left := 0
	for _, severity := range []Severity{Error, Warning} {
		shown := 0
		for _, f := range r.Findings {
			switch {
			case f.level() != severity:
			case shown == maxAnnotations:
				left++
			default:
				shown++
				b.WriteString(githubCommand(f))
			}
		}
	}
	b.WriteString(r.Summary.String() + ".")
	if left > 0 {
		fmt.Fprintf(&b, " GitHub shows %d errors and %d warnings of a step; -o text, json or sarif has the other %d.", maxAnnotations, maxAnnotations, left)
	}
	b.WriteString("\n")
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	return nil
}

// githubCommand is a finding as a command: ::error file=f,line=1,col=2,title=t::message.
func githubCommand(f Finding) string {
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+githubProperty(value)) }
	if f.File != "" {
		add("file", Visible(f.File))
		if f.Line > 0 {
			add("line", strconv.Itoa(f.Line))
			if f.Column > 0 {
				add("col", strconv.Itoa(f.Column))
			}
		}
	}
	add("title", short(oneLine(f.about()+": "+f.Rule), maxTitle))
	return "::" + string(f.level()) + " " + strings.Join(properties, ",") + "::" + githubData(f.text()) + "\n"
}

// githubData escapes a message as GitHub's own toolkit does.
func githubData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// githubProperty escapes a property: what ends it or the list of them, too.
func githubProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
