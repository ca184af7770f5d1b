package finding_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

func TestNewReport(t *testing.T) {
	a := finding.Finding{App: "a/a", Rule: "r", Severity: finding.Error, Message: "m"}
	b := finding.Finding{App: "b/b", Rule: "r", Severity: finding.Warning, Message: "m"}
	c := finding.Finding{App: "b/b", Rule: "r", Severity: finding.Info, Message: "n"}
	cases := map[string]struct {
		reason   string
		run      finding.Run
		findings []finding.Finding
		want     string
	}{
		"Clean": {
			reason: "a report without findings has a list all the same",
			want: `{"apiVersion":"kubectl-apl/v1","kind":"ValidationReport","findings":[],` +
				`"summary":{"errors":0,"warnings":0,"infos":0,"apps":0,"files":0}}`,
		},
		"Sorted": {
			reason:   "findings come sorted, each once; an app and a file count once, however many units name them",
			run:      finding.Run{Checked: []finding.Unit{{"a/a", "x"}, {"a/a", "y"}, {"", "z"}, {"b/b", ""}, {"b/b", "x"}}},
			findings: []finding.Finding{c, b, a, b},
			want: `{"apiVersion":"kubectl-apl/v1","kind":"ValidationReport","findings":[` +
				`{"rule":"r","severity":"error","app":"a/a","message":"m"},` +
				`{"rule":"r","severity":"warning","app":"b/b","message":"m"},` +
				`{"rule":"r","severity":"info","app":"b/b","message":"n"}],` +
				`"summary":{"errors":1,"warnings":1,"infos":1,"apps":2,"files":3}}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.findings)
			got, err := json.Marshal(finding.NewReport(tc.run, tc.findings))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, tc.findings); diff != "" {
				t.Errorf("the caller's list stays as it is (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFails(t *testing.T) {
	cases := map[string]struct {
		reason     string
		severities []finding.Severity
		want       []finding.FailOn
	}{
		"Clean":   {reason: "no finding, no failure"},
		"Info":    {reason: "an info never fails a run", severities: []finding.Severity{finding.Info}},
		"Warning": {reason: "a warning does when it is asked for", severities: []finding.Severity{finding.Info, finding.Warning}, want: []finding.FailOn{finding.FailOnWarning}},
		"Error":   {reason: "an error does, unless nothing shall", severities: []finding.Severity{finding.Error}, want: []finding.FailOn{"", finding.FailOnError, finding.FailOnWarning}},
		"Unknown": {reason: "what nobody knows is no reason to pass", severities: []finding.Severity{"fatal"}, want: []finding.FailOn{"", finding.FailOnError, finding.FailOnWarning}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var findings []finding.Finding
			for _, s := range tc.severities {
				findings = append(findings, finding.Finding{Severity: s})
			}
			report := finding.NewReport(finding.Run{}, findings)
			var got []finding.FailOn
			for _, on := range []finding.FailOn{"", finding.FailOnError, finding.FailOnWarning, finding.FailOnNever} {
				if report.Fails(on) {
					got = append(got, on)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestParseFailOn(t *testing.T) {
	for _, text := range finding.FailOns() {
		if got, err := finding.ParseFailOn(text); err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "Error", "info"} {
		if got, err := finding.ParseFailOn(text); err == nil {
			t.Errorf("%q is no value of --fail-on: got %q", text, got)
		}
	}
}

func TestRuleURL(t *testing.T) {
	const want = "https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/"
	if diff := cmp.Diff(want+"values-schema.md", finding.Rule{ID: "values-schema"}.URL()); diff != "" {
		t.Errorf("a rule has a page of its own name (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want+"a%20%28b%29%3Fc%23.md", finding.RuleURL("a (b)?c#")); diff != "" {
		t.Errorf("an id cannot leave the address (-want +got):\n%s", diff)
	}
}
