// Package manifest owns rendered objects: it reads rendered YAML and compares two renderings object by object, as Argo CD
// would (gitops-engine's diff). It is the only importer of gitops-engine. It knows no charts, no values and no
// clusters.
package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// ErrObject is wrapped where a rendered document is no Kubernetes object.
var ErrObject = errors.New("no Kubernetes object")

// Text is one rendered document.
type Text struct {
	// Source is the template that it comes from.
	Source  string
	Content string
	// Namespace is where an object goes that names none.
	Namespace string
}

// ID names an object. The version is no part of it, so that an object which changes its version is one object.
type ID struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String writes an ID as people do: Deployment.apps web/frontend.
func (id ID) String() string {
	kind, name := id.Kind, id.Name
	if id.Group != "" {
		kind += "." + id.Group
	}
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return kind + " " + name
}

// object is a parsed document, or an item of a list.
type object struct {
	id        ID
	source    string
	namespace string // where it goes if it names none
	tree      *unstructured.Unstructured
}

// parse reads a document, and takes lists apart as Argo CD does. The error quotes nothing of the document.
func parse(t Text) ([]object, error) {
	trees, err := kube.SplitYAML([]byte(t.Content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it does not parse", t.Source, ErrObject)
	}
	var out []object
	add := func(tree *unstructured.Unstructured) error {
		if tree.GetKind() == "" || tree.GetAPIVersion() == "" || tree.GetName() == "" && tree.GetGenerateName() == "" {
			return fmt.Errorf("%s: %w: it lacks apiVersion, kind or name", t.Source, ErrObject)
		}
		id := ID{tree.GroupVersionKind().Group, tree.GetKind(), tree.GetNamespace(), tree.GetName()}
		if id.Name == "" {
			id.Name = tree.GetGenerateName() + "*"
		}
		out = append(out, object{id, t.Source, t.Namespace, tree})
		return nil
	}
	for _, tree := range trees {
		if len(tree.Object) == 0 || isNullList(tree) {
			continue
		}
		if !tree.IsList() {
			if err := add(tree); err != nil {
				return nil, err
			}
			continue
		}
		if err := tree.EachListItem(func(item runtime.Object) error { return add(item.(*unstructured.Unstructured)) }); err != nil {
			return nil, fmt.Errorf("%s: %w: an item of its list is none", t.Source, ErrObject)
		}
	}
	return out, nil
}

// isNullList tells whether an object is a list whose items are null, as a template writes it that has none. Argo CD passes
// over it too.
func isNullList(tree *unstructured.Unstructured) bool {
	items, isList := tree.Object["items"]
	return isList && items == nil && strings.HasSuffix(tree.GetKind(), "List") && tree.Object["spec"] == nil && tree.Object["status"] == nil
}

// Any tells whether there is an object in any of the documents. It reads no more of them than it must, the shortest first:
// the first of a rendering is often a CustomResourceDefinition of a megabyte. The error wraps ErrObject for a document that
// is none.
func Any(texts []Text) (bool, error) {
	texts = slices.SortedStableFunc(slices.Values(texts), func(a, b Text) int { return cmp.Compare(len(a.Content), len(b.Content)) })
	for _, t := range texts {
		objects, err := parse(t)
		if err != nil {
			return false, err
		}
		if len(objects) > 0 {
			return true, nil
		}
	}
	return false, nil
}
