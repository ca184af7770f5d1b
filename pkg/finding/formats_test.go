package finding_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// file is where most findings of these tests are.
const file = "env/values/gitea/gitea/values.custom.yaml"

// sample returns a report that has one of everything.
func sample() *finding.Report {
	return finding.NewReport(finding.Run{
		Version: "v1.2.3",
		Rules: []finding.Rule{
			{ID: "values-schema", Severity: finding.Error, Summary: "the chart's schema refuses the values"},
			{ID: "schema-missing", Severity: finding.Info, Summary: "the chart has no schema"},
			{ID: "orphan-values", Severity: finding.Warning, Summary: "no Application reads these values"},
		},
		Checked: []finding.Unit{
			{App: "gitea/gitea"}, {App: "gitea/gitea", File: file}, {App: "loki/loki", File: "env/values/loki/loki/values.custom.yaml"}, {File: "env/settings/apps.yaml"},
		},
	}, []finding.Finding{
		{
			Rule: "values-schema", Severity: finding.Error, App: "gitea/gitea", File: file, Line: 3, Column: 7, Path: "replicas[0]",
			Message: "this is a text; the schema wants a number", Next: "write a number",
		},
		{Rule: "values-schema", Severity: finding.Error, App: "gitea/gitea", File: file, Line: 4, Path: "replicas[0]", Message: "50% is too much"},
		{Rule: "orphan-values", Severity: finding.Warning, File: "env/values/a b/ü%/x.yaml", Message: "nobody reads this"},
		{Rule: "schema-missing", Severity: finding.Info, App: "gitea/gitea", Message: "the chart has no schema"},
		{Rule: "left-out", Severity: "fatal", Message: "what is not known is an error"},
	})
}

func written(t testing.TB, write func(io.Writer, *finding.Report) error, r *finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// formats are all machine formats of this package, with what holds for whatever they write.
func formats() map[string]struct {
	write func(io.Writer, *finding.Report) error
	check func(testing.TB, *finding.Report, string)
} {
	return map[string]struct {
		write func(io.Writer, *finding.Report) error
		check func(testing.TB, *finding.Report, string)
	}{
		"SARIF":  {finding.SARIF, checkSARIF},
		"JUnit":  {finding.JUnit, checkJUnit},
		"GitHub": {finding.GitHub, checkGitHub},
	}
}

// hostile draws texts that end something in one of the formats.
func hostile() *rapid.Generator[string] {
	part := rapid.OneOf(rapid.SampledFrom([]string{
		"", "a", " ", "\n", "\r\n", "\t", "\x00", "\x1b[31m", "\u202e", "\u2028", "\ufffe", "\xff", "::", "::error ::", "##[error]", ",", ":", "=", "%", "%0A", "]]>",
		"<!--", "-->", "</failure>", "<b>", "&amp;", "\"", "'", "`", "```", "|", "](", "](http://x)", "{0}", "\\", "@a/b", "#1", "../", "/", "ü", "日本", "👩‍👩‍👧",
	}), rapid.String())
	return rapid.Map(rapid.SliceOfN(part, 0, 4), func(list []string) string { return strings.Join(list, "") })
}

func hostileReport() *rapid.Generator[*finding.Report] {
	text := hostile()
	return rapid.Custom(func(t *rapid.T) *finding.Report {
		var run finding.Run
		run.Version = text.Draw(t, "version")
		run.FailOn = rapid.SampledFrom([]finding.FailOn{"", finding.FailOnError, finding.FailOnWarning, finding.FailOnNever}).Draw(t, "fail on")
		for range rapid.IntRange(0, 2).Draw(t, "units") {
			run.Checked = append(run.Checked, finding.Unit{App: text.Draw(t, "app"), File: text.Draw(t, "file")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "rules") {
			run.Rules = append(run.Rules, finding.Rule{ID: text.Draw(t, "id"), Summary: text.Draw(t, "summary")})
		}
		var list []finding.Finding
		for range rapid.IntRange(0, 4).Draw(t, "findings") {
			list = append(list, finding.Finding{
				Rule: text.Draw(t, "rule"), Severity: rapid.SampledFrom([]finding.Severity{finding.Error, finding.Warning, finding.Info, ""}).Draw(t, "severity"),
				App: text.Draw(t, "app"), File: text.Draw(t, "file"), Line: rapid.IntRange(-1, 3).Draw(t, "line"), Column: rapid.IntRange(-1, 3).Draw(t, "column"),
				Path: text.Draw(t, "path"), Message: text.Draw(t, "message"), Next: text.Draw(t, "next"),
			})
		}
		return finding.NewReport(run, list)
	})
}

// TestHostile holds that no text breaks out of a format, whatever it holds.
func TestHostile(t *testing.T) {
	for name, f := range formats() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				r := hostileReport().Draw(rt, "report")
				f.check(t, r, written(t, f.write, r))
				if t.Failed() {
					rt.FailNow()
				}
			})
		})
	}
}

