package argocd_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestTrackingOwner(t *testing.T) {
	const id, installation, label = "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/installation-id", "example.test/instance"
	annotated := map[string]string{id: "gitops-ns-web:/ConfigMap:web/settings"}
	cases := map[string]struct {
		reason              string
		tracking            argocd.Tracking
		labels, annotations map[string]string
		want                string
	}{
		"Annotation":   {"the part before the first colon", argocd.Tracking{Method: argocd.ByAnnotation, LabelKey: label}, map[string]string{label: "old"}, annotated, "gitops-ns-web"},
		"Label":        {"only the label counts", argocd.Tracking{Method: argocd.ByLabel, LabelKey: label}, map[string]string{label: "old"}, annotated, "old"},
		"OtherLabel":   {"Helm's own label is another key", argocd.Tracking{Method: argocd.ByLabel, LabelKey: label}, map[string]string{argocd.DefaultInstanceLabel: "old"}, nil, ""},
		"Both":         {"the annotation decides", argocd.Tracking{Method: argocd.ByBoth, LabelKey: label}, map[string]string{label: "old"}, annotated, "gitops-ns-web"},
		"BothBare":     {"the label alone says nothing", argocd.Tracking{Method: argocd.ByBoth, LabelKey: label}, map[string]string{label: "old"}, nil, ""},
		"Malformed":    {"Argo CD reads no such id", argocd.Tracking{Method: argocd.ByAnnotation}, nil, map[string]string{id: "gitops-ns-web"}, ""},
		"Installation": {"another Argo CD's", argocd.Tracking{Method: argocd.ByAnnotation, InstallationID: "one"}, nil, map[string]string{id: annotated[id], installation: "two"}, ""},
		"Ours":         {"of this installation", argocd.Tracking{Method: argocd.ByAnnotation, InstallationID: "one"}, nil, map[string]string{id: annotated[id], installation: "one"}, "gitops-ns-web"},
		"None":         {"nobody's", argocd.Tracking{Method: argocd.ByAnnotation}, nil, nil, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.tracking.Owner(tc.labels, tc.annotations); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
			if tc.want != "" && !tc.tracking.Owns(tc.want, tc.labels, tc.annotations) {
				t.Errorf("%s: it is not %s's", tc.reason, tc.want)
			}
			if tc.tracking.Owns("other", tc.labels, tc.annotations) {
				t.Errorf("%s: it is everybody's", tc.reason)
			}
		})
	}
}

func TestMethod(t *testing.T) {
	for _, m := range []argocd.Method{argocd.ByAnnotation, argocd.ByLabel, argocd.ByBoth} {
		if got, err := argocd.ParseMethod(string(m)); err != nil || got != m {
			t.Errorf("%s: got %s, %v", m, got, err)
		}
	}
	if _, err := argocd.ParseMethod("Label"); err == nil {
		t.Error("what Argo CD does not know is no method")
	}
	for version, want := range map[string]argocd.Method{"v2.14.3": argocd.ByLabel, "v3.0.0": argocd.ByAnnotation, "v3.2.11": argocd.ByAnnotation} {
		if got, known := argocd.DefaultMethod(version); got != want || !known {
			t.Errorf("%s: got %s, %v", version, got, known)
		}
	}
	if _, known := argocd.DefaultMethod("latest"); known {
		t.Error("what is no version has no default")
	}
}

// TestProtectObject holds that a protected object is protected as Argo CD reads it, keeps its other options, and stays as it is
// when it is protected again.
func TestProtectObject(t *testing.T) {
	for value, want := range map[string]string{
		"":                                     "Prune=false,Delete=false",
		"Replace=true":                         "Replace=true,Prune=false,Delete=false",
		"Prune=confirm, ServerSideApply=true ": "ServerSideApply=true,Prune=false,Delete=false",
	} {
		if got, done := argocd.ProtectObject(value); got != want || done {
			t.Errorf("%q: got %q, %v", value, got, done)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.SliceOf(rapid.SampledFrom([]string{"Prune=false", "Prune=confirm", "Delete=false", "Delete=confirm", "Replace=true", " Force=true", "", "x"})).Draw(t, "options")
		once, _ := argocd.ProtectObject(strings.Join(options, ","))
		twice, done := argocd.ProtectObject(once)
		if once != twice || !done || !strings.HasSuffix(once, "Prune=false,Delete=false") {
			t.Errorf("%q, then %q, %v", once, twice, done)
		}
		if strings.Contains(once, "confirm") {
			t.Errorf("two words on deleting: %q", once)
		}
	})
}

func TestPauseOperator(t *testing.T) {
	const scale = "kubectl scale deployment apl-operator -n apl-operator --replicas=0"
	if got := argocd.PauseOperator(nil); got != scale {
		t.Errorf("got %s", got)
	}
	own := func(automated any) *argocd.Application {
		a, err := argocd.New(map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": argocd.OperatorApp, "namespace": "argocd"},
			"spec": map[string]any{"syncPolicy": map[string]any{"automated": automated}}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if got := argocd.PauseOperator(own(map[string]any{"prune": true})); got != scale {
		t.Errorf("it does not heal itself: got %s", got)
	}
	if got := argocd.PauseOperator(own(map[string]any{"selfHeal": true})); got != argocd.EndAutomation("argocd", argocd.OperatorApp)+" (or Argo CD scales it up again), then "+scale {
		t.Errorf("it heals itself: got %s", got)
	}
}

func TestResources(t *testing.T) {
	a, err := argocd.New(map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": "old", "finalizers": []any{
			"resources-finalizer.argocd.argoproj.io", "example.test/keep", "resources-finalizer.argocd.argoproj.io/foreground",
			"resources-finalizer.argocd.argoproj.io/background", "post-delete-finalizer.argocd.argoproj.io"}},
		"spec": map[string]any{},
		"status": map[string]any{"resources": []any{
			map[string]any{"version": "v1", "kind": "Secret", "namespace": "web", "name": "login"},
			map[string]any{"group": "example.test", "version": "v1", "kind": "Widget", "name": "w", "requiresPruning": true},
			map[string]any{"kind": "Secret"}, "odd",
		}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []argocd.Resource{
		{ObjectRef: argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "login"}, Version: "v1"},
		{ObjectRef: argocd.ObjectRef{Group: "example.test", Kind: "Widget", Name: "w"}, Version: "v1", Gone: true},
	}
	if diff := cmp.Diff(want, a.Resources()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	finalizers := []string{"resources-finalizer.argocd.argoproj.io", "resources-finalizer.argocd.argoproj.io/foreground", "resources-finalizer.argocd.argoproj.io/background"}
	if diff := cmp.Diff(finalizers, a.CascadeFinalizers()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
