package printer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

const rulePages = "https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/"

func TestValidateAsMarkdown(t *testing.T) {
	missing := func(app string) finding.Finding {
		return finding.Finding{Rule: "schema-missing", Severity: finding.Info, App: app, Message: "the chart has no schema", Next: "ask for one"}
	}
	cases := map[string]struct {
		reason   string
		findings []finding.Finding
		want     string
	}{
		"Clean": {reason: "a comment that says that all is well", want: lines("### kubectl apl validate", "", "No findings in 1 app and 1 file.")},
		"All": {
			reason: "errors first, each with its place, rule and next step; the same note of many apps once, folded away",
			findings: []finding.Finding{
				missing("b/b"), missing("a/a"),
				{Rule: "shadowed-managed", Severity: finding.Info, App: "a/a", File: "f", Line: 2, Path: "x", Message: "it is the platform's"},
				{Rule: "orphan-values", Severity: finding.Warning, File: "env/values/x", Message: "nobody reads this"},
				{Rule: "values-schema", Severity: finding.Error, App: "gitea/gitea", File: customFile, Line: 3, Column: 7, Path: "replicas", Message: "no number", Next: "write a number"},
				{Rule: "left-out", Severity: finding.Error, Message: "it is"},
			},
			want: lines(
				"### kubectl apl validate", "",
				"2 errors, 1 warning and 3 notes in 1 app and 1 file.", "",
				"#### Errors", "",
				"- The repo as a whole: it is ([`left-out`]("+rulePages+"left-out.md))",
				"- `gitea/gitea` `"+customFile+":3:7` `replicas`: no number ([`values-schema`]("+rulePages+"values-schema.md))<br>Next: write a number", "",
				"#### Warnings", "",
				"- `env/values/x`: nobody reads this ([`orphan-values`]("+rulePages+"orphan-values.md))", "",
				"<details>", "<summary>Notes: 3</summary>", "",
				"- `a/a`, `b/b`: the chart has no schema ([`schema-missing`]("+rulePages+"schema-missing.md))<br>Next: ask for one",
				"- `a/a` `f:2` `x`: it is the platform's ([`shadowed-managed`]("+rulePages+"shadowed-managed.md))",
				"",
				"</details>",
			),
		},
		"Markup": {
			reason: "what a repo holds is shown, not obeyed",
			findings: []finding.Finding{{
				Rule: "r", Severity: finding.Error, App: "a`b/c", File: "a`` |b", Path: "<b>", Message: "<img src=x> *a* _b_ [x](http://x.y) @me #1 www.x.y $a$ a.b: c & \x1b\nd",
			}},
			want: lines(
				"### kubectl apl validate", "", "1 error in 1 app and 1 file.", "", "#### Errors", "",
				"- ``a`b/c`` ```a`` |b``` `<b>`: &lt;img src=x\\> \\*a\\* \\_b\\_ \\[x\\](http\\://x.y) @\u200bme #\u200b1 www\\.x.y \\$a\\$ a.b: c &amp; \\\\x1b d "+
					"([`r`]("+rulePages+"r.md))",
			),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := validated(t, printer.Markdown, finding.NewReport(checked(1, 1), tc.findings), nil)
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkMarkdown(t, tc.findings, got)
		})
	}
}

// rendered is what GitHub would show of a comment: its links, its HTML, and the texts of its list items.
type rendered struct {
	links, html, items []string
}

func render(t testing.TB, markdown string) (r rendered) {
	t.Helper()
	source := []byte(markdown)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			r.links = append(r.links, string(n.Destination))
		case *ast.AutoLink:
			r.links = append(r.links, "auto "+string(n.URL(source)))
		case *ast.Image:
			r.links = append(r.links, "image "+string(n.Destination))
		case *ast.RawHTML:
			r.html = append(r.html, string(n.Segments.Value(source)))
		case *ast.HTMLBlock:
			r.html = append(r.html, strings.TrimSpace(string(n.Lines().Value(source))))
		case *ast.ListItem:
			r.items = append(r.items, textOf(n, source))
		case *ast.CodeSpan, *ast.Document, *ast.Heading, *ast.List, *ast.Paragraph, *ast.Text, *ast.TextBlock:
		default:
			t.Errorf("a %s is nothing that we write", n.Kind())
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// textOf is the text of a node as it is shown.
func textOf(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			value := t.Segment.Value(source)
			if _, code := n.Parent().(*ast.CodeSpan); !code {
				value = unescape(value)
			}
			b.Write(value)
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func unescape(value []byte) []byte {
	var b []byte
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", value[i+1]) >= 0 {
			i++
		}
		b = append(b, value[i])
	}
	return []byte(strings.NewReplacer("&lt;", "<", "&amp;", "&", "\u200b", "").Replace(string(b)))
}

