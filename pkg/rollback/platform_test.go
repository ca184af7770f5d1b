package rollback_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
)

// testPlatform moves every app of a real platform and takes all of them back: each is what it was, in every field and every
// field's owner.
func testPlatform(t *testing.T, p *platform) {
	file := filepath.Join("..", "..", "..", "shared", "corpus", "live", "applications.yaml")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a real platform cannot be loaded")
	}
	p.server.DeleteAll(t, testcluster.Applications())
	p.server.Apply(t, "apl-operator", func(object *unstructured.Unstructured) {
		unstructured.RemoveNestedField(object.Object, "status")
		annotations := object.GetAnnotations()
		delete(annotations, argocd.LastApplied)
		for _, key := range argocd.TrackingAnnotations() {
			delete(annotations, key)
		}
		object.SetAnnotations(annotations)
	}, file)
	live, err := p.client.Applications(t.Context(), cluster.ListOptions{Namespace: "argocd"})
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]*argocd.Application{}
	var entries []backup.Entry
	for _, a := range live {
		if class, _ := a.Class(); class != argocd.Platform {
			continue
		}
		before[a.Name()] = a
		e := backedUp(t, backup.Entry{Application: a, Record: &backup.Record{UID: a.UID(), SourceOwners: a.SourceOwners(), RootApp: argocd.RootApp}})
		entries = append(entries, e)
		p.takeOver(t, e)
	}
	plan := p.plan(t, p.client, rollback.Options{}, entries...)
	if plan.Refused() || plan.Pending() != len(entries) || len(entries) < 40 {
		t.Fatalf("%d of %d apps are to be put back", plan.Pending(), len(entries))
	}
	if err := plan.Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
		t.Fatal(err)
	}
	for name, a := range before {
		after := p.get(t, name)
		if diff := cmp.Diff(a.Declared(), after.Declared()); diff != "" {
			t.Errorf("%s: (-before +after)\n%s", name, diff)
		}
		if diff := cmp.Diff(owners(a), owners(after)); diff != "" || a.UID() != after.UID() {
			t.Errorf("%s: owners (-before +after)\n%s", name, diff)
		}
	}
}
