package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestRulesAreDocumented holds docs/guide/rules.md to the code: it names every rule that a finding can have, and no other.
func TestRulesAreDocumented(t *testing.T) {
	made, problems, err := rulesOfCode(os.DirFS("../../pkg"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/guide/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range append(problems, pageProblems(made, string(page))...) {
		t.Error(problem)
	}
}

// ruleRow is a row of the page's tables: the rule, then its severities.
var ruleRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ((?:error|warning|info)(?:, (?:error|warning|info))*) \\|")

// pageProblems compares the rules that the code makes with those that a page has rows of.
func pageProblems(made []string, page string) []string {
	var problems []string
	rows := map[string]int{}
	for _, row := range ruleRow.FindAllStringSubmatch(page, -1) {
		rows[row[1]]++
	}
	for _, id := range made {
		if rows[id] == 0 {
			problems = append(problems, fmt.Sprintf("docs/guide/rules.md has no row with rule %q and its severity", id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if !slices.Contains(made, id) {
			problems = append(problems, fmt.Sprintf("docs/guide/rules.md names rule %q, which no code makes", id))
		}
		if rows[id] > 1 {
			problems = append(problems, fmt.Sprintf("docs/guide/rules.md has %d rows of rule %q", rows[id], id))
		}
	}
	return problems
}

// rulesOfCode returns, sorted, the ids of the rules that Go files other than tests make findings of. An id is a string
// literal that something called rule is given: a constant or variable (ruleX, RuleX), a field (Rule) or a parameter
// (rule). Where a finding or such a parameter is given what cannot be followed like that, it is a problem: the id would be
// missed without a word.
func rulesOfCode(files fs.FS) (ids, problems []string, err error) {
	r := &ruleReader{fset: token.NewFileSet(), takers: map[string]taker{}, ids: map[string]bool{}}
	parsed := map[string]*ast.File{}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		parsed[name], err = parser.ParseFile(r.fset, name, text, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read Go files: %w", err)
	}
	names := slices.Sorted(maps.Keys(parsed))
	for _, visit := range []func(ast.Node) bool{r.findTaker, r.findID} {
		for _, name := range names {
			r.dir = path.Dir(name)
			ast.Inspect(parsed[name], visit)
		}
	}
	return slices.Sorted(maps.Keys(r.ids)), r.problems, nil
}

type ruleReader struct {
	fset     *token.FileSet
	dir      string
	takers   map[string]taker
	ids      map[string]bool
	problems []string
}

// taker is a function that takes a rule: as which argument, and of how many.
type taker struct{ at, of int }

// key names a function. Methods and functions of one name, as d.warn and warn are, stay apart.
func (r *ruleReader) key(name string, method bool) string {
	return fmt.Sprintf("%s %s %t", r.dir, name, method)
}

// findTaker collects functions, methods and closures with a parameter called rule.
func (r *ruleReader) findTaker(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		r.addTaker(n.Name.Name, n.Recv != nil, n.Type)
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			name, named := to.(*ast.Ident)
			if i >= len(n.Rhs) || !named {
				continue
			}
			if closure, ok := n.Rhs[i].(*ast.FuncLit); ok {
				r.addTaker(name.Name, false, closure.Type)
			}
		}
	}
	return true
}

func (r *ruleReader) addTaker(name string, method bool, f *ast.FuncType) {
	at, of := -1, 0
	for _, field := range f.Params.List {
		for _, parameter := range field.Names {
			if kind, ok := field.Type.(*ast.Ident); ok && kind.Name == "string" && parameter.Name == "rule" {
				at = of
			}
			of++
		}
	}
	if at >= 0 {
		r.takers[r.key(name, method)] = taker{at, of}
	}
}

func (r *ruleReader) findID(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) && saysRule(name) {
				r.take(n.Values[i], false)
			}
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && saysRule(to) {
				r.take(n.Rhs[i], false)
			}
		}
	case *ast.CompositeLit:
		for _, element := range n.Elts {
			if field, ok := element.(*ast.KeyValueExpr); ok && saysRule(field.Key) {
				r.take(field.Value, lastName(n.Type) == "Finding")
			}
		}
	case *ast.CallExpr:
		_, method := n.Fun.(*ast.SelectorExpr)
		if f, ok := r.takers[r.key(lastName(n.Fun), method)]; ok && f.of == len(n.Args) {
			r.take(n.Args[f.at], true)
		}
	}
	return true
}

