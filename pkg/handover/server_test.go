package handover_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
)

// TestServer hands objects over on a real API server.
func TestServer(t *testing.T) {
	p := newPlatform(t)
	t.Run("Whole", func(t *testing.T) { testWhole(t, p) })
	t.Run("Killed", func(t *testing.T) { testKilled(t, p) })
	t.Run("NotAdopted", func(t *testing.T) { testNotAdopted(t, p) })
	t.Run("Two", func(t *testing.T) { testTwo(t, p) })
	t.Run("Operator", func(t *testing.T) { testOperator(t, p) })
	t.Run("Raced", func(t *testing.T) { testRaced(t, p) })
	t.Run("Annotated", func(t *testing.T) { testAnnotated(t, p) })
	t.Run("DryRun", func(t *testing.T) { testDryRun(t, p) })
	t.Run("Refused", func(t *testing.T) { testRefused(t, p) })
	t.Run("Named", func(t *testing.T) { testNamed(t, p) })
	t.Run("Corpus", func(t *testing.T) { testCorpus(t, p) })
}

func plan(t *testing.T, p *platform, c handover.Cluster, o handover.Options) *handover.Plan {
	t.Helper()
	plan, err := handover.New(t.Context(), p.input(t, c), o)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Refused() {
		t.Fatalf("refused: %v %+v", plan.Findings, plan.Apps)
	}
	return plan
}

// held demands that nothing was lost: the old Application is there with its finalizer, and so is each object.
func held(t *testing.T, p *platform, before map[string]string) {
	t.Helper()
	a, err := p.client.Application(t.Context(), "argocd", old)
	if err != nil || len(a.CascadeFinalizers()) == 0 || a.Deleting() {
		t.Errorf("the old Application is not as it should be: %v", err)
	}
	if diff := cmp.Diff(before, p.uids(t)); diff != "" {
		t.Errorf("objects are gone, or others: (-before +after)\n%s", diff)
	}
}

