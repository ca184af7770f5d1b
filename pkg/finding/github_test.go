package finding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// command is a workflow command as GitHub's runner reads it.
type command struct {
	name, message string
	properties    map[string]string
}

// parseCommand reads a line as GitHub's runner does: two colons, a name, properties after a space, two colons, a message.
func parseCommand(line string) (command, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::")
	if !ok {
		return command{}, false
	}
	head, data, ok := strings.Cut(rest, "::")
	if !ok {
		return command{}, false
	}
	c := command{properties: map[string]string{}, message: strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data)}
	var list string
	c.name, list, _ = strings.Cut(head, " ")
	for property := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(property, "=")
		c.properties[name] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
	}
	return c, true
}

func checkGitHub(t testing.TB, r *finding.Report, text string) {
	t.Helper()
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	last := lines[len(lines)-1]
	if _, ok := parseCommand(last); ok || strings.Contains(last, "##[") {
		t.Errorf("the last line is no command: %q", last)
	}
	left := map[string][]finding.Finding{}
	for _, f := range r.Findings {
		switch f.Severity {
		case finding.Info:
		case finding.Warning:
			left["warning"] = append(left["warning"], f)
		default:
			left["error"] = append(left["error"], f)
		}
	}
	for _, line := range lines[:len(lines)-1] {
		c, ok := parseCommand(line)
		if !ok || len(left[c.name]) == 0 {
			t.Fatalf("there is no finding for %q", line)
		}
		f := left[c.name][0]
		left[c.name] = left[c.name][1:]
		want := map[string]string{"title": c.properties["title"]}
		if f.File != "" {
			want["file"] = finding.Visible(f.File)
			if f.Line > 0 {
				want["line"] = fmt.Sprint(f.Line)
				if f.Column > 0 {
					want["col"] = fmt.Sprint(f.Column)
				}
			}
		}
		if diff := cmp.Diff(want, c.properties); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if title := c.properties["title"]; title == "" || len([]rune(title)) > 255 {
			t.Errorf("the title is %q", title)
		}
		if !strings.Contains(c.message, finding.Visible(f.Message)) {
			t.Errorf("the message is %q, and lacks %q", c.message, f.Message)
		}
	}
}

func TestGitHub(t *testing.T) {
	golden(t, written(t, finding.GitHub, sample()),
		"::error title=the repo%3A left-out::what is not known is an error",
		"::error file="+file+",line=3,col=7,title=gitea/gitea%3A values-schema::replicas[0]: this is a text; the schema wants a number%0ANext: write a number",
		"::error file="+file+",line=4,title=gitea/gitea%3A values-schema::replicas[0]: 50%25 is too much",
		"::warning file=env/values/a b/ü%25/x.yaml,title=env/values/a b/ü%25/x.yaml%3A orphan-values::nobody reads this",
		"3 errors, 1 warning and 1 note in 2 apps and 3 files.",
	)
}

// TestGitHubMany holds that errors are not crowded out, and that what is left out is counted.
func TestGitHubMany(t *testing.T) {
	var list []finding.Finding
	for i := range 12 {
		for _, severity := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
			list = append(list, finding.Finding{Rule: "r", Severity: severity, App: fmt.Sprintf("a/%02d", i), Message: "m"})
		}
	}
	r := finding.NewReport(finding.Run{}, list)
	text := written(t, finding.GitHub, r)
	checkGitHub(t, r, text)
	var got []string
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, " title=")
		got = append(got, strings.TrimSpace(name))
	}
	var want []string
	for _, name := range []string{"::error", "::warning"} {
		for range 10 {
			want = append(want, name)
		}
	}
	want = append(want, "12 errors, 12 warnings and 12 notes in 0 files. GitHub shows 10 errors and 10 warnings of a step; -o text, json or sarif has the other 4.")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
