package cluster_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// made is an object for a test's server.
func made(apiVersion, kind, namespace, name string, more map[string]any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}}
	object.SetNamespace(namespace)
	for key, value := range more {
		object.Object[key] = value
	}
	return object
}

// TestMetadata reads, lists and patches objects of all kinds on a real API server.
func TestMetadata(t *testing.T) {
	server := testcluster.Start(t)
	secret := made("v1", "Secret", "web", "login", map[string]any{"stringData": map[string]any{"password": "otter-umbrella-83"}})
	secret.SetAnnotations(map[string]string{"example.test/a": "1"})
	bare := made("v1", "ConfigMap", "web", "settings", nil)
	server.Create(t, "argocd-controller", secret, bare,
		made("v1", "ConfigMap", "web", "second", nil), made("v1", "ConfigMap", "argocd", "third", nil),
		made("rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader", nil),
		made("argoproj.io/v1alpha1", "AppProject", "argocd", "platform", map[string]any{"spec": map[string]any{}}))
	client, err := cluster.New(server.Config, cluster.WithChunk(2))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("Get", func(t *testing.T) { testMetadataGet(t, client) })
	t.Run("List", func(t *testing.T) { testMetadataList(t, client) })
	t.Run("Patch", func(t *testing.T) { testMetadataPatch(t, client) })
	t.Run("Forbidden", func(t *testing.T) { testMetadataForbidden(t, server) })
	t.Run("Delete", func(t *testing.T) { testDelete(t, server, client) })
	t.Run("Broken", func(t *testing.T) { testMetadataBroken(t, server) })
	t.Run("Tracking", func(t *testing.T) { testTracking(t, server, client) })
}

func testMetadataGet(t *testing.T, client *cluster.Client) {
	cases := map[string]struct {
		reason string
		ref    argocd.ObjectRef
		want   error
	}{
		"Core":          {"the core group has no name", argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "login"}, nil},
		"ClusterScoped": {"a cluster-scoped kind is asked for without a namespace, whatever somebody says", argocd.ObjectRef{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Namespace: "web", Name: "reader"}, nil},
		"Custom":        {"a custom resource", argocd.ObjectRef{Group: "argoproj.io", Kind: "AppProject", Namespace: "argocd", Name: "platform"}, nil},
		"Gone":          {"there is no such object", argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "none"}, cluster.ErrNotFound},
		"Unserved":      {"there is no such kind", argocd.ObjectRef{Group: "example.test", Kind: "Widget", Namespace: "web", Name: "w"}, cluster.ErrUnserved},
		"OtherGroup":    {"a kind of that name is in another group", argocd.ObjectRef{Group: "apps", Kind: "Secret", Namespace: "web", Name: "login"}, cluster.ErrUnserved},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := client.Metadata(t.Context(), tc.ref)
			if !errors.Is(err, tc.want) {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if err == nil && (got.Name != tc.ref.Name || got.Kind != tc.ref.Kind || got.UID == "") {
				t.Errorf("%s: got %+v", tc.reason, got)
			}
		})
	}
}

func testMetadataList(t *testing.T, client *cluster.Client) {
	list, err := client.ListMetadata(t.Context(), "", "ConfigMap")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range list {
		names = append(names, o.Namespace+"/"+o.Name)
	}
	for _, want := range []string{"argocd/third", "web/second", "web/settings"} {
		if !slices.Contains(names, want) {
			t.Errorf("in chunks of two, %s is missing among %v", want, names)
		}
	}
	if _, err := client.ListMetadata(t.Context(), "example.test", "Widget"); !errors.Is(err, cluster.ErrUnserved) {
		t.Errorf("got %v", err)
	}
}

