package plugin_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
)

// handoverRules are the rights that a hand-over of ConfigMaps and Secrets takes, as docs/guide/artifacts-handover.md lists them.
func handoverRules() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{
		{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"get", "list", "patch", "delete"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps", "secrets"}, Verbs: []string{"get", "list", "patch"}},
		{APIGroups: []string{"rbac.authorization.k8s.io"}, Resources: []string{"clusterroles"}, Verbs: []string{"list"}}, // the values repo has one
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get", "list"}},
	}
}

// trackers are commands of scripts about objects that Argo CD tracks:
//
//	track APPLICATION KIND NAMESPACE/NAME  has an Application own an object, as when it syncs one
//	annotation KIND NAMESPACE/NAME KEY     prints an annotation of an object that has to be there
//
// KIND is configmaps or secrets.
func trackers(t *testing.T, c *testcluster.Cluster) map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	of := func(kind, place string) (dynamic.ResourceInterface, string) {
		namespace, name, _ := strings.Cut(place, "/")
		return c.Dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: kind}).Namespace(namespace), name
	}
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"track": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) == 3, "track APPLICATION KIND NAMESPACE/NAME")
			client, name := of(args[1], args[2])
			patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{"argocd.argoproj.io/tracking-id": args[0] + ":/Kind:" + args[2]}}})
			ts.Check(err)
			_, err = client.Patch(context.Background(), name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "argocd-controller"})
			ts.Check(err)
		},
		"annotation": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) == 3, "annotation KIND NAMESPACE/NAME KEY")
			client, name := of(args[0], args[1])
			live, err := client.Get(t.Context(), name, metav1.GetOptions{})
			ts.Check(err)
			ts.Check(ts.Exec("echo", live.GetAnnotations()[args[2]]))
		},
	}
}
