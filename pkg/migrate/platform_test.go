package migrate_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const (
	gatehouse = "policy/gatehouse"
	pipelines = "build/pipelines"
)

func gatehouseKeys() []string {
	return []string{"audit.interval", "audit.limits.violations", "webhook.timeoutSeconds"}
}

// TestPlatformPlan holds what the README of the recording says of each app.
func TestPlatformPlan(t *testing.T) {
	ready := map[string][]string{
		"docs/wiki":               {"image", "ingress", "labels", "replicas"},
		"edge-router/edge-crds":   nil,
		"edge-router/edge-router": nil,
		"mail/mailer-cache":       {"architecture", "config", "maxMemory", "persistence", "replica", "resources"},
		"observe/telemetry":       {"agent", "alerting", "collector", "global", "store"},
	}
	plus := func(more map[string][]string) map[string][]string {
		out := maps.Clone(ready)
		maps.Copy(out, more)
		return out
	}
	always := map[string][]string{
		"mail/mailer":           {"error secret-named-key smtp.auth.password"},
		"preview/preview-cache": {"error application-owned"},
	}
	blocks := func(more map[string][]string) map[string][]string {
		out := maps.Clone(always)
		maps.Copy(out, more)
		return out
	}
	cases := map[string]struct {
		reason  string
		options migrate.Options
		custom  map[string][]string // the top keys of the custom of each app that is ready
		blocked map[string][]string
	}{
		"Default": {
			reason: "introduced keys block until somebody decides",
			custom: ready,
			blocked: blocks(map[string][]string{
				gatehouse: {"error introduced-keys"},
				pipelines: {"error introduced-keys"},
			}),
		},
		"Accept": {
			reason:  "accepted keys are left to managed",
			options: migrate.Options{AcceptAll: true},
			custom:  plus(map[string][]string{gatehouse: {"webhook"}, pipelines: {"defaults"}}),
			blocked: always,
		},
		"Exact": {
			reason:  "a key with a chart default can be pinned, one without cannot",
			options: migrate.Options{Exact: true},
			custom:  plus(map[string][]string{gatehouse: {"audit", "webhook"}}),
			blocked: blocks(map[string][]string{pipelines: {"error introduced-inexpressible"}}),
		},
		"ExactButOne": {
			reason:  "an app can be taken out of --exact by accepting what it introduces",
			options: migrate.Options{Exact: true, Accept: []app.ID{{Namespace: "build", Release: "pipelines"}}},
			custom:  plus(map[string][]string{gatehouse: {"audit", "webhook"}, pipelines: {"defaults"}}),
			blocked: always,
		},
		"Named": {
			reason:  "only what is named is in the plan, and the operator's app only then",
			options: migrate.Options{Apps: []string{"docs/wiki", "apl-operator/apl-operator"}},
			custom:  map[string][]string{"docs/wiki": {"image", "ingress", "labels", "replicas"}},
			blocked: map[string][]string{"apl-operator/apl-operator": {"error secret-named-key kms.vault.token"}},
		},
		"NamedArtifacts": {
			reason:  "what is never moved is an error when it is asked for",
			options: migrate.Options{Apps: []string{"policy/gatehouse-artifacts", "gitops-global"}},
			custom:  map[string][]string{},
			blocked: map[string][]string{"policy/gatehouse-artifacts": {"error not-movable"}, "": {"error not-movable"}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan := newPlan(t, platform.input(t, memory{}, platform.path()), tc.options)
			files := memory{}
			files.land(plan)
			custom := map[string][]string{}
			for _, id := range with(plan, migrate.Migrate) {
				custom[id] = topKeys(t, files["env/values/"+id+"/values.custom.yaml"])
			}
			if diff := cmp.Diff(tc.custom, custom); diff != "" {
				t.Errorf("%s: keys of customs (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.blocked, errorsOf(plan)); diff != "" {
				t.Errorf("%s: blocked (-want +got)\n%s", tc.reason, diff)
			}
			if plan.Summary.Applications != 20 || plan.Summary.Releases != 10 {
				t.Errorf("every Application has its place: %+v", plan.Summary)
			}
		})
	}
}

// TestPlatformMove carries moves out and asks Helm what became of the effective values.
func TestPlatformMove(t *testing.T) {
	cases := map[string]struct {
		reason  string
		options migrate.Options
		apps    int
		differ  map[string][]string
	}{
		"KeepGoing": {
			reason:  "without introduced keys nothing changes",
			options: migrate.Options{KeepGoing: true},
			apps:    5,
		},
		"Exact": {
			reason:  "pinned keys change nothing",
			options: migrate.Options{KeepGoing: true, Exact: true},
			apps:    6,
		},
		"Accept": {
			reason:  "accepted keys change themselves and nothing else",
			options: migrate.Options{KeepGoing: true, AcceptAll: true},
			apps:    7,
			differ: map[string][]string{
				gatehouse: gatehouseKeys(),
				pipelines: {"controller.podAnnotations.mesh.example.test/inject"},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := platform.repo(t)
			repo := openRepo(t, dir)
			plan := newPlan(t, platform.input(t, repo, platform.path()), tc.options)
			if err := plan.Carry(t.Context(), repo, false); err != nil {
				t.Fatal(err)
			}
			checkCommit(t, dir, plan, tc.apps)
			platform.checkEffective(t, dir, plan, tc.differ)
			platform.checkApplications(t, dir, plan)

			again := newPlan(t, platform.input(t, openRepo(t, dir), platform.path()), tc.options)
			if again.Summary.Files != 0 || again.Summary.Unchanged != tc.apps || len(again.Changes()) != 0 {
				t.Errorf("%s: a second run has nothing to do: %+v", tc.reason, again.Summary)
			}
		})
	}
}

// TestPlatformPins holds what --exact writes for keys that the chart has defaults for.
func TestPlatformPins(t *testing.T) {
	plan := newPlan(t, platform.input(t, memory{}, platform.path()), migrate.Options{Exact: true})
	files := memory{}
	files.land(plan)
	var custom map[string]any
	readYAML(t, files["env/values/policy/gatehouse/values.custom.yaml"], &custom)
	want := map[string]any{
		"audit":   map[string]any{"interval": 300.0, "limits": map[string]any{"violations": 100.0}},
		"webhook": map[string]any{"failurePolicy": "Fail", "timeoutSeconds": 10.0},
	}
	if diff := cmp.Diff(want, custom); diff != "" {
		t.Errorf("custom pins the chart's defaults (-want +got)\n%s", diff)
	}
	want2 := []migrate.Introduced{
		{Path: "audit.interval", Value: "60", Effect: migrate.Pinned},
		{Path: "audit.limits.violations", Value: "20", Effect: migrate.Pinned},
		{Path: "webhook.timeoutSeconds", Value: "5", Effect: migrate.Pinned},
	}
	if diff := cmp.Diff(want2, appOf(t, plan, gatehouse).Introduced); diff != "" {
		t.Errorf("introduced keys (-want +got)\n%s", diff)
	}
}

// TestPlatformNullStaysVisible shows with Helm's library why pipelines' key is inexpressible: a null over a key that the
// chart lacks is there for templates, as null.
func TestPlatformNullStaysVisible(t *testing.T) {
	plan := newPlan(t, platform.input(t, memory{}, platform.path()), migrate.Options{Exact: true})
	a := appOf(t, plan, pipelines)
	want := []migrate.Introduced{{Path: `controller.podAnnotations["mesh.example.test/inject"]`, Value: `"false"`, Effect: migrate.Inexpressible}}
	if diff := cmp.Diff(want, a.Introduced); diff != "" || a.Action != migrate.Blocked {
		t.Errorf("pipelines is %s (-want +got)\n%s", a.Action, diff)
	}

	accepted := newPlan(t, platform.input(t, memory{}, platform.path()), migrate.Options{AcceptAll: true})
	files := memory{}
	files.land(accepted)
	null := filepath.Join(t.TempDir(), "null.yaml")
	if err := os.WriteFile(null, []byte("controller: {podAnnotations: {mesh.example.test/inject: null}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	options := files.valueFiles(t, pipelines)
	options.ValueFiles = append(options.ValueFiles, null)
	live := platform.rawApplications(t)["build-pipelines"]
	before, err := helmEffective(platform.chartOf(live), liveOptions(t, live))
	if err != nil {
		t.Fatal(err)
	}
	after, err := helmEffective(platform.chartOf(live), options)
	if err != nil {
		t.Fatal(err)
	}
	annotations := after["controller"].(map[string]any)["podAnnotations"].(map[string]any)
	if v, there := annotations["mesh.example.test/inject"]; !there || v != nil {
		t.Errorf("Helm shows the null to templates: %v", annotations)
	}
	if differing(before, after) == nil {
		t.Error("and so the effective values differ from the live ones")
	}
}

func topKeys(t testing.TB, text []byte) []string {
	t.Helper()
	var tree map[string]any
	readYAML(t, text, &tree)
	return sortedKeys(tree)
}

// TestPlatformComments holds that custom keeps the text that people wrote.
func TestPlatformComments(t *testing.T) {
	plan := newPlan(t, platform.input(t, memory{}, platform.path()), migrate.Options{})
	files := memory{}
	files.land(plan)
	custom := string(files["env/values/observe/telemetry/values.custom.yaml"])
	for _, want := range []string{"# ", "|", "'08'", "9007199254740993"} {
		if !strings.Contains(custom, want) {
			t.Errorf("the custom of telemetry has lost %q:\n%s", want, custom)
		}
	}
}
