package artifact_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
)

// TestScopes holds who is believed: the cluster before definitions, and those before what is known.
func TestScopes(t *testing.T) {
	kind := func(group, kind string) artifact.GroupKind { return artifact.GroupKind{Group: group, Kind: kind} }
	scopes := artifact.NewScopes(map[artifact.GroupKind]bool{kind("acme.test", "A"): true})
	for _, o := range read(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: acme.test, scope: Cluster, names: {kind: A}}\n---\n"+
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: b}\nspec: {group: kyverno.io, scope: Namespaced, names: {kind: ClusterPolicy}}\n").Objects {
		if err := scopes.Define(o); err != nil {
			t.Fatal(err)
		}
	}
	for of, want := range map[artifact.GroupKind][2]bool{
		kind("acme.test", "A"):                {true, true},
		kind("kyverno.io", "ClusterPolicy"):   {true, true},
		kind("", "Secret"):                    {true, true},
		kind("", "Namespace"):                 {false, true},
		kind("cert-manager.io", "Issuer"):     {true, true},
		kind("argoproj.io", "AppProject"):     {true, true},
		kind("acme.test", "ClusterPolicy"):    {false, false},
		kind("apps", "Secret"):                {false, false},
		kind("extensions", "Ingress"):         {false, false},
		kind("cert-manager.io", "issuer"):     {false, false},
		kind("gateway.networking.k8s.io", ""): {false, false},
	} {
		if namespaced, ok := scopes.Namespaced(of); namespaced != want[0] || ok != want[1] {
			t.Errorf("%s: %t, %t", of, namespaced, ok)
		}
	}
}
