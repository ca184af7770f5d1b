package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const (
	topChart      = "apiVersion: v2\nname: top\nversion: 1.0.0\n"
	subDependency = "dependencies: [{name: sub, version: 1.0.0, condition: sub.enabled"
)

// withSub are the files of a chart with a subchart that a condition switches.
func withSub(values string) map[string]string {
	return map[string]string{
		"charts/top/Chart.yaml":               topChart + subDependency + ", import-values: [shared]}]\n",
		"charts/top/values.yaml":              values,
		"charts/top/charts/sub/Chart.yaml":    "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
		"charts/top/charts/sub/values.yaml":   "port: 80\nexports: {shared: {fromSub: true}}\n",
		"charts/broken/Chart.yaml":            "apiVersion: v2\nname: broken\nversion: 1.0.0\n",
		"charts/broken/values.yaml":           "a: [\n",
		"charts/wide/Chart.yaml":              "apiVersion: v2\nname: wide\nversion: 1.0.0\n" + subDependency + "}]\n",
		"charts/wide/values.yaml":             wideValues(),
		"charts/wide/charts/sub/Chart.yaml":   "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
		"charts/wide/charts/sub/values.yaml":  "port: 80\n",
		"charts/no-chart/values.yaml":         "a: 1\n",
		"charts/no-chart/templates/empty.txt": "",
	}
}

// wideValues has more leaves below one key than a plan lists.
func wideValues() string {
	var b strings.Builder
	b.WriteString("sub: {enabled: false}\na:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "  k%03d: 1\n", i)
	}
	return b.String()
}

