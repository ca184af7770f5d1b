package migrate_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const tekton = "tekton-pipelines/tekton-pipelines"

// secretHits are the findings that block apps of the corpus.
func secretHits() map[string][]string {
	return map[string][]string{
		"gitea/gitea": {
			"error secret-url-password gitea.additionalConfigFromEnvs[6].value",
			"error secret-url-password gitea.additionalConfigFromEnvs[7].value",
			"error secret-url-password gitea.additionalConfigFromEnvs[10].value",
		},
		"gitea/gitea-valkey": {"error secret-named-key auth.password"},
	}
}

// errorsOf lists, for each blocked app, its findings of severity error.
func errorsOf(plan *migrate.Plan) map[string][]string {
	out := map[string][]string{}
	for _, a := range plan.Apps {
		if a.Action != migrate.Blocked {
			continue
		}
		out[a.App] = slices.DeleteFunc(rulesOf(a), func(rule string) bool { return !strings.HasPrefix(rule, string(finding.Error)) })
	}
	return out
}

func TestCorpusPlan(t *testing.T) {
	r := corpus(t)
	cases := map[string]struct {
		reason  string
		options migrate.Options
		charts  string
		want    migrate.Summary
		blocked map[string][]string
	}{
		"Default": {
			reason: "literal secrets and one introduced key block, and nothing else does",
			charts: r.path(),
			want:   migrate.Summary{Applications: 103, Releases: 46, Migrate: 42, Skipped: 58, Blocked: 3, WithCustom: 6, Files: 126},
			blocked: map[string][]string{
				tekton: {"error introduced-keys"},
			},
		},
		"ChartsFolder": {
			reason: "--charts may name the folder of charts itself",
			charts: r.path("charts"),
			want:   migrate.Summary{Applications: 103, Releases: 46, Migrate: 42, Skipped: 58, Blocked: 3, WithCustom: 6, Files: 126},
			blocked: map[string][]string{
				tekton: {"error introduced-keys"},
			},
		},
		"Accept": {
			reason:  "an accepted key takes effect",
			options: migrate.Options{AcceptAll: true},
			charts:  r.path("charts"),
			want:    migrate.Summary{Applications: 103, Releases: 46, Migrate: 43, Skipped: 58, Blocked: 2, WithCustom: 7, Files: 129},
		},
		"Exact": {
			reason:  "the chart's default there is an empty map, and a null would stay visible to templates",
			options: migrate.Options{Exact: true},
			charts:  r.path(),
			want:    migrate.Summary{Applications: 103, Releases: 46, Migrate: 42, Skipped: 58, Blocked: 3, WithCustom: 6, Files: 126},
			blocked: map[string][]string{
				tekton: {"error introduced-inexpressible"},
			},
		},
		"OperatorNamed": {
			reason:  "the operator's app is in the plan when it is named; its managed values hold a literal secret",
			options: migrate.Options{Apps: []string{"apl-operator/apl-operator", "argocd-argocd"}},
			charts:  r.path(),
			want:    migrate.Summary{Applications: 103, Releases: 46, Migrate: 1, Skipped: 101, Blocked: 1, WithCustom: 1, Files: 3},
			blocked: map[string][]string{
				"apl-operator/apl-operator": {"error secret-named-key kms.sops.azure.clientSecret"},
				"gitea/gitea":               nil,
				"gitea/gitea-valkey":        nil,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan := newPlan(t, r.input(t, memory{}, tc.charts), tc.options)
			if diff := cmp.Diff(tc.want, plan.Summary); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			want := secretHits()
			for id, rules := range tc.blocked {
				want[id] = rules
				if rules == nil {
					delete(want, id)
				}
			}
			if diff := cmp.Diff(want, errorsOf(plan)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if text := encode(t, plan); strings.Contains(text, "changeme") {
				t.Error("the plan shows a secret's value")
			}
		})
	}
}

// TestCorpusSkipped holds why each Application of the corpus that is no chart release is left alone.
func TestCorpusSkipped(t *testing.T) {
	r := corpus(t)
	plan := newPlan(t, r.input(t, memory{}, r.path()), migrate.Options{})
	var releases []struct {
		Name, Namespace, Chart string
		Installed              bool
	}
	if err := json.Unmarshal(readFile(t, r.path("releases.json")), &releases); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, entry := range releases {
		if !entry.Installed {
			continue
		}
		a := appOf(t, plan, entry.Namespace+"/"+entry.Name)
		kind, want := "chart", ""
		switch {
		case strings.HasPrefix(entry.Namespace, "team-"):
			kind, want = "team", "a team's app: it deploys to namespace "+entry.Namespace
		case strings.HasSuffix(entry.Name, "-artifacts"):
			kind, want = "artifacts", "an -artifacts release: its objects become plain manifests, not an app"
		case a.App == "apl-operator/apl-operator":
			kind, want = "operator", "the platform's operator patches its spec.source on every upgrade; name it to move it"
		}
		counts[kind]++
		if want == "" && a.Action == migrate.Skipped || want != "" && (a.Action != migrate.Skipped || a.Reason != want) {
			t.Errorf("%s is %s: %s", a.App, a.Action, a.Reason)
		}
	}
	for _, a := range plan.Apps {
		if a.App == "" && strings.HasPrefix(a.Application, "gitops-") {
			counts["gitops"]++
			if a.Action != migrate.Skipped || !strings.HasPrefix(a.Reason, "a gitops app: ") {
				t.Errorf("%s is %s: %s", a.Application, a.Action, a.Reason)
			}
		}
		if a.Action == migrate.Skipped && (a.Reason == "" || len(a.Files)+len(a.Custom)+len(a.Introduced) > 0) {
			t.Errorf("%s is skipped: %+v", a.Application, a)
		}
	}
	if diff := cmp.Diff(map[string]int{"chart": 45, "operator": 1, "artifacts": 25, "team": 13, "gitops": 5}, counts); diff != "" {
		t.Errorf("the corpus README counts them (-want +got)\n%s", diff)
	}
}

// TestCorpusMove carries the move out, in a real repo.
func TestCorpusMove(t *testing.T) {
	r := corpus(t)
	cases := map[string]struct {
		reason  string
		options migrate.Options
		apps    int
		differ  map[string][]string
		custom  []string
	}{
		"KeepGoing": {
			reason:  "what can be moved lands, whatever else is blocked",
			options: migrate.Options{KeepGoing: true},
			apps:    42,
			custom: []string{
				"argocd/argocd", "harbor/harbor", "keycloak/keycloak", "kfp/kubeflow-pipelines", "monitoring/loki", "monitoring/prometheus-operator",
			},
		},
		"Accept": {
			reason:  "what is accepted takes effect, and changes nothing but itself",
			options: migrate.Options{KeepGoing: true, AcceptAll: true},
			apps:    43,
			differ:  map[string][]string{tekton: {"serviceaccount.annotations.test"}},
			custom: []string{
				"argocd/argocd", "harbor/harbor", "keycloak/keycloak", "kfp/kubeflow-pipelines", "monitoring/loki", "monitoring/prometheus-operator", tekton,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := r.repo(t)
			repo := openRepo(t, dir)
			plan := newPlan(t, r.input(t, repo, r.path()), tc.options)
			if err := plan.Carry(t.Context(), repo, false); err != nil {
				t.Fatal(err)
			}
			checkCommit(t, dir, plan, tc.apps)
			checkCustoms(t, dir, plan, tc.custom)
			r.checkEffective(t, dir, plan, tc.differ)
			r.checkApplications(t, dir, plan)

			again := newPlan(t, r.input(t, openRepo(t, dir), r.path()), tc.options)
			if err := again.Carry(t.Context(), repo, false); err != nil {
				t.Fatal(err)
			}
			head := git(t, dir, "rev-parse", "HEAD")
			if again.Summary.Files != 0 || again.Summary.Unchanged != tc.apps || again.Commit != "" || head != plan.Commit {
				t.Errorf("a second run has nothing to do: %+v, commit %q, HEAD %s", again.Summary, again.Commit, head)
			}
		})
	}
}

// checkCommit holds that there is one commit, of three files for each app and nothing else, and that the tree is clean.
func checkCommit(t *testing.T, dir string, plan *migrate.Plan, apps int) {
	t.Helper()
	if got := git(t, dir, "log", "--format=%H %s"); !strings.HasPrefix(got, plan.Commit+fmt.Sprintf(" Move %d apps ", apps)) || strings.Count(got, "\n") != 1 {
		t.Errorf("one commit is made: %s", got)
	}
	var want []string
	for _, a := range plan.Apps {
		for _, f := range a.Files {
			want = append(want, "A\t"+f.Path)
		}
	}
	slices.Sort(want)
	got := strings.Split(git(t, dir, "diff", "--name-status", "HEAD~1", "HEAD"), "\n")
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 3*apps {
		t.Errorf("the commit adds the files of the plan (-want +got)\n%s", diff)
	}
	if status := git(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("the work tree is clean: %s", status)
	}
}

// checkCustoms holds which customs say something; the others are a comment and nothing else.
func checkCustoms(t *testing.T, dir string, plan *migrate.Plan, want []string) {
	t.Helper()
	var got []string
	for _, id := range with(plan, migrate.Migrate) {
		text := readFile(t, customFile(dir, id))
		var custom map[string]any
		readYAML(t, text, &custom)
		if len(custom) > 0 {
			got = append(got, id)
			continue
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				t.Errorf("the custom of %s is no comment: %q", id, line)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("apps with custom values (-want +got)\n%s", diff)
	}
}

func customFile(dir, id string) string {
	return filepath.Join(dir, "env", "values", filepath.FromSlash(id), "values.custom.yaml")
}

// TestCorpusArgoCD holds what one custom says, by Helm's reading.
func TestCorpusArgoCD(t *testing.T) {
	r := corpus(t)
	plan := newPlan(t, r.input(t, memory{}, r.path()), migrate.Options{})
	files := memory{}
	files.land(plan)
	var custom map[string]any
	readYAML(t, files["env/values/argocd/argocd/values.custom.yaml"], &custom)

	var live struct {
		Spec struct {
			Source struct{ Helm struct{ Values string } }
		}
	}
	readYAML(t, []byte(encode(t, r.rawApplications(t)["argocd-argocd"])), &live)
	var values struct {
		Controller struct{ Env []any }
		Server     struct{ ExtraArgs []any }
	}
	readYAML(t, []byte(live.Spec.Source.Helm.Values), &values)
	want := map[string]any{
		"controller": map[string]any{"env": values.Controller.Env},
		"server":     map[string]any{"extraArgs": values.Server.ExtraArgs},
		"redis":      map[string]any{"resources": map[string]any{"limits": map[string]any{"cpu": nil}}},
	}
	if diff := cmp.Diff(want, custom); diff != "" || len(values.Controller.Env) == 0 || len(values.Server.ExtraArgs) == 0 {
		t.Errorf("custom of argocd (-want +got)\n%s", diff)
	}
}

// TestCorpusIntroduced holds what the plan says of the one introduced key.
func TestCorpusIntroduced(t *testing.T) {
	r := corpus(t)
	cases := map[string]struct {
		reason  string
		options migrate.Options
		want    migrate.Effect
	}{
		"Default": {reason: "nobody has accepted it", want: migrate.Blocks},
		"Accept":  {reason: "all are accepted", options: migrate.Options{AcceptAll: true}, want: migrate.Accepted},
		"Exact":   {reason: "no override gives absence", options: migrate.Options{Exact: true}, want: migrate.Inexpressible},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan := newPlan(t, r.input(t, memory{}, r.path()), tc.options)
			want := []migrate.Introduced{{Path: "serviceaccount.annotations.test", Value: `"v1"`, Effect: tc.want}}
			if diff := cmp.Diff(want, appOf(t, plan, tekton).Introduced); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			for _, a := range plan.Apps {
				if a.App != tekton && len(a.Introduced) > 0 {
					t.Errorf("%s introduces nothing: %v", a.App, a.Introduced)
				}
			}
		})
	}
}

// TestCorpusDry holds that a plan alone writes nothing.
func TestCorpusDry(t *testing.T) {
	r := corpus(t)
	dir := r.repo(t)
	before, status := hashes(t, dir), git(t, dir, "status", "--porcelain", "--ignored")
	head := git(t, dir, "rev-parse", "HEAD")
	if plan := newPlan(t, r.input(t, openRepo(t, dir), r.path()), migrate.Options{KeepGoing: true, AcceptAll: true}); plan.Summary.Files == 0 {
		t.Fatal("the plan writes something")
	}
	if diff := cmp.Diff(before, hashes(t, dir)); diff != "" {
		t.Errorf("files changed (-before +after)\n%s", diff)
	}
	if got := git(t, dir, "status", "--porcelain", "--ignored"); got != status || git(t, dir, "rev-parse", "HEAD") != head {
		t.Errorf("git status: %s", got)
	}
}
