package printer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// TestDocumentedOutput holds the examples of docs/guide/validate-output.md to what is printed.
func TestDocumentedOutput(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", "validate-output.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := finding.Finding{
		Rule: "values-schema", Severity: finding.Error, App: "gitea/gitea", File: customFile, Line: 3, Column: 1, Path: "replicas",
		Message: "expected integer, but got string", Next: "correct the value, or remove it",
	}
	one := []finding.Finding{found}
	withNotes := one
	for _, app := range []string{"cert-manager/cert-manager", "harbor/harbor", "loki/loki"} {
		withNotes = append(withNotes, finding.Finding{Rule: "schema-missing", Severity: finding.Info, App: app,
			Message: "the chart has no schema, so that nothing checks its values"})
	}
	whole := checked(43, 221)
	cases := map[string]struct {
		format printer.Format
		report *finding.Report
	}{
		"text":     {printer.Text, finding.NewReport(whole, withNotes)},
		"json":     {printer.JSON, finding.NewReport(whole, one)},
		"junit":    {printer.JUnit, finding.NewReport(finding.Run{Checked: []finding.Unit{{App: "gitea/gitea", File: customFile}}}, one)},
		"github":   {printer.GitHub, finding.NewReport(whole, one)},
		"markdown": {printer.Markdown, finding.NewReport(whole, one)},
	}
	for heading, tc := range cases {
		t.Run(heading, func(t *testing.T) {
			_, section, _ := strings.Cut(string(page), "\n## "+heading+"\n")
			_, block, _ := strings.Cut(section, "```")
			_, block, _ = strings.Cut(block, "\n") // the language
			block, _, ok := strings.Cut(block, "\n```\n")
			if !ok {
				t.Fatal("the page has no example")
			}
			if diff := gocmp.Diff(block+"\n", validated(t, tc.format, tc.report, always("replicas: three"))); diff != "" {
				t.Errorf("the page shows what is printed (-page +printed):\n%s", diff)
			}
		})
	}
}