// TestIntroduced holds what introduced keys come to, by what the chart makes of them.
func TestIntroduced(t *testing.T) {
	cases := map[string]struct {
		reason        string
		chart         string
		change        func(application map[string]any)
		noCharts      bool
		live, managed string
		options       migrate.Options
		action        migrate.Action
		rules         []string
		said          string // part of the findings' text
		custom        string
	}{
		"ConditionAccepted": {
			reason:  "a subchart that is switched on brings its values and what the chart imports: each is listed",
			chart:   "top",
			live:    "x: 1\n",
			managed: "sub: {enabled: true}\nx: 1\n",
			options: migrate.Options{AcceptAll: true},
			action:  migrate.Migrate,
			rules:   []string{"warning introduced-effects"},
			said:    "fromSub, sub.exports.shared.fromSub, sub.global, sub.port",
		},
		"ConditionExact": {
			reason:  "the chart has a default for the condition, so that it can be pinned",
			chart:   "top",
			live:    "x: 1\n",
			managed: "sub: {enabled: true}\nx: 1\n",
			options: migrate.Options{Exact: true},
			action:  migrate.Migrate,
			custom:  "sub.enabled",
		},
		"NullHidesNothing": {
			reason:  "a null that deletes a hundred defaults does not push further effects off the list",
			chart:   "wide",
			live:    "x: 1\n",
			managed: "a: null\nsub: {enabled: true}\nx: 1\n",
			options: migrate.Options{AcceptAll: true},
			action:  migrate.Migrate,
			rules:   []string{"warning introduced-effects"},
			said:    "sub.port",
		},
		"HelmRepositoryUntouched": {
			reason:  "without introduced keys merge(managed, custom) is live, whatever the chart is",
			change:  helmRepository("2.0.0"),
			live:    "x: 1\n",
			managed: "x: 2\n",
			action:  migrate.Migrate,
			custom:  "x",
		},
		"HelmRepositoryAccepted": {
			reason:  "what a chart that cannot be had offline makes of a key cannot be told; the key is accepted all the same",
			change:  helmRepository("2.0.0"),
			live:    "x: 1\n",
			managed: "x: 1\ny: 1\n",
			options: migrate.Options{AcceptAll: true},
			action:  migrate.Migrate,
			rules:   []string{"warning introduced-effects"},
			said:    "chart top of https://charts.example.test at 2.0.0: offline, and not in the cache",
		},
		"HelmRepositoryExact": {
			reason:  "a chart that cannot be had cannot be pinned to",
			change:  helmRepository("2.0.0"),
			live:    "x: 1\n",
			managed: "x: 1\ny: 1\n",
			options: migrate.Options{Exact: true},
			action:  migrate.Blocked,
			rules:   []string{"error chart-unreachable"},
			said:    "--offline",
		},
		"HelmRepositoryInFolder": {
			reason:  "a chart of a Helm repository that --charts has, in the version that is asked for, is read from there",
			change:  helmRepository("1.0.0"),
			live:    "x: 1\n",
			managed: "x: 1\ny: 1\n",
			options: migrate.Options{Exact: true},
			action:  migrate.Blocked,
			rules:   []string{"error introduced-inexpressible"},
		},
		"NoCharts": {
			reason:   "nor without --charts",
			chart:    "top",
			noCharts: true,
			live:     "x: 1\n",
			managed:  "x: 1\ny: 1\n",
			options:  migrate.Options{Exact: true},
			action:   migrate.Blocked,
			rules:    []string{"error chart-missing"},
			said:     "--charts",
		},
		"NoChartFolder": {
			reason:  "a chart that should be there and is not blocks, needed or not",
			chart:   "no-chart",
			live:    "x: 1\n",
			managed: "x: 1\n",
			action:  migrate.Blocked,
			rules:   []string{"error chart-missing"},
		},
		"BrokenChart": {
			reason:  "a chart that Helm does not load is never counted as fine",
			chart:   "broken",
			live:    "x: 1\n",
			managed: "x: 1\ny: 1\n",
			options: migrate.Options{AcceptAll: true},
			action:  migrate.Blocked,
			rules:   []string{"error chart-unreadable"},
		},
		"HelmRefusesAccepted": {
			reason:  "Helm wants a map under a subchart's key, and quotes what is there instead",
			chart:   "top",
			live:    "sub: hunter2-hunter2\n",
			managed: "x: 1\n",
			options: migrate.Options{AcceptAll: true},
			action:  migrate.Blocked,
			rules:   []string{"error values-unproven"},
			said:    "sub",
		},
		"HelmRefusesExact": {
			reason:  "the same when keys are to be pinned",
			chart:   "top",
			live:    "sub: hunter2-hunter2\n",
			managed: "x: 1\n",
			options: migrate.Options{Exact: true},
			action:  migrate.Blocked,
			rules:   []string{"error values-unproven"},
			said:    "sub",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.files(t, t.TempDir(), withSub("sub: {enabled: false}\n"))
			if tc.noCharts {
				w.charts = ""
			}
			application := w.add(t, "one/two", tc.chart, tc.live, tc.managed)
			if tc.change != nil {
				tc.change(application)
			}
			plan := w.plan(t, tc.options)
			a := appOf(t, plan, "one/two")
			if diff := cmp.Diff(tc.rules, rulesOf(a)); diff != "" || a.Action != tc.action {
				t.Errorf("%s: %s (-want +got)\n%s", tc.reason, a.Action, diff)
			}
			text := encode(t, plan)
			if !strings.Contains(text, tc.said) {
				t.Errorf("%s: the plan does not say %q: %s", tc.reason, tc.said, text)
			}
			if strings.Contains(text+plan.Message(), "hunter2") {
				t.Errorf("%s: the plan quotes a value: %s", tc.reason, text)
			}
			if got := strings.Join(a.Custom, " "); got != tc.custom && tc.custom != "" {
				t.Errorf("%s: custom holds %s", tc.reason, got)
			}
		})
	}
}

func helmRepository(version string) func(application map[string]any) {
	return func(application map[string]any) {
		source := at(application, "spec", "source")
		delete(source, "path")
		source["chart"], source["repoURL"], source["targetRevision"] = "top", "https://charts.example.test", version
	}
}
