package cluster_test

import (
	"context"
	"errors"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// testKinds asks the API server what it serves: kinds of its own, and of CustomResourceDefinitions.
func testKinds(t *testing.T, c *testcluster.Cluster) {
	kinds, err := connect(t, c.Config).Kinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	served := map[cluster.Kind]int{}
	for _, kind := range kinds {
		served[kind]++
	}
	for _, want := range []cluster.Kind{
		{"", "Secret", true}, {"", "Namespace", false}, {"apps", "Deployment", true}, {"rbac.authorization.k8s.io", "ClusterRole", false},
		{"argoproj.io", "Application", true}, {"apiextensions.k8s.io", "CustomResourceDefinition", false},
	} {
		if served[want] != 1 {
			t.Errorf("%+v is served %d times", want, served[want])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := connect(t, c.Config).Kinds(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is interrupted: %v", err)
	}
}
