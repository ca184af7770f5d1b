package printer_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
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

// many returns team apps.
func many(n int) (apps []migrate.App) {
	for i := range n {
		apps = append(apps, migrate.App{App: fmt.Sprintf("team-%d/a", i), Action: migrate.Skipped, Reason: fmt.Sprintf("a team's app: it deploys to namespace team-%d", i)})
	}
	return apps
}

func paths(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("path%d", i))
	}
	return list
}

func introduced(n int) (list []migrate.Introduced) {
	for _, path := range paths(n) {
		list = append(list, migrate.Introduced{Path: path, Value: "1", Effect: migrate.Accepted})
	}
	return list
}

func introducedText(n int) (list []string) {
	for _, path := range paths(n) {
		list = append(list, "  introduced (accepted): "+path+": 1")
	}
	return list
}

func alike(n int, severity finding.Severity) (list []finding.Finding) {
	for _, path := range paths(n) {
		list = append(list, finding.Finding{Rule: "r", Severity: severity, Message: path, Next: "look"})
	}
	return list
}

func alikeText(n int, severity string) (list []string) {
	for _, path := range paths(n) {
		list = append(list, "  "+severity+": "+path+" [r]")
	}
	return list
}

func TestPlanAsTable(t *testing.T) {
	finished := "Applications: 0, platform chart releases: 0. To migrate: 0, unchanged: 0, skipped: 0, blocked: 0. With custom values: 0. Files to write: 0."
	cases := map[string]struct {
		reason string
		format printer.Format
		style  printer.Style
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
				"APP           ACTION      CUSTOM   REASON",
				"d/unchanged   unchanged   0        why",
				"c/migrate     migrate     2        why",
				"a/blocked     blocked     -        why",
				"",
				"Skipped, 2 (-o wide lists them)",
				"  2  why: b/skipped, (gitops-global)",
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
				"Blocked, and what to do",
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
				"Blocked, and what to do",
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
			want: lines("", "Skipped, 1 (-o wide lists them)", "  1  why: a/b", "", finished),
		},
		"SkippedByReason": {
			reason: "what is left alone is counted, the most first; a reason ends where it begins to speak of one app",
			plan: migrate.Plan{Apps: append(many(10),
				migrate.App{App: "x/y", Action: migrate.Skipped, Reason: "not named"},
				migrate.App{Application: "loose", Action: migrate.Skipped, Reason: "not named"},
			)},
			want: lines("",
				"Skipped, 12 (-o wide lists them)",
				"  10  a team's app: team-0/a, team-1/a, team-2/a and 7 more",
				"   2  not named: x/y, (loose)",
				"", finished),
		},
		"Wide": {
			reason: "nothing is left out", format: printer.Wide,
			plan: migrate.Plan{Apps: append(many(1),
				migrate.App{App: "a/b", Action: migrate.Migrate, Reason: "why", Custom: paths(22), Introduced: introduced(22)})},
			want: lines(append([]string{
				"APP        ACTION    CUSTOM   REASON",
				"team-0/a   skipped   -        a team's app: it deploys to namespace team-0",
				"a/b        migrate   22       why",
				"", "a/b", "  custom: " + strings.Join(paths(22), ", ")}, append(introducedText(22), "", finished)...)...),
		},
		"Bounded": {
			reason: "a long list is cut short, and says by how much",
			plan:   migrate.Plan{Apps: []migrate.App{{App: "a/b", Action: migrate.Migrate, Reason: "why", Custom: paths(22), Introduced: introduced(22)}}},
			want: lines(append([]string{
				"APP   ACTION    CUSTOM   REASON",
				"a/b   migrate   22       why",
				"", "a/b", "  custom: " + strings.Join(paths(20), ", ") + " and 2 more"}, append(introducedText(20), "  introduced: 2 more", "", finished)...)...),
		},
		"BoundedFindings": {
			reason: "warnings that say the same of many are cut short; an error never is, since each has to be solved",
			plan:   migrate.Plan{Preflight: alike(22, finding.Error), Findings: alike(22, finding.Warning)},
			want: lines(slices.Concat(
				[]string{"", "The platform as a whole"}, alikeText(20, "warning"), []string{"  and 2 more of [r] (-o wide lists them)", "    look"},
				[]string{"", "Preflight"}, alikeText(22, "error"), []string{"    look", "", finished})...),
		},
		"Proof": {
			reason: "a proof that is simply equal is a word in the table; others say what differs, and what was left out",
			plan: migrate.Plan{
				Helm:    "v3.0.0",
				Summary: migrate.Summary{Migrate: 4},
				Proof: migrate.ProofInfo{Mode: migrate.VerifyManifests, ArgoCD: "v3.2.11", ArgoCDHelm: "v3.18.4", Equal: 2, Differs: 1, Unproven: 1,
					Kubernetes: &migrate.Capabilities{KubeVersion: "v1.36.4", APIVersions: []string{"a/v1", "b/v1", "c/v1", "c/v1/K"}, Source: "the cluster"}},
				Apps: []migrate.App{
					{App: "a/equal", Action: migrate.Migrate, Reason: "why", Proof: &migrate.Proof{Result: migrate.Equal, Reason: "3 objects"}},
					{App: "b/random", Action: migrate.Migrate, Reason: "why", Proof: &migrate.Proof{Result: migrate.Equal, Reason: "3 objects", Random: []string{"Secret x data.key", "Webhook y webhooks[0].ca", "Webhook y webhooks[1].ca"}, Left: "2 hooks"}},
					{App: "c/differs", Action: migrate.Blocked, Reason: "why", Proof: &migrate.Proof{Result: migrate.Differs, Reason: "1 object differs", Differences: []migrate.ProofDifference{
						{Object: "ServiceAccount x", Change: "changed", Path: "metadata.annotations.a", Before: `"1"`, After: `"2"`},
						{Object: "Service y", Change: "removed"},
						{Change: "added", Path: "a.b", After: "1"},
					}}},
					{App: "d/unproven", Action: migrate.Migrate, Reason: "why", Proof: &migrate.Proof{Result: migrate.Unproven, Reason: "no chart"}},
					{App: "e/none", Action: migrate.Unchanged, Reason: "why"},
				},
			},
			want: lines(
				"APP          ACTION      CUSTOM   PROOF      REASON",
				"e/none       unchanged   0        -          why",
				"a/equal      migrate     0        equal      why",
				"b/random     migrate     0        equal      why",
				"d/unproven   migrate     0        unproven   why",
				"c/differs    blocked     -        differs    why",
				"",
				"b/random",
				"  proof: equal: 3 objects",
				"    left out, as it differs from one rendering to the next:",
				"      Secret x data.key",
				"      Webhook y webhooks[0].ca, webhooks[1].ca",
				"    left out: 2 hooks",
				"",
				"d/unproven",
				"  proof: unproven: no chart",
				"",
				"Blocked, and what to do",
				"c/differs",
				"  proof: differs: 1 object differs",
				`    changed ServiceAccount x metadata.annotations.a: "1" -> "2"`,
				"    removed Service y",
				"    added a.b: 1",
				"",
				"Root app: . ",
				"Proof: the objects that both render for Kubernetes v1.36.4 with 4 API versions (from the cluster), by Helm v3.0.0; Argo CD v3.2.11 brings Helm v3.18.4. Equal: 2, differs: 1, unproven: 1.",
				strings.Replace(finished, "To migrate: 0", "To migrate: 4", 1),
			),
		},
		"Preflight": {
			reason: "what is about the cluster stands next to the summary",
			plan: migrate.Plan{Preflight: []finding.Finding{
				{Rule: "r", Severity: finding.Error, Message: "stop", Next: "do it"},
				{Rule: "r", Severity: finding.Info, Message: "know"},
			}},
			want: lines("", "Preflight", "  error: stop [r]", "    do it", "  info: know [r]", "", finished),
		},
		"Color": {
			reason: "colours change no width, and text cannot bring its own", style: printer.Style{Color: true},
			plan: migrate.Plan{Apps: []migrate.App{
				{App: "a/b", Action: migrate.Blocked, Reason: "\x1b[32mwhy", Findings: []finding.Finding{{Rule: "r", Severity: finding.Error, Message: "m"}}},
				{App: "a/c", Action: migrate.Migrate, Reason: "why"},
			}},
			want: lines(
				"APP   ACTION    CUSTOM   REASON",
				"a/c   \x1b[32mmigrate\x1b[0m   0        why",
				"a/b   \x1b[31mblocked\x1b[0m   -        \\x1b[32mwhy",
				"", "Blocked, and what to do", "a/b", "  \x1b[31merror\x1b[0m: m [r]", "", finished),
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
				"Root app: root. It is live.", "Proof: what templates see, by Helm v3.0.0. Equal: 0, differs: 0, unproven: 0.",
				"Applications: 1, platform chart releases: 1. To migrate: 1, unchanged: 0, skipped: 0, blocked: 0. With custom values: 1. Files to write: 3.",
			),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := printer.Plan(&out, cmp.Or(tc.format, printer.Table), tc.style, &tc.plan); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := gocmp.Diff(tc.want, out.String()); diff != "" {
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
			if diff := gocmp.Diff(tc.want, out.String()); diff != "" {
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
		if err := printer.Plan(failing{want}, printer.Format(text), printer.Style{}, plan); !errors.Is(err, want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// TestPlanOfManyAlike holds that a warning that every app has after a move does not hide the plan, and that nothing of it is
// lost with -o wide. Errors, and secrets that are accepted, are told of every app.
func TestPlanOfManyAlike(t *testing.T) {
	var plan migrate.Plan
	for i := range 8 {
		app := migrate.App{App: fmt.Sprintf("a/%d", i), Action: migrate.Unchanged, Reason: "why", Findings: []finding.Finding{
			{Rule: "same", Severity: finding.Warning, Message: "it is", Next: fmt.Sprintf("do %d", i)},
			{Rule: "secret", Severity: finding.Info, Message: "accepted"},
		}}
		if i == 7 {
			app.Action, app.Findings = migrate.Blocked, append(app.Findings, finding.Finding{Rule: "bad", Severity: finding.Error, Message: "stop"})
		}
		plan.Apps = append(plan.Apps, app)
	}
	for format, want := range map[printer.Format]struct {
		steps int
		text  string
	}{
		printer.Table: {5, "\nBlocked, and what to do\na/7\n  info: accepted [secret]\n  error: stop [bad]\n\nThe same of more apps (-o wide says it of each)\n  warning: 3 more: a/5, a/6, a/7 [same]\n"},
		printer.Wide:  {8, "\nBlocked, and what to do\na/7\n  warning: it is [same]\n    do 7\n  info: accepted [secret]\n  error: stop [bad]\n"},
	} {
		var out strings.Builder
		if err := printer.Plan(&out, format, printer.Style{}, &plan); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "    do "); got != want.steps || !strings.Contains(out.String(), want.text) {
			t.Errorf("%s: %d steps are told, not %d, or it lacks %q:\n%s", format, got, want.steps, want.text, out.String())
		}
	}
	if len(plan.Apps[7].Findings) != 3 {
		t.Error("printing changed the plan")
	}
}

// TestRollbackOfManyAlike holds that what stands against all apps is told once, and of each with -o wide.
func TestRollbackOfManyAlike(t *testing.T) {
	against := func(message string) []finding.Finding {
		return []finding.Finding{{Rule: "r", Severity: finding.Error, Message: message, Next: "end it"}}
	}
	plan := rollback.Plan{RootApp: "root", Apps: []rollback.App{
		{App: "a/one", Action: rollback.Refused, Reason: "why", Findings: against("the root app")},
		{App: "a/two", Action: rollback.Refused, Reason: "why", Findings: against("something else")},
		{App: "b/three", Action: rollback.Refused, Reason: "why", Findings: against("the root app")},
		{App: "c/four", Action: rollback.Restored, Reason: "as it was"},
	}}
	for format, want := range map[printer.Format]string{
		printer.Table: lines("",
			"2 apps, each the same (-o wide lists them): a/one, b/three", "  error: the root app [r]", "    end it", "",
			"a/two", "  error: something else [r]", "    end it", "", "Root app: root. To put back: 0, as they were: 1, refused: 3. Files to remove: 0."),
		printer.Wide: lines("",
			"a/one", "  error: the root app [r]", "    end it", "",
			"a/two", "  error: something else [r]", "    end it", "",
			"b/three", "  error: the root app [r]", "    end it", "", "Root app: root. To put back: 0, as they were: 1, refused: 3. Files to remove: 0."),
	} {
		var out strings.Builder
		if err := printer.Rollback(&out, format, printer.Style{}, &plan); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), want) {
			t.Errorf("%s: want at the end:\n%s\ngot:\n%s", format, want, out.String())
		}
	}
}