func fuzz(f *testing.F, format string) {
	f.Add("values-schema", "gitea/gitea", file, 3, 7, "a.b", "no number\x1b]]>::", "write one", "error")
	f.Add("", "", "", 0, 0, "", "", "", "")
	f.Add("r\n", "a::b", "a,b=%0A:\xff", 1, 0, "](x)", "<b>&\x00\r\n", "\u202e", "info")
	formats := formats()
	f.Fuzz(func(t *testing.T, rule, app, file string, line, column int, path, message, next, severity string) {
		a := finding.Finding{Rule: rule, Severity: finding.Severity(severity), App: app, File: file, Line: line, Column: column, Path: path, Message: message, Next: next}
		b := a
		b.App, b.Message, b.Severity = "", next, finding.Warning
		r := finding.NewReport(finding.Run{Version: path, Rules: []finding.Rule{{ID: rule, Summary: message}}, Checked: []finding.Unit{{App: app, File: file}}},
			[]finding.Finding{a, b})
		formats[format].check(t, r, written(t, formats[format].write, r))
	})
}

func FuzzSARIF(f *testing.F)  { fuzz(f, "SARIF") }
func FuzzJUnit(f *testing.F)  { fuzz(f, "JUnit") }
func FuzzGitHub(f *testing.F) { fuzz(f, "GitHub") }

// broken is a writer that fails.
type broken struct{}

var errBroken = errors.New("the pipe is broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	for name, f := range formats() {
		if err := f.write(broken{}, sample()); !errors.Is(err, errBroken) {
			t.Errorf("%s: a report that could not be written is an error, got %v", name, err)
		}
	}
}

func TestEmpty(t *testing.T) {
	for name, f := range formats() {
		r := finding.NewReport(finding.Run{}, nil)
		text := written(t, f.write, r)
		f.check(t, r, text)
		if strings.Contains(text, "null") {
			t.Errorf("%s: a report without findings has lists all the same:\n%s", name, text)
		}
	}
}

func TestVisible(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"Plain":   {"what can be seen stays, with tabs and line feeds", "a\tb\nü 日本 🙂", "a\tb\nü 日本 🙂"},
		"Control": {"a terminal obeys these, and XML cannot hold them", "\x1b[2J\x00\r\u009b", `\x1b[2J\x00\r\u009b`},
		"Bidi":    {"text that turns direction reads as something else than it is", "a\u202eb\u2066", `a\u202eb\u2066`},
		"Lines":   {"other line breaks than a line feed would begin a line for some readers", "a\u2028b\u0085", `a\u2028b\u0085`},
		"NoUTF8":  {"what is no text is shown as that", "a\xff", "a\ufffd"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, finding.Visible(tc.in)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	cases := map[string]finding.Finding{
		"":        {Line: 3, Column: 7},
		"f":       {File: "f", Column: 7},
		"f:3":     {File: "f", Line: 3},
		"f:3:7":   {File: "f", Line: 3, Column: 7},
		"f:3:1":   {File: "f", Line: 3, Column: 1},
		"a:b:3:1": {File: "a:b", Line: 3, Column: 1},
	}
	for want, f := range cases {
		if got := f.Place(); got != want {
			t.Errorf("%+v: got %q, want %q", f, got, want)
		}
	}
}

// golden compares with what a format is to write, a line of text for each line of the document.
func golden(t *testing.T, got string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// decode reads back one JSON document, with nothing after it and no field that is not known.
func decode(t testing.TB, text string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(into); err != nil {
		t.Fatalf("what was written is no JSON: %v\n%s", err, text)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("something follows the document: %v\n%s", err, text)
	}
}

// element is any XML element, with the names and texts in it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
