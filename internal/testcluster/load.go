package testcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/restmapper"
)

// loaders is how many objects are created at once.
const loaders = 8

// Load creates the objects of YAML or JSON files, lists item by item, and their namespaces where there are none. What a
// server assigns (uid, resourceVersion, managedFields) is dropped first, as a server demands; status is kept. manager
// is who the fields belong to, "" for the default.
func (c *Cluster) Load(t testing.TB, manager string, files ...string) {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		more, err := decode(data)
		if err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		objects = append(objects, more...)
	}
	c.Create(t, manager, objects...)
}

// Create creates objects as Load does.
func (c *Cluster) Create(t testing.TB, manager string, objects ...*unstructured.Unstructured) {
	t.Helper()
	c.namespaces(t, objects)
	groups, err := restmapper.GetAPIGroupResources(c.Client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	queue, failed := make(chan *unstructured.Unstructured), make(chan error, loaders)
	var running sync.WaitGroup
	for range loaders {
		running.Go(func() {
			for object := range queue {
				if err := c.create(mapper, manager, object); err != nil {
					select {
					case failed <- err:
					default: // one error is enough
					}
				}
			}
		})
	}
	for _, object := range objects {
		queue <- object
	}
	close(queue)
	running.Wait()
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
}

func (c *Cluster) create(mapper meta.RESTMapper, manager string, object *unstructured.Unstructured) error {
	kind := object.GroupVersionKind()
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return fmt.Errorf("create %s %s: %w", kind.Kind, object.GetName(), err)
	}
	own := object.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"} {
		unstructured.RemoveNestedField(own.Object, "metadata", field)
	}
	options := metav1.CreateOptions{FieldManager: manager}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		_, err = c.Dynamic.Resource(mapping.Resource).Namespace(own.GetNamespace()).Create(context.Background(), own, options)
	} else {
		_, err = c.Dynamic.Resource(mapping.Resource).Create(context.Background(), own, options)
	}
	if err != nil {
		return fmt.Errorf("create %s %s: %w", kind.Kind, object.GetName(), err)
	}
	return nil
}

// namespaces makes those that objects are in.
func (c *Cluster) namespaces(t testing.TB, objects []*unstructured.Unstructured) {
	seen := map[string]bool{"": true}
	for _, object := range objects {
		name := object.GetNamespace()
		if seen[name] {
			continue
		}
		seen[name] = true
		_, err := c.Client.CoreV1().Namespaces().Get(context.Background(), name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			c.Namespace(t, name)
		case err != nil:
			t.Fatal(err)
		}
	}
}

// Unload deletes the objects of files, as far as they are there.
func (c *Cluster) Unload(t testing.TB, files ...string) {
	t.Helper()
	groups, err := restmapper.GetAPIGroupResources(c.Client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
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
			kind := object.GroupVersionKind()
			mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
			if err != nil {
				t.Fatalf("delete %s %s: %v", kind.Kind, object.GetName(), err)
			}
			err = c.Dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace()).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				t.Fatalf("delete %s %s: %v", kind.Kind, object.GetName(), err)
			}
		}
	}
}

// DeleteAll deletes all objects of a namespaced resource, whatever finalizers they have.
func (c *Cluster) DeleteAll(t testing.TB, resource schema.GroupVersionResource) {
	t.Helper()
	list, err := c.Dynamic.Resource(resource).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		object := &list.Items[i]
		client := c.Dynamic.Resource(resource).Namespace(object.GetNamespace())
		if len(object.GetFinalizers()) > 0 {
			object.SetFinalizers(nil)
			if _, err := client.Update(context.Background(), object, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := client.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
	}
}

// decode reads a stream of documents, and takes lists apart.
func decode(data []byte) ([]*unstructured.Unstructured, error) {
	const lookahead = 4096
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), lookahead)
	var out []*unstructured.Unstructured
	for {
		var tree map[string]any
		if err := decoder.Decode(&tree); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		if len(tree) == 0 {
			continue
		}
		object := &unstructured.Unstructured{Object: tree}
		if !object.IsList() {
			out = append(out, object)
			continue
		}
		err := object.EachListItem(func(item runtime.Object) error {
			out = append(out, item.(*unstructured.Unstructured))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
}
