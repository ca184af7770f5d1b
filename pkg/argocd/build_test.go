package argocd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func form(namespace, release string) argocd.Form {
	return argocd.Form{
		ID:            app.ID{Namespace: namespace, Release: release},
		ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main",
	}
}

func TestBuild(t *testing.T) {
	got, warnings, err := one(t, platform).Build(form("monitoring", "loki"))
	if err != nil || len(warnings) != 0 {
		t.Fatal(warnings, err)
	}
	want := one(t, `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: monitoring-loki
  namespace: argocd
  labels:
    otomi.io/app: managed
  annotations:
    argocd.argoproj.io/compare-options: ServerSideDiff=true,IncludeMutationWebhook=true
    argocd.argoproj.io/sync-options: Prune=false,Delete=false
  finalizers:
  - resources-finalizer.argocd.argoproj.io
spec:
  project: default
  destination:
    server: https://kubernetes.default.svc
    namespace: monitoring
  revisionHistoryLimit: 2
  ignoreDifferences:
  - group: admissionregistration.k8s.io
    kind: ValidatingWebhookConfiguration
    jqPathExpressions:
    - .webhooks[]?.clientConfig.caBundle
  sources:
  - repoURL: https://git.example.test/platform/core.git
    path: charts/loki
    targetRevision: v5.0.0
    helm:
      releaseName: loki
      skipCrds: true
      valueFiles:
      - $values/env/values/monitoring/loki/values.managed.yaml
      - $values/env/values/monitoring/loki/values.custom.yaml
  - repoURL: https://git.example.test/values.git
    targetRevision: main
    ref: values
  syncPolicy:
    automated:
      prune: true
      selfHeal: true
    syncOptions:
    - ServerSideApply=true
`).Object()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("only where values come from changes, and what records how the object got here goes: (-want +got)\n%s", diff)
	}
}

func TestBuildSources(t *testing.T) {
	ours := []any{managedRef, customRef}
	ref := map[string]any{"repoURL": "https://git.example.test/values.git", "targetRevision": "main", "ref": "values"}
	cases := map[string]struct {
		reason string
		spec   string
		want   []any
	}{
		"HelmOptions": {
			reason: "what is no value stays, known to us or not",
			spec: chart(`, helm: {releaseName: web, values: a, valuesObject: {}, parameters: [{name: a}], fileParameters: [], valueFiles: [x], ignoreMissingValueFiles: true,` +
				` skipCrds: true, version: v3, passCredentials: true, kubeVersion: "1.34", apiVersions: [v1], namespace: other, skipTests: true, newer: {x: 1}}`),
			want: []any{map[string]any{
				"repoURL": "https://charts.example.test", "chart": "web", "targetRevision": "1.2.3",
				"helm": map[string]any{
					"releaseName": "web", "valueFiles": ours, "skipCrds": true, "version": "v3", "passCredentials": true, "kubeVersion": "1.34",
					"apiVersions": []any{"v1"}, "namespace": "other", "skipTests": true, "newer": map[string]any{"x": number("1")},
				},
			}, ref},
		},
		"NoHelm": {
			reason: "the release name is written out, since it must not change when the Application's name does",
			spec:   chart(`, ref: x`),
			want: []any{map[string]any{
				"repoURL": "https://charts.example.test", "chart": "web", "targetRevision": "1.2.3",
				"helm": map[string]any{"releaseName": "web", "valueFiles": ours},
			}, ref},
		},
		"Sources": {
			reason: "the chart source keeps its place, other refs stay, and the name values is ours",
			spec: `{destination: {namespace: web}, source: {chart: dead}, sources: [{repoURL: a, ref: other}, {repoURL: c, chart: web, ref: chart, name: web-chart, helm: {values: x}},` +
				` {repoURL: b, ref: values}]}`,
			want: []any{
				map[string]any{"repoURL": "a", "ref": "other"},
				map[string]any{"repoURL": "c", "chart": "web", "ref": "chart", "name": "web-chart", "helm": map[string]any{"releaseName": "web", "valueFiles": ours}},
				ref,
			},
		},
		"Folded": {
			reason: "a source that was there for value files goes with them, one that nothing reads stays",
			spec: `{destination: {namespace: web}, sources: [{repoURL: a, ref: team}, {repoURL: c, chart: web, helm: {valueFiles: [$team/x.yaml, $values/y.yaml]}},` +
				` {repoURL: d, ref: teams}, {repoURL: b, ref: values}]}`,
			want: []any{
				map[string]any{"repoURL": "c", "chart": "web", "helm": map[string]any{"releaseName": "web", "valueFiles": ours}},
				map[string]any{"repoURL": "d", "ref": "teams"},
				ref,
			},
		},
		"ChartIsValues": {
			reason: "two sources of one name are an error in Argo CD",
			spec:   `{destination: {namespace: web}, sources: [{repoURL: c, chart: web, ref: values}]}`,
			want: []any{
				map[string]any{"repoURL": "c", "chart": "web", "helm": map[string]any{"releaseName": "web", "valueFiles": ours}},
				ref,
			},
		},
		"Moved": {
			reason: "the new form is built of the new form",
			spec:   moved(managedRef, customRef, ""),
			want: []any{
				map[string]any{"repoURL": "c", "path": "charts/web", "helm": map[string]any{"releaseName": "web", "valueFiles": ours}},
				ref,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			object, _, err := one(t, application("web", "", tc.spec)).Build(form("web", "web"))
			if err != nil {
				t.Fatal(err)
			}
			spec, _ := object["spec"].(map[string]any)
			if diff := cmp.Diff(tc.want, spec["sources"]); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if _, left := spec["source"]; left {
				t.Errorf("%s: spec.source is left, if only as a null", tc.reason)
			}
		})
	}
}

