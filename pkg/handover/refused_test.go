package handover_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
)

type findingOf = finding.Finding

// patch writes to an Application as somebody else does.
func (p *platform) patch(t *testing.T, name string, operations ...cluster.Operation) {
	t.Helper()
	if _, err := p.client.Patch(t.Context(), "argocd", name, operations, cluster.WriteOptions{Manager: "kubectl-edit"}); err != nil {
		t.Fatal(err)
	}
}

// testRefused holds what stands against a hand-over: nothing is written then.
func testRefused(t *testing.T, p *platform) {
	const settings = "env/manifests/namespaces/web/configmap/settings.yaml"
	cases := map[string]struct {
		reason string
		setup  func()
		rule   string
		says   string
	}{
		"NoAdopter": {"nobody would take the objects over", func() {
			a, err := p.client.Application(t.Context(), "argocd", "gitops-global")
			if err == nil {
				err = p.client.DeleteApplication(t.Context(), a, cluster.WriteOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}, handover.RuleMissing, "there is no Application gitops-global, which is to sync env/manifests/global/clusterrole/web-reader.yaml"},
		"OtherPath": {"it syncs something else", func() {
			p.patch(t, "gitops-ns-web", cluster.Add("env/manifests/namespaces/other", "spec", "sources", "0", "path"))
		}, handover.RuleAdopter, "does not sync " + settings},
		"OtherBranch": {"what is pushed never gets there", func() {
			p.patch(t, "gitops-ns-web", cluster.Add("production", "spec", "sources", "0", "targetRevision"))
		}, handover.RuleAdopter, "does not sync " + settings},
		"Unknown": {"it has not fetched the files yet", func() {
			p.patch(t, "gitops-ns-web", cluster.Add([]any{}, "status", "resources"))
		}, handover.RuleAdopter, "does not know the files of these yet: ConfigMap web/settings, ConfigMap web/unlisted"},
		"NotCompared": {"it cannot compare", func() {
			p.patch(t, "gitops-ns-web", cluster.Add("Unknown", "status", "sync", "status"), cluster.Add([]any{}, "status", "resources"))
		}, handover.RuleAdopter, "gitops-ns-web has not compared the cluster with git, or cannot"},
		"Pruning": {"it would delete what it is to take over", func() {
			p.patch(t, "gitops-ns-web", cluster.Add(true, "status", "resources", "0", "requiresPruning"))
		}, handover.RuleAdopter, "no longer finds these in git, and deletes them when it prunes: ConfigMap web/settings"},
		"Unpushed": {"Argo CD reads what is pushed", func() { p.repo.unpushed = []string{settings} },
			handover.RuleUnpushed, "origin/main does not have these files as HEAD has them: " + settings},
		"TwoFiles": {"two owners take an object from each other", func() {
			p.repo.head["env/manifests/namespaces/other/configmap/settings.yaml"] = p.repo.head[settings]
		}, handover.RuleTwoFiles, "ConfigMap web/settings stands in two files, "},
		"Unreadable": {"one bad file stops a folder", func() { p.repo.head["env/manifests/namespaces/web/bad.yaml"] = "a: [1\n" },
			handover.RuleUnreadable, "env/manifests/namespaces/web/bad.yaml:"},
		"NoFiles": {"somebody forgot to write them", func() { p.repo.head = map[string]string{} },
			handover.RuleNoFile, "none of its objects has a file in the values repo: ClusterRole web-reader, ConfigMap web/settings, ConfigMap web/unlisted"},
		"Owned": {"an ApplicationSet would make it anew", func() {
			p.patch(t, old, cluster.Add([]any{map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "name": "all", "uid": "11111111-5a4c-4ee3-a1ab-e35f1bb39b2c"}}, "metadata", "ownerReferences"))
		}, handover.RuleOwned, "ApplicationSet all makes the Application"},
		"AppOfApps": {"another Application would make it anew", func() {
			p.patch(t, old, cluster.Add(map[string]any{idKey: "root:argoproj.io/Application:argocd/" + old}, "metadata", "annotations"))
		}, handover.RuleOwned, "Application root syncs the Application"},
		"Deleting": {"somebody deletes it, and its objects with it", func() {
			a, err := p.client.Application(t.Context(), "argocd", old)
			if err == nil {
				err = p.client.DeleteApplication(t.Context(), a, cluster.WriteOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}, handover.RuleDeleting, "takes along what it owns"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p.fresh(t, false)
			before := p.uids(t)
			tc.setup()
			made, err := handover.New(t.Context(), p.input(t, p.client), options(nil))
			if err != nil {
				t.Fatal(err)
			}
			severity := finding.Error
			if holdsFirst := map[string]bool{"NoAdopter": true, "Unknown": true, "NotCompared": true, "Unpushed": true}; holdsFirst[name] {
				severity = finding.Warning
			}
			tells := func(made *handover.Plan) bool {
				return slices.ContainsFunc(made.Apps[0].Findings, func(f findingOf) bool {
					return f.Rule == tc.rule && f.Severity == severity && strings.Contains(f.Message, tc.says) && f.Next != ""
				})
			}
			if !tells(made) || made.Refused() != (severity == finding.Error) {
				t.Errorf("%s: got %+v", tc.reason, made.Apps[0].Findings)
			}
			err = made.Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {})
			if severity == finding.Warning {
				testHeld(t, p, made, err)
				severity = finding.Error
				if made, err = handover.New(t.Context(), p.input(t, p.client), options(nil)); err != nil || !tells(made) || !made.Refused() {
					t.Errorf("%s: once it is held, got %v, %+v", tc.reason, err, made.Apps[0].Findings)
				}
			} else if !errors.Is(err, handover.ErrRefused) || made.Begun() {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			if after := p.uids(t); len(after) != len(before) {
				t.Errorf("%s: objects are gone", tc.reason)
			}
		})
	}
	t.Run("Told", func(t *testing.T) {
		p.fresh(t, false)
		delete(p.repo.head, settings)
		p.adopt(t, [3]string{"ConfigMap", "team-red", "policy"}, "gitops-ns-other")
		p.patch(t, old, cluster.Remove("status", "sync"))
		made := plan(t, p, p.client, options(nil))
		states := map[string]handover.State{}
		for _, o := range made.Apps[0].Objects {
			states[o.Name] = o.State
		}
		want := map[string]handover.State{"settings": handover.Kept, "unlisted": handover.Waiting, "login": handover.Kept, "policy": handover.Other, "ghost": handover.Gone, "web-reader": handover.Waiting}
		if diff := cmp.Diff(want, states); diff != "" {
			t.Errorf("one file is missing, and one object is somebody else's: (-want +got)\n%s", diff)
		}
		var rules []string
		for _, f := range made.Apps[0].Findings {
			rules = append(rules, string(f.Severity)+" "+f.Rule)
		}
		if diff := cmp.Diff([]string{"warning handover-status", "warning handover-no-file", "info handover-gone"}, rules); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
	t.Run("Errors", func(t *testing.T) {
		p.fresh(t, false)
		p.repo.unpushed = []string{"env/manifests/global/theirs.yaml"}
		if _, err := handover.New(t.Context(), p.input(t, p.client), options(nil)); err == nil || !strings.Contains(err.Error(), "env/manifests/global/theirs.yaml") {
			t.Errorf("what the upstream alone has is not known here: got %v", err)
		}
		p.repo = memoryRepo{head: files(), err: gitrepo.ErrNoUpstream}
		if _, err := handover.New(t.Context(), p.input(t, p.client), options(nil)); !errors.Is(err, gitrepo.ErrNoUpstream) {
			t.Errorf("got %v", err)
		}
		p.settings(t, map[string]any{})
		defer p.settings(t, map[string]any{"application.resourceTrackingMethod": "annotation", "application.instanceLabelKey": labelKey})
		p.repo.err = nil
		if _, err := handover.New(t.Context(), p.input(t, p.client), options(nil)); !errors.Is(err, cluster.ErrTracking) {
			t.Errorf("whose an object is, is never guessed: got %v", err)
		}
	})
}

// testNamed holds which Applications are chosen.
func testNamed(t *testing.T, p *platform) {
	p.fresh(t, false)
	cases := map[string]struct {
		reason string
		apps   []string
		action handover.Action
		err    error
	}{
		"Identity": {"by identity", []string{"web/web-artifacts"}, handover.HandOver, nil},
		"Name":     {"by app name", []string{old}, handover.HandOver, nil},
		"NoApp":    {"a release that has no Application, or has none any more", []string{"mail/mail-artifacts"}, handover.Done, nil},
		"Chart":    {"an app of a chart", []string{"web/web"}, "", handover.ErrApp},
		"Unknown":  {"nobody knows it", []string{"no/such"}, "", handover.ErrApp},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := options(nil)
			o.Apps = tc.apps
			made, err := handover.New(t.Context(), p.input(t, p.client), o)
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if err == nil && (len(made.Apps) != 1 || made.Apps[0].Action != tc.action) {
				t.Errorf("%s: got %+v", tc.reason, made.Apps)
			}
		})
	}
}

// testHeld holds that the old Application takes nothing back, so that the files can be pushed, and that it is still there and deletes
// nothing.
func testHeld(t *testing.T, p *platform, made *handover.Plan, err error) {
	t.Helper()
	if !made.Begun() || !errors.Is(err, handover.ErrRefused) && !errors.Is(err, handover.ErrNotAdopted) {
		t.Errorf("it is not held: %v", err)
	}
	a, err := p.client.Application(t.Context(), "argocd", old)
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := a.Object()["spec"].(map[string]any)
	policy, _ := spec["syncPolicy"].(map[string]any)
	if policy["automated"] != nil || a.Deleting() || len(a.CascadeFinalizers()) == 0 {
		t.Errorf("policy %v, finalizers %v", policy, a.CascadeFinalizers())
	}
}
