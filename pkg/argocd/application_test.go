package argocd_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// one reads the one Application that a text holds.
func one(t testing.TB, text string) *argocd.Application {
	t.Helper()
	apps := all(t, text)
	if len(apps) != 1 {
		t.Fatalf("the text holds %d Applications", len(apps))
	}
	return apps[0]
}

// all reads the Applications that a text holds.
func all(t testing.TB, text string) []*argocd.Application {
	t.Helper()
	var apps []*argocd.Application
	_, err := argocd.Read("live.yaml", strings.NewReader(text), func(a *argocd.Application) error {
		apps = append(apps, a)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return apps
}

// platform is an Application as the platform's operator makes it, with what an API server adds.
const platform = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: monitoring-loki
  namespace: argocd
  labels:
    otomi.io/app: managed
  annotations:
    argocd.argoproj.io/compare-options: ServerSideDiff=true,IncludeMutationWebhook=true
    argocd.argoproj.io/tracking-id: gitops-ns-argocd:argoproj.io/Application:argocd/monitoring-loki
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"source":{"helm":{"values":"password: hunter2"}}}}'
  finalizers:
  - resources-finalizer.argocd.argoproj.io
  uid: 0ce388e7-3a6b-41d3-af44-af1f0584cdd9
  resourceVersion: "1843021"
  generation: 7
  creationTimestamp: "2026-03-11T09:12:00Z"
  managedFields:
  - manager: apl-operator
    operation: Apply
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
  source:
    repoURL: https://git.example.test/platform/core.git
    path: charts/loki
    targetRevision: v5.0.0
    helm:
      releaseName: loki
      skipCrds: true
      values: |
        loki:
          auth_enabled: true
  syncPolicy:
    automated:
      prune: true
      selfHeal: true
    syncOptions:
    - ServerSideApply=true
status:
  sync:
    status: Synced