func TestBuildMetadata(t *testing.T) {
	const key = "argocd.argoproj.io/sync-options"
	cases := map[string]struct {
		reason   string
		metadata string
		want     map[string]any
		warnings int
	}{
		"None": {
			reason: "the protection is all that is added",
			want:   map[string]any{"name": "web", "namespace": "argocd", "annotations": map[string]any{key: "Prune=false,Delete=false"}},
		},
		"Joined": {
			reason:   "options that are there stay, once each",
			metadata: `, annotations: {` + key + `: "ServerSideApply=true, SkipDryRunOnMissingResource=true,,ServerSideApply=true"}`,
			want: map[string]any{"name": "web", "namespace": "argocd", "annotations": map[string]any{
				key: "ServerSideApply=true,SkipDryRunOnMissingResource=true,Prune=false,Delete=false",
			}},
		},
		"Replaced": {
			reason:   "an option that would let it be pruned would count, since it stands first",
			metadata: `, annotations: {` + key + `: "Prune=confirm,Delete=true,Delete=false,PruneLast=true"}`,
			want:     map[string]any{"name": "web", "namespace": "argocd", "annotations": map[string]any{key: "PruneLast=true,Prune=false,Delete=false"}},
			warnings: 2,
		},
		"Dropped": {
			reason:   "to replace an Application by force deletes what it deployed",
			metadata: `, annotations: {` + key + `: "Force=true,Replace=true,Replace=false"}`,
			want:     map[string]any{"name": "web", "namespace": "argocd", "annotations": map[string]any{key: "Replace=false,Prune=false,Delete=false"}},
			warnings: 2,
		},
		"Declared": {
			reason: "what people and the platform declared stays, and what controllers recorded goes",
			metadata: `, labels: {a: b}, finalizers: [f], generateName: w, selfLink: /x, deletionGracePeriodSeconds: 1, ownerReferences: [{kind: Deployment}],` +
				` annotations: {mine: x, argocd.argoproj.io/refresh: hard, argocd.argoproj.io/hydrate: normal, argocd.argoproj.io/installation-id: i,` +
				` notified.notifications.argoproj.io: "{}", argocd.argoproj.io/deletion-approved: now, argocd.argoproj.io/sync-wave: "2"}`,
			want: map[string]any{
				"name": "web", "namespace": "argocd", "labels": map[string]any{"a": "b"}, "finalizers": []any{"f"},
				"annotations": map[string]any{"mine": "x", "argocd.argoproj.io/sync-wave": "2", key: "Prune=false,Delete=false"},
			},
		},
		"Nulls": {
			reason:   "a null would be owned by whoever applies it",
			metadata: `, labels: null, finalizers: null, annotations: null`,
			want:     map[string]any{"name": "web", "namespace": "argocd", "annotations": map[string]any{key: "Prune=false,Delete=false"}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			object, warnings, err := one(t, application("web", tc.metadata, chart(""))).Build(form("web", "web"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, object["metadata"]); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if len(warnings) != tc.warnings {
				t.Errorf("%s: %v", tc.reason, warnings)
			}
		})
	}
}

func TestBuildRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   string
		form   argocd.Form
		want   error
	}{
		"OtherApp": {reason: "another release name would recreate every object", spec: chart(""), form: form("web", "api")},
		"NoURL":    {reason: "$values needs a repo", spec: chart(""), form: argocd.Form{ID: app.ID{Namespace: "web", Release: "web"}, ValuesRevision: "main"}},
		"NoRevision": {
			reason: "and a revision", spec: chart(""),
			form: argocd.Form{ID: app.ID{Namespace: "web", Release: "web"}, ValuesRepoURL: "https://git.example.test/values.git"},
		},
		"NoIdentity": {reason: "an app without an identity has no files", spec: "{source: {chart: web}}", form: form("web", "web"), want: app.ErrInvalid},
		"NoSource":   {reason: "there is no chart to keep", spec: "{destination: {namespace: web}}", form: form("web", "web"), want: argocd.ErrSource},
		"TwoCharts":  {reason: "which of both the values are for is unknown", spec: "{destination: {namespace: web}, sources: [{chart: a}, {chart: b}]}", form: form("web", "web"), want: argocd.ErrSource},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			object, _, err := one(t, application("web", "", tc.spec)).Build(tc.form)
			if object != nil || err == nil || (tc.want != nil && !errors.Is(err, tc.want)) {
				t.Errorf("%s: got %v, %v", tc.reason, object, err)
			}
		})
	}
}

