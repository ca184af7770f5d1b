package printer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // it brings the schema of SARIF, and nothing else is used of it
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// sarifSchema returns the schema of SARIF 2.1.0, as the standard publishes it: a constant of a module that go.mod pins.
func sarifSchema(t *testing.T) *schema.Schema {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatalf("find the module: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, `"title": "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"`) {
		t.Fatalf("the module holds no schema of SARIF 2.1.0: %v", err)
	}
	compiled, err := schema.Compile("sarif-schema-2.1.0.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// violations returns what a schema says of a JSON document.
func violations(t *testing.T, s *schema.Schema, text string) (list []string) {
	t.Helper()
	tree, err := values.DecodeObject("document", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Validate(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Violations {
		list = append(list, v.Path.String()+": "+v.Message)
	}
	return list
}

func TestSARIFIsValid(t *testing.T) {
	compiled := sarifSchema(t)
	if got := violations(t, compiled, `{"version": "2.1.0", "runs": [{"results": [{"ruleId": 1}]}]}`); len(got) == 0 {
		t.Fatal("the schema lets everything pass")
	}
	for name, list := range map[string][]finding.Finding{
		"Clean": nil,
		"All": {
			{Rule: "values-schema", Severity: finding.Error, App: "a/a", File: customFile, Line: 3, Column: 7, Path: "a[0].b", Message: "m", Next: "n"},
			{Rule: "orphan-values", Severity: finding.Warning, File: "a b/ü.yaml", Line: 3, Message: "m"},
			{Rule: "schema-missing", Severity: finding.Info, App: "a/a", Message: "m"},
		},
	} {
		run := finding.Run{Version: "v1", Rules: []finding.Rule{{ID: "values-schema", Severity: finding.Error, Summary: "s"}}}
		for _, text := range violations(t, compiled, validated(t, printer.SARIF, finding.NewReport(run, list), nil)) {
			t.Errorf("%s: %s", name, text)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := validated(t, printer.SARIF, finding.NewReport(finding.Run{}, hostileFindings(3).Draw(rt, "findings")), nil)
		for _, violation := range violations(t, compiled, text) {
			rt.Error(violation)
		}
	})
}