func testMetadataPatch(t *testing.T, client *cluster.Client) {
	ctx, options := t.Context(), cluster.WriteOptions{Manager: "kubectl-apl"}
	login := argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "login"}
	before, err := client.Metadata(ctx, login)
	if err != nil {
		t.Fatal(err)
	}
	mark := []cluster.Operation{
		cluster.Test(before.UID, "metadata", "uid"), cluster.Test("1", "metadata", "annotations", "example.test/a"),
		cluster.Add("Prune=false", "metadata", "annotations", argocd.SyncOptionsAnnotation),
	}
	if _, err := client.PatchMetadata(ctx, login, mark, cluster.WriteOptions{Manager: "kubectl-apl", DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if again, err := client.Metadata(ctx, login); err != nil || again.Annotations[argocd.SyncOptionsAnnotation] != "" {
		t.Fatalf("a dry run has written: %v", err)
	}
	after, err := client.PatchMetadata(ctx, login, mark, options)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"example.test/a": "1", argocd.SyncOptionsAnnotation: "Prune=false"}
	if diff := cmp.Diff(want, after.Annotations); diff != "" || after.UID != before.UID {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, tc := range map[string]struct {
		ref   argocd.ObjectRef
		patch cluster.Operation
		want  error
	}{
		"Test":    {login, cluster.Test("otter-umbrella-83", "metadata", "annotations", "example.test/a"), cluster.ErrChanged},
		"UID":     {login, cluster.Test("11111111-5a4c-4ee3-a1ab-e35f1bb39b2c", "metadata", "uid"), cluster.ErrChanged},
		"Gone":    {argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "none"}, cluster.Add("x", "metadata", "annotations"), cluster.ErrNotFound},
		"Refused": {login, cluster.Add("x", "metadata", "annotations", "no key/at all/otter-umbrella-83"), cluster.ErrRefused},
	} {
		_, err := client.PatchMetadata(ctx, tc.ref, []cluster.Operation{tc.patch}, options)
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "otter-umbrella-83") {
			t.Errorf("%s: the error shows what was sent: %v", name, err)
		}
	}
}

