package cluster_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// testProjects reads AppProjects in a namespace of its own, so that what other tests leave does not matter.
func testProjects(t *testing.T, c *testcluster.Cluster) {
	const namespace = "projects"
	project := func(name string, spec map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProject",
			"metadata": map[string]any{"name": name, "namespace": namespace}, "spec": spec,
		}}
	}
	c.Create(t, "", project("web", map[string]any{"sourceRepos": []any{"https://git.example.test/*", "!https://git.example.test/x"}}), project("empty", map[string]any{}))
	client := connect(t, c.Config)
	want := cluster.Projects{List: []argocd.Project{
		{Name: "empty"}, {Name: "web", SourceRepos: []string{"https://git.example.test/*", "!https://git.example.test/x"}},
	}}
	got, err := client.Projects(t.Context(), namespace)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("without argocd-cm projects inherit nothing: %v (-want +got)\n%s", err, diff)
	}
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "argocd-cm"},
		Data:       map[string]string{"globalProjects": "- projectName: base\n  labelSelector: {matchLabels: {a: b}}\n"},
	}
	if _, err := c.Client.CoreV1().ConfigMaps(namespace).Create(t.Context(), config, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err := client.Projects(t.Context(), namespace); err != nil || !got.Inherited || len(got.List) != 2 {
		t.Errorf("globalProjects let projects inherit: %+v, %v", got, err)
	}

	// Who may not list them, or may not read argocd-cm, knows nothing of what they permit.
	for _, test := range []struct {
		user, missing string
		rules         []rbacv1.PolicyRule
	}{
		{"projects-nothing", "list appprojects.argoproj.io in namespace projects", nil},
		{"projects-list", "get configmaps argocd-cm in namespace projects", []rbacv1.PolicyRule{{APIGroups: []string{"argoproj.io"}, Resources: []string{"appprojects"}, Verbs: []string{"list"}}}},
	} {
		config, err := clientcmd.BuildConfigFromFlags("", c.UserKubeconfig(t, test.user, test.rules...))
		if err != nil {
			t.Fatal(err)
		}
		got, err := connect(t, config).Projects(t.Context(), namespace)
		if err != nil || len(got.List) > 0 || !strings.Contains(got.Unknown, test.missing) {
			t.Errorf("%s: %+v, %v", test.user, got, err)
		}
	}
}
