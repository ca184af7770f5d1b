package bootstrap_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/bootstrap"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

const (
	repoURL    = "https://git.example.test/values.git"
	harborFile = "env/manifests/namespaces/harbor/configmap/notes.yaml"
	appFile    = "env/manifests/namespaces/argocd/applications/harbor-harbor.yaml"
	globalFile = "env/manifests/global/clusterrole/viewer.yaml"
)

// repo is a values repo whose remote has what pushed has; nil is a repo of no remote.
type repo struct {
	files  map[string]string
	pushed []string
}

func (r repo) HeadFile(path string) ([]byte, bool, error) {
	text, found := r.files[path]
	return []byte(text), found, nil
}

func (r repo) HeadFiles(_ context.Context, folder string) ([]string, error) {
	var out []string
	for path := range r.files {
		if strings.HasPrefix(path, folder+"/") {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (r repo) TrackedFiles(context.Context, string) ([]string, bool, error) {
	return r.pushed, r.pushed != nil, nil
}

// world is an API server and what the actors of a platform do to it.
type world struct {
	server *testcluster.Cluster
	client *cluster.Client
}

// fresh takes every Application away, and connects anew.
func (w *world) fresh(t *testing.T) {
	t.Helper()
	w.server.DeleteAll(t, testcluster.Applications())
	var err error
	if w.client, err = cluster.New(w.server.Config); err != nil {
		t.Fatal(err)
	}
}

// apply applies an Application as a manager, with force.
func (w *world) apply(t *testing.T, manager string, object map[string]any) {
	t.Helper()
	if _, err := w.client.ServerSideApply(t.Context(), object, cluster.WriteOptions{Manager: manager}, true); err != nil {
		t.Fatal(err)
	}
}

func (w *world) get(t *testing.T, name string) *argocd.Application {
	t.Helper()
	a, err := w.client.Application(t.Context(), "argocd", name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// input is what a plan is made from, with the files of a repo.
func (w *world) input(t *testing.T, files map[string]string) bootstrap.Input {
	t.Helper()
	apps, err := w.client.Applications(t.Context(), cluster.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return bootstrap.Input{
		Applications: apps, Cluster: w.client, Repo: repo{files: files}, Namespace: "argocd",
		Facts: preflight.Facts{Projects: cluster.Projects{List: []argocd.Project{{Name: "default", SourceRepos: []string{"*"}}}}},
	}
}

func flags(change func(*bootstrap.Options)) bootstrap.Options {
	o := bootstrap.Options{ValuesRepoURL: repoURL, ValuesRevision: "main", DryRun: cluster.DryRunNone}
	if change != nil {
		change(&o)
	}
	return o
}

// run plans and carries out, and returns the plan and what was done, as ACTION NAME.
func (w *world) run(t *testing.T, in bootstrap.Input, options bootstrap.Options) (*bootstrap.Plan, []string) {
	t.Helper()
	plan, err := bootstrap.New(t.Context(), in, options)
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	err = plan.Carry(t.Context(), func(o *bootstrap.Object) { done = append(done, string(o.Action)+" "+o.Name) })
	if refused := plan.Refused(); refused != errors.Is(err, bootstrap.ErrRefused) || !refused && err != nil {
		t.Fatalf("refused %v, carried out: %v", refused, err)
	}
	return plan, done
}

// rules are those of the findings of a severity.
func rules(plan *bootstrap.Plan, severity finding.Severity) []string {
	var out []string
	for _, f := range plan.Findings {
		if f.Severity == severity && f.Rule != preflight.RuleRepo && !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	return out
}

func files() map[string]string {
	return map[string]string{harborFile: "x", appFile: "x", globalFile: "x",
		"env/manifests/namespaces/harbor/service/core.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: core, namespace: harbor}\n"}
}

// byOperator is what the platform's operator makes of a folder.
func byOperator(name, path, namespace string) map[string]any {
	object := argocd.FolderApp{Name: name, Namespace: "argocd", RepoURL: repoURL, Revision: "main", Path: path, Destination: namespace, Automated: true}.Object()
	policy := object["spec"].(map[string]any)["syncPolicy"].(map[string]any)
	policy["syncOptions"] = append([]any{argocd.StallOption}, policy["syncOptions"].([]any)...)
	return object
}

func harborByOperator() map[string]any {
	return byOperator("gitops-ns-harbor", "env/manifests/namespaces/harbor", "harbor")
}

func TestServer(t *testing.T) {
	w := &world{server: testcluster.Start(t)}
	w.fresh(t)
	t.Run("Twice", func(t *testing.T) { testTwice(t, w) })
	t.Run("Sync", func(t *testing.T) { testSync(t, w) })
	t.Run("Live", func(t *testing.T) { testLive(t, w) })
	t.Run("StillAutomated", func(t *testing.T) { testStillAutomated(t, w) })
	t.Run("RootApp", func(t *testing.T) { testRootApp(t, w) })
	t.Run("Corpus", func(t *testing.T) { testCorpus(t, w) })
	t.Run("CustomCA", func(t *testing.T) { testCustomCA(t, w) })
}

// testTwice holds that a run does what it says, and the next one nothing at all.
func testTwice(t *testing.T, w *world) {
	w.fresh(t)
	_, done := w.run(t, w.input(t, files()), flags(nil))
	want := []string{"create gitops-global", "create gitops-ns-harbor", "create gitops-ns-argocd"}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	before := w.get(t, argocd.RootApp)
	if before.HasSyncOption(argocd.StallOption) || !before.Automated() {
		t.Error("the root app is to sync by itself, without the option that can stop it")
	}
	for _, options := range []bootstrap.Options{flags(nil), {DryRun: cluster.DryRunNone}, flags(func(o *bootstrap.Options) { o.Sync = bootstrap.SyncAuto })} {
		if plan, done := w.run(t, w.input(t, files()), options); len(done) > 0 || plan.Pending() > 0 {
			t.Errorf("a second run does %v", done)
		}
	}
	if after := w.get(t, argocd.RootApp); after.ResourceVersion() != before.ResourceVersion() {
		t.Error("a second run has written")
	}
	less := files()
	delete(less, globalFile)
	if plan, done := w.run(t, w.input(t, less), flags(nil)); len(done) > 0 || plan.Objects[0].Action != bootstrap.Left {
		t.Errorf("gitops-global is never removed: %v", done)
	}
}

// testSync holds what becomes of automation.
func testSync(t *testing.T, w *world) {
	w.fresh(t)
	sync := func(s bootstrap.Sync) bootstrap.Options { return flags(func(o *bootstrap.Options) { o.Sync = s }) }
	w.apply(t, "apl-operator", harborByOperator())
	plan, done := w.run(t, w.input(t, files()), sync(bootstrap.SyncManual))
	if diff := cmp.Diff([]string{"create gitops-global", "create gitops-ns-argocd"}, done); diff != "" {
		t.Errorf("what others keep automated stays so: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{bootstrap.RuleManual}, rules(plan, finding.Info)); diff != "" {
		t.Errorf("and that is told: (-want +got)\n%s", diff)
	}
	if w.get(t, argocd.RootApp).Automated() || !w.get(t, "gitops-ns-harbor").Automated() {
		t.Error("the new root app waits for a person, the live app goes on")
	}
	if _, done := w.run(t, w.input(t, files()), flags(nil)); len(done) > 0 {
		t.Errorf("without a flag it stays as it is: %v", done)
	}
	if _, done := w.run(t, w.input(t, files()), sync(bootstrap.SyncAuto)); len(done) != 2 || !w.get(t, argocd.RootApp).Automated() {
		t.Errorf("it is turned on: %v", done)
	}
	if _, done := w.run(t, w.input(t, files()), sync(bootstrap.SyncManual)); len(done) != 2 || w.get(t, argocd.RootApp).Automated() {
		t.Errorf("what is our own is turned off again: %v", done)
	}
	// Somebody has turned it off in so many words.
	w.apply(t, "kubectl-edit", map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": argocd.RootApp, "namespace": "argocd"}, "spec": map[string]any{"project": "default",
			"destination": map[string]any{}, "syncPolicy": map[string]any{"automated": map[string]any{"enabled": false}}}})
	in := w.input(t, files())
	if plan, done := w.run(t, in, flags(nil)); len(done) > 0 || len(rules(plan, finding.Error)) > 0 {
		t.Errorf("automation that is there and turned off stays so: %v", done)
	}
	if plan, _ := w.run(t, in, sync(bootstrap.SyncAuto)); !slices.Equal(rules(plan, finding.Error), []string{bootstrap.RuleConflict}) {
		t.Errorf("another has turned it off: %v", rules(plan, finding.Error))
	}
	w.fresh(t) // The operator runs: what is left off would not stay so.
	in = w.input(t, files())
	in.Facts.Operator = cluster.Operator{Found: true, Replicas: 1}
	plan, done = w.run(t, in, sync(bootstrap.SyncManual))
	if diff := cmp.Diff([]string{bootstrap.RuleOperator}, rules(plan, finding.Error)); diff != "" || len(done) > 0 {
		t.Errorf("did %v; (-want +got)\n%s", done, diff)
	}
	accepted := sync(bootstrap.SyncManual)
	accepted.AcceptOperator = true
	if _, done := w.run(t, in, accepted); len(done) != 3 {
		t.Errorf("did %v", done)
	}
}

// testLive holds what is refused, and what is left alone, of Applications that are there.
func testLive(t *testing.T, w *world) {
	moved := harborByOperator()
	moved["spec"].(map[string]any)["sources"].([]any)[0].(map[string]any)["path"] = "env/manifests/elsewhere"
	rival := byOperator("rival", "env/manifests/namespaces", "")
	excluding := byOperator("rival", "env/manifests/namespaces", "")
	excluding["spec"].(map[string]any)["sources"].([]any)[0].(map[string]any)["directory"].(map[string]any)["exclude"] = "{argocd/*,harbor/*}"
	own := byOperator("my-root", "env/manifests/namespaces/argocd/applications", "argocd")
	root := byOperator(argocd.RootApp, "env/manifests/namespaces/argocd", "argocd")
	labelled := harborByOperator()
	labelled["metadata"].(map[string]any)["labels"].(map[string]any)["otomi.io/app"] = "other"
	artifacts := func(automated bool) map[string]any {
		object := argocd.FolderApp{Name: "harbor-harbor-artifacts", Namespace: "argocd", RepoURL: "https://git.example.test/charts.git", Revision: "main",
			Path: "charts/raw", Destination: "harbor", Automated: automated}.Object()
		object["status"] = map[string]any{"resources": []any{map[string]any{"version": "v1", "kind": "ConfigMap", "namespace": "harbor", "name": "notes"},
			map[string]any{"group": "example.test", "version": "v1", "kind": "Service", "namespace": "harbor", "name": "core"}}}
		return object
	}
	cases := map[string]struct {
		reason  string
		live    []map[string]any
		options bootstrap.Options
		compare string
		errors  []string
		done    []string
	}{
		"AsTheOperatorHasIt": {
			reason: "an app of the operator's own is left alone, its harmless option too",
			live:   []map[string]any{harborByOperator(), byOperator("gitops-global", "env/manifests/global", "")},
			done:   []string{"create gitops-ns-argocd"},
		},
		"RootOfTheOperator": {
			reason: "the option that can stop the root app is the operator's: taking it off is a conflict",
			live:   []map[string]any{root}, errors: []string{bootstrap.RuleConflict},
		},
		"RootTaken": {
			reason: "unless it is taken", live: []map[string]any{root}, options: bootstrap.Options{Force: true},
			done: []string{"create gitops-global", "create gitops-ns-harbor", "change gitops-ns-argocd"},
		},
		"RootHarmless": {
			reason: "argocd-cm prevents what the option can do: it may stay", live: []map[string]any{root}, compare: "ignoreResourceStatusField: none\n",
			done: []string{"create gitops-global", "create gitops-ns-harbor"},
		},
		"Label": {
			reason: "a field that somebody else wants otherwise is named", live: []map[string]any{labelled}, errors: []string{bootstrap.RuleConflict},
		},
		"OtherPlace": {
			reason: "pointed at another folder, it would prune what it applies now", live: []map[string]any{moved},
			options: bootstrap.Options{Force: true}, errors: []string{bootstrap.RulePlace},
		},
		"Overlap": {
			reason: "one path, one owner", live: []map[string]any{rival}, errors: []string{preflight.RuleOverlap},
		},
		"Excluded": {
			reason: "what a pattern leaves out is not applied", live: []map[string]any{excluding},
			done: []string{"create gitops-global", "create gitops-ns-harbor", "create gitops-ns-argocd"},
		},
		"TwoOwners": {
			reason: "an Application from elsewhere syncs the same object by itself", live: []map[string]any{artifacts(true)}, errors: []string{preflight.RuleOverlap},
		},
		"Held": {
			reason: "one that is held takes nothing back", live: []map[string]any{artifacts(false)},
			done: []string{"create gitops-global", "create gitops-ns-harbor", "create gitops-ns-argocd"},
		},
		"TwoOwnersByHand": {
			reason: "what is synced by hand takes nothing yet", live: []map[string]any{artifacts(true)}, options: bootstrap.Options{Sync: bootstrap.SyncManual},
			done: []string{"create gitops-global", "create gitops-ns-harbor", "create gitops-ns-argocd"},
		},
		"OwnRoot": {
			reason: "a root app of a person's own is left as it is", live: []map[string]any{own}, options: bootstrap.Options{RootApp: "my-root"},
			done: []string{"create gitops-global", "create gitops-ns-harbor"},
		},
		"SecondRoot": {
			reason: "a second root app on the path of the first", live: []map[string]any{root}, options: bootstrap.Options{RootApp: "my-root"},
			errors: []string{preflight.RuleOverlap},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.fresh(t)
			for _, object := range tc.live {
				w.apply(t, "apl-operator", object)
			}
			tc.options.ValuesRepoURL, tc.options.ValuesRevision, tc.options.DryRun = repoURL, "main", cluster.DryRunNone
			in := w.input(t, files())
			in.Facts.ArgoCD.CompareOptions = tc.compare
			plan, done := w.run(t, in, tc.options)
			if i := slices.IndexFunc(plan.Findings, func(f finding.Finding) bool { return f.File == harborFile }); i >= 0 && !strings.Contains(plan.Findings[i].Message, "syncs 1 of the objects") {
				t.Errorf("%s: a kind of another group is no rival: %s", tc.reason, plan.Findings[i].Message)
			}
			if diff := cmp.Diff(tc.errors, rules(plan, finding.Error)); diff != "" {
				t.Errorf("%s: errors (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.done, done); diff != "" {
				t.Errorf("%s: done (-want +got)\n%s", tc.reason, diff)
			}
			if len(tc.errors) == 0 {
				in := w.input(t, files())
				in.Facts.ArgoCD.CompareOptions = tc.compare
				if _, done := w.run(t, in, tc.options); len(done) > 0 {
					t.Errorf("%s: a second run does %v", tc.reason, done)
				}
			}
		})
	}
}

// testCorpus holds that on a real platform nothing is made but the root app.
func testCorpus(t *testing.T, w *world) {
	file := filepath.Join("..", "..", "..", "shared", "corpus", "live", "applications-other.yaml")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a real platform cannot be loaded")
	}
	w.fresh(t)
	w.server.Apply(t, "apl-operator", func(object *unstructured.Unstructured) { unstructured.RemoveNestedField(object.Object, "status") }, file)
	in := w.input(t, map[string]string{globalFile: "x", appFile: "x", harborFile: "x", "env/manifests/namespaces/apl-users/sealedsecret/x.yaml": "x"})
	_, done := w.run(t, in, bootstrap.Options{DryRun: cluster.DryRunNone})
	if diff := cmp.Diff([]string{"create gitops-ns-argocd"}, done); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// load makes objects of a file, and waits until the server serves the kinds that they define.
func (w *world) load(t *testing.T, file string, groups ...string) {
	t.Helper()
	w.server.Load(t, "test", file)
	for range 100 {
		served := 0
		for _, group := range groups {
			if _, err := w.server.Client.Discovery().ServerResourcesForGroupVersion(group); err == nil {
				served++
			}
		}
		if served == len(groups) {
			w.fresh(t)
			return
		}
		pause(t)
	}
	t.Fatalf("%v are not served", groups)
}

func (w *world) remove(t *testing.T, objects ...string) {
	t.Helper()
	for _, text := range objects {
		u := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		gvk := u.GroupVersionKind()
		resource := gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s")
		var err error
		if u.GetNamespace() != "" {
			err = w.server.Dynamic.Resource(resource).Namespace(u.GetNamespace()).Delete(t.Context(), u.GetName(), metav1.DeleteOptions{})
		} else {
			err = w.server.Dynamic.Resource(resource).Delete(t.Context(), u.GetName(), metav1.DeleteOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