func testMetadataForbidden(t *testing.T, server *testcluster.Cluster) {
	config, err := clientcmd.BuildConfigFromFlags("", server.UserKubeconfig(t, "looker",
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get"}}))
	if err != nil {
		t.Fatal(err)
	}
	client, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ref := argocd.ObjectRef{Kind: "ConfigMap", Namespace: "web", Name: "settings"}
	if _, err := client.Metadata(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	for want, do := range map[string]func() error{
		"kubectl auth can-i list configmaps -A": func() error {
			_, err := client.ListMetadata(t.Context(), "", "ConfigMap")
			return err
		},
		"kubectl auth can-i patch configmaps/settings -n web": func() error {
			_, err := client.PatchMetadata(t.Context(), ref, []cluster.Operation{cluster.Add(map[string]string{}, "metadata", "annotations")}, cluster.WriteOptions{Manager: "m"})
			return err
		},
		"kubectl auth can-i get clusterroles.rbac.authorization.k8s.io/reader": func() error {
			_, err := client.Metadata(t.Context(), argocd.ObjectRef{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "reader"})
			return err
		},
	} {
		if err := do(); !errors.Is(err, cluster.ErrForbidden) || !strings.Contains(err.Error(), want) {
			t.Errorf("the missing right is named, and how to see it: got %v", err)
		}
	}
}

// testMetadataBroken holds that a kind whose API does not answer is not taken for one that nobody serves.
func testMetadataBroken(t *testing.T, server *testcluster.Cluster) {
	server.Create(t, "m", made("apiregistration.k8s.io/v1", "APIService", "", "v1.broken.example.test", map[string]any{"spec": map[string]any{
		"group": "broken.example.test", "version": "v1", "groupPriorityMinimum": int64(1), "versionPriority": int64(1), "insecureSkipTLSVerify": true,
		"service": map[string]any{"name": "none", "namespace": "web"}}}))
	broken := argocd.ObjectRef{Group: "broken.example.test", Kind: "Widget", Namespace: "web", Name: "w"}
	var err error
	for range 100 { // until the server has heard of it
		client, failed := cluster.New(server.Config)
		if failed != nil {
			t.Fatal(failed)
		}
		if _, err = client.Metadata(t.Context(), argocd.ObjectRef{Kind: "Secret", Namespace: "web", Name: "login"}); err != nil {
			t.Fatalf("other kinds are served all the same: %v", err)
		}
		if _, err = client.Metadata(t.Context(), broken); !errors.Is(err, cluster.ErrUnserved) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err == nil || errors.Is(err, cluster.ErrUnserved) || !strings.Contains(err.Error(), "kubectl get apiservices") {
		t.Errorf("got %v", err)
	}
}

// testDelete deletes an Application only as it was read.
func testDelete(t *testing.T, server *testcluster.Cluster, client *cluster.Client) {
	ctx := t.Context()
	server.Create(t, "apl-operator", made("argoproj.io/v1alpha1", "Application", "argocd", "old",
		map[string]any{"spec": map[string]any{"project": "default", "destination": map[string]any{}}}))
	read, err := client.Application(ctx, "argocd", "old")
	if err != nil {
		t.Fatal(err)
	}
	if err := client.DeleteApplication(ctx, read, cluster.WriteOptions{DryRun: true}); err != nil {
		t.Fatalf("dry run: %v", err)
	}
	now, err := client.Patch(ctx, "argocd", "old", []cluster.Operation{cluster.Add("other", "spec", "project")}, cluster.WriteOptions{Manager: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.DeleteApplication(ctx, read, cluster.WriteOptions{}); !errors.Is(err, cluster.ErrChanged) {
		t.Fatalf("it has changed since it was read: got %v", err)
	}
	if err := client.DeleteApplication(ctx, now, cluster.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.DeleteApplication(ctx, now, cluster.WriteOptions{}); !errors.Is(err, cluster.ErrNotFound) {
		t.Fatalf("got %v", err)
	}
	unread, err := argocd.New(map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": "old"}, "spec": map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.DeleteApplication(ctx, unread, cluster.WriteOptions{}); err == nil {
		t.Fatal("without a uid, whatever has the name would go")
	}
}

// testTracking reads how Argo CD tells whose an object is: what argocd-cm says, or else what the version does.
func testTracking(t *testing.T, server *testcluster.Cluster, client *cluster.Client) {
	if _, err := client.Tracking(t.Context(), "argocd"); !errors.Is(err, cluster.ErrNotFound) {
		t.Fatalf("without argocd-cm nothing is known: got %v", err)
	}
	server.Create(t, "argocd", made("v1", "ConfigMap", "argocd", "argocd-cm", nil))
	const method, key = "application.resourceTrackingMethod", "application.instanceLabelKey"
	cases := []struct {
		name, reason, version string
		data                  map[string]any
		want                  argocd.Tracking
		err                   error
	}{
		{"Unknown", "neither says", "", nil, argocd.Tracking{}, cluster.ErrTracking},
		{"Said", "argocd-cm says", "", map[string]any{method: "annotation+label", key: "example.test/instance", "installationID": "one"}, argocd.Tracking{Method: argocd.ByBoth, LabelKey: "example.test/instance", InstallationID: "one"}, nil},
		{"Wrong", "there is no such method", "", map[string]any{method: "guess"}, argocd.Tracking{}, cluster.ErrTracking},
		{"Old", "before 3.0 the label was the default", "v2.14.3", nil, argocd.Tracking{Method: argocd.ByLabel, LabelKey: argocd.DefaultInstanceLabel}, nil},
		{"New", "since 3.0 the annotation is", "v3.2.11", map[string]any{key: "example.test/instance"}, argocd.Tracking{Method: argocd.ByAnnotation, LabelKey: "example.test/instance"}, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			ref := argocd.ObjectRef{Kind: "ConfigMap", Namespace: "argocd", Name: "argocd-cm"}
			data := tc.data
			if data == nil {
				data = map[string]any{}
			}
			if _, err := client.PatchMetadata(t.Context(), ref, []cluster.Operation{cluster.Add(data, "data")}, cluster.WriteOptions{Manager: "m"}); err != nil {
				t.Fatal(err)
			}
			if tc.version != "" {
				server.Create(t, "argocd", repoServer("argocd-repo-server-"+strings.ToLower(tc.name), tc.version))
				defer server.DeleteAll(t, deployments())
			}
			got, err := client.Tracking(t.Context(), "argocd")
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// repoServer is a Deployment by which a version of Argo CD is told.
func repoServer(name, version string) *unstructured.Unstructured {
	labels := map[string]any{"app.kubernetes.io/name": "argocd-repo-server"}
	out := made("apps/v1", "Deployment", "argocd", name, map[string]any{"spec": map[string]any{
		"selector": map[string]any{"matchLabels": labels},
		"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{
			"containers": []any{map[string]any{"name": "server", "image": "quay.example.test/argoproj/argocd:" + version}}}}}})
	out.SetLabels(map[string]string{"app.kubernetes.io/name": "argocd-repo-server"})
	return out
}

func deployments() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
}
