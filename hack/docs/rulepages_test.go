package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// TestRulePages holds docs/rules to the rules of validate: each has a page, which says how bad it is, and the index lists all of them.
func TestRulePages(t *testing.T) {
	files, err := filepath.Glob("../../docs/rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, file := range append(files, "../../docs/guide/rules.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(filepath.ToSlash(file), "../../docs/")] = string(text)
	}
	for _, problem := range rulePageProblems(check.Rules(), pages) {
		t.Error(problem)
	}
}

var (
	// severityLine is what a page of a rule says of its severity, to the end of the paragraph.
	severityLine = regexp.MustCompile(`(?s)\nSeverity: (.*?)\[All rules\]\(README\.md\)\n\n`)
	severityWord = regexp.MustCompile(`\b(error|warning|info)s?\b`)
	indexTable   = regexp.MustCompile(`(?m)(?:^\|.*\n)+`)
)

const (
	rulesIndex = "rules/README.md"
	rulesGuide = "guide/rules.md"
)

// rulePageProblems compares rules with the pages about them, by their path in docs: a page for each, whose heading names it and which
// says of no severity that the guide does not have; and an index with a row for each, in their order.
func rulePageProblems(rules []finding.Rule, pages map[string]string) (problems []string) {
	guide := map[string][]string{}
	for _, row := range ruleRow.FindAllStringSubmatch(pages[rulesGuide], -1) {
		guide[row[1]] = strings.Split(row[2], ", ")
	}
	index := "| rule | severity | what is wrong |\n|---|---|---|\n"
	known := []string{rulesIndex, rulesGuide}
	for _, r := range rules {
		name := "rules/" + r.ID + ".md"
		known = append(known, name)
		index += fmt.Sprintf("| [`%[1]s`](%[1]s.md) | %s | %s |\n", r.ID, r.Severity, r.Summary)
		said := severityLine.FindStringSubmatch(pages[name])
		if !strings.HasPrefix(pages[name], "# `"+r.ID+"`\n") || said == nil {
			problems = append(problems, fmt.Sprintf("docs/%s has no heading `%s`, or no line \"Severity: ... [All rules](README.md)\"", name, r.ID))
			continue
		}
		var severities []string
		for _, word := range severityWord.FindAllStringSubmatch(said[1], -1) {
			severities = append(severities, word[1])
		}
		if len(severities) == 0 || severities[0] != string(r.Severity) {
			problems = append(problems, fmt.Sprintf("docs/%s does not begin with the severity %s, as the code has it: %q", name, r.Severity, said[1]))
		}
		for _, s := range severities {
			if !slices.Contains(guide[r.ID], s) {
				problems = append(problems, fmt.Sprintf("docs/%s tells of severity %s, and docs/%s does not", name, s, rulesGuide))
			}
		}
	}
	if diff := cmp.Diff(index, indexTable.FindString(pages[rulesIndex])); diff != "" {
		problems = append(problems, fmt.Sprintf("the table of docs/%s is not that of the code (-code +page):\n%s", rulesIndex, diff))
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if !slices.Contains(known, name) {
			problems = append(problems, fmt.Sprintf("docs/%s is about no rule of validate", name))
		}
	}
	return problems
}

func TestRulePageProblems(t *testing.T) {
	rules := []finding.Rule{{ID: "a-b", Severity: finding.Error, Summary: "it is wrong"}}
	good := func() map[string]string {
		return map[string]string{
			rulesIndex:     "# Rules\n\n| rule | severity | what is wrong |\n|---|---|---|\n| [`a-b`](a-b.md) | error | it is wrong |\n\nMore.\n",
			rulesGuide:     "| `a-b` | error, warning | x | y |\n",
			"rules/a-b.md": "# `a-b`\n\nSeverity: error; of some a warning.\n[All rules](README.md)\n\nText.\n",
		}
	}
	for name, tc := range map[string]struct {
		reason string
		page   string
		text   string
		want   int
	}{
		"Fine":     {reason: "all is there", page: "rules/a-b.md", text: good()["rules/a-b.md"]},
		"Missing":  {reason: "a rule has a page", page: "rules/a-b.md", want: 1},
		"Heading":  {reason: "the heading names the rule", page: "rules/a-b.md", text: "# `a-c`\n\nSeverity: error. [All rules](README.md)\n\n", want: 1},
		"Severity": {reason: "the worst severity stands first", page: "rules/a-b.md", text: "# `a-b`\n\nSeverity: warning, error. [All rules](README.md)\n\n", want: 1},
		"Other":    {reason: "both pages say the same", page: "rules/a-b.md", text: "# `a-b`\n\nSeverity: error, info. [All rules](README.md)\n\n", want: 1},
		"Index":    {reason: "the index lists each rule", page: rulesIndex, text: "| rule | severity | what is wrong |\n|---|---|---|\n", want: 1},
		"Stale":    {reason: "a page about a rule that is gone misleads", page: "rules/a-d.md", text: "# `a-d`\n", want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			pages := good()
			pages[tc.page] = tc.text
			if got := rulePageProblems(rules, pages); len(got) != tc.want {
				t.Errorf("%s: %d problems wanted: %q", tc.reason, tc.want, got)
			}
		})
	}
}