// applications draws Applications with everything at random that Build looks at.
func applications() *rapid.Generator[*argocd.Application] {
	options := rapid.SampledFrom([]string{"", "Prune=true", "Delete=false,X=y", "Force=true", " Replace=true ,Prune=false"})
	return rapid.Custom(func(t *rapid.T) *argocd.Application {
		source := map[string]any{"repoURL": "https://git.example.test/core.git", "path": "charts/web", "extra": []any{map[string]any{"a": true}}}
		helm := map[string]any{}
		for key, value := range map[string]any{
			"values": "password: hunter2", "valuesObject": map[string]any{"password": "hunter2"}, "skipCrds": true, "releaseName": "web",
			"parameters": []any{set("password", "hunter2")}, "fileParameters": []any{set("a", "hunter2")}, "valueFiles": []any{"hunter2.yaml"}, "ignoreMissingValueFiles": true,
		} {
			if rapid.Bool().Draw(t, key) {
				helm[key] = value
			}
		}
		if rapid.Bool().Draw(t, "helm") {
			source["helm"] = helm
		}
		spec := map[string]any{"destination": map[string]any{"namespace": "web"}, "project": "p"}
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			spec["source"] = source
		case 1:
			spec["sources"] = []any{map[string]any{"repoURL": "r", "ref": rapid.SampledFrom([]string{"values", "other"}).Draw(t, "ref")}, source}
		default:
			spec["sources"], spec["source"] = []any{source}, map[string]any{"chart": "dead", "helm": map[string]any{"values": "password: hunter2"}}
		}
		a, err := argocd.New(map[string]any{
			"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
			"metadata": map[string]any{
				"name": "web", "namespace": "argocd", "uid": "u", "managedFields": []any{map[string]any{"f": "hunter2"}},
				"annotations": map[string]any{
					"kubectl.kubernetes.io/last-applied-configuration": "hunter2", "argocd.argoproj.io/sync-options": options.Draw(t, "options"),
				},
			},
			"spec": spec, "status": map[string]any{"history": "hunter2"}, "operation": map[string]any{"sync": "hunter2"},
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	})
}

// TestBuildLeavesNothingBehind holds that no inline value is left anywhere in the new form, that the new form is moved and is
// built again the same, and that the Application that it was built from stays as it was.
func TestBuildLeavesNothingBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := applications().Draw(t, "application")
		f := form("web", a.Release())
		before := encode(t, a.Object())

		object, _, err := a.Build(f)
		if err != nil {
			t.Fatal(err)
		}
		built := encode(t, object)
		if strings.Contains(built, "hunter2") {
			t.Fatalf("an inline value is left: %s", built)
		}
		moved, err := argocd.New(object)
		if err != nil {
			t.Fatal(err)
		}
		if live := moved.LiveValues(); !moved.Moved(f) || live.Blocked() || live.Origin != argocd.OriginFiles || len(live.Warnings) > 0 {
			t.Fatalf("the new form does not count as moved: %s", built)
		}
		again, warnings, err := moved.Build(f)
		if err != nil || len(warnings) > 0 || encode(t, again) != built {
			t.Fatalf("built again it is another: %v\n%s\n%s", err, built, encode(t, again))
		}
		scribble(again)
		if encode(t, object) != built || encode(t, a.Object()) != before {
			t.Fatalf("what was built shares with what it was built from: %s", before)
		}
	})
}

func encode(t interface{ Fatal(...any) }, v any) string {
	b, err := json.Marshal(v) // keys come sorted
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// scribble changes every map and list of a tree.
func scribble(v any) {
	switch x := v.(type) {
	case map[string]any:
		for _, child := range x {
			scribble(child)
		}
		x["scribble"] = true
	case []any:
		for i := range x {
			scribble(x[i])
			x[i] = fmt.Sprint(i)
		}
	}
}
