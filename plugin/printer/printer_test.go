package printer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

func TestParseFormat(t *testing.T) {
	for _, text := range printer.Formats() {
		if got, err := printer.ParseFormat(text); err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "JSON", "xml"} {
		if got, err := printer.ParseFormat(text); err == nil {
			t.Errorf("%q is no format: got %q", text, got)
		}
	}
}

// lines joins lines of text.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

func TestPlanAsTable(t *testing.T) {
	finished := "Applications: 0, platform chart releases: 0. To migrate: 0, unchanged: 0, skipped: 0, blocked: 0. With custom values: 0. Files to write: 0."
	cases := map[string]struct {
		reason string
		plan   migrate.Plan
		want   string
	}{
		"Nothing": {
			reason: "a plan without Applications has no table",
			want:   lines("", finished),
		},
		"Order": {
			reason: "what a person has to act on stands last, next to the summary; within an action the plan's order stays",
			plan: migrate.Plan{Apps: []migrate.App{
				{App: "a/blocked", Action: migrate.Blocked, Reason: "why"},
				{App: "b/skipped", Action: migrate.Skipped, Reason: "why"},
				{App: "c/migrate", Action: migrate.Migrate, Reason: "why", Custom: []string{"a", "b"}},
				{App: "d/unchanged", Action: migrate.Unchanged, Reason: "why"},
				{Application: "gitops-global", Action: migrate.Skipped, Reason: "why"},
			}},
			want: lines(
				"APP               ACTION      CUSTOM   REASON",
				"b/skipped         skipped     -        why",
				"(gitops-global)   skipped     -        why",
				"d/unchanged       unchanged   0        why",
				"c/migrate         migrate     2        why",
				"a/blocked         blocked     -        why",
				"",
				"c/migrate",
				"  custom: a, b",
				"",
				finished,
			),
		},
		"Findings": {
			reason: "a finding shows as much of its place as is known, and the rule by which it is looked up",
			plan: migrate.Plan{Apps: []migrate.App{{App: "a/b", Action: migrate.Blocked, Reason: "why", Findings: []finding.Finding{
				{Rule: "r-all", Severity: finding.Error, File: "f.yaml", Line: 3, Column: 7, Path: "a.b", Message: "all", Next: "do it"},
				{Rule: "r-line", Severity: finding.Warning, File: "f.yaml", Line: 3, Message: "line"},
				{Rule: "r-file", Severity: finding.Info, File: "f.yaml", Column: 7, Message: "file"},
				{Rule: "r-path", Severity: finding.Info, Path: "a.b", Message: "path"},
				{Rule: "r-none", Severity: finding.Info, Message: "none"},
			}}}},
			want: lines(
				"APP   ACTION    CUSTOM   REASON",
				"a/b   blocked   -        why",
				"",
				"a/b",
				"  error: f.yaml:3:7 a.b: all [r-all]",
				"    do it",
				"  warning: f.yaml:3: line [r-line]",
				"  info: f.yaml: file [r-file]",
				"  info: a.b: path [r-path]",
				"  info: none [r-none]",
				"",
				finished,
			),
		},
		"NextStep": {
			reason: "many findings in a row that ask for one step ask for it once",
			plan: migrate.Plan{Findings: []finding.Finding{
				{Rule: "r", Severity: finding.Warning, Message: "one", Next: "look"},
				{Rule: "r", Severity: finding.Warning, Message: "two", Next: "look"},
				{Rule: "r", Severity: finding.Warning, Message: "three", Next: "listen"},
				{Rule: "r", Severity: finding.Warning, Message: "four"},
			}},
			want: lines(
				"", "The platform as a whole",
				"  warning: one [r]",
				"  warning: two [r]",
				"    look",
				"  warning: three [r]",
				"    listen",
				"  warning: four [r]",
				"",
				finished,
			),
		},
		"Introduced": {
			reason: "an introduced key shows what managed brings, and what becomes of it",
			plan: migrate.Plan{Apps: []migrate.App{{App: "a/b", Action: migrate.Blocked, Reason: "why", Introduced: []migrate.Introduced{
				{Path: "a.b", Value: `"x"`, Effect: migrate.Pinned}, {Path: "c", Value: "***", Effect: migrate.Inexpressible},
			}}}},
			want: lines(
				"APP   ACTION    CUSTOM   REASON",
				"a/b   blocked   -        why",
				"",
				"a/b",
				`  introduced (pinned): a.b: "x"`,
				"  introduced (inexpressible): c: ***",
				"",
				finished,
			),
		},
		"Skipped": {
			reason: "what is left alone has no details",
			plan: migrate.Plan{Apps: []migrate.App{{App: "a/b", Action: migrate.Skipped, Reason: "why", Custom: []string{"a"},
				Findings: []finding.Finding{{Rule: "r", Severity: finding.Warning, Message: "m"}}}}},
			want: lines("APP   ACTION    CUSTOM   REASON", "a/b   skipped   -        why", "", finished),
		},
		"RootApp": {
			reason: "the root app takes over what is written, so it is named when something is",
			plan: migrate.Plan{
				ValuesRepo: migrate.ValuesRepo{URL: "https://git.example.test/values.git", Revision: "main", Source: "flags"},
				RootApp:    migrate.RootApp{Name: "root", Note: "It is live."},
				Helm:       "v3.0.0",
				Summary:    migrate.Summary{Applications: 1, Releases: 1, Migrate: 1, WithCustom: 1, Files: 3},
			},
			want: lines(
				"",
				"Values repo: https://git.example.test/values.git, revision main (from flags)",
				"Root app: root. It is live.", "Values: as Helm v3.0.0 reads and merges them.",
				"Applications: 1, platform chart releases: 1. To migrate: 1, unchanged: 0, skipped: 0, blocked: 0. With custom values: 1. Files to write: 3.",
			),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := printer.Plan(&out, printer.Table, &tc.plan); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestData(t *testing.T) {
	type result struct {
		Text  string   `json:"text"`
		Long  int64    `json:"long"`
		Empty []string `json:"empty"`
	}
	value := result{Text: "a < b && yes: no", Long: 1<<62 + 1, Empty: []string{}}
	cases := map[string]struct {
		reason string
		format printer.Format
		want   string
	}{
		"JSON": {
			reason: "text stays readable: no HTML escapes; digits stay; lists are never null",
			format: printer.JSON,
			want:   lines("{", `  "text": "a < b && yes: no",`, `  "long": 4611686018427387905,`, `  "empty": []`, "}"),
		},
		"YAML": {
			reason: "the fields of the JSON, with every digit",
			format: printer.YAML,
			want:   lines("empty: []", "long: 4611686018427387905", `text: "a < b && yes: no"`),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := printer.Data(&out, tc.format, value); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPlanReportsAClosedStream(t *testing.T) {
	want := errors.New("closed")
	plan := &migrate.Plan{Apps: []migrate.App{{App: "a/b", Action: migrate.Blocked}}}
	for _, text := range printer.Formats() {
		if err := printer.Plan(failing{want}, printer.Format(text), plan); !errors.Is(err, want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