// take reads the id that something called rule is given.
func (r *ruleReader) take(given ast.Expr, mustRead bool) {
	if literal, ok := given.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		if id, err := strconv.Unquote(literal.Value); err == nil && id != "" {
			r.ids[id] = true
		}
		return
	}
	if mustRead && !saysRule(given) {
		r.problems = append(r.problems, fmt.Sprintf("%s: the rule is neither a string literal nor a name like ruleX", r.fset.Position(given.Pos())))
	}
}

// saysRule reports whether the name at the end of an expression is rule or Rule, or goes on with a capital letter.
func saysRule(e ast.Expr) bool {
	name := lastName(e)
	rest, ok := strings.CutPrefix(name, "rule")
	if !ok {
		rest, ok = strings.CutPrefix(name, "Rule")
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || unicode.IsUpper(first))
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func TestRulesOfCode(t *testing.T) {
	cases := map[string]struct {
		reason   string
		body     string
		want     []string
		problems []string
	}{
		"Constants": {
			reason: "constants called Rule or rule are ids, as an exported one is made a finding of anywhere",
			body:   "const (\n\tRuleA = \"a-a\"\n\truleB = `b-b`\n\tother = \"c\"\n\tRuler = \"d\"\n)",
			want:   []string{"a-a", "b-b"},
		},
		"Fields": {
			reason: "a finding can be written whole, or its rule be set later",
			body: `func f() finding.Finding {
				g := Finding{Message: "no", Rule: "a"}
				g.Rule, g.Severity = "b", "error"
				rule := "c"
				return finding.Finding{Rule: rule}
			}`,
			want: []string{"a", "b", "c"},
		},
		"Parameters": {
			reason: "block, warn and their like take the rule, wherever it stands among the arguments",
			body: `func (d *d) block(rule, message string) {}
			func (d *d) warn(message string) { d.warn("no") }
			func finding(at int, rule string) {}
			func f(d *d) {
				warn := func(rule string, n int) { finding(1, rule) }
				d.block("a", "no")
				finding(1, "b")
				warn("c", 1)
				d.block(secret.RuleX, "no")
				d.block(h.Rule, "no")
			}`,
			want: []string{"a", "b", "c"},
		},
		"Hidden": {
			reason: "an id that is computed, or comes under another name, would be missed without a word",
			body: "func (d *d) block(rule, message string) {}\nfunc f(d *d, id string) {\n\td.block(id, \"no\")\n" +
				"\t_ = finding.Finding{Rule: \"a-\" + id}\n}",
			problems: []string{
				"a/a.go:4:10: the rule is neither a string literal nor a name like ruleX",
				"a/a.go:5:28: the rule is neither a string literal nor a name like ruleX",
			},
		},
		"Comments": {
			reason: "what is only spoken of is no rule, nor is a pattern of another kind that is called rule",
			body:   "// Rule: \"a\"\nfunc f(rule pattern) { f(pattern{}) }",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			ids, problems, err := rulesOfCode(fstest.MapFS{
				"a/a.go":          {Data: []byte("package a\n" + tc.body)},
				"a/a_test.go":     {Data: []byte("package a\nconst RuleOfTest = \"no\"")},
				"a/testdata/x.go": {Data: []byte("no Go")},
				"b/b.go":          {Data: []byte("package b\nfunc (r r) block(value string) { r.block(value + \"no\") }")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]string{tc.want, tc.problems}, [][]string{ids, problems}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRulesOfBrokenCode(t *testing.T) {
	if _, _, err := rulesOfCode(fstest.MapFS{"a.go": {Data: []byte("package")}}); err == nil {
		t.Error("code that does not parse is an error, not code without rules")
	}
}

func TestPageProblems(t *testing.T) {
	const row = "| `a-b` | error, warning | meaning | step |\n"
	cases := map[string]struct {
		reason string
		page   string
		want   []string
	}{
		"Same":    {reason: "a page with a row for each rule is fine, whatever else it says", page: "# `c`\n\n| `d` | no severity |\n" + row},
		"Missing": {reason: "a rule that is only spoken of is not documented", page: "Rule `a-b`.", want: []string{"docs/guide/rules.md has no row with rule \"a-b\" and its severity"}},
		"Stale":   {reason: "a rule that is gone misleads", page: row + "| `a-c` | info | | |", want: []string{"docs/guide/rules.md names rule \"a-c\", which no code makes"}},
		"Twice":   {reason: "of two rows one gets old", page: row + row, want: []string{"docs/guide/rules.md has 2 rows of rule \"a-b\""}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, pageProblems([]string{"a-b"}, tc.page)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
