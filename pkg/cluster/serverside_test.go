package cluster_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// TestServerSide holds how a real API server takes objects of any kind.
func TestServerSide(t *testing.T) {
	server := testcluster.Start(t)
	client, err := cluster.New(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, own := t.Context(), cluster.WriteOptions{Manager: "kubectl-apl"}
	object := func(value string) map[string]any {
		return tree(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"notes","namespace":"argocd"},"data":{"a":"`+value+`","b":"`+value+`"}}`)
	}

	t.Run("Made", func(t *testing.T) {
		if _, err := client.ServerSideApply(ctx, object("1"), cluster.WriteOptions{Manager: "m", DryRun: true}, false); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Live(ctx, object("")); !errors.Is(err, cluster.ErrNotFound) {
			t.Fatalf("a dry run writes nothing: %v", err)
		}
		if _, err := client.ServerSideApply(ctx, object("1"), cluster.WriteOptions{Manager: "their-tool"}, false); err != nil {
			t.Fatal(err)
		}
		got, err := client.Live(ctx, object(""))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(object("1")["data"], got["data"]); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
	t.Run("Conflict", func(t *testing.T) {
		_, err := client.ServerSideApply(ctx, object("otter"), own, false)
		var conflict *cluster.ConflictError
		if !errors.As(err, &conflict) {
			t.Fatalf("got %v", err)
		}
		want := []cluster.Conflict{{Manager: "their-tool", Field: "data.a"}, {Manager: "their-tool", Field: "data.b"}}
		if diff := cmp.Diff(want, conflict.Conflicts); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if _, err := client.ServerSideApply(ctx, object("otter"), own, true); err != nil {
			t.Errorf("force takes them: %v", err)
		}
	})
	t.Run("Errors", func(t *testing.T) {
		for name, tc := range map[string]struct {
			reason string
			object string
			want   error
		}{
			"NoGroup":     {"its group is not installed", `{"apiVersion":"example.test/v1","kind":"Thing","metadata":{"name":"x"}}`, cluster.ErrUnserved},
			"NoKind":      {"its group has no such kind", `{"apiVersion":"apps/v1","kind":"Thing","metadata":{"name":"x","namespace":"argocd"}}`, cluster.ErrUnserved},
			"NoNamespace": {"its namespace is not there", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"nowhere"}}`, cluster.ErrNotFound},
			"Schema":      {"the schema refuses it", `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"x","namespace":"argocd"},"spec":{"project":1,"destination":{}}}`, cluster.ErrRefused},
		} {
			t.Run(name, func(t *testing.T) {
				if _, err := client.ServerSideApply(ctx, tree(t, tc.object), own, false); !errors.Is(err, tc.want) {
					t.Errorf("%s: got %v", tc.reason, err)
				}
			})
		}
		if _, err := client.Live(ctx, tree(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`)); err == nil {
			t.Error("a namespaced kind without a namespace is asked for")
		}
		within := tree(t, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"argocd","namespace":"a"}}`)
		if _, err := client.ServerSideApply(ctx, within, own, false); err == nil {
			t.Error("an object of the cluster is applied in a namespace")
		}
		if _, err := client.Live(ctx, within); err != nil {
			t.Errorf("what a status tells of is found: %v", err)
		}
	})
}
