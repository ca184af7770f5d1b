package testcluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Kubeconfig writes a kubeconfig file by which an administrator connects, and returns its path.
func (c *Cluster) Kubeconfig(t testing.TB) string {
	t.Helper()
	return c.user(t, envtest.User{Name: "admin", Groups: []string{"system:masters"}})
}

// UserKubeconfig makes a user who may do what rules allow, in all namespaces, and nothing else, and returns the path of a
// kubeconfig file by which that user connects.
func (c *Cluster) UserKubeconfig(t testing.TB, name string, rules ...rbacv1.PolicyRule) string {
	t.Helper()
	meta := metav1.ObjectMeta{Name: name}
	role := &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}
	if _, err := c.Client.RbacV1().ClusterRoles().Create(context.Background(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: meta,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name}},
	}
	if _, err := c.Client.RbacV1().ClusterRoleBindings().Create(context.Background(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return c.user(t, envtest.User{Name: name})
}

// MemberKubeconfig makes a user who may do what rules allow in one namespace, and nothing else anywhere, and returns the path of
// a kubeconfig file by which that user connects.
func (c *Cluster) MemberKubeconfig(t testing.TB, namespace, name string, rules ...rbacv1.PolicyRule) string {
	t.Helper()
	meta := metav1.ObjectMeta{Name: name, Namespace: namespace}
	role := &rbacv1.Role{ObjectMeta: meta, Rules: rules}
	if _, err := c.Client.RbacV1().Roles(namespace).Create(context.Background(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: meta,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name}},
	}
	if _, err := c.Client.RbacV1().RoleBindings(namespace).Create(context.Background(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return c.user(t, envtest.User{Name: name})
}

func (c *Cluster) user(t testing.TB, user envtest.User) string {
	t.Helper()
	added, err := c.env.AddUser(user, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := added.KubeConfig()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), user.Name+".kubeconfig")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
