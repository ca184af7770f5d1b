package remove_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/remove"
)

// wiki is an Application as migrate writes it, with what Argo CD tells of it.
const wiki = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"docs-wiki","namespace":"argocd",
	"labels":{"otomi.io/app":"managed"},
	"annotations":{"argocd.argoproj.io/sync-options":"ServerSideApply=true,Prune=false,Delete=false"}},
	"spec":{"project":"default","destination":{"namespace":"docs","server":"https://kubernetes.default.svc"},
	"sources":[{"repoURL":"https://charts.example.test","chart":"wiki","helm":{"releaseName":"wiki"}}]},
	"status":{"resources":[{"kind":"ConfigMap","version":"v1","namespace":"docs","name":"pages"},
		{"kind":"PersistentVolumeClaim","version":"v1","namespace":"docs","name":"uploads"},
		{"group":"example.test","kind":"Thing","version":"v1","namespace":"docs","name":"unknown"}]}}`

const wikiFile = "env/manifests/namespaces/argocd/applications/docs-wiki.yaml"

// repo is a values repo that has one file in some of its places.
type repo struct{ work, head, pushed, unknown bool }

func (r repo) ReadFile(string) ([]byte, bool, error) { return nil, r.work, nil }

func (r repo) HeadFile(string) ([]byte, bool, error) { return nil, r.head, nil }

func (r repo) TrackedFiles(context.Context, string) ([]string, bool, error) {
	if r.pushed {
		return []string{wikiFile}, true, nil
	}
	return nil, !r.unknown, nil
}

func off(app.ID) (on, known bool, why string) {
	return false, true, "releases.json does not have it installed"
}

// world is an API server and what the actors of a platform do to it.
type world struct {
	server *testcluster.Cluster
	client *cluster.Client
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) apply(t *testing.T, manager string, o map[string]any) {
	t.Helper()
	if _, err := w.client.ServerSideApply(t.Context(), o, cluster.WriteOptions{Manager: manager}, true); err != nil {
		t.Fatal(err)
	}
}

// deployed makes the Application and two of its objects, anew.
func (w *world) deployed(t *testing.T, edit func(map[string]any)) {
	t.Helper()
	w.server.DeleteAll(t, testcluster.Applications())
	claims := w.server.Client.CoreV1().PersistentVolumeClaims("docs") // one that no controller lets go
	if err := claims.Delete(t.Context(), "uploads", metav1.DeleteOptions{}); err == nil {
		_, _ = claims.Patch(t.Context(), "uploads", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	}
	if edit == nil {
		edit = func(map[string]any) {}
	}
	o := object(t, wiki)
	edit(o)
	w.apply(t, "argocd-controller", o)
	w.apply(t, "argocd-controller", object(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"pages","namespace":"docs"}}`))
	w.apply(t, "argocd-controller", object(t, `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"uploads","namespace":"docs"},
		"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`))
}

func (w *world) input() remove.Input {
	return remove.Input{Cluster: w.client, Repo: repo{}, Gates: []remove.Gate{off}, Namespace: "argocd"}
}