`

func TestAccessors(t *testing.T) {
	a := one(t, platform)
	type facts struct {
		Name, Namespace, Project, Destination, Release, Label, Annotation, Owner string
		ID                                                                       app.ID
		File                                                                     string
		Line                                                                     int
		Deleting                                                                 bool
	}
	id, err := a.ID()
	if err != nil {
		t.Fatal(err)
	}
	owner, _ := a.Owner()
	got := facts{
		Name: a.Name(), Namespace: a.Namespace(), Project: a.Project(), Destination: a.DestinationNamespace(), Release: a.Release(),
		Label: a.Label("otomi.io/app"), Annotation: a.Annotation("argocd.argoproj.io/compare-options"), Owner: owner, ID: id,
		File: a.File, Line: a.Line, Deleting: a.Deleting(),
	}
	want := facts{
		Name: "monitoring-loki", Namespace: "argocd", Project: "default", Destination: "monitoring", Release: "loki", Label: "managed",
		Annotation: "ServerSideDiff=true,IncludeMutationWebhook=true", ID: app.ID{Namespace: "monitoring", Release: "loki"},
		File: "live.yaml", Line: 2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what an Application says of itself: (-want +got)\n%s", diff)
	}
}

func TestID(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   string
		want   app.ID
		err    error
	}{
		"ReleaseName": {
			reason: "the release is what Helm is told, not what the Application is called",
			spec:   `{destination: {namespace: gitea}, source: {chart: valkey, helm: {releaseName: gitea-valkey}}}`,
			want:   app.ID{Namespace: "gitea", Release: "gitea-valkey"},
		},
		"NoReleaseName": {
			reason: "without one Argo CD takes the Application's name",
			spec:   `{destination: {namespace: gitea}, source: {chart: valkey, helm: {}}}`,
			want:   app.ID{Namespace: "gitea", Release: "web"},
		},
		"Sources": {
			reason: "the source that is only referred to renders nothing, so that its releaseName does not count",
			spec: `{destination: {namespace: gitea}, sources: [{ref: values, helm: {releaseName: wrong}},` +
				` {chart: gitea, helm: {releaseName: gitea}}], source: {chart: dead, helm: {releaseName: dead}}}`,
			want: app.ID{Namespace: "gitea", Release: "gitea"},
		},
		"NoDestination": {reason: "there is no identity without a namespace", spec: `{destination: {name: in-cluster}, source: {chart: c}}`, err: app.ErrInvalid},
		"BadRelease": {
			reason: "a release name becomes a folder", err: app.ErrInvalid,
			spec: `{destination: {namespace: x}, source: {chart: c, helm: {releaseName: ../../x}}}`,
		},
		"WrongTypes": {reason: "what the API server would refuse does no harm", spec: `{destination: [], source: 3, sources: x}`, err: app.ErrInvalid},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := one(t, application("web", "", tc.spec))
			got, err := a.ID()
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if tc.err == nil && got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

// application writes an Application in namespace argocd with more metadata, in flow style and a comma before it, and a spec.
func application(name, metadata, spec string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\n" +
		"metadata: {name: " + name + ", namespace: argocd" + metadata + "}\n" +
		"spec: " + spec + "\n"
}

func TestOwner(t *testing.T) {
	cases := map[string]struct {
		reason   string
		metadata string
		want     string
		owned    bool
	}{
		"None": {reason: "most are owned by nobody"},
		"Set": {
			reason:   "the set's controller would put its own form back",
			metadata: `, ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, name: apps, controller: true}]`, want: "apps", owned: true,
		},
		"Other": {reason: "an owner of another kind writes no spec that we know of", metadata: `, ownerReferences: [{kind: Deployment, name: x}, 3]`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, owned := one(t, application("web", tc.metadata, "{}")).Owner()
			if got != tc.want || owned != tc.owned {
				t.Errorf("%s: got %q, %v", tc.reason, got, owned)
			}
		})
	}
}

func TestClass(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   argocd.Class
	}{
		"Platform": {reason: "label and namespace both say so", text: platform, want: argocd.Platform},
		"TeamByNamespace": {
			reason: "team apps carry the platform's label too",
			text:   application("team-demo-prometheus", `, labels: {otomi.io/app: managed}`, `{destination: {namespace: team-demo}}`), want: argocd.Team,
		},
		"TeamUnlabelled": {
			reason: "a team's workload can deploy to any namespace, and is known by its name",
			text:   application("team-admin-crossplane", "", `{project: default, destination: {namespace: crossplane}}`), want: argocd.Team,
		},
		"TeamByProject": {reason: "a team's project holds only its own", text: application("x", "", `{project: team-demo, destination: {namespace: y}}`), want: argocd.Team},
		"TeamGitOps":    {reason: "a team's own gitops app is the team's", text: application("x", `, labels: {otomi.io/app: team-gitops}`, `{}`), want: argocd.Team},
		"GitOpsByLabel": {reason: "the operator labels what it makes", text: application("x", `, labels: {otomi.io/app: generic-gitops}`, `{}`), want: argocd.GitOps},
		"GitOpsByName":  {reason: "an older operator did not", text: application("gitops-ns-harbor", "", `{destination: {namespace: harbor}}`), want: argocd.GitOps},
		"LabelBeforeName": {
			reason: "an app of a namespace gitops-x is called gitops-x-* and is the platform's all the same",
			text:   application("gitops-tools-web", `, labels: {otomi.io/app: managed}`, `{destination: {namespace: gitops-tools}}`), want: argocd.Platform,
		},
		"Unlabelled": {reason: "whose it is nobody says, so it is left alone", text: application("web", "", `{destination: {namespace: web}}`), want: argocd.Other},
		"Elsewhere": {
			reason: "the platform's Applications are in argocd",
			text:   strings.Replace(platform, "namespace: argocd", "namespace: tenant", 1), want: argocd.Other,
		},
		"LabelsOfAnotherType": {reason: "what cannot be read gives no claim", text: application("web", `, labels: [managed]`, `{}`), want: argocd.Other},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, reason := one(t, tc.text).Class()
			if got != tc.want || reason == "" {
				t.Errorf("%s: got %s because %q", tc.reason, got, reason)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		object map[string]any
	}{
		"Nil":       {reason: "nothing is no Application"},
		"OtherKind": {reason: "another kind is none", object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}},
		"OtherGroup": {
			reason: "the Kubernetes project has a kind of that name too",
			object: map[string]any{"apiVersion": "app.k8s.io/v1beta1", "kind": "Application", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{}},
		},
		"NoName": {reason: "it could not be named in a plan", object: map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": map[string]any{}}},
		"NoSpec": {
			reason: "without a spec it says nothing",
			object: map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": "a"}, "spec": []any{}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if a, err := argocd.New(tc.object); a != nil || !errors.Is(err, argocd.ErrApplication) {
				t.Errorf("%s: got %v, %v", tc.reason, a, err)
			}
		})
	}
}
