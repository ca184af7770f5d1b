package printer_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// hostileReport is a report with more than a comment holds, by names that are markup.
func hostileReport(n int) *drift.Report {
	r := &drift.Report{Verdict: drift.Breaking, Repo: true, Old: drift.Side{Name: "web-1"}, New: drift.Side{Name: "web-2 </details> | @someone"}}
	for i := range n {
		r.Changes = append(r.Changes, drift.Change{Path: fmt.Sprintf("a%d|`x`", i), Kind: drift.Narrowed, Breaking: i%2 == 0, Text: "type was <b>string</b> | integer\n\n# heading @someone \x1b[31m"})
		r.Findings = append(r.Findings, finding.Finding{Rule: "chart-kube-version", Severity: finding.Warning, Message: "see http://example.test & <script>"})
	}
	return r
}

func TestDriftMarkdownFitsAComment(t *testing.T) {
	for _, n := range []int{0, 1, 100, 5_000} {
		var b strings.Builder
		if err := printer.Drift(&b, printer.Markdown, printer.Style{}, hostileReport(n)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if utf8.RuneCountInString(text) > 65_536 {
			t.Errorf("%d changes: %d characters", n, utf8.RuneCountInString(text))
		}
		if cut := n == 5_000; strings.Contains(text, " more: `-o text` shows them.") != cut {
			t.Errorf("%d changes: what is left out is counted, and nothing else", n)
		}
		if strings.Count(text, "<details>") != strings.Count(text, "\n</details>") || strings.Contains(text, "<b>") || strings.Contains(text, "<script>") || strings.Contains(text, "\x1b") {
			t.Errorf("%d changes: markup of others is markup: %.2000s", n, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "| `") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4 {
				t.Errorf("a row has other than three cells: %s", line)
			}
			if strings.HasPrefix(line, "# ") {
				t.Errorf("a text became a heading: %s", line)
			}
		}
	}
}

func TestDriftTextIsPlain(t *testing.T) {
	var b strings.Builder
	if err := printer.Drift(&b, printer.Text, printer.Style{}, hostileReport(3)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("a terminal obeys it: %q", b.String())
	}
}