// over demands the end: the old Application is gone, all objects are there, and those that git may not hold are marked.
func over(t *testing.T, p *platform, before map[string]string) {
	t.Helper()
	if a, err := p.client.Application(t.Context(), "argocd", old); err == nil && (!a.Deleting() || len(a.CascadeFinalizers()) > 0) {
		t.Errorf("the old Application is not on its way out: %v", a.Object())
	}
	if diff := cmp.Diff(before, p.uids(t)); diff != "" {
		t.Errorf("objects are gone, or others: (-before +after)\n%s", diff)
	}
	for _, o := range [][2]string{{"Secret", "web/login"}, {"ConfigMap", "team-red/policy"}} {
		namespace, name, _ := strings.Cut(o[1], "/")
		m, err := p.client.Metadata(t.Context(), argocd.ObjectRef{Kind: o[0], Namespace: namespace, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Annotations[argocd.SyncOptionsAnnotation]; got != "Prune=false,Delete=false" {
			t.Errorf("%s %s survives marked: %q", o[0], o[1], got)
		}
	}
	again, err := handover.New(t.Context(), p.input(t, p.client), options(nil))
	if err != nil || again.Pending() != 0 || again.Refused() {
		t.Errorf("there is nothing left to do: %+v, %v", again, err)
	}
}

// testWhole does all of it, by annotation and by label, and by the default of a version that argocd-cm leaves it to.
func testWhole(t *testing.T, p *platform) {
	const method, key = "application.resourceTrackingMethod", "application.instanceLabelKey"
	annotation := map[string]any{method: "annotation", key: labelKey}
	defer p.settings(t, annotation)
	for name, tc := range map[string]struct {
		reason   string
		settings map[string]any
		byLabel  bool

		finalizers, left []string // those of the Application, where they are others, and what is left of them
	}{
		"Annotation": {"the id in the annotation", annotation, false, nil, nil},
		"Label":      {"the label that argocd-cm names", map[string]any{method: "label", key: labelKey}, true, nil, nil},
		"Both":       {"the annotation decides", map[string]any{method: "annotation+label", key: labelKey}, false, nil, nil},
		"Finalizers": {"a finalizer of somebody else is not ours, and holds the Application up as long as that wants", annotation, false,
			[]string{"resources-finalizer.argocd.argoproj.io/background", "example.test/other", "resources-finalizer.argocd.argoproj.io/foreground"}, []string{"example.test/other"}},
	} {
		t.Run(name, func(t *testing.T) {
			p.settings(t, tc.settings)
			p.fresh(t, tc.byLabel)
			if tc.finalizers != nil {
				p.patch(t, old, cluster.Add(tc.finalizers, "metadata", "finalizers"))
			}
			before := p.uids(t)
			looks := 0
			made := plan(t, p, p.client, options(func(done, total int) {
				switch looks++; looks {
				case 1:
					if done != 0 || total != 3 {
						t.Errorf("%s: %d of %d are adopted", tc.reason, done, total)
					}
					p.adopt(t, [3]string{"ConfigMap", "web", "settings"}, "gitops-ns-web")
				case 2:
					p.adoptAll(t)
				}
				if looks < 3 {
					held(t, p, before)
				}
			}))
			var states []string
			for _, o := range made.Apps[0].Objects {
				states = append(states, o.String()+" "+string(o.State)+" "+o.Adopter)
			}
			want := []string{"ClusterRole web-reader waiting gitops-global", "ConfigMap team-red/policy kept ", "ConfigMap web/ghost gone ",
				"ConfigMap web/settings waiting gitops-ns-web", "ConfigMap web/unlisted waiting gitops-ns-web", "Secret web/login kept "}
			if diff := cmp.Diff(want, states); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			var done []string
			if err := made.Carry(t.Context(), cluster.DryRunNone, noted(&done)); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff([]string{"mark", "hold", "adopt", "release", "delete"}, done); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			over(t, p, before)
			a, err := p.client.Application(t.Context(), "argocd", old)
			switch {
			case tc.left == nil && !errors.Is(err, cluster.ErrNotFound):
				t.Errorf("%s: the old Application is still there: %v", tc.reason, err)
			case tc.left != nil && (err != nil || !slices.Equal(a.Finalizers(), tc.left) || !a.Deleting()):
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}

// killer is a cluster in which the run ends at a write: before it, or after it.
type killer struct {
	handover.Cluster
	left  int
	after bool
}

var errKilled = errors.New("killed")

func (k *killer) write(do func() error) error {
	if k.left--; k.left >= 0 {
		return do()
	}
	if k.left == -1 && k.after {
		return errors.Join(do(), errKilled)
	}
	return errKilled
}

func (k *killer) Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, o cluster.WriteOptions) (a *argocd.Application, err error) {
	err = k.write(func() error { a, err = k.Cluster.Patch(ctx, namespace, name, patch, o); return err })
	return a, err
}

func (k *killer) PatchMetadata(ctx context.Context, ref argocd.ObjectRef, patch []cluster.Operation, o cluster.WriteOptions) (m cluster.Metadata, err error) {
	err = k.write(func() error { m, err = k.Cluster.PatchMetadata(ctx, ref, patch, o); return err })
	return m, err
}

func (k *killer) DeleteApplication(ctx context.Context, a *argocd.Application, o cluster.WriteOptions) error {
	return k.write(func() error { return k.Cluster.DeleteApplication(ctx, a, o) })
}

// testKilled ends a run at each of its writes, before it and after it, and in the middle of the wait, and has the next run go on:
// there is never less than there was, and the last state is always the same.
func testKilled(t *testing.T, p *platform) {
	const writes = 5 // two objects are marked, then hold, release, delete
	for _, after := range []bool{false, true} {
		for k := range writes {
			t.Run(fmt.Sprintf("Write%dAfter%v", k, after), func(t *testing.T) {
				p.fresh(t, false)
				before := p.uids(t)
				c := &killer{Cluster: p.client, left: k, after: after}
				var done []string
				err := plan(t, p, c, options(func(int, int) { p.adoptAll(t) })).Carry(t.Context(), cluster.DryRunNone, noted(&done))
				if !errors.Is(err, errKilled) {
					t.Fatalf("got %v", err)
				}
				if slices.Contains(done, "release") || k == 3 && after {
					if diff := cmp.Diff(before, p.uids(t)); diff != "" {
						t.Errorf("(-before +after)\n%s", diff)
					}
				} else {
					held(t, p, before)
				}
				next, err := handover.New(t.Context(), p.input(t, p.client), options(func(int, int) { p.adoptAll(t) }))
				if err != nil || next.Refused() {
					t.Fatalf("%v %+v", err, next)
				}
				var rest []string
				if err := next.Carry(t.Context(), cluster.DryRunNone, noted(&rest)); err != nil {
					t.Fatal(err)
				}
				t.Logf("done by the first run: %v; by the second: %v", done, rest)
				over(t, p, before)
			})
		}
	}
	t.Run("Wait", func(t *testing.T) {
		p.fresh(t, false)
		before := p.uids(t)
		ctx, cancel := context.WithCancel(t.Context())
		looks := 0
		err := plan(t, p, p.client, options(func(int, int) {
			if looks++; looks == 2 {
				p.adopt(t, [3]string{"ClusterRole", "", "web-reader"}, "gitops-global")
				cancel()
			}
		})).Carry(ctx, cluster.DryRunNone, func(*handover.App, handover.Step) {})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		held(t, p, before)
		next := plan(t, p, p.client, options(func(int, int) { p.adoptAll(t) }))
		var names []string
		for _, s := range next.Apps[0].Steps {
			names = append(names, string(s.Name))
		}
		if diff := cmp.Diff([]string{"adopt", "release", "delete"}, names); diff != "" {
			t.Errorf("what was done is seen to be done: (-want +got)\n%s", diff)
		}
		if err := next.Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {}); err != nil {
			t.Fatal(err)
		}
		over(t, p, before)
	})
}

// testNotAdopted waits in vain for one object of three.
func testNotAdopted(t *testing.T, p *platform) {
	p.fresh(t, false)
	before := p.uids(t)
	p.adoptAll(t)
	p.adopt(t, [3]string{"ConfigMap", "web", "settings"}, "somebody-else")
	o := options(nil)
	o.Timeout = 50 * time.Millisecond
	made := plan(t, p, p.client, o)
	err := made.Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {})
	if !errors.Is(err, handover.ErrNotAdopted) {
		t.Fatalf("got %v", err)
	}
	held(t, p, before)
	a := made.Apps[0]
	i := slices.IndexFunc(a.Findings, func(f findingOf) bool { return f.Rule == handover.RuleNotAdopted })
	const want = "ConfigMap web/settings is not tracked by gitops-ns-web: it belongs to Application somebody-else"
	if i < 0 || a.Findings[i].Message != want {
		t.Errorf("it says which, and whose it is: %+v", a.Findings)
	}
}

// testTwo holds that nothing of any Application is deleted while an object of one is not adopted.
func testTwo(t *testing.T, p *platform) {
	p.fresh(t, false)
	before := p.uids(t)
	p.adoptAll(t)
	second := strings.NewReplacer("web-web-artifacts", "mail-mail-artifacts", `"releaseName":"web-artifacts"`, `"releaseName":"mail-artifacts"`,
		`"destination":{"namespace":"web"`, `"destination":{"namespace":"mail"`, `"name":"settings"`, `"name":"mail"`).Replace(oldApp)
	p.application(t, second)
	mail := [3]string{"ConfigMap", "web", "mail"}
	p.server.Create(t, "argocd-controller", &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "mail", "namespace": "web", "annotations": map[string]any{idKey: "mail-mail-artifacts:/ConfigMap:web/mail"}}}})
	p.repo.head["env/manifests/namespaces/web/configmap/mail.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mail, namespace: web}\n"
	p.patch(t, "gitops-ns-web", cluster.Add(map[string]any{"version": "v1", "kind": "ConfigMap", "namespace": "web", "name": "mail"}, "status", "resources", "-"))
	o := options(nil)
	o.Timeout = 50 * time.Millisecond
	var done []string
	err := plan(t, p, p.client, o).Carry(t.Context(), cluster.DryRunNone, noted(&done))
	if !errors.Is(err, handover.ErrNotAdopted) || slices.Contains(done, "release") {
		t.Fatalf("got %v, %v", err, done)
	}
	held(t, p, before)
	o.Apps = []string{"web/web-artifacts"}
	if err := plan(t, p, p.client, o).Carry(t.Context(), cluster.DryRunNone, noted(&done)); err != nil {
		t.Fatalf("one alone can go: %v", err)
	}
	p.adopt(t, mail, "gitops-ns-web")
	if err := plan(t, p, p.client, options(nil)).Carry(t.Context(), cluster.DryRunNone, noted(&done)); err != nil {
		t.Fatal(err)
	}
	over(t, p, before)
}

// seen is a cluster with another operator.
type seen struct {
	handover.Cluster
	operator cluster.Operator
}

func (s seen) Operator(context.Context) (cluster.Operator, error) { return s.operator, nil }

// testOperator has the operator run, at the beginning and in between.
func testOperator(t *testing.T, p *platform) {
	p.fresh(t, false)
	before := p.uids(t)
	p.operator(t, "1")
	refused, err := handover.New(t.Context(), p.input(t, p.client), options(nil))
	if err != nil || !refused.Refused() {
		t.Fatalf("the operator runs: %v", err)
	}
	if err := refused.Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {}); !errors.Is(err, handover.ErrRefused) || refused.Begun() {
		t.Fatalf("got %v", err)
	}
	p.operator(t, "0")
	for name, tc := range map[string]struct {
		reason  string
		is      cluster.Operator
		refused bool
	}{
		"Unknown": {"who may not see it, does not know", cluster.Operator{Unknown: "get deployments.apps apl-operator: forbidden"}, true},
		"Ready":   {"scaled to zero, and its pod still runs", cluster.Operator{Found: true, Ready: 1}, true},
		"None":    {"there is none: that is told, and stops nothing", cluster.Operator{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := handover.New(t.Context(), p.input(t, seen{p.client, tc.is}), options(nil))
			if err != nil || made.Refused() != tc.refused || len(made.Findings) != 1 || made.Findings[0].Rule != handover.RuleOperator {
				t.Errorf("%s: %v, %+v", tc.reason, err, made.Findings)
			}
		})
	}
	for name, back := range map[string]struct {
		at   func(made *handover.Plan) (handover.Options, func(*handover.App, handover.Step))
		done []string
	}{
		"WhileWaiting": {func(*handover.Plan) (handover.Options, func(*handover.App, handover.Step)) {
			return options(func(int, int) { p.operator(t, "1") }), func(*handover.App, handover.Step) {}
		}, []string{"mark", "hold"}},
		"AfterMark": {func(*handover.Plan) (handover.Options, func(*handover.App, handover.Step)) {
			return options(nil), func(_ *handover.App, s handover.Step) {
				if s.Name == handover.Mark {
					p.operator(t, "1")
				}
			}
		}, []string{"mark"}},
		"AfterAdoption": {func(*handover.Plan) (handover.Options, func(*handover.App, handover.Step)) {
			return options(func(int, int) { p.adoptAll(t) }), func(_ *handover.App, s handover.Step) {
				if s.Name == handover.Adopt {
					p.operator(t, "1")
				}
			}
		}, []string{"mark", "hold", "adopt"}},
	} {
		t.Run(name, func(t *testing.T) {
			p.fresh(t, false)
			before = p.uids(t)
			o, then := back.at(nil)
			made := plan(t, p, p.client, o)
			var done []string
			err := made.Carry(t.Context(), cluster.DryRunNone, func(a *handover.App, s handover.Step) { noted(&done)(a, s); then(a, s) })
			if !errors.Is(err, handover.ErrRefused) || !made.Refused() {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(back.done, done); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			held(t, p, before)
		})
	}
	p.operator(t, "0")
}

// testRaced has somebody put back what the hand-over takes away, while it waits.
func testRaced(t *testing.T, p *platform) {
	p.fresh(t, false)
	before := p.uids(t)
	looks := 0
	made := plan(t, p, p.client, options(func(int, int) {
		switch looks++; looks {
		case 1: // somebody syncs the old Application by itself again, and it takes an object back
			patch := []cluster.Operation{cluster.Add(map[string]any{"prune": true}, "spec", "syncPolicy", "automated")}
			if _, err := p.client.Patch(context.Background(), "argocd", old, patch, cluster.WriteOptions{Manager: "kubectl-edit"}); err != nil {
				t.Fatal(err)
			}
		case 2: // a sync is under way, while all is adopted
			p.adoptAll(t)
			p.operation(t, cluster.Add(map[string]any{"sync": map[string]any{}}, "operation"))
		case 3:
			p.operation(t, cluster.Remove("operation"))
		}
	}))
	var done []string
	if err := made.Carry(t.Context(), cluster.DryRunNone, noted(&done)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mark", "hold", "hold", "adopt", "release", "delete"}, done); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	over(t, p, before)
}

// annotator is a cluster in which somebody annotates an object just before it is marked.
type annotator struct {
	handover.Cluster
	annotate func(ref argocd.ObjectRef)
}

func (a annotator) PatchMetadata(ctx context.Context, ref argocd.ObjectRef, patch []cluster.Operation, o cluster.WriteOptions) (cluster.Metadata, error) {
	a.annotate(ref)
	return a.Cluster.PatchMetadata(ctx, ref, patch, o)
}

// testAnnotated holds that a mark takes nothing away that somebody writes at the same time, on an object without annotations too.
func testAnnotated(t *testing.T, p *platform) {
	defer p.settings(t, map[string]any{"application.resourceTrackingMethod": "annotation", "application.instanceLabelKey": labelKey})
	p.settings(t, map[string]any{"application.resourceTrackingMethod": "label", "application.instanceLabelKey": labelKey})
	p.fresh(t, true)
	before := p.uids(t)
	seen := map[argocd.ObjectRef]bool{}
	c := annotator{p.client, func(ref argocd.ObjectRef) {
		if seen[ref] {
			return
		}
		seen[ref] = true
		_, err := p.server.Dynamic.Resource(resources()[ref.Kind]).Namespace(ref.Namespace).Patch(context.Background(), ref.Name, types.MergePatchType,
			[]byte(`{"metadata":{"annotations":{"example.test/theirs":"1"}}}`), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}}
	if err := plan(t, p, c, options(func(int, int) { p.adoptAll(t) })).Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {}); err != nil {
		t.Fatal(err)
	}
	over(t, p, before)
	for ref := range seen {
		if m, err := p.client.Metadata(t.Context(), ref); err != nil || m.Annotations["example.test/theirs"] != "1" {
			t.Errorf("%s %s: what somebody wrote is gone: %v, %v", ref.Kind, ref.Name, m.Annotations, err)
		}
	}
	if len(seen) != 2 {
		t.Errorf("marked: %v", seen)
	}
}

func (p *platform) operation(t *testing.T, o cluster.Operation) {
	t.Helper()
	if _, err := p.client.Patch(context.Background(), "argocd", old, []cluster.Operation{o}, cluster.WriteOptions{Manager: "argocd-server"}); err != nil {
		t.Fatal(err)
	}
}

// testDryRun has the server check every write, and persist none.
func testDryRun(t *testing.T, p *platform) {
	p.fresh(t, false)
	state := func() string {
		a, err := p.client.Application(t.Context(), "argocd", old)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(a.Object())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := state()
	for _, dry := range []cluster.DryRun{cluster.DryRunClient, cluster.DryRunServer} {
		made := plan(t, p, p.client, options(nil))
		if err := made.Carry(t.Context(), dry, func(*handover.App, handover.Step) { t.Error("a step was done") }); err != nil {
			t.Fatal(err)
		}
		for _, s := range made.Apps[0].Steps {
			if want := dry == cluster.DryRunServer && s.Name != handover.Adopt; s.Done != want {
				t.Errorf("%s: step %s: %v", dry, s.Name, s.Done)
			}
		}
		if state() != before || made.Begun() {
			t.Errorf("%s: something was written", dry)
		}
	}
}
