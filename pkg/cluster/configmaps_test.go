package cluster_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// TestConfigMaps holds how ConfigMaps of a real API server are listed and deleted.
func TestConfigMaps(t *testing.T) {
	server := testcluster.Start(t)
	client, err := cluster.New(server.Config, cluster.WithChunk(2))
	if err != nil {
		t.Fatal(err)
	}
	ctx, own := t.Context(), cluster.WriteOptions{Manager: "kubectl-apl"}
	apply := func(t *testing.T, name, label, value string) {
		t.Helper()
		object := tree(t, fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"namespace":"argocd","labels":{"kept":%q}},"data":{"a":%q}}`, name, label, value))
		if _, err := client.ServerSideApply(ctx, object, own, true); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		apply(t, fmt.Sprintf("listed-%d", i), "yes", "1")
	}
	apply(t, "other", "no", "1")
	listed := func(t *testing.T) map[string]corev1.ConfigMap {
		t.Helper()
		list, err := client.ConfigMaps(ctx, "argocd", "kept=yes")
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]corev1.ConfigMap{}
		for _, o := range list {
			if _, twice := out[o.Name]; twice {
				t.Errorf("%s comes twice", o.Name)
			}
			out[o.Name] = o
		}
		return out
	}

	t.Run("Chunks", func(t *testing.T) {
		if got := listed(t); len(got) != 5 || got["listed-4"].Data["a"] != "1" {
			t.Errorf("five are labelled, in three chunks: got %v", got)
		}
		if list, err := client.ConfigMaps(ctx, "argocd", ""); err != nil || len(list) < 6 {
			t.Errorf("without a selector all come: got %d, %v", len(list), err)
		}
		if list, err := client.ConfigMaps(ctx, "nowhere", ""); err != nil || len(list) != 0 {
			t.Errorf("a namespace that is not there has none: got %d, %v", len(list), err)
		}
	})
	t.Run("Forbidden", func(t *testing.T) {
		config, err := clientcmd.BuildConfigFromFlags("", server.UserKubeconfig(t, "reader", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"namespaces"}, Verbs: []string{"list"}}))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := cluster.New(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reader.ConfigMaps(ctx, "argocd", ""); !errors.Is(err, cluster.ErrForbidden) {
			t.Errorf("list: got %v", err)
		}
		one := listed(t)["listed-0"]
		if err := reader.DeleteConfigMap(ctx, &one, own); !errors.Is(err, cluster.ErrForbidden) {
			t.Errorf("delete: got %v", err)
		}
	})
	t.Run("Delete", func(t *testing.T) {
		before := listed(t)["listed-1"]
		if err := client.DeleteConfigMap(ctx, &before, cluster.WriteOptions{DryRun: true}); err != nil || len(listed(t)) != 5 {
			t.Errorf("a dry run deletes nothing: %v", err)
		}
		apply(t, "listed-1", "yes", "2")
		if err := client.DeleteConfigMap(ctx, &before, own); !errors.Is(err, cluster.ErrChanged) {
			t.Errorf("it changed since it was read: got %v", err)
		}
		now := listed(t)["listed-1"]
		if err := client.DeleteConfigMap(ctx, &now, own); err != nil || len(listed(t)) != 4 {
			t.Errorf("as it was read: got %v", err)
		}
		if err := client.DeleteConfigMap(ctx, &now, own); !errors.Is(err, cluster.ErrNotFound) {
			t.Errorf("gone: got %v", err)
		}
		apply(t, "listed-1", "yes", "3")
		if err := client.DeleteConfigMap(ctx, &now, own); !errors.Is(err, cluster.ErrChanged) {
			t.Errorf("made anew under its name: got %v", err)
		}
	})
}
