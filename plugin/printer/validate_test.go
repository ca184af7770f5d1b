package printer_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

const customFile = "env/values/gitea/gitea/values.custom.yaml"

// validated prints a report without colours.
func validated(t testing.TB, format printer.Format, r *finding.Report, excerpt printer.Excerpt) string {
	t.Helper()
	var b bytes.Buffer
	if err := printer.Validate(&b, format, printer.Style{}, r, excerpt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// always shows the same line for each finding.
func always(line string) printer.Excerpt {
	return func(finding.Finding) (string, bool) { return line, true }
}

func checked(apps, files int) finding.Run {
	var run finding.Run
	for i := range max(apps, files) {
		var u finding.Unit
		if i < apps {
			u.App = fmt.Sprintf("app/%d", i)
		}
		if i < files {
			u.File = fmt.Sprintf("file%d", i)
		}
		run.Checked = append(run.Checked, u)
	}
	return run
}

func TestParseValidateFormat(t *testing.T) {
	for _, text := range printer.ValidateFormats() {
		if got, err := printer.ParseValidateFormat(text); err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "table", "yaml", "TEXT"} {
		if got, err := printer.ParseValidateFormat(text); err == nil {
			t.Errorf("%q is no format of validate: got %q", text, got)
		}
	}
}

func TestValidateAsText(t *testing.T) {
	missing := func(app string) finding.Finding {
		return finding.Finding{Rule: "schema-missing", Severity: finding.Info, App: app, File: app + ".yaml", Message: "the chart has no schema"}
	}
	cases := map[string]struct {
		reason   string
		run      finding.Run
		excerpt  printer.Excerpt
		findings []finding.Finding
		want     string
	}{
		"Clean": {reason: "a repo that is as it should be is one line", run: checked(43, 221), want: lines("No findings in 43 apps and 221 files.")},
		"Empty": {reason: "nothing changed that validate looks at", want: lines("There was nothing to check.")},
		"One":   {reason: "one of something is called so", run: checked(1, 1), want: lines("No findings in 1 app and 1 file.")},
		"Problems": {
			reason:  "apps one after the other, the place first, the line with a caret, what to do; notes apart",
			run:     checked(2, 3),
			excerpt: always("replicas: three"),
			findings: []finding.Finding{
				missing("loki/loki"),
				{Rule: "orphan-values", Severity: finding.Warning, File: "env/values/x/x/values.custom.yaml", Message: "nobody reads this", Next: "remove it"},
				{Rule: "values-schema", Severity: finding.Error, App: "gitea/gitea", File: customFile, Line: 12, Column: 11, Path: "replicas", Message: "no number", Next: "write a number"},
				{Rule: "application-shape", Severity: finding.Error, App: "gitea/gitea", Message: "there is no Application"},
			},
			want: lines(
				"The repo as a whole",
				"env/values/x/x/values.custom.yaml: warning: nobody reads this [orphan-values]",
				"    next: remove it",
				"",
				"gitea/gitea",
				"error: there is no Application [application-shape]",
				customFile+":12:11: error: replicas: no number [values-schema]",
				"    12 | replicas: three",
				"       |           ^",
				"    next: write a number",
				"",
				"Notes",
				"  [schema-missing]",
				"    loki/loki: loki/loki.yaml: the chart has no schema",
				"",
				"2 errors, 1 warning and 1 note in 2 apps and 3 files.",
			),
		},
		"NextOnce": {
			reason: "a step that findings in a row ask for is said once, below the last of them",
			findings: []finding.Finding{
				{Rule: "r", Severity: finding.Error, App: "a/a", File: "f", Line: 1, Message: "one", Next: "look"},
				{Rule: "r", Severity: finding.Error, App: "a/a", File: "f", Line: 2, Message: "two", Next: "look"},
				{Rule: "r", Severity: finding.Error, App: "b/b", File: "f", Line: 2, Message: "three", Next: "look"},
			},
			want: lines("a/a", "f:1: error: one [r]", "f:2: error: two [r]", "    next: look", "", "b/b", "f:2: error: three [r]", "    next: look", "",
				"3 errors in 0 files."),
		},
		"Entry": {
			reason:   "an entry for .apl.yaml has a line of its own",
			findings: []finding.Finding{{Rule: "r", Severity: finding.Error, App: "a/a", File: "f", Message: "m", Next: "accept it in .apl.yaml: - {app: a/a, reason: \"...\"}"}},
			want:     lines("a/a", "f: error: m [r]", "    next: accept it in .apl.yaml:", "      - {app: a/a, reason: \"...\"}", "", "1 error in 0 files."),
		},
		"ValueFile": {
			reason: "the path of a value file names its app already",
			findings: []finding.Finding{
				{Rule: "r", Severity: finding.Info, App: "a/b", File: "env/values/a/b/values.custom.yaml", Line: 2, Path: "k", Message: "m"},
				{Rule: "r", Severity: finding.Info, App: "a/b", File: "env/manifests/namespaces/argocd/applications/a-b.yaml", Path: "s", Message: "m"},
			},
			want: lines("Notes", "  [r]", "    a/b: env/manifests/namespaces/argocd/applications/a-b.yaml: s: m", "    env/values/a/b/values.custom.yaml:2: k: m", "", "2 notes in 0 files."),
		},
		"SameNotes": {
			reason:   "what is said of many apps is one line",
			findings: []finding.Finding{missing("c/c"), missing("a/a"), missing("b/b")},
			want:     lines("Notes", "  [schema-missing]", "    the chart has no schema: a/a, b/b, c/c", "", "3 notes in 0 files."),
		},
		"ManyNotes": {
			reason: "notes do not fill the screen; of each rule some are told",
			findings: func() (list []finding.Finding) {
				for i := range 8 {
					list = append(list, finding.Finding{Rule: "shadowed-managed", Severity: finding.Info, App: "a/a", File: "f", Line: i + 1, Path: fmt.Sprintf("k%d", i), Message: "it is the platform's"})
				}
				for i := range 25 {
					list = append(list, missing(fmt.Sprintf("a/%02d", i)))
				}
				return list
			}(),
			want: lines("Notes",
				"  [schema-missing]",
				"    the chart has no schema: a/00, a/01, a/02, a/03, a/04 and 20 more",
				"  [shadowed-managed]",
				"    a/a: f:1: k0: it is the platform's",
				"    a/a: f:2: k1: it is the platform's",
				"    a/a: f:3: k2: it is the platform's",
				"    a/a: f:4: k3: it is the platform's",
				"    a/a: f:5: k4: it is the platform's",
				"    and 3 more (-o json lists them)",
				"",
				"33 notes in 0 files."),
		},
		"Hostile": {
			reason: "no text brings a line or a colour of its own, nor begins a line as a command of GitHub's",
			findings: []finding.Finding{{
				Rule: "r\n", Severity: finding.Error, App: "a\x1b[31m/a", File: "::error ::\nx", Line: 1, Column: 1, Path: "\x00", Message: "m\r\nn", Next: "do\u202e it",
			}},
			excerpt: always("\x1b[2Jx\ny"),
			want: lines(`a\x1b[31m/a`, `./::error :: x:1:1: error: \x00: m  n [r]`, `    1 | \x1b[2Jx y`, "      | ^", `    next: do\u202e it`, "",
				"1 error in 0 files."),
		},
		"Blank": {
			reason: "a line without text shows nothing", excerpt: always("  \t"),
			findings: []finding.Finding{{Rule: "r", Severity: finding.Error, File: "f", Line: 1, Column: 1, Message: "m"}},
			want:     lines("The repo as a whole", "f:1:1: error: m [r]", "", "1 error in 0 files."),
		},
		"NoLine": {
			reason: "without a line there is nothing to show", excerpt: always("text"),
			findings: []finding.Finding{{Rule: "r", Severity: finding.Error, File: "f", Message: "m"}},
			want:     lines("The repo as a whole", "f: error: m [r]", "", "1 error in 0 files."),
		},
		"NoColumn": {
			reason: "without a column there is no caret", excerpt: always("text"),
			findings: []finding.Finding{{Rule: "r", Severity: finding.Error, File: "f", Line: 1, Message: "m"}},
			want:     lines("The repo as a whole", "f:1: error: m [r]", "    1 | text", "", "1 error in 0 files."),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := validated(t, printer.Text, finding.NewReport(tc.run, tc.findings), tc.excerpt)
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 80) + strings.Repeat("b", 80) + strings.Repeat("c", 80)
	cases := map[string]struct {
		reason    string
		line      string
		column    int
		want, pad string
	}{
		"Plain":     {"the caret stands below the column", "a: b", 4, "a: b", "   "},
		"Tabs":      {"tabs stay in both lines, as nobody knows how wide they are", "\ta:\tb", 5, "\ta:\tb", "\t  \t"},
		"Wide":      {"East Asian characters and emojis take two columns", "日本🙂: x", 6, "日本🙂: x", "        "},
		"Combining": {"what combines takes none", "e\u0301e\u0301: x", 7, "e\u0301e\u0301: x", "    "},
		"Hidden":    {"what is spelled out takes as many as it shows", "\x1b\u200bx", 3, `\x1b\u200bx`, "          "},
		"NoUTF8":    {"bytes that are no text count one each", "\xff\xfex", 3, "\ufffd\ufffdx", "  "},
		"End":       {"a column behind the line is its end", "ab", 99, "ab", "  "},
		"Return":    {"a line's ending is no part of it", "ab\r\n", 3, "ab", "  "},
		"LongBegin": {"a long line is cut behind", long, 1, long[:100] + "…", ""},
		"LongInner": {"it is cut around the column", long, 121, "…" + long[86:186] + "…", strings.Repeat(" ", 35)},
		"LongEnd":   {"at its end more of what stands before is shown", long, 241, "…" + long[140:], strings.Repeat(" ", 101)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f := finding.Finding{Rule: "r", Severity: finding.Error, File: "f", Line: 1, Column: tc.column, Message: "m"}
			got := validated(t, printer.Text, finding.NewReport(finding.Run{}, []finding.Finding{f}), always(tc.line))
			list := strings.Split(got, "\n")
			if diff := gocmp.Diff([]string{"    1 | " + tc.want, "      | " + tc.pad + "^"}, list[2:4]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestValidateColor(t *testing.T) {
	var b bytes.Buffer
	r := finding.NewReport(finding.Run{}, []finding.Finding{{Rule: "r", Severity: finding.Warning, App: "a/a", File: "f", Line: 1, Column: 1, Message: "m"}})
	if err := printer.Validate(&b, printer.Text, printer.Style{Color: true}, r, always("x")); err != nil {
		t.Fatal(err)
	}
	want := lines("\x1b[1ma/a\x1b[0m", "f:1:1: \x1b[33mwarning\x1b[0m: m \x1b[2m[r]\x1b[0m", "\x1b[2m    1 | \x1b[0mx", "\x1b[2m      | \x1b[0m\x1b[33m^\x1b[0m", "",
		"\x1b[33m1 warning in 0 files.\x1b[0m")
	if diff := gocmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidateAsJSON(t *testing.T) {
	r := finding.NewReport(finding.Run{Version: "v1"}, []finding.Finding{{Rule: "r", Severity: finding.Error, Message: "<m>"}})
	want := lines(
		`{`,
		`  "apiVersion": "kubectl-apl/v1",`,
		`  "kind": "ValidationReport",`,
		`  "findings": [`,
		`    {`,
		`      "rule": "r",`,
		`      "severity": "error",`,
		`      "message": "<m>"`,
		`    }`,
		`  ],`,
		`  "summary": {`,
		`    "errors": 1,`,
		`    "warnings": 0,`,
		`    "infos": 0,`,
		`    "apps": 0,`,
		`    "files": 0`,
		`  }`,
		`}`,
	)
	if diff := gocmp.Diff(want, validated(t, printer.JSON, r, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidateWriteErrors(t *testing.T) {
	want := errors.New("closed")
	for _, text := range printer.ValidateFormats() {
		if err := printer.Validate(failing{want}, printer.Format(text), printer.Style{}, finding.NewReport(finding.Run{}, nil), nil); !errors.Is(err, want) {
			t.Errorf("%s: a report that could not be written is an error, got %v", text, err)
		}
	}
}

// TestValidateAsJSONIsOfItsSchema holds what is printed to what docs/schema says of it.
func TestValidateAsJSONIsOfItsSchema(t *testing.T) {
	text, err := finding.ReportSchema()
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile("validation-report.schema.json", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := violations(t, compiled, `{"apiVersion": "v1", "findings": [{"line": 0}]}`); len(got) < 3 {
		t.Errorf("the schema lets pass what is wrong, but for %q", got)
	}
	full := finding.Finding{Rule: "r", Severity: finding.Error, App: "a/a", File: "f", Line: 1, Column: 1, Path: "p", Message: "m", Next: "n"}
	for _, list := range [][]finding.Finding{nil, {full, {Rule: "r", Severity: finding.Info, Message: "m"}, {Rule: "r", Severity: finding.Warning, Message: "m"}}} {
		for _, violation := range violations(t, compiled, validated(t, printer.JSON, finding.NewReport(checked(1, 1), list), nil)) {
			t.Error(violation)
		}
	}
}

// hostileText draws texts that mean something to a terminal, to Markdown or to HTML.
func hostileText() *rapid.Generator[string] {
	part := rapid.OneOf(rapid.SampledFrom([]string{
		"", "a", " ", "\n", "\r\n", "\n\n", "\t", "\x00", "\x1b[31m", "\u202e", "\u2028", "\xff", "::error ::", "`", "``", "```\n", "*", "**", "_", "~~", "|", "[", "](", "](http://x)",
		"![", "##[error]", "<b>", "</details>", "<!--", "&amp;", "&#60;", "http://x.y", "www.x.y", "a@b.c", "@a", "#1", "$x$", "\\", "- ", "# ", "> ", "1. ", "    ", "…", "日本", "e\u0301",
	}), rapid.String())
	return rapid.Map(rapid.SliceOfN(part, 0, 4), func(list []string) string { return strings.Join(list, "") })
}

func hostileFindings(most int) *rapid.Generator[[]finding.Finding] {
	text := hostileText()
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) finding.Finding {
		return finding.Finding{
			Rule: text.Draw(t, "rule"), Severity: rapid.SampledFrom([]finding.Severity{finding.Error, finding.Warning, finding.Info}).Draw(t, "severity"),
			App: text.Draw(t, "app"), File: text.Draw(t, "file"), Line: rapid.IntRange(0, 3).Draw(t, "line"), Column: rapid.IntRange(0, 9).Draw(t, "column"),
			Path: text.Draw(t, "path"), Message: text.Draw(t, "message"), Next: text.Draw(t, "next"),
		}
	}), 0, most)
}

// TestValidateTextIsPrintable holds that a terminal shows what is written, and obeys nothing in it, nor does GitHub's runner.
func TestValidateTextIsPrintable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		got := validated(t, printer.Text, finding.NewReport(finding.Run{}, hostileFindings(4).Draw(rt, "findings")), always(hostileText().Draw(rt, "line")))
		for line := range strings.Lines(got) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }) || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				rt.Fatalf("%q", line)
			}
		}
	})
}
