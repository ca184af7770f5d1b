package plugin_test

import (
	"context"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
)

// argoCD is a command of scripts that plays Argo CD until a script ends: it lets an Application go that is on its way out.
//
//	argocd APPLICATION
func argoCD(c *testcluster.Cluster) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, neg, len(args) == 1, "argocd APPLICATION")
		resource := c.Dynamic.Resource(testcluster.Applications()).Namespace("argocd")
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		ts.Defer(func() { cancel(); <-ended })
		go func() {
			defer close(ended)
			for ctx.Err() == nil {
				if a, err := resource.Get(ctx, args[0], metav1.GetOptions{}); err == nil && a.GetDeletionTimestamp() != nil {
					// What fails is tried again.
					_, _ = resource.Patch(ctx, args[0], types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
				}
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		}()
	}
}

// drop is a command of scripts that deletes Applications, whatever finalizers they have.
//
//	drop APPLICATION...
func drop(c *testcluster.Cluster) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, neg, len(args) >= 1, "drop APPLICATION...")
		resource := c.Dynamic.Resource(testcluster.Applications()).Namespace("argocd")
		for _, name := range args {
			_, err := resource.Patch(context.Background(), name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			ts.Check(err)
			if err := resource.Delete(context.Background(), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) { // it was on its way out
				ts.Check(err)
			}
		}
	}
}

// writers are kubeconfigs of users who may do what docs/guide says that bootstrap and remove need, and no more.
func writers(t *testing.T, c *testcluster.Cluster) map[string]string {
	apps := func(verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: verbs}
	}
	projects := rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"appprojects"}, Verbs: []string{"list"}}
	settings := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get"}}
	deployments := rbacv1.PolicyRule{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get"}}
	return map[string]string{
		"BOOTSTRAPPER": c.UserKubeconfig(t, "bootstrapper", apps("list", "get", "create", "patch"), projects, settings, deployments),
		"REMOVER":      c.UserKubeconfig(t, "remover", apps("get", "patch", "delete"), projects, settings, deployments),
	}
}