// checkMarkdown holds a comment to what it tells: no link, no HTML but ours, an item for each finding that is not a note, which says its
// message, unless that is long.
func checkMarkdown(t testing.TB, findings []finding.Finding, markdown string) {
	t.Helper()
	got := render(t, markdown)
	for _, link := range got.links {
		if !strings.HasPrefix(link, rulePages) {
			t.Errorf("there is a link to %q in\n%s", link, markdown)
		}
	}
	for _, html := range got.html {
		if html != "<br>" && html != "</details>" && !strings.HasPrefix(html, "<details>\n<summary>Notes: ") {
			t.Errorf("there is HTML %q in\n%s", html, markdown)
		}
	}
	if strings.Contains(markdown, "… and ") && strings.Contains(markdown, " more: `-o text`") {
		return
	}
	for _, f := range findings {
		want := shownAs(f.Message)
		if len([]rune(want)) < 1000 && !slices.ContainsFunc(got.items, func(item string) bool { return strings.Contains(item, want) }) {
			t.Errorf("no item says %q:\n%q\n%s", want, got.items, markdown)
		}
	}
}

// shownAs is a text as it is to be read: in one line, with what cannot be seen spelled out. Markdown strips spaces at the ends.
func shownAs(message string) string {
	return strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ", "\u200b", "").Replace(finding.Visible(message)))
}

func TestMarkdownHostile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := hostileFindings(3).Draw(rt, "findings")
		checkMarkdown(t, list, validated(t, printer.Markdown, finding.NewReport(finding.Run{}, list), nil))
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// TestMarkdownLimit holds that a comment is never longer than GitHub takes, is whole where it ends, and counts what it leaves out.
func TestMarkdownLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		long := rapid.SampledFrom([]string{"word ", "*_`<&", "日本語", "🙂", "\x00", "e\u0301"})
		var list []finding.Finding
		for i := range rapid.IntRange(0, 400).Draw(rt, "findings") {
			list = append(list, finding.Finding{
				Rule: "r", Severity: rapid.SampledFrom([]finding.Severity{finding.Error, finding.Warning, finding.Info}).Draw(rt, "severity"), File: fmt.Sprintf("f%d", i),
				Message: fmt.Sprintf("%d %s", i, strings.Repeat(long.Draw(rt, "message"), rapid.IntRange(0, 900).Draw(rt, "length"))),
				Path:    strings.Repeat(long.Draw(rt, "path"), rapid.IntRange(0, 200).Draw(rt, "depth")),
			})
		}
		r := finding.NewReport(finding.Run{}, list)
		got := validated(t, printer.Markdown, r, nil)
		if n := len(utf16.Encode([]rune(got))); n > 65536 {
			rt.Fatalf("the comment has %d characters", n)
		}
		checkMarkdown(t, list, got)
		told := len(render(t, got).items)
		_, tail, cut := strings.Cut(got, "\n… and ")
		left := 0
		if cut {
			if _, err := fmt.Sscanf(tail, "%d more: `-o text` shows them.\n", &left); err != nil || strings.Count(tail, "\n") != 1 {
				rt.Fatalf("the comment ends in %q: %v", tail, err)
			}
		}
		if told+left != len(r.Findings) {
			rt.Fatalf("%d are told and %d left out of %d", told, left, len(r.Findings))
		}
		if strings.Count(got, "<details>") != strings.Count(got, "</details>") {
			rt.Fatal("what is opened is not closed")
		}
		if t.Failed() {
			rt.FailNow()
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	f.Add("r", "a/a", customFile, "a.b", "no [number](http://x)", "write one")
	f.Add("`", "@me", "``", "<b>", "</details>\n\n# x", "http://x www.x.y a@b.c")
	f.Fuzz(func(t *testing.T, rule, app, file, path, message, next string) {
		list := []finding.Finding{{Rule: rule, Severity: finding.Error, App: app, File: file, Path: path, Message: message, Next: next}}
		list = append(list, list[0])
		list[1].Severity = finding.Info
		checkMarkdown(t, list, validated(t, printer.Markdown, finding.NewReport(finding.Run{}, list), nil))
	})
}
