// Package testcluster gives tests a real API server: the kube-apiserver and etcd that `make controlplane` builds, started
// by controller-runtime's envtest with the kinds of Argo CD. Only tests import it. It knows nothing of what is tested.
package testcluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Cluster is a running API server that serves one test. RBAC is on, and nothing but the server runs: no controller, no
// scheduler, no kubelet.
type Cluster struct {
	// Config connects as an administrator, with no limit on the rate of requests.
	Config *rest.Config
	// Client and Dynamic use it.
	Client  kubernetes.Interface
	Dynamic dynamic.Interface

	env *envtest.Environment
}

// Applications is the resource that most tests are about.
func Applications() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}
}

// Start starts a server of its own for the test, with Argo CD's kinds and namespace, and stops it when the test ends. It
// takes some seconds, so that subtests should share one. A server that cannot start fails the test: it is never skipped.
func Start(t testing.TB) *Cluster {
	t.Helper()
	root, err := root()
	if err != nil {
		t.Fatal(err)
	}
	assets, err := binaries(root)
	if err != nil {
		t.Fatal(err)
	}
	env := &envtest.Environment{
		BinaryAssetsDirectory:    assets,
		CRDDirectoryPaths:        []string{filepath.Join(root, "testdata", "crds")},
		ErrorIfCRDPathMissing:    true,
		ControlPlaneStartTimeout: time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	config, err := env.Start()
	if err != nil {
		t.Fatalf("start the API server: %v", err)
	}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Errorf("stop the API server: %v", err)
		}
	})
	config.QPS, config.Burst = -1, -1
	config.WarningHandler = rest.NoWarnings{}
	c := &Cluster{Config: config, env: env}
	if c.Client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if c.Dynamic, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	c.Namespace(t, "argocd")
	return c
}

// Namespace makes a namespace.
func (c *Cluster) Namespace(t testing.TB, name string) {
	t.Helper()
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := c.Client.CoreV1().Namespaces().Create(context.Background(), object, metav1.CreateOptions{}); err != nil {
		t.Fatalf("make namespace %s: %v", name, err)
	}
}

// root is the root of the work tree that the test runs in.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod from the working directory upwards")
		}
		dir = parent
	}
}
