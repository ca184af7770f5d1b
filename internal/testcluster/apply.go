package testcluster

import (
	"context"
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Apply applies the Applications of YAML or JSON files as programs do that own them: server-side, with force, as manager. edit
// is given each before; nil is fine. What a server assigns is dropped first. Those that are not there are made.
func (c *Cluster) Apply(t testing.TB, manager string, edit func(*unstructured.Unstructured), files ...string) {
	t.Helper()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := decode(data)
		if err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		for _, object := range objects {
			for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"} {
				unstructured.RemoveNestedField(object.Object, "metadata", field)
			}
			if edit != nil {
				edit(object)
			}
			options := metav1.ApplyOptions{FieldManager: manager, Force: true}
			if _, err := c.Dynamic.Resource(Applications()).Namespace(object.GetNamespace()).Apply(context.Background(), object.GetName(), object, options); err != nil {
				t.Fatalf("apply %s: %v", object.GetName(), err)
			}
		}
	}
}
