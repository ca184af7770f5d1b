package migrate_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestSelect holds which Applications are in a plan, and what makes one unfit whatever its values are.
func TestSelect(t *testing.T) {
	cases := map[string]struct {
		reason  string
		change  func(t *testing.T, w *world)
		options migrate.Options
		want    []string // "Application action: first rule"
	}{
		"Named": {
			reason:  "an Application without an identity does not stand in the way of others that are named",
			change:  func(_ *testing.T, w *world) { delete(at(w.applications[1], "spec", "destination"), "namespace") },
			options: migrate.Options{Apps: []string{"one/a"}},
			want:    []string{"one-a migrate: ", "two-b skipped: "},
		},
		"NotNamed": {
			reason: "nobody was named, so that it does",
			change: func(_ *testing.T, w *world) { delete(at(w.applications[1], "spec", "destination"), "namespace") },
			want:   []string{"one-a migrate: ", "two-b blocked: application-identity"},
		},
		"NamedInTwoNamespaces": {
			reason: "an Application of the same name elsewhere is not the one that is meant",
			change: func(t *testing.T, w *world) {
				at(w.add(t, "one/a2", "c", "", ""), "metadata")["namespace"] = "elsewhere"
				at(w.applications[2], "metadata")["name"] = "one-a"
			},
			options: migrate.Options{Apps: []string{"one-a"}},
			want:    []string{"one-a migrate: ", "one-a skipped: ", "two-b skipped: "},
		},
		"NamedTeam": {
			reason:  "a team's app is never moved, and asking for it is an error",
			change:  func(t *testing.T, w *world) { w.add(t, "team-x/shop", "c", "", "") },
			options: migrate.Options{Apps: []string{"team-x/shop"}},
			want:    []string{"one-a skipped: ", "team-x-shop blocked: not-movable", "two-b skipped: "},
		},
		"Twins": {
			reason: "which of two Applications of one app runs cannot be told",
			change: func(t *testing.T, w *world) {
				twin := w.add(t, "one/z", "c", "", "")
				at(twin, "metadata")["name"] = "a-twin"
				at(twin, "spec", "source", "helm")["releaseName"] = "a"
			},
			want: []string{"a-twin blocked: application-name", "one-a blocked: identity-twice", "two-b migrate: "},
		},
		"SharedName": {
			reason: "helmfile writes the managed values of both to one file, Application or not",
			change: func(_ *testing.T, w *world) {
				w.releases = append(w.releases, map[string]any{
					"name": "a", "namespace": "one-of", "chart": "c", "installed": true, "enabled": true,
				}, map[string]any{"name": "of-a", "namespace": "one", "chart": "c", "installed": true, "enabled": true})
				w.applications[0] = rename(w.applications[0], "one-of", "a")
			},
			want: []string{"one-of-a blocked: app-name-twice", "two-b migrate: "},
		},
		"SharedNameNotInstalled": {
			reason: "a release that is not installed has no managed values",
			change: func(_ *testing.T, w *world) {
				w.releases = append(w.releases, map[string]any{
					"name": "a", "namespace": "one-of", "chart": "c", "installed": true, "enabled": true,
				}, map[string]any{"name": "of-a", "namespace": "one", "chart": "c", "installed": false, "enabled": true})
				w.applications[0] = rename(w.applications[0], "one-of", "a")
				w.managed["one-of-a.yaml"] = w.managed["one-a.yaml"]
			},
			want: []string{"one-of-a migrate: ", "two-b migrate: "},
		},
		"OperatorAlone": {
			reason: "the operator's app is left alone unless it is named",
			change: func(t *testing.T, w *world) { w.add(t, "apl-operator/apl-operator", "c", "", "") },
			want:   []string{"apl-operator-apl-operator skipped: ", "one-a migrate: ", "two-b migrate: "},
		},
		"OperatorNamed": {
			reason:  "named, it is an app like others",
			change:  func(t *testing.T, w *world) { w.add(t, "apl-operator/apl-operator", "c", "", "") },
			options: migrate.Options{Apps: []string{"apl-operator/apl-operator"}},
			want:    []string{"apl-operator-apl-operator migrate: ", "one-a skipped: ", "two-b skipped: "},
		},
		"Excluded": {
			reason: "people may leave an app out of every run",
			change: func(_ *testing.T, w *world) { w.config = "exclude: [{app: one/a, reason: later}]\n" },
			want:   []string{"one-a skipped: ", "two-b migrate: "},
		},
		"ExcludedNamed": {
			reason:  "asking for an excluded app is an error, not a silent nothing",
			change:  func(_ *testing.T, w *world) { w.config = "exclude: [{app: one/a, reason: later}]\n" },
			options: migrate.Options{Apps: []string{"one/a"}},
			want:    []string{"one-a blocked: not-movable", "two-b skipped: "},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.add(t, "one/a", "c", "x: 1\n", "x: 1\n")
			w.add(t, "two/b", "c", "", "{}\n")
			tc.change(t, w)
			in := w.input(t)
			plan := w.plan(t, tc.options)
			if diff := cmp.Diff(tc.want, outline(plan)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			slices.Reverse(in.Applications)
			tc.options.ValuesRepoURL, tc.options.ValuesRevision = plan.ValuesRepo.URL, plan.ValuesRepo.Revision
			if diff := cmp.Diff(encode(t, plan), encode(t, newPlan(t, in, tc.options))); diff != "" {
				t.Errorf("the order of the input matters (-first +reversed)\n%s", diff)
			}
		})
	}
}

// outline writes a plan as one line for each Application: its name, action and first error.
func outline(plan *migrate.Plan) []string {
	var out []string
	for _, a := range plan.Apps {
		rule := ""
		for _, f := range a.Findings {
			if f.Severity == "error" && rule == "" {
				rule = f.Rule
			}
		}
		out = append(out, a.Application+" "+string(a.Action)+": "+rule)
	}
	slices.Sort(out)
	return out
}

// rename gives an Application another identity.
func rename(application map[string]any, namespace, release string) map[string]any {
	out := maps.Clone(application)
	at(out, "metadata")["name"] = namespace + "-" + release
	at(out, "spec", "destination")["namespace"] = namespace
	at(out, "spec", "source", "helm")["releaseName"] = release
	return out
}

// TestSelectUnknown holds that a name which fits nothing is refused, with a hint.
func TestSelectUnknown(t *testing.T) {
	w := newWorld()
	w.add(t, "one/a", "c", "", "")
	_, err := migrate.New(t.Context(), w.input(t), migrate.Options{Apps: []string{"two/a"}})
	if err == nil || !strings.Contains(err.Error(), `"two/a"`) || !strings.Contains(err.Error(), "one/a") {
		t.Errorf("the error names what was asked for, and what may be meant: %v", err)
	}
}
