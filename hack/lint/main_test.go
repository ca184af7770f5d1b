package main

import (
	"io"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestConfigProblems(t *testing.T) {
	table := []rule{{name: "helm"}}
	cases := map[string]struct {
		reason string
		config string
		want   []string
	}{
		"same": {
			reason: "a config with the table's rules is fine",
			config: "linters: {enable: [depguard], settings: {depguard: {rules: {helm: {list-mode: lax}}}}}",
		},
		"rule without a row": {
			reason: "a rule that no probe tries may well do nothing",
			config: "linters: {enable: [depguard], settings: {depguard: {rules: {helm: {}, other: {}}}}}",
			want:   []string{`rule "other" of .golangci.yml is not in hack/lint/table.go: nothing shows that it bites`},
		},
		"switched off": {
			reason: "the probes run depguard by name, so they would not notice that the project no longer does",
			config: "linters: {enable: [errcheck], settings: {depguard: {rules: {helm: {}}}}}",
			want:   []string{"depguard is not enabled in .golangci.yml: no rule of it runs"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := configProblems([]byte(tc.config), table)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnguardedPackages(t *testing.T) {
	project := fstest.MapFS{
		"pkg/app/app.go":             {},
		"pkg/values/internal/x/x.go": {},
		"plugin/printer/text.go":     {},
		"hack/lint/main.go":          {},
		"pkg/app/testdata/bad.go":    {},
		".cache/mod/x.go":            {},
		"pkg/later/later_test.go":    {},
		"pkg/later/later.go":         {},
		"pkg/later/more.go":          {},
		"pkg/apps/apps.go":           {},
	}
	want := []string{
		"package pkg/apps has no row in hack/lint/table.go and no rule in .golangci.yml",
		"package pkg/later has no row in hack/lint/table.go and no rule in .golangci.yml",
	}
	got, err := unguardedPackages(project)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("packages of the product need a row; hack, testdata, hidden folders and tests need none (-want +got):\n%s", diff)
	}
}

func TestCompare(t *testing.T) {
	table := []rule{{name: "go-git"}, {name: "helm"}}
	list := []probe{
		{file: "pkg/a/bite0.go", imports: "helm.sh/helm", refused: []string{"helm"}},
		{file: "pkg/a/bite1.go", imports: "go-git", refused: []string{"go-git"}},
		{file: "pkg/a/bite2.go", imports: "io"},
	}
	cases := map[string]struct {
		reason  string
		refused map[string][]string
		want    []string
	}{
		"all bite": {
			reason:  "each probe is refused by its rule, and by no other",
			refused: map[string][]string{"pkg/a/bite0.go": {"helm"}, "pkg/a/bite1.go": {"go-git"}},
		},
		"one is silent": {
			reason:  "a rule that lets its import pass is named, and so is the import",
			refused: map[string][]string{"pkg/a/bite0.go": {"helm"}},
			want:    []string{`rule "go-git" does not refuse go-git in pkg/a/bite1.go`, `rule "go-git" never bites`},
		},
		"the wrong one bites": {
			reason:  "being refused by another rule does not count",
			refused: map[string][]string{"pkg/a/bite0.go": {"helm"}, "pkg/a/bite1.go": {"go-git", "helm"}},
			want:    []string{`rule "helm" refuses go-git in pkg/a/bite1.go, which is allowed`},
		},
		"too broad": {
			reason:  "an import that is allowed must pass",
			refused: map[string][]string{"pkg/a/bite0.go": {"helm"}, "pkg/a/bite1.go": {"go-git"}, "pkg/a/bite2.go": {"helm"}},
			want:    []string{`rule "helm" refuses io in pkg/a/bite2.go, which is allowed`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := compare(io.Discard, table, list, tc.refused)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	list := []probe{{file: "pkg/a/bite0.go", imports: "os"}}
	cases := map[string]struct {
		reason string
		issue  [3]string // linter, text, file
		want   map[string][]string
		fails  bool
	}{
		"refused": {
			reason: "the rule's name is read from depguard's text",
			issue:  [3]string{"depguard", "import 'os' is not allowed from list 'pure': a reason", "pkg/a/bite0.go"},
			want:   map[string][]string{"pkg/a/bite0.go": {"pure"}},
		},
		"does not load": {
			reason: "a tree that does not load makes every rule silent, which must not pass for a rule that is too weak",
			issue:  [3]string{"typecheck", "could not import os", "pkg/a/bite0.go"},
			fails:  true,
		},
		"another file": {
			reason: "a refusal counts for exactly the file of the probe",
			issue:  [3]string{"depguard", "import 'os' is not allowed from list 'pure'", "pkg/a/doc.go"},
			fails:  true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var r report
			r.Issues = append(r.Issues, issue{FromLinter: tc.issue[0], Text: tc.issue[1]})
			r.Issues[0].Pos.Filename = tc.issue[2]
			got, err := refusals(r, list)
			if (err != nil) != tc.fails {
				t.Fatalf("%s: got error %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRulesCoverTheTable keeps the two halves of table.go together: a row without an arrow would guard nothing.
func TestRulesCoverTheTable(t *testing.T) {
	list := rules()
	for _, r := range list {
		if len(r.folders) == 0 || len(r.imports) == 0 {
			t.Errorf("rule %q tries nothing", r.name)
		}
	}
	for folder := range arrows() {
		bound := func(r rule) bool { return r.tests && r.folders[0] == folder }
		if !slices.ContainsFunc(list, bound) {
			t.Errorf("folder %s has no arrow rule", folder)
		}
	}
}
