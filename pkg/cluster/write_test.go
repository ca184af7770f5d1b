package cluster_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// tree reads JSON, every digit kept.
func tree(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

const writable = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web","namespace":"argocd",
	"finalizers":["resources-finalizer.argocd.argoproj.io"]},
	"spec":{"project":"default","destination":{"namespace":"web"},
	"source":{"repoURL":"https://charts.example.test","helm":{"valuesObject":{"absent":null,"long":9007199254740993,"password":"otter-umbrella-83"}}}}}`

// TestWrite holds how a real API server takes writes. What it does with managedFields is what a way back is built on.
func TestWrite(t *testing.T) {
	server := testcluster.Start(t)
	client, err := cluster.New(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	object := tree(t, writable)
	if _, err := client.Apply(ctx, object, cluster.WriteOptions{Manager: "apl-operator"}); err == nil {
		t.Fatal("an Application without a uid is applied: it could be made anew")
	}
	metadata := object["metadata"].(map[string]any)
	metadata["uid"] = "11111111-5a4c-4ee3-a1ab-e35f1bb39b2c"
	if _, err := client.Apply(ctx, object, cluster.WriteOptions{Manager: "apl-operator"}); !errors.Is(err, cluster.ErrChanged) {
		t.Fatalf("an Application that is gone must not be made anew: %v", err)
	}
	delete(metadata, "uid")
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	created, err := server.Client.Discovery().RESTClient().Patch("application/apply-patch+yaml").Param("fieldManager", "apl-operator").
		AbsPath("/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web").Body(body).Do(ctx).Raw()
	if err != nil {
		t.Fatalf("%v: %s", err, created)
	}
	live, err := client.Application(ctx, "argocd", "web")
	if err != nil {
		t.Fatal(err)
	}
	want := tree(t, writable)
	if diff := cmp.Diff(want["spec"], live.Object()["spec"]); diff != "" {
		t.Errorf("digits and nulls go through server-side apply, and come back: (-want +got)\n%s", diff)
	}
	metadata["uid"] = live.UID()

	t.Run("Errors", func(t *testing.T) { testWriteErrors(t, client, object) })
	t.Run("DryRun", func(t *testing.T) {
		got, err := client.Patch(ctx, "argocd", "web", []cluster.Operation{cluster.Add("other", "spec", "project")}, cluster.WriteOptions{Manager: "m", DryRun: true})
		if err != nil || got.Project() != "other" {
			t.Errorf("the server answers what would be: %v", err)
		}
		if again, err := client.Application(ctx, "argocd", "web"); err != nil || again.Project() != "default" {
			t.Errorf("nothing is written: %v", err)
		}
	})
	t.Run("Ownership", func(t *testing.T) { testOwnership(t, client, object) })
}

func testWriteErrors(t *testing.T, client *cluster.Client, object map[string]any) {
	options := cluster.WriteOptions{Manager: "kubectl-apl"}
	other := maps.Clone(object)
	other["metadata"] = maps.Clone(object["metadata"].(map[string]any))
	other["metadata"].(map[string]any)["uid"] = "11111111-5a4c-4ee3-a1ab-e35f1bb39b2c"
	invalid := maps.Clone(object)
	invalid["spec"] = map[string]any{"project": "default", "destination": map[string]any{}, "source": map[string]any{"repoURL": map[string]any{"otter-umbrella-83": "otter-umbrella-83"}}}
	patch := func(name string, operations ...cluster.Operation) func() error {
		return func() error {
			_, err := client.Patch(t.Context(), "argocd", name, operations, options)
			return err
		}
	}
	apply := func(object map[string]any) func() error {
		return func() error {
			_, err := client.Apply(t.Context(), object, options)
			return err
		}
	}
	cases := map[string]struct {
		reason string
		do     func() error
		want   error
	}{
		"TestFails":   {"a value that is another", patch("web", cluster.Test("x", "spec", "project"), cluster.Remove("spec", "source")), cluster.ErrChanged},
		"TestMissing": {"a value that is not there", patch("web", cluster.Test("x", "spec", "nowhere")), cluster.ErrChanged},
		"TestNull":    {"a value that is not expected", patch("web", cluster.Test(nil, "metadata", "finalizers"), cluster.Remove("spec", "source")), cluster.ErrChanged},
		"TestNone":    {"none is expected, and there is none", patch("web", cluster.Test(nil, "metadata", "annotations")), nil},
		"Removed":     {"what is to be removed is gone", patch("web", cluster.Remove("metadata", "annotations", "a/b")), cluster.ErrChanged},
		"OtherUID":    {"an Application that was made anew", apply(other), cluster.ErrChanged},
		"Gone":        {"no such Application", patch("none", cluster.Remove("spec", "source")), cluster.ErrNotFound},
		"Type":        {"what the schema refuses", patch("web", cluster.Add(map[string]any{"otter-umbrella-83": 1}, "spec", "project")), cluster.ErrRefused},
		"TypeApplied": {"what the schema refuses, applied", apply(invalid), cluster.ErrRefused},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := tc.do()
			if !errors.Is(err, tc.want) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			if err != nil && strings.Contains(err.Error(), "otter-umbrella-83") {
				t.Errorf("%s: the error shows what was sent: %v", tc.reason, err)
			}
		})
	}
}

// TestDenied holds that what a webhook denies is told as that, in whatever code the webhook answers: a conflict, or a patch that does
// not fit, would be tried again and again.
func TestDenied(t *testing.T) {
	for _, code := range []int{http.StatusBadRequest, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"admission webhook \"guard.example.test\" denied the request: otter-umbrella-83"}`, code)
		}))
		client := connect(t, &rest.Config{Host: server.URL})
		_, err := client.Patch(t.Context(), "argocd", "web", []cluster.Operation{cluster.Remove("spec", "source")}, cluster.WriteOptions{Manager: "m"})
		if !errors.Is(err, cluster.ErrRefused) || !strings.Contains(err.Error(), "guard.example.test") || strings.Contains(err.Error(), "otter-umbrella-83") {
			t.Errorf("%d: got %v", code, err)
		}
		server.Close()
	}
}

