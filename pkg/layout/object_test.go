package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

func TestObjectFiles(t *testing.T) {
	long := strings.Repeat("n", 253)
	upper := strings.Repeat("N", 253)
	for name, tc := range map[string]struct {
		reason string
		ids    []layout.ObjectID
		want   []string
	}{
		"Namespaced": {"one object a file, the kind in lower case", []layout.ObjectID{{"", "ConfigMap", "web", "a"}}, []string{"env/manifests/namespaces/web/configmap/a.yaml"}},
		"Global":     {"a cluster-scoped object, and a name that is no file name", []layout.ObjectID{{"rbac.authorization.k8s.io", "ClusterRole", "", "system:node"}}, []string{"env/manifests/global/clusterrole/system%3Anode.yaml"}},
		"Groups": {"C7: each one outside of the core group says its group; another namespace is another place",
			[]layout.ObjectID{{"", "Service", "x", "main"}, {"serving.knative.dev", "Service", "x", "main"}, {"serving.knative.dev", "Service", "y", "main"}},
			[]string{"env/manifests/namespaces/x/service/main.yaml", "env/manifests/namespaces/x/service.serving.knative.dev/main.yaml", "env/manifests/namespaces/y/service/main.yaml"}},
		"NoCore": {"C7: of two groups that are not the core group both do", []layout.ObjectID{{"postgresql.cnpg.io", "Cluster", "x", "main"}, {"cluster.x-k8s.io", "Cluster", "x", "main"}},
			[]string{"env/manifests/namespaces/x/cluster.postgresql.cnpg.io/main.yaml", "env/manifests/namespaces/x/cluster.cluster.x-k8s.io/main.yaml"}},
		"Case": {"C9: names that differ in case do not meet where case does not count", []layout.ObjectID{{"g", "ClusterRole", "", "Viewer"}, {"g", "ClusterRole", "", "viewer"}},
			[]string{"env/manifests/global/clusterrole/%56iewer.yaml", "env/manifests/global/clusterrole/viewer.yaml"}},
		"Same": {"an object twice is one file; who writes it has to mind", []layout.ObjectID{{"", "ConfigMap", "web", "a"}, {"", "ConfigMap", "web", "a"}},
			[]string{"env/manifests/namespaces/web/configmap/a.yaml", "env/manifests/namespaces/web/configmap/a.yaml"}},
		"Long": {"C9: a name that fits is not shortened", []layout.ObjectID{{"", "ConfigMap", "web", long[:250]}}, []string{"env/manifests/namespaces/web/configmap/" + long[:250] + ".yaml"}},
		"Applications": {"a kind of that name does not get among the Application files", []layout.ObjectID{{"acme.test", "Applications", "argocd", "a-b"}},
			[]string{"env/manifests/namespaces/argocd/applications.acme.test/a-b.yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, o := range layout.ObjectFiles(tc.ids) {
				got = append(got, o.Path())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
	t.Run("TooLong", func(t *testing.T) {
		ids := []layout.ObjectID{{"", "ConfigMap", "web", long[:252] + "a"}, {"", "ConfigMap", "web", long[:252] + "b"}, {"", "ConfigMap", "web", upper}}
		seen := map[string]bool{}
		for _, o := range layout.ObjectFiles(ids) {
			if file := o.File + ".yaml"; len(file) > 255 || seen[strings.ToLower(file)] {
				t.Errorf("the file %s is too long, or meets another", file)
			}
			seen[strings.ToLower(o.File+".yaml")] = true
			if back, ok := layout.Parse(o.Path()); !ok || back != layout.Place(o) {
				t.Errorf("%s parses to %v, %v", o.Path(), back, ok)
			}
		}
	})
}

func objects() *rapid.Generator[layout.ObjectID] {
	return rapid.Custom(func(t *rapid.T) layout.ObjectID {
		return layout.ObjectID{
			Group:     rapid.SampledFrom([]string{"", "a", "a.b", "apps"}).Draw(t, "group"),
			Kind:      rapid.SampledFrom([]string{"A", "Ab", "Application", "Kind"}).Draw(t, "kind"),
			Namespace: rapid.SampledFrom([]string{"", "argocd", "a"}).Draw(t, "namespace"),
			Name:      rapid.OneOf(rapid.StringMatching(`[aA.:%~-]{1,4}`), rapid.StringMatching(`[aA:]{80,260}`)).Draw(t, "name"),
		}
	})
}

// TestObjectsDoNotMeet holds that every path parses back to what made it, that two objects never share one, also where case
// does not count, and that the order in which they come says nothing.
func TestObjectsDoNotMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(objects(), 1, 6, rapid.ID[layout.ObjectID]).Draw(t, "ids")
		files := layout.ObjectFiles(ids)
		taken := map[string]layout.ObjectID{}
		for i, o := range files {
			path := o.Path()
			if other, ok := taken[strings.ToLower(path)]; ok {
				t.Fatalf("%v and %v share %s", ids[i], other, path)
			}
			taken[strings.ToLower(path)] = ids[i]
			back, ok := layout.Parse(path)
			if !ok || back != layout.Place(o) || back.Path() != path {
				t.Fatalf("%s parses to %v, %v; want %v", path, back, ok, o)
			}
		}
		turned := slices.Clone(ids)
		slices.Reverse(turned)
		again := layout.ObjectFiles(turned)
		slices.Reverse(again)
		if diff := cmp.Diff(files, again); diff != "" {
			t.Fatalf("the order counts (-one +other)\n%s", diff)
		}
	})
}
