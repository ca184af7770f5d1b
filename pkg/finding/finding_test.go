package finding_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

func TestCompare(t *testing.T) {
	want := []finding.Finding{
		{App: "a/a", File: "b", Line: 9, Rule: "z"},
		{App: "a/b", File: "a", Line: 9, Rule: "z"},
		{App: "a/b", File: "b", Line: 1, Column: 9, Path: "z"},
		{App: "a/b", File: "b", Line: 2, Column: 1, Path: "z"},
		{App: "a/b", File: "b", Line: 2, Column: 2, Path: "a", Rule: "z"},
		{App: "a/b", File: "b", Line: 2, Column: 2, Path: "b", Rule: "a", Message: "z"},
		{App: "a/b", File: "b", Line: 2, Column: 2, Path: "b", Rule: "b", Message: "a"},
		{App: "a/b", File: "b", Line: 2, Column: 2, Path: "b", Rule: "b", Message: "b"},
		{App: "a/b", File: "b", Line: 10, Message: "a"},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, finding.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings sort by app, file, place, rule and text, and lines by number: (-want +got)\n%s", diff)
	}
}

func TestJSON(t *testing.T) {
	cases := map[string]struct {
		reason  string
		finding finding.Finding
		want    string
	}{
		"Whole": {
			reason: "scripts rely on these names",
			finding: finding.Finding{
				Rule: "secret-literal", Severity: finding.Error, App: "gitea/gitea", File: "env/values/gitea/gitea/values.custom.yaml",
				Line: 3, Column: 7, Path: "auth.password", Message: "a literal secret", Next: "refer to a Secret",
			},
			want: `{"rule":"secret-literal","severity":"error","app":"gitea/gitea","file":"env/values/gitea/gitea/values.custom.yaml",` +
				`"line":3,"column":7,"path":"auth.password","message":"a literal secret","next":"refer to a Secret"}`,
		},
		"Unknown": {
			reason:  "what is unknown is left out, so that a line 0 is never shown",
			finding: finding.Finding{Rule: "r", Severity: finding.Warning, Message: "m"},
			want:    `{"rule":"r","severity":"warning","message":"m"}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(tc.finding)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestCompareOrders holds that Compare is an order: a list comes out the same whatever order it went in.
func TestCompareOrders(t *testing.T) {
	word := rapid.SampledFrom([]string{"", "a", "b"})
	findings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) finding.Finding {
		return finding.Finding{
			App: word.Draw(t, "app"), File: word.Draw(t, "file"), Path: word.Draw(t, "path"), Rule: word.Draw(t, "rule"), Message: word.Draw(t, "message"),
			Line: rapid.IntRange(0, 2).Draw(t, "line"), Column: rapid.IntRange(0, 2).Draw(t, "column"),
		}
	}), 1, 8)
	rapid.Check(t, func(t *rapid.T) {
		a := findings.Draw(t, "findings")
		b := rapid.Permutation(a).Draw(t, "turned")
		slices.SortFunc(a, finding.Compare)
		slices.SortFunc(b, finding.Compare)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("(-first +second)\n%s", diff)
		}
	})
}