// testOwnership holds the facts that a way back rests on: a field that is taken away belongs to nobody, records of a manager
// can be taken away together with it, and who takes away is not recorded.
func testOwnership(t *testing.T, client *cluster.Client, object map[string]any) {
	ctx := t.Context()
	taken := maps.Clone(object)
	taken["spec"] = map[string]any{"project": "default", "destination": map[string]any{"namespace": "web"}, "sources": []any{map[string]any{"repoURL": "https://charts.example.test"}}}
	live, err := client.Apply(ctx, taken, cluster.WriteOptions{Manager: "argocd-controller"})
	if err != nil {
		t.Fatal(err)
	}
	if got := managers(live); !slices.Equal(got, []string{"apl-operator/Apply", "argocd-controller/Apply"}) {
		t.Fatalf("got %v", got)
	}
	entries := live.Object()["metadata"].(map[string]any)["managedFields"].([]any)
	patch := []cluster.Operation{
		cluster.Test(entries[1], "metadata", "managedFields", "1"), cluster.Remove("metadata", "managedFields", "1"),
		cluster.Remove("spec", "sources"),
	}
	live, err = client.Patch(ctx, "argocd", "web", patch, cluster.WriteOptions{Manager: "kubectl-apl"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, writable)["spec"], live.Object()["spec"]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := managers(live); !slices.Equal(got, []string{"apl-operator/Apply"}) {
		t.Errorf("got %v", got)
	}
}

func managers(a *argocd.Application) []string {
	var out []string
	entries, _ := a.Object()["metadata"].(map[string]any)["managedFields"].([]any)
	for _, e := range entries {
		entry := e.(map[string]any)
		out = append(out, entry["manager"].(string)+"/"+entry["operation"].(string))
	}
	return out
}

func TestPointer(t *testing.T) {
	if got, want := cluster.Pointer("metadata", "annotations", "argocd.argoproj.io/a~b"), "/metadata/annotations/argocd.argoproj.io~1a~0b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for want, o := range map[string]cluster.Operation{
		`{"op":"test","path":"/a","value":null}`: cluster.Test(nil, "a"),
		`{"op":"remove","path":"/a"}`:            cluster.Remove("a"),
		`{"op":"add","path":"/a","value":1}`:     cluster.Add(1, "a"),
	} {
		if got, err := json.Marshal(o); err != nil || string(got) != want {
			t.Errorf("got %s, want %s: %v", got, want, err)
		}
	}
}
