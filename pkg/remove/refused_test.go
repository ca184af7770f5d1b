package remove_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/remove"
)

// rootApp is the root app as its status tells of the Application.
func rootApp(entry string) string {
	return `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"gitops-ns-argocd","namespace":"argocd"},
	"spec":{"project":"default","destination":{},"sources":[{"repoURL":"https://git.example.test/values.git","path":"env"}]},
	"status":{"resources":[{"group":"argoproj.io","kind":"Application","namespace":"argocd","name":"docs-wiki"` + entry + `}]}}`
}

// testRefused holds who is found that would make the Application anew, and what is not for this tool to remove.
func testRefused(t *testing.T, w *world) {
	label := func(value string) func(map[string]any) {
		return func(o map[string]any) {
			o["metadata"].(map[string]any)["labels"].(map[string]any)["otomi.io/app"] = value
		}
	}
	cases := map[string]struct {
		reason   string
		edit     func(map[string]any)
		root     string
		repo     repo
		gates    []remove.Gate
		running  bool
		manager  string
		options  remove.Options
		errors   []string
		warnings []string
	}{
		"Off":        {reason: "nobody has it any more", warnings: []string{remove.RuleData}},
		"WorkTree":   {reason: "the file is in the work tree", repo: repo{work: true}, errors: []string{remove.RuleInGit}, warnings: []string{remove.RuleData}},
		"Head":       {reason: "the file is in HEAD", repo: repo{head: true}, errors: []string{remove.RuleInGit}, warnings: []string{remove.RuleData}},
		"Pushed":     {reason: "its removal was not pushed", repo: repo{pushed: true}, errors: []string{remove.RuleInGit}, warnings: []string{remove.RuleData}},
		"NotFetched": {reason: "nobody knows what the remote has", repo: repo{unknown: true}, warnings: []string{remove.RuleUnseen, remove.RuleData}},
		"Gate": {
			reason: "the platform installs it", errors: []string{remove.RuleGate}, warnings: []string{remove.RuleData},
			gates: []remove.Gate{off, func(app.ID) (bool, bool, string) { return true, true, "apps.yaml has it on" }},
		},
		"Root":         {reason: "the root app has it", root: rootApp(""), errors: []string{remove.RuleRootApp}, warnings: []string{remove.RuleData}},
		"RootPrunable": {reason: "the root app knows that it is gone from git", root: rootApp(`,"requiresPruning":true`), warnings: []string{remove.RuleData}},
		"OperatorKnows": {
			reason: "the operator does not install it", running: true, warnings: []string{remove.RuleOperator, remove.RuleData},
		},
		"OperatorUnknown": {
			reason: "nobody knows whether the operator installs it", running: true, gates: []remove.Gate{}, errors: []string{remove.RuleOperator}, warnings: []string{remove.RuleData},
		},
		"OperatorAccepted": {
			reason: "somebody says that it does not matter", running: true, gates: []remove.Gate{}, options: remove.Options{AcceptOperator: true},
			warnings: []string{remove.RuleOperator, remove.RuleData},
		},
		"Team": {
			reason: "a team's app", errors: []string{remove.RuleNotPlatform},
			edit: func(o map[string]any) {
				o["spec"].(map[string]any)["destination"].(map[string]any)["namespace"] = "team-red"
			},
		},
		"GitOps": {reason: "a gitops app", edit: label("generic-gitops"), errors: []string{remove.RuleNotPlatform}},
		"Other":  {reason: "somebody's app", edit: label("x"), errors: []string{remove.RuleNotPlatform}},
		"Set": {
			reason: "an ApplicationSet makes it anew", errors: []string{remove.RuleOwner},
			edit: func(o map[string]any) {
				o["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet",
					"name": "all", "uid": "11111111-5a4c-4ee3-a1ab-e35f1bb39b2c"}}
			},
		},
		"Twin": {
			reason: "two identities have one name", errors: []string{remove.RuleOtherApp},
			edit: func(o map[string]any) {
				o["spec"].(map[string]any)["sources"].([]any)[0].(map[string]any)["helm"].(map[string]any)["releaseName"] = "wiki2"
			},
		},
		"ArgoCD": {
			reason: "Argo CD cannot delete itself", errors: []string{remove.RuleItself}, warnings: []string{remove.RuleData}, options: remove.Options{App: "docs-wiki"},
			edit: func(o map[string]any) {
				spec := o["spec"].(map[string]any)
				spec["destination"].(map[string]any)["namespace"] = "argocd"
				spec["sources"].([]any)[0].(map[string]any)["helm"].(map[string]any)["releaseName"] = "argocd"
			},
		},
		"Unseen": {
			reason: "Argo CD does not tell what it deploys", warnings: []string{remove.RuleUnseen},
			edit: func(o map[string]any) { delete(o, "status") },
		},
		"Writer": {
			reason: "a pipeline applies it too", manager: "flux", warnings: []string{remove.RuleWriter, remove.RuleData},
		},
		"NoRoot": {
			reason: "a root app that is not there says nothing", options: remove.Options{RootApp: "my-rot"}, errors: []string{remove.RuleRootApp}, warnings: []string{remove.RuleData},
		},
		"Orphan": {reason: "what stays needs no warning", options: remove.Options{Orphan: true}},
	}
	w.server.Namespace(t, "apl-operator")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.deployed(t, tc.edit)
			if tc.manager != "" {
				o := object(t, wiki)
				delete(o, "status")
				w.apply(t, tc.manager, o)
			}
			if tc.root != "" {
				w.apply(t, "argocd", object(t, tc.root))
			}
			if tc.running {
				w.server.Create(t, "test", operator(1))
				defer func() {
					if err := w.server.Client.AppsV1().Deployments("apl-operator").Delete(t.Context(), "apl-operator", metav1.DeleteOptions{}); err != nil {
						t.Error(err)
					}
				}()
			}
			in := w.input()
			in.Repo = tc.repo
			if tc.gates != nil {
				in.Gates = tc.gates
			}
			plan := w.plan(t, in, tc.options)
			if diff := cmp.Diff(tc.errors, rules(plan, finding.Error)); diff != "" {
				t.Errorf("%s: errors (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.warnings, rules(plan, finding.Warning)); diff != "" {
				t.Errorf("%s: warnings (-want +got)\n%s", tc.reason, diff)
			}
			if len(tc.errors) == 0 {
				return
			}
			if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, nil); !errors.Is(err, remove.ErrRefused) || plan.Action != remove.Refused {
				t.Errorf("%s: %s, %v", tc.reason, plan.Action, err)
			}
			if there := w.there(t); len(there) != 3 {
				t.Errorf("%s: there: %v", tc.reason, there)
			}
		})
	}
	t.Run("Names", func(t *testing.T) {
		for _, name := range []string{"", "wiki", "docs/", "../docs-wiki", "docs/wiki/x", "Docs/wiki", "docs-wiki?x"} {
			if _, err := remove.New(t.Context(), w.input(), remove.Options{App: name}); !errors.Is(err, remove.ErrApp) && !errors.Is(err, app.ErrInvalid) {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

func TestNamespace(t *testing.T) {
	if _, err := remove.New(t.Context(), remove.Input{Namespace: "harbor"}, remove.Options{App: "harbor/harbor"}); !errors.Is(err, remove.ErrNamespace) {
		t.Errorf("what is not in the namespace of Argo CD is not gone: %v", err)
	}
}

func TestCommittedGate(t *testing.T) {
	gate := func(on, known bool) remove.Gate {
		return func(app.ID) (bool, bool, string) { return on, known, "it is" }
	}
	for name, tc := range map[string]struct {
		reason     string
		work, head remove.Gate
		on         bool
	}{
		"NotCommitted": {"switched off, and not committed", gate(false, true), gate(true, true), true},
		"Same":         {"on in both is told once", gate(true, true), gate(true, true), false},
		"Off":          {"off in both", gate(false, true), gate(false, true), false},
		"Unknown":      {"HEAD does not say", gate(false, true), gate(true, false), false},
	} {
		if on, known, _ := remove.Committed(tc.work, tc.head)(app.ID{Namespace: "a", Release: "b"}); on != tc.on || known != tc.on {
			t.Errorf("%s: %s: on %v, known %v", name, tc.reason, on, known)
		}
	}
}

func TestRegistryGate(t *testing.T) {
	registry, err := release.ParseRegistry("releases.json", []byte(`[
		{"name":"on","namespace":"a","enabled":true,"installed":true},
		{"name":"off","namespace":"a","enabled":true,"installed":false},
		{"name":"disabled","namespace":"a","enabled":false,"installed":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	gate := remove.FromRegistry(registry, "releases.json")
	for name, want := range map[string]bool{"on": true, "off": false, "disabled": false, "unlisted": false} {
		if on, known, why := gate(app.ID{Namespace: "a", Release: name}); on != want || !known || why == "" {
			t.Errorf("%s: on %v, known %v: %s", name, on, known, why)
		}
	}
	empty, err := release.ParseRegistry("releases.json", []byte(`[]`))
	if err != nil {
		t.Fatal(err)
	}
	if on, known, _ := remove.FromRegistry(empty, "releases.json")(app.ID{Namespace: "a", Release: "on"}); on || known {
		t.Error("a registry of nothing knows nothing")
	}
}
