package rollback_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
)

// inline is an Application as the platform's operator applies it: nulls, an empty map and a number beyond float64 in its
// values, a sync option of its own.
const inline = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web-web","namespace":"argocd",
	"labels":{"otomi.io/app":"managed"},"annotations":{"argocd.argoproj.io/compare-options":"ServerSideDiff=true"},
	"finalizers":["resources-finalizer.argocd.argoproj.io"]},
	"spec":{"project":"default","revisionHistoryLimit":2,"destination":{"namespace":"web","server":"https://kubernetes.default.svc"},
	"syncPolicy":{"automated":{"prune":true,"selfHeal":true},"syncOptions":["ServerSideApply=true"]},
	"source":{"repoURL":"https://git.example.test/charts.git","path":"charts/web","targetRevision":"v1",
	"helm":{"releaseName":"web","valuesObject":{"absent":null,"empty":{},"long":9007199254740993,"password":"otter-umbrella-83"}}}}}`

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// platform is an API server with Argo CD's settings, and what the actors of a platform do to it.
type platform struct {
	server *testcluster.Cluster
	client *cluster.Client
}

func newPlatform(t *testing.T) *platform {
	p := &platform{server: testcluster.Start(t)}
	var err error
	if p.client, err = cluster.New(p.server.Config); err != nil {
		t.Fatal(err)
	}
	p.server.Create(t, "argocd", &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "argocd-cm", "namespace": "argocd"},
		"data":     map[string]any{"application.instanceLabelKey": "argocd.example.test/instance"}}})
	return p
}

// apply is server-side apply with force, as the operator and Argo CD do it. It may create.
func (p *platform) apply(t *testing.T, manager string, object map[string]any) {
	t.Helper()
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	name := object["metadata"].(map[string]any)["name"].(string)
	out, err := p.server.Client.Discovery().RESTClient().Patch("application/apply-patch+yaml").Param("fieldManager", manager).Param("force", "true").
		AbsPath("/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/" + name).Body(body).Do(t.Context()).Raw()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func (p *platform) get(t *testing.T, name string) *argocd.Application {
	t.Helper()
	a, err := p.client.Application(t.Context(), "argocd", name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// dropSource drops the leftover of before.
func (p *platform) dropSource(t *testing.T) {
	t.Helper()
	if _, err := p.client.Patch(t.Context(), "argocd", "web-web", []cluster.Operation{cluster.Remove("spec", "source")}, cluster.WriteOptions{Manager: "kubectl-patch"}); err != nil {
		t.Fatal(err)
	}
}

func (p *platform) delete(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		resource := p.server.Dynamic.Resource(testcluster.Applications()).Namespace("argocd")
		if _, err := resource.Patch(t.Context(), name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err == nil {
			_ = resource.Delete(t.Context(), name, metav1.DeleteOptions{})
		}
	}
}

// migrated makes an Application, backs it up, and lets the root app take over its file. It returns what was before.
func (p *platform) migrated(t *testing.T, text string) (before *argocd.Application, entry backup.Entry) {
	t.Helper()
	p.delete(t, "web-web", argocd.RootApp)
	object := parse(t, text)
	p.apply(t, "apl-operator", object)
	before = p.get(t, "web-web")
	entry = backedUp(t, backup.Entry{Application: before, Record: &backup.Record{UID: before.UID(), SourceOwners: before.SourceOwners(), RootApp: argocd.RootApp}})
	p.root(t, false)
	p.takeOver(t, entry)
	return before, entry
}

// backedUp writes an entry to a backup and reads it again.
func backedUp(t *testing.T, e backup.Entry) backup.Entry {
	t.Helper()
	data, err := backup.Encode([]backup.Entry{e}, time.Unix(0, 0), "test")
	if err != nil {
		t.Fatal(err)
	}
	list, err := backup.Decode("backup.yaml", strings.NewReader(string(data)))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

// takeOver is what the root app does once the file is pushed.
func (p *platform) takeOver(t *testing.T, e backup.Entry) {
	t.Helper()
	id, err := e.Application.ID()
	if err != nil {
		t.Fatal(err)
	}
	built, _, err := e.Application.Build(argocd.Form{ID: id, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main"})
	if err != nil {
		t.Fatal(err)
	}
	annotations := built["metadata"].(map[string]any)["annotations"].(map[string]any)
	delete(annotations, backup.Annotation)
	annotations["argocd.argoproj.io/tracking-id"] = argocd.RootApp + ":argoproj.io/Application:argocd/" + e.Application.Name()
	p.apply(t, "argocd-controller", built)
}

// root makes the root app, which last found the file of web-web in git.
func (p *platform) root(t *testing.T, automated bool) {
	t.Helper()
	object := parse(t, `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"gitops-ns-argocd","namespace":"argocd",
		"labels":{"otomi.io/app":"generic-gitops"}},"spec":{"project":"default","destination":{"namespace":"argocd"},
		"sources":[{"repoURL":"https://git.example.test/values.git","path":"env/manifests/namespaces/argocd"}]},
		"status":{"sync":{"status":"Synced"},"resources":[{"group":"argoproj.io","kind":"Application","namespace":"argocd","name":"web-web"}]}}`)
	if automated {
		object["spec"].(map[string]any)["syncPolicy"] = map[string]any{"automated": map[string]any{"prune": true, "selfHeal": true}}
	}
	p.apply(t, "apl-operator", object)
}

func (p *platform) plan(t *testing.T, c rollback.Cluster, options rollback.Options, entries ...backup.Entry) *rollback.Plan {
	t.Helper()
	plan, err := rollback.New(t.Context(), rollback.Input{Entries: entries, Cluster: c, Namespace: "argocd"}, options)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// same demands that an Application is what it was: declared form, identity, and who owns what.
func same(t *testing.T, before, after *argocd.Application) {
	t.Helper()
	if diff := cmp.Diff(before.Declared(), after.Declared()); diff != "" {
		t.Errorf("declared form: (-before +after)\n%s", diff)
	}
	if before.UID() != after.UID() {
		t.Errorf("another uid: it was deleted and made anew")
	}
	if after.TrackedBy() != "" {
		t.Errorf("it is tracked by %s", after.TrackedBy())
	}
	if diff := cmp.Diff(owners(before), owners(after)); diff != "" {
		t.Errorf("owners: (-before +after)\n%s", diff)
	}
}

// owners are the managedFields less the time.
func owners(a *argocd.Application) []any {
	list, _ := a.Object()["metadata"].(map[string]any)["managedFields"].([]any)
	var out []any
	for _, e := range list {
		entry := maps.Clone(e.(map[string]any))
		delete(entry, "time")
		out = append(out, entry)
	}
	return out
}

func noted(list *[]string) func(*rollback.App, rollback.Step) {
	return func(_ *rollback.App, s rollback.Step) { *list = append(*list, string(s.Name)) }
}

// TestServer goes back on a real API server.
func TestServer(t *testing.T) {
	p := newPlatform(t)
	t.Run("SameAsBefore", func(t *testing.T) { testSameAsBefore(t, p) })
	t.Run("Status", func(t *testing.T) { testStatus(t, p) })
	t.Run("Updated", func(t *testing.T) { testUpdated(t, p) })
	t.Run("Interrupted", func(t *testing.T) { testInterrupted(t, p) })
	t.Run("DryRun", func(t *testing.T) { testDryRun(t, p) })
	t.Run("Refused", func(t *testing.T) { testRefused(t, p) })
	t.Run("Raced", func(t *testing.T) { testRaced(t, p) })
	t.Run("Force", func(t *testing.T) { testForce(t, p) })
	t.Run("Platform", func(t *testing.T) { testPlatform(t, p) })
}

func testSameAsBefore(t *testing.T, p *platform) {
	withOption := strings.Replace(inline, `"annotations":{`, `"annotations":{"argocd.argoproj.io/sync-options":"SkipDryRunOnMissingResource=true",`, 1)
	cases := map[string]struct {
		reason string
		text   string
		then   func(t *testing.T, e backup.Entry)
		steps  []string
	}{
		"Left": {
			reason: "spec.source was left behind by the take-over, as server-side apply leaves it (B9, B15)",
			text:   inline,
			steps:  []string{"release", "switch", "unprotect"},
		},
		"Dropped": {
			reason: "spec.source was dropped after the take-over",
			text:   inline,
			then:   func(t *testing.T, _ backup.Entry) { p.dropSource(t) },
			steps:  []string{"release", "inline", "switch", "unprotect"},
		},
		"SyncOptions": {
			reason: "sync options of before come back to their owner",
			text:   withOption,
			steps:  []string{"release", "switch", "unprotect"},
		},
		"Unprotected": {
			reason: "whoever has taken the protection off gets it back first: it must be on before anything else",
			text:   inline,
			then: func(t *testing.T, _ backup.Entry) {
				at := []string{"metadata", "annotations", argocd.SyncOptionsAnnotation}
				if _, err := p.client.Patch(t.Context(), "argocd", "web-web", []cluster.Operation{cluster.Remove(at...)}, cluster.WriteOptions{Manager: "kubectl-annotate"}); err != nil {
					t.Fatal(err)
				}
			},
			steps: []string{"protect", "release", "switch", "unprotect"},
		},
		"ClientSide": {
			reason: "a root app that applies client-side leaves its form in an annotation, which must not stay (B15)",
			text:   inline,
			then: func(t *testing.T, e backup.Entry) {
				operations := []cluster.Operation{cluster.Add(`{"spec":{"sources":[{"repoURL":"x"}]}}`, "metadata", "annotations", argocd.LastApplied)}
				if _, err := p.client.Patch(t.Context(), "argocd", "web-web", operations, cluster.WriteOptions{Manager: "argocd-controller"}); err != nil {
					t.Fatal(err)
				}
			},
			steps: []string{"release", "switch", "unprotect"},
		},
		"Label": {
			reason: "the instance label, by the key that argocd-cm names, goes too",
			text:   inline,
			then: func(t *testing.T, _ backup.Entry) {
				operations := []cluster.Operation{cluster.Add(argocd.RootApp, "metadata", "labels", "argocd.example.test/instance"), cluster.Remove("metadata", "annotations", "argocd.argoproj.io/tracking-id")}
				if _, err := p.client.Patch(t.Context(), "argocd", "web-web", operations, cluster.WriteOptions{Manager: "argocd-controller"}); err != nil {
					t.Fatal(err)
				}
			},
			steps: []string{"release", "switch", "unprotect"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before, entry := p.migrated(t, tc.text)
			if tc.then != nil {
				tc.then(t, entry)
			}
			plan := p.plan(t, p.client, rollback.Options{}, entry)
			var done []string
			if err := plan.Carry(t.Context(), cluster.DryRunNone, noted(&done)); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.steps, done); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			same(t, before, p.get(t, "web-web"))
			again := p.plan(t, p.client, rollback.Options{}, entry)
			if got := again.Apps[0].Action; got != rollback.Restored {
				t.Errorf("there is nothing left to do: %s, %v", got, again.Apps[0])
			}
		})
	}
}

// testStatus keeps the history that Argo CD has in the status, although the owner is recorded to have applied it: as a root app
// with RespectIgnoreDifferences does it (DESIGN 10).
func testStatus(t *testing.T, p *platform) {
	_, entry := p.migrated(t, strings.Replace(inline, `"spec":`, `"status":{"history":[{"id":1}]},"operation":{"retry":{}},"spec":`, 1))
	p.dropSource(t)
	if err := p.plan(t, p.client, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
		t.Fatal(err)
	}
	after := p.get(t, "web-web").Object()
	if after["status"] == nil || after["operation"] == nil {
		t.Errorf("status and operation are gone: %v, %v", after["status"], after["operation"])
	}
}

// testUpdated goes back to a manager that does not apply: somebody who created the Application once.
func testUpdated(t *testing.T, p *platform) {
	p.delete(t, "web-web", argocd.RootApp)
	p.server.Create(t, "kubectl-create", &unstructured.Unstructured{Object: parsePlain(t, inline)})
	before := p.get(t, "web-web")
	entry := backedUp(t, backup.Entry{Application: before, Record: &backup.Record{SourceOwners: before.SourceOwners()}})
	p.root(t, false)
	p.takeOver(t, entry)
	p.dropSource(t)
	if err := p.plan(t, p.client, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
		t.Fatal(err)
	}
	same(t, before, p.get(t, "web-web"))
}

// parsePlain reads JSON as client-go's own objects hold it.
func parsePlain(t *testing.T, text string) map[string]any {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return object.Object
}

// killed is a cluster on which a run ends at some write, before the server has it or right after.
type killed struct {
	*cluster.Client
	t     *testing.T
	left  int
	after bool
}

var errKilled = errors.New("killed")

func (k *killed) cut(write func() (*argocd.Application, error)) (*argocd.Application, error) {
	if k.left == 0 && !k.after {
		return nil, errKilled
	}
	a, err := write()
	if err == nil {
		safe(k.t, a)
	}
	if k.left == 0 {
		return nil, errKilled
	}
	k.left--
	return a, err
}

func (k *killed) Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, options cluster.WriteOptions) (*argocd.Application, error) {
	return k.cut(func() (*argocd.Application, error) { return k.Client.Patch(ctx, namespace, name, patch, options) })
}

func (k *killed) Apply(ctx context.Context, object map[string]any, options cluster.WriteOptions) (*argocd.Application, error) {
	return k.cut(func() (*argocd.Application, error) { return k.Client.Apply(ctx, object, options) })
}

// safe demands of every state on the way that Argo CD deletes nothing in it: what is tracked is protected, and there is always
// something to render, in git's form or in that of before.
func safe(t *testing.T, a *argocd.Application) {
	t.Helper()
	spec := a.Object()["spec"].(map[string]any)
	if a.TrackedBy() != "" && !a.Protected() {
		t.Errorf("the root app could prune it")
	}
	if spec["source"] == nil && spec["sources"] == nil {
		t.Errorf("there is nothing to render, and its objects would be pruned")
	}
	if spec["sources"] == nil && spec["source"].(map[string]any)["helm"].(map[string]any)["valuesObject"] == nil {
		t.Errorf("it renders the chart's defaults")
	}
}

func testInterrupted(t *testing.T, p *platform) {
	const writes = 4
	for _, after := range []bool{false, true} {
		for n := range writes {
			t.Run(fmt.Sprintf("%d/%v", n, after), func(t *testing.T) {
				before, entry := p.migrated(t, strings.Replace(inline, `"annotations":{`, `"annotations":{"argocd.argoproj.io/sync-options":"SkipDryRunOnMissingResource=true",`, 1))
				p.dropSource(t)
				broken := &killed{Client: p.client, t: t, left: n, after: after}
				err := p.plan(t, broken, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {})
				if !errors.Is(err, errKilled) {
					t.Fatalf("got %v", err)
				}
				if err := p.plan(t, p.client, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
					t.Fatalf("the next run goes on: %v", err)
				}
				same(t, before, p.get(t, "web-web"))
			})
		}
	}
}

func testDryRun(t *testing.T, p *platform) {
	_, entry := p.migrated(t, inline)
	live := p.get(t, "web-web")
	for _, mode := range []cluster.DryRun{cluster.DryRunClient, cluster.DryRunServer} {
		plan := p.plan(t, p.client, rollback.Options{}, entry)
		if err := plan.Carry(t.Context(), mode, func(*rollback.App, rollback.Step) { t.Error("nothing is done") }); err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if got := plan.Apps[0].Steps[0].Done; got != (mode == cluster.DryRunServer) {
			t.Errorf("%s: got %v", mode, got)
		}
	}
	if diff := cmp.Diff(live.Object(), p.get(t, "web-web").Object()); diff != "" {
		t.Errorf("something was written: (-before +after)\n%s", diff)
	}
}

func testRefused(t *testing.T, p *platform) {
	deployment := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "apl-operator", "namespace": "apl-operator"},
		"spec": map[string]any{"replicas": int64(1), "selector": map[string]any{"matchLabels": map[string]any{"a": "b"}},
			"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "b"}},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "a", "image": "a"}}}}}}}
	patch := func(name string, operations ...cluster.Operation) func(*testing.T, *backup.Entry) {
		return func(t *testing.T, _ *backup.Entry) {
			if _, err := p.client.Patch(t.Context(), "argocd", name, operations, cluster.WriteOptions{Manager: "kubectl-patch"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	gone := cluster.Add([]any{}, "status", "resources")
	cases := []struct {
		name, reason string
		then         func(*testing.T, *backup.Entry)
		rule         string // "" for none
	}{
		{"Gone", "an Application that is gone is not made anew", func(t *testing.T, _ *backup.Entry) { p.delete(t, "web-web") }, rollback.RuleGone},
		{"Deleting", "one that is being deleted is left to go", func(t *testing.T, _ *backup.Entry) {
			if err := p.server.Dynamic.Resource(testcluster.Applications()).Namespace("argocd").Delete(t.Context(), "web-web", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}, rollback.RuleDeleting},
		{"Changed", "what somebody has set since would be lost", patch("web-web", cluster.Add("other", "spec", "project")), rollback.RuleChanged},
		{"SourceChanged", "the platform has other values since", patch("web-web", cluster.Add("v2", "spec", "source", "targetRevision")), rollback.RuleChanged},
		{"FinalizerGone", "somebody has taken a finalizer off, and meant it", patch("web-web", cluster.Remove("metadata", "finalizers")), rollback.RuleChanged},
		{"OtherSources", "sources that are not ours", patch("web-web", cluster.Add([]any{map[string]any{"repoURL": "x"}}, "spec", "sources")), rollback.RuleChanged},
		{"Tracked", "another Application syncs it", patch("web-web", cluster.Add("other:argoproj.io/Application:argocd/web-web", "metadata", "annotations", "argocd.argoproj.io/tracking-id")), rollback.RuleTracked},
		{"Recreated", "another uid: that of another cluster has the same name, and other values", func(_ *testing.T, e *backup.Entry) { e.Record.UID = "x" }, rollback.RuleAnew},
		{"AnotherCluster", "what kubectl printed tells of it too", func(_ *testing.T, e *backup.Entry) {
			object := e.Application.Declared()
			object["metadata"].(map[string]any)["uid"] = "x"
			a, err := argocd.New(object)
			if err != nil {
				t.Fatal(err)
			}
			*e = backup.Entry{Application: a}
		}, rollback.RuleAnew},
		{"NoInline", "a backup in the new form is none", func(_ *testing.T, e *backup.Entry) { *e = backup.Entry{Application: p.get(t, "web-web")} }, rollback.RuleForm},
		{"Automated", "a root app that syncs by itself would undo it", func(t *testing.T, _ *backup.Entry) { p.root(t, true) }, rollback.RuleRootApp},
		{"AutomatedWithoutFiles", "but not when git no longer has the file", func(t *testing.T, e *backup.Entry) {
			p.root(t, true)
			patch(argocd.RootApp, gone)(t, e)
		}, ""},
		{"RootDeleting", "a root app that goes is at work", func(t *testing.T, _ *backup.Entry) {
			patch(argocd.RootApp, cluster.Add([]any{"resources-finalizer.argocd.argoproj.io"}, "metadata", "finalizers"))(t, nil)
			if err := p.server.Dynamic.Resource(testcluster.Applications()).Namespace("argocd").Delete(t.Context(), argocd.RootApp, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}, rollback.RuleRootApp},
		{"RootSyncing", "so is one that is being synced", patch(argocd.RootApp, cluster.Add(map[string]any{"sync": map[string]any{}}, "operation")), rollback.RuleRootApp},
		{"Operator", "the operator makes the root app sync by itself again", func(t *testing.T, _ *backup.Entry) { p.server.Create(t, "", deployment) }, rollback.RuleOperator},
		{"OperatorWithoutFiles", "which is no harm once git has no file", patch(argocd.RootApp, gone), ""},
		{"OperatorWithoutRoot", "and harm again where it would make the root app", func(t *testing.T, _ *backup.Entry) { p.delete(t, argocd.RootApp) }, rollback.RuleOperator},
	}
	for _, tc := range cases { // in their order: the operator stays
		t.Run(tc.name, func(t *testing.T) {
			_, entry := p.migrated(t, inline)
			tc.then(t, &entry)
			plan := p.plan(t, p.client, rollback.Options{}, entry)
			a := plan.Apps[0]
			if refused := tc.rule != ""; refused != plan.Refused() || refused && a.Findings[len(a.Findings)-1].Rule != tc.rule {
				t.Fatalf("%s: got %+v", tc.reason, a.Findings)
			}
			if !plan.Refused() {
				return
			}
			if err := plan.Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) { t.Error("something was done") }); !errors.Is(err, rollback.ErrRefused) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			if text, err := json.Marshal(plan); err != nil || strings.Contains(string(text), "otter-umbrella-83") {
				t.Errorf("%s: the plan holds a value: %v", tc.reason, err)
			}
		})
	}
	if err := p.server.Client.AppsV1().Deployments("apl-operator").Delete(t.Context(), "apl-operator", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// raced is a cluster on which others write between what is read and what is written.
type raced struct {
	*cluster.Client
	race func()
}

func (r *raced) Apply(ctx context.Context, object map[string]any, options cluster.WriteOptions) (*argocd.Application, error) {
	r.race()
	return r.Client.Apply(ctx, object, options)
}

func (r *raced) Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, options cluster.WriteOptions) (*argocd.Application, error) {
	r.race()
	return r.Client.Patch(ctx, namespace, name, patch, options)
}

func testRaced(t *testing.T, p *platform) {
	status := func(n int) {
		operation := cluster.Add(map[string]any{"n": n}, "status")
		if _, err := p.client.Patch(t.Context(), "argocd", "web-web", []cluster.Operation{operation}, cluster.WriteOptions{Manager: "argocd-application-controller"}); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("Status", func(t *testing.T) {
		_, entry := p.migrated(t, inline)
		n := 0
		c := &raced{Client: p.client, race: func() {
			if n++; n < 8 {
				status(n)
			}
		}}
		if err := p.plan(t, c, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
			t.Errorf("the controller writes the status all the time, and that is no hindrance: %v", err)
		}
	})
	t.Run("Apply", func(t *testing.T) {
		_, entry := p.migrated(t, inline)
		p.dropSource(t)
		n := 0
		c := &raced{Client: p.client, race: func() {
			if n++; n == 2 {
				operation := cluster.Remove("spec", "syncPolicy", "automated")
				if _, err := p.client.Patch(t.Context(), "argocd", "web-web", []cluster.Operation{operation}, cluster.WriteOptions{Manager: "kubectl-patch"}); err != nil {
					t.Fatal(err)
				}
			}
		}}
		err := p.plan(t, c, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {})
		after := p.get(t, "web-web")
		if !errors.Is(err, rollback.ErrRefused) || after.Automated() {
			t.Errorf("whoever stops an Application meanwhile has stopped it: automated %v, error %v", after.Automated(), err)
		}
		safe(t, after)
	})
	t.Run("Spec", func(t *testing.T) {
		_, entry := p.migrated(t, inline)
		n := 0
		c := &raced{Client: p.client, race: func() {
			if n++; n == 2 {
				operation := cluster.Add("v2", "spec", "sources", "0", "targetRevision")
				if _, err := p.client.Patch(t.Context(), "argocd", "web-web", []cluster.Operation{operation}, cluster.WriteOptions{Manager: "argocd-controller"}); err != nil {
					t.Fatal(err)
				}
			}
		}}
		err := p.plan(t, c, rollback.Options{}, entry).Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {})
		if !errors.Is(err, rollback.ErrRefused) {
			t.Errorf("what somebody writes meanwhile is not written over: %v", err)
		}
		safe(t, p.get(t, "web-web"))
	})
}

func testForce(t *testing.T, p *platform) {
	before, entry := p.migrated(t, inline)
	operations := []cluster.Operation{
		cluster.Add("v2", "spec", "source", "targetRevision"), cluster.Add("x", "spec", "source", "helm", "values"),
		cluster.Add("no", "spec", "syncPolicy", "automated", "extra"), cluster.Add([]any{}, "spec", "info"),
	}
	if _, err := p.client.Patch(t.Context(), "argocd", "web-web", operations, cluster.WriteOptions{Manager: "kubectl-edit"}); err != nil {
		t.Fatal(err)
	}
	plan := p.plan(t, p.client, rollback.Options{Force: true}, entry)
	if plan.Refused() {
		t.Fatalf("%+v", plan.Apps[0].Findings)
	}
	if err := plan.Carry(t.Context(), cluster.DryRunNone, func(*rollback.App, rollback.Step) {}); err != nil {
		t.Fatal(err)
	}
	after := p.get(t, "web-web")
	if diff := cmp.Diff(before.Declared(), after.Declared()); diff != "" {
		t.Errorf("what was changed since is lost, as asked for: (-before +after)\n%s", diff)
	}
	if !slices.Contains(after.SourceOwners(), argocd.Manager{Name: "apl-operator", Operation: "Apply"}) {
		t.Errorf("owners: %v", after.SourceOwners())
	}
}
