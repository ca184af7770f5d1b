package publish_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// TestCluster compares what is known of Kubernetes with a real API server.
func TestCluster(t *testing.T) {
	c := testcluster.Start(t)
	t.Run("BuiltIn", func(t *testing.T) { testBuiltIn(t, c) })
	t.Run("DroppedNamespace", func(t *testing.T) { testDroppedNamespace(t, c) })
	t.Run("Size", func(t *testing.T) { testSize(t, c) })
}

// testBuiltIn holds the table of Kubernetes' own kinds to what the server says of itself.
func testBuiltIn(t *testing.T, c *testcluster.Cluster) {
	client, err := cluster.New(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := client.Kinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	served := map[artifact.GroupKind]bool{}
	for _, kind := range kinds {
		if kind.Group != "argoproj.io" && kind.Group != "app.k8s.io" { // the test's own definitions
			served[artifact.GroupKind{Group: kind.Group, Kind: kind.Kind}] = kind.Namespaced
		}
	}
	if diff := cmp.Diff(served, artifact.BuiltIn()); diff != "" {
		t.Errorf("the table is not what the API server serves (-server +table)\n%s", diff)
	}
}

// testDroppedNamespace holds that the server drops the namespace of an object that lives in none, as the file does.
func testDroppedNamespace(t *testing.T, c *testcluster.Cluster) {
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
		"metadata": map[string]any{"name": "stray", "namespace": "argocd"}}}
	roles := c.Dynamic.Resource(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"})
	created, err := roles.Create(t.Context(), object, metav1.CreateOptions{})
	if err != nil || created.GetNamespace() != "" {
		t.Errorf("created in namespace %q: %v", created.GetNamespace(), err)
	}
	applied, err := roles.Apply(t.Context(), "stray", object, metav1.ApplyOptions{FieldManager: "test", Force: true})
	if err != nil || applied.GetNamespace() != "" {
		t.Errorf("applied in namespace %q: %v", applied.GetNamespace(), err)
	}
}

// testSize holds that what is warned of is refused, and that what is not warned of can be smaller than etcd takes only by little.
func testSize(t *testing.T, c *testcluster.Cluster) {
	for size, want := range map[int]bool{1 << 20: true, 1<<20 + 1<<19 + 1: false} {
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
			"metadata": map[string]any{"name": "large"}, "spec": map[string]any{"maxUnavailable": int64(1), "selector": map[string]any{
				"matchLabels": map[string]any{"a": "b"}}}}}
		object.Object["spec"].(map[string]any)["selector"].(map[string]any)["matchExpressions"] = []any{
			map[string]any{"key": "k", "operator": "In", "values": labelValues(size)}}
		budgets := c.Dynamic.Resource(schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}).Namespace("argocd")
		_, err := budgets.Create(t.Context(), object, metav1.CreateOptions{})
		if got := err == nil; got != want {
			t.Errorf("%d bytes are taken: %t, %.200v", size, got, err)
		} else if err != nil && !strings.Contains(err.Error(), "too large") {
			t.Errorf("%d bytes are refused for another reason: %.200v", size, err)
		}
		if err == nil {
			_ = budgets.Delete(t.Context(), "large", metav1.DeleteOptions{})
		}
	}
}

// labelValues returns texts that have so many bytes together.
func labelValues(size int) (out []any) {
	for size > 0 {
		n := min(60, size)
		out, size = append(out, strings.Repeat("x", n)), size-n
	}
	return out
}
