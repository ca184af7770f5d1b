package bootstrap_test

import (
	"errors"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/bootstrap"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// testStillAutomated holds that automation which does not go is told: of an Application that was restored, nobody is recorded as who
// has it so.
func testStillAutomated(t *testing.T, w *world) {
	w.fresh(t)
	w.run(t, w.input(t, files()), flags(nil))
	forget := []cluster.Operation{cluster.Add([]any{map[string]any{}}, "metadata", "managedFields")}
	if _, err := w.client.Patch(t.Context(), "argocd", argocd.RootApp, forget, cluster.WriteOptions{Manager: "velero"}); err != nil {
		t.Fatal(err)
	}
	plan, err := bootstrap.New(t.Context(), w.input(t, files()), flags(func(o *bootstrap.Options) { o.Sync = bootstrap.SyncManual }))
	if err != nil {
		t.Fatal(err)
	}
	err = plan.Carry(t.Context(), func(*bootstrap.Object) {})
	if !errors.Is(err, bootstrap.ErrNotKept) || !w.get(t, argocd.RootApp).Automated() {
		t.Errorf("it still syncs by itself: %v", err)
	}
}

// testRootApp holds that no root app takes the place of the Application of another folder.
func testRootApp(t *testing.T, w *world) {
	w.fresh(t)
	for _, name := range []string{"gitops-global", "gitops-ns-harbor", "gitops-ns-later", "../gitops-ns-argocd", "My-Root", "a/b", "a?b"} {
		_, err := bootstrap.New(t.Context(), w.input(t, files()), flags(func(o *bootstrap.Options) { o.RootApp = name }))
		if !errors.Is(err, bootstrap.ErrRootApp) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
