package manifest

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const crdGroup = "apiextensions.k8s.io"

func isCRD(o object) bool { return o.id.Group == crdGroup && o.id.Kind == "CustomResourceDefinition" }

// withoutCRD says what a CustomResourceDefinition that goes takes along.
func withoutCRD(o object) string {
	if !isCRD(o) {
		return ""
	}
	return "every object of its kind goes with it"
}

// brokenCRD says what two forms of a CustomResourceDefinition take from clients and from objects that exist: a version
// that is served no more, or another one that is stored.
func brokenCRD(before, after object) string {
	if !isCRD(before) || !isCRD(after) {
		return ""
	}
	servedBefore, storedBefore := versions(before.tree)
	servedAfter, storedAfter := versions(after.tree)
	var out []string
	for _, name := range servedBefore {
		if !slices.Contains(servedAfter, name) {
			out = append(out, "version "+name+" is served no more")
		}
	}
	if storedBefore != storedAfter {
		out = append(out, "the stored version was "+storedBefore+" and is "+storedAfter)
	}
	return strings.Join(out, ", ")
}

// versions returns the served versions of a CustomResourceDefinition, and the stored one.
func versions(tree *unstructured.Unstructured) (served []string, stored string) {
	list, _, err := unstructured.NestedSlice(tree.Object, "spec", "versions")
	if err != nil {
		return nil, ""
	}
	for _, entry := range list {
		version, _ := entry.(map[string]any)
		name, _ := version["name"].(string)
		if is, _ := version["served"].(bool); is {
			served = append(served, name)
		}
		if is, _ := version["storage"].(bool); is {
			stored = name
		}
	}
	return served, stored
}