func (w *world) plan(t *testing.T, in remove.Input, options remove.Options) *remove.Plan {
	t.Helper()
	if options.App == "" {
		options.App = "docs/wiki"
	}
	plan, err := remove.New(t.Context(), in, options)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// there tells which of the Application and its two objects are there.
func (w *world) there(t *testing.T) []string {
	t.Helper()
	var out []string
	if _, err := w.client.Application(t.Context(), "argocd", "docs-wiki"); err == nil {
		out = append(out, "Application")
	}
	if _, err := w.server.Client.CoreV1().ConfigMaps("docs").Get(t.Context(), "pages", metav1.GetOptions{}); err == nil {
		out = append(out, "ConfigMap")
	}
	if c, err := w.server.Client.CoreV1().PersistentVolumeClaims("docs").Get(t.Context(), "uploads", metav1.GetOptions{}); err == nil && c.DeletionTimestamp == nil {
		out = append(out, "PersistentVolumeClaim")
	}
	return out
}

// argoCD plays Argo CD until the test ends: it deletes what an Application on its way out deploys, if that has the
// finalizer, writes its status meanwhile, and takes the finalizer off.
func (w *world) argoCD(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	t.Cleanup(func() { cancel(); <-ended })
	resource := w.server.Dynamic.Resource(testcluster.Applications()).Namespace("argocd")
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			a, err := resource.Get(ctx, "docs-wiki", metav1.GetOptions{})
			if err == nil && a.GetDeletionTimestamp() == nil {
				_, _ = resource.Patch(ctx, "docs-wiki", types.MergePatchType, []byte(`{"status":{"reconciledAt":"`+time.Now().String()+`"}}`), metav1.PatchOptions{})
			}
			if err == nil && a.GetDeletionTimestamp() != nil && slices.Contains(a.GetFinalizers(), argocd.ResourcesFinalizer) {
				_ = w.server.Client.CoreV1().ConfigMaps("docs").Delete(ctx, "pages", metav1.DeleteOptions{})
				_ = w.server.Client.CoreV1().PersistentVolumeClaims("docs").Delete(ctx, "uploads", metav1.DeleteOptions{})
				_, _ = resource.Patch(ctx, "docs-wiki", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			}
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
}

func rules(plan *remove.Plan, severity finding.Severity) []string {
	var out []string
	for _, f := range plan.Findings {
		if f.Severity == severity {
			out = append(out, f.Rule)
		}
	}
	return out
}

func TestServer(t *testing.T) {
	w := &world{server: testcluster.Start(t)}
	var err error
	if w.client, err = cluster.New(w.server.Config); err != nil {
		t.Fatal(err)
	}
	w.server.Namespace(t, "docs")
	w.apply(t, "argocd", object(t, `{"apiVersion":"argoproj.io/v1alpha1","kind":"AppProject","metadata":{"name":"default","namespace":"argocd"},"spec":{"sourceRepos":["*"]}}`))
	t.Run("Refused", func(t *testing.T) { testRefused(t, w) })
	t.Run("Prepared", func(t *testing.T) { testPrepared(t, w) })
	t.Run("Removed", func(t *testing.T) { testRemoved(t, w) })
	t.Run("Orphaned", func(t *testing.T) { testOrphaned(t, w) })
	t.Run("Stuck", func(t *testing.T) { testStuck(t, w) })
	t.Run("Changed", func(t *testing.T) { testChanged(t, w) })
}

// testPrepared holds what an Application is like when Argo CD gets it to delete.
func testPrepared(t *testing.T, w *world) {
	cases := map[string]struct {
		reason     string
		annotation string
		finalizers []any
		orphan     bool
		want       string
		held       []string
	}{
		"Alone":      {reason: "the annotation was the protection", annotation: "Prune=false,Delete=false", held: []string{argocd.ResourcesFinalizer}},
		"Joined":     {reason: "other options stay", annotation: "Prune=false, Validate=false ,Delete=false", want: "Validate=false", held: []string{argocd.ResourcesFinalizer}},
		"None":       {reason: "nothing protects it", held: []string{argocd.ResourcesFinalizer}},
		"Half":       {reason: "half of it protects nothing, and is somebody's own", annotation: "Prune=false", want: "Prune=false", held: []string{argocd.ResourcesFinalizer}},
		"Background": {reason: "a finalizer of that kind is enough", finalizers: []any{argocd.ResourcesFinalizer + "/background"}, held: []string{argocd.ResourcesFinalizer + "/background"}},
		"Others":     {reason: "others' finalizers stay", finalizers: []any{"example.test/hold"}, held: []string{"example.test/hold", argocd.ResourcesFinalizer}},
		"Orphan": {
			reason: "only others' finalizers stay, and the protection", annotation: "Prune=false,Delete=false", orphan: true, want: "Prune=false,Delete=false",
			finalizers: []any{argocd.ResourcesFinalizer, "example.test/hold"}, held: []string{"example.test/hold"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.deployed(t, func(o map[string]any) {
				metadata := o["metadata"].(map[string]any)
				metadata["annotations"] = map[string]any{argocd.SyncOptionsAnnotation: tc.annotation}
				metadata["finalizers"] = tc.finalizers
			})
			plan := w.plan(t, w.input(), remove.Options{Orphan: tc.orphan})
			if err := plan.Carry(t.Context(), cluster.DryRunNone, 0, nil); err != nil {
				t.Fatal(err)
			}
			live, err := w.client.Application(t.Context(), "argocd", "docs-wiki")
			if err != nil {
				t.Fatal(err)
			}
			if got := live.Annotation(argocd.SyncOptionsAnnotation); got != tc.want || !live.Deleting() {
				t.Errorf("%s: got %q", tc.reason, got)
			}
			if diff := cmp.Diff(tc.held, live.Finalizers()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// testRemoved holds that the Application goes with what it deploys, while its status is written, and that dry runs and a
// second run write nothing.
func testRemoved(t *testing.T, w *world) {
	w.deployed(t, func(o map[string]any) {
		status := o["status"].(map[string]any)
		status["resources"] = append([]any{map[string]any{"kind": "ConfigMap", "version": "v1", "namespace": "docs", "name": "kept"}}, status["resources"].([]any)...)
	})
	w.apply(t, "argocd-controller", object(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kept","namespace":"docs",
		"annotations":{"argocd.argoproj.io/sync-options":"Delete=false"}}}`))
	all := []string{"Application", "ConfigMap", "PersistentVolumeClaim"}
	for _, dryRun := range []cluster.DryRun{cluster.DryRunClient, cluster.DryRunServer} {
		plan := w.plan(t, w.input(), remove.Options{})
		if err := plan.Carry(t.Context(), dryRun, time.Minute, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all, w.there(t)); diff != "" {
			t.Fatalf("%s: (-want +got)\n%s", dryRun, diff)
		}
		if done := plan.Steps[1].Done; done != (dryRun == cluster.DryRunServer) {
			t.Errorf("%s: the server was asked: %v", dryRun, done)
		}
	}
	w.argoCD(t)
	plan := w.plan(t, w.input(), remove.Options{})
	want := []remove.Count{{Kind: "ConfigMap", Count: 2}, {Kind: "PersistentVolumeClaim", Count: 1}, {Kind: "Thing.example.test", Count: 1}}
	if diff := cmp.Diff(want, plan.Resources); diff != "" {
		t.Errorf("what goes: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]remove.Resource{{Kind: "PersistentVolumeClaim", Namespace: "docs", Name: "uploads"}}, plan.Data); diff != "" {
		t.Errorf("what holds data: (-want +got)\n%s", diff)
	}
	var said []remove.StepName
	if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, func(s remove.Step) { said = append(said, s.Name) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]remove.StepName{remove.Prepare, remove.Delete, remove.Wait}, said); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if left := w.there(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	kept := []remove.Resource{
		{Kind: "ConfigMap", Namespace: "docs", Name: "kept", Note: "kept by its sync option Delete=false"},
		{Kind: "PersistentVolumeClaim", Namespace: "docs", Name: "uploads", Note: "held by finalizers kubernetes.io/pvc-protection"},
	}
	if diff := cmp.Diff(kept, plan.Left); diff != "" {
		t.Errorf("what is still there: (-want +got)\n%s", diff)
	}
	plan = w.plan(t, w.input(), remove.Options{App: "docs-wiki"})
	if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, nil); err != nil || plan.Action != remove.Gone {
		t.Errorf("gone already: %s, %v", plan.Action, err)
	}
	plan = w.plan(t, w.input(), remove.Options{App: "docs/wikki"})
	if plan.Action != remove.Gone || !slices.ContainsFunc(plan.Findings, func(f finding.Finding) bool { return f.Rule == remove.RuleUnknown }) {
		t.Errorf("an app that nobody has heard of: %s, %v", plan.Action, plan.Findings)
	}
}

// testOrphaned holds that what runs stays, whatever finalizers of Argo CD there are.
func testOrphaned(t *testing.T, w *world) {
	for name, edit := range map[string]func(map[string]any){
		"NoFinalizer": nil,
		"Finalizers": func(o map[string]any) {
			o["metadata"].(map[string]any)["finalizers"] = []any{argocd.ResourcesFinalizer + "/foreground", "post-delete-finalizer.argocd.argoproj.io/cleanup"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.deployed(t, edit)
			w.argoCD(t)
			plan := w.plan(t, w.input(), remove.Options{Orphan: true})
			if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"ConfigMap", "PersistentVolumeClaim"}, w.there(t)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	t.Run("Rescued", func(t *testing.T) {
		w.deployed(t, nil)
		stuck := w.plan(t, w.input(), remove.Options{})
		if err := stuck.Carry(t.Context(), cluster.DryRunNone, 0, nil); err != nil {
			t.Fatal(err)
		}
		in := w.input()
		in.Repo = repo{head: true} // it stops nothing any more
		plan := w.plan(t, in, remove.Options{Orphan: true})
		if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"ConfigMap", "PersistentVolumeClaim"}, w.there(t)); diff != "" {
			t.Errorf("what Argo CD has not deleted yet stays: (-want +got)\n%s", diff)
		}
	})
}

// testStuck holds what is said of an Application that does not go.
func testStuck(t *testing.T, w *world) {
	w.deployed(t, nil)
	const claim = `{"metadata":{"finalizers":["example.test/hold"]}}`
	if _, err := w.server.Client.CoreV1().PersistentVolumeClaims("docs").Patch(t.Context(), "uploads", types.MergePatchType, []byte(claim), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.server.Client.CoreV1().PersistentVolumeClaims("docs").Delete(t.Context(), "uploads", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	plan := w.plan(t, w.input(), remove.Options{})
	if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Second, nil); !errors.Is(err, remove.ErrStuck) {
		t.Fatalf("nobody takes the finalizer off: %v", err)
	}
	want := []remove.Resource{
		{Kind: "ConfigMap", Namespace: "docs", Name: "pages", Note: "not marked for deletion"},
		{Kind: "PersistentVolumeClaim", Namespace: "docs", Name: "uploads", Note: "held by finalizers example.test/hold"},
	}
	if diff := cmp.Diff(want, plan.Left); diff != "" {
		t.Errorf("what is left: (-want +got)\n%s", diff)
	}
	if !slices.Contains(rules(plan, finding.Warning), remove.RuleStuck) {
		t.Errorf("what holds it: %v", plan.Findings)
	}
	// The project goes: that is what holds it now. Another run waits, and says so.
	projects := w.server.Dynamic.Resource(testcluster.Applications().GroupVersion().WithResource("appprojects")).Namespace("argocd")
	if err := projects.Delete(t.Context(), "default", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	again := w.plan(t, w.input(), remove.Options{})
	if again.Action != remove.Going || again.Writes() {
		t.Errorf("it is on its way: %s", again.Action)
	}
	if err := again.Carry(t.Context(), cluster.DryRunNone, time.Second, nil); !errors.Is(err, remove.ErrStuck) {
		t.Fatal(err)
	}
	last := again.Findings[len(again.Findings)-1]
	if last.Rule != remove.RuleStuck || !strings.Contains(last.Message, "AppProject default is not there") {
		t.Errorf("got %v", last)
	}
	w.server.DeleteAll(t, testcluster.Applications())
	w.deployed(t, nil)
	if diff := cmp.Diff([]string{remove.RuleProject}, rules(w.plan(t, w.input(), remove.Options{}), finding.Error)); diff != "" {
		t.Errorf("it would hang: (-want +got)\n%s", diff)
	}
	w.apply(t, "argocd", object(t, `{"apiVersion":"argoproj.io/v1alpha1","kind":"AppProject","metadata":{"name":"default","namespace":"argocd"},"spec":{"sourceRepos":["*"]}}`))
}

// racer is a cluster in which somebody writes just before the first patch, or the first deletion, in which nobody may delete, or that
// does not answer.
type racer struct {
	remove.Cluster
	beforePatch, beforeDelete func()
	denied, deaf              error
}

func (r *racer) Application(ctx context.Context, namespace, name string) (*argocd.Application, error) {
	if r.deaf != nil {
		return nil, r.deaf
	}
	return r.Cluster.Application(ctx, namespace, name)
}

func (r *racer) Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, o cluster.WriteOptions) (*argocd.Application, error) {
	if do := r.beforePatch; do != nil {
		r.beforePatch = nil
		do()
	}
	return r.Cluster.Patch(ctx, namespace, name, patch, o)
}

func (r *racer) DeleteApplication(ctx context.Context, a *argocd.Application, o cluster.WriteOptions) error {
	if r.denied != nil {
		return r.denied
	}
	if do := r.beforeDelete; do != nil && !o.DryRun {
		r.beforeDelete = nil
		do()
	}
	return r.Cluster.DeleteApplication(ctx, a, o)
}

// testChanged holds that nothing is deleted but what was shown.
func testChanged(t *testing.T, w *world) {
	for name, change := range map[string]func(t *testing.T){
		"Spec": func(t *testing.T) {
			if _, err := w.client.Patch(t.Context(), "argocd", "docs-wiki", []cluster.Operation{cluster.Add("main", "spec", "sources", "0", "targetRevision")}, cluster.WriteOptions{Manager: "m"}); err != nil {
				t.Fatal(err)
			}
		},
		"Anew": func(t *testing.T) { w.deployed(t, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w.deployed(t, nil)
			plan := w.plan(t, w.input(), remove.Options{})
			change(t)
			if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Second, nil); !errors.Is(err, cluster.ErrChanged) {
				t.Errorf("it was changed since it was shown: %v", err)
			}
			if there := w.there(t); len(there) != 3 {
				t.Errorf("there: %v", there)
			}
		})
	}
	write := func(t *testing.T, o cluster.Operation) {
		t.Helper()
		if _, err := w.client.Patch(context.Background(), "argocd", "docs-wiki", []cluster.Operation{o}, cluster.WriteOptions{Manager: "m"}); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(t *testing.T){
		"BeforePrepare": func(t *testing.T) { write(t, cluster.Add("main", "spec", "sources", "0", "targetRevision")) },
		"Finalizer":     func(t *testing.T) { write(t, cluster.Add([]string{"example.test/hold"}, "metadata", "finalizers")) },
	} {
		t.Run(name, func(t *testing.T) {
			w.deployed(t, nil)
			in := w.input()
			in.Cluster = &racer{Cluster: w.client, beforePatch: func() { change(t) }}
			err := w.plan(t, in, remove.Options{}).Carry(t.Context(), cluster.DryRunNone, time.Second, nil)
			if a, readErr := w.client.Application(t.Context(), "argocd", "docs-wiki"); !errors.Is(err, cluster.ErrChanged) || readErr != nil || a.Deleting() || !a.Protected() {
				t.Errorf("it was changed between two looks at it: %v, %v", err, readErr)
			}
		})
	}
	t.Run("BeforeDelete", func(t *testing.T) {
		w.deployed(t, nil)
		in := w.input()
		in.Cluster = &racer{Cluster: w.client, beforeDelete: func() { write(t, cluster.Add("main", "spec", "sources", "0", "targetRevision")) }}
		err := w.plan(t, in, remove.Options{}).Carry(t.Context(), cluster.DryRunNone, time.Second, nil)
		if a, readErr := w.client.Application(t.Context(), "argocd", "docs-wiki"); !errors.Is(err, cluster.ErrChanged) || readErr != nil || a.Deleting() {
			t.Errorf("it was changed after it was prepared: %v, %v", err, readErr)
		}
	})
	t.Run("MoreData", func(t *testing.T) {
		w.deployed(t, nil)
		plan := w.plan(t, w.input(), remove.Options{})
		write(t, cluster.Add(map[string]any{"kind": "PersistentVolumeClaim", "version": "v1", "namespace": "docs", "name": "late"}, "status", "resources", "-"))
		if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Second, nil); !errors.Is(err, cluster.ErrChanged) {
			t.Errorf("nobody was shown that this claim goes too: %v", err)
		}
		if there := w.there(t); len(there) != 3 {
			t.Errorf("there: %v", there)
		}
	})
	t.Run("Denied", func(t *testing.T) { // who may change it and not delete it, changes nothing
		w.deployed(t, nil)
		in := w.input()
		in.Cluster = &racer{Cluster: w.client, denied: cluster.ErrForbidden}
		err := w.plan(t, in, remove.Options{}).Carry(t.Context(), cluster.DryRunNone, time.Second, nil)
		if a, readErr := w.client.Application(t.Context(), "argocd", "docs-wiki"); !errors.Is(err, cluster.ErrForbidden) || readErr != nil || !a.Protected() || len(a.Finalizers()) > 0 {
			t.Errorf("it has to be as it was: %v, %v", err, readErr)
		}
	})
	t.Run("Gate", func(t *testing.T) {
		w.deployed(t, nil)
		on := false
		in := w.input()
		in.Gates = []remove.Gate{func(app.ID) (bool, bool, string) { return on, true, "it is" }}
		plan := w.plan(t, in, remove.Options{})
		on = true
		if err := plan.Carry(t.Context(), cluster.DryRunNone, time.Second, nil); !errors.Is(err, remove.ErrRefused) || plan.Action != remove.Refused {
			t.Errorf("somebody has switched it on meanwhile: %v", err)
		}
	})
	t.Run("Unreachable", func(t *testing.T) { // while it is waited for
		w.deployed(t, nil)
		in, c := w.input(), &racer{Cluster: w.client}
		in.Cluster = c
		err := w.plan(t, in, remove.Options{}).Carry(t.Context(), cluster.DryRunNone, time.Minute, func(s remove.Step) {
			if s.Name == remove.Delete {
				c.deaf = cluster.ErrUnreachable
			}
		})
		if !errors.Is(err, cluster.ErrUnreachable) || !strings.Contains(err.Error(), "on its way out") {
			t.Errorf("what was done is told: %v", err)
		}
	})
	t.Run("ComesBack", func(t *testing.T) {
		w.deployed(t, nil)
		plan := w.plan(t, w.input(), remove.Options{Orphan: true})
		err := plan.Carry(t.Context(), cluster.DryRunNone, time.Minute, func(s remove.Step) {
			if s.Name == remove.Delete {
				w.apply(t, "apl-operator", object(t, wiki))
			}
		})
		if !errors.Is(err, remove.ErrAnew) || !strings.Contains(err.Error(), "apl-operator") {
			t.Errorf("somebody makes it anew: %v", err)
		}
	})
}

func operator(replicas int32) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "apl-operator", "namespace": "apl-operator"},
		"spec": map[string]any{"replicas": int64(replicas), "selector": map[string]any{"matchLabels": map[string]any{"a": "b"}},
			"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "b"}},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "main", "image": "example.test/operator:v1"}}}}}}}
}
