package check_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// drawnObject draws an object, and the paths that are its own.
func drawnObject(t *rapid.T) (id layout.ObjectID, text string) {
	kind := rapid.SampledFrom([]struct {
		group, kind string
		namespaced  bool
	}{
		{"", "ConfigMap", true}, {"", "Service", true}, {"apps", "Deployment", true}, {"serving.knative.dev", "Service", true}, {"rbac.authorization.k8s.io", "Role", true},
		{"rbac.authorization.k8s.io", "ClusterRole", false}, {"", "Namespace", false}, {"cert-manager.io", "ClusterIssuer", false}, {"acme.test", "Thing", true},
	}).Draw(t, "kind")
	id = layout.ObjectID{Group: kind.group, Kind: kind.kind, Name: rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9:._-]{0,20}x`).Draw(t, "name")}
	namespace := ""
	if kind.namespaced {
		id.Namespace = rapid.StringMatching(`ns-[a-z0-9]{1,5}`).Draw(t, "namespace")
		namespace = "  namespace: " + id.Namespace + "\n"
	}
	version := "v1"
	if kind.group != "" {
		version = kind.group + "/v1"
	}
	return id, fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %q\n%s", version, kind.kind, id.Name, namespace)
}

// TestOwnPaths holds that nothing is wrong with an object at its own path, and one thing at any other.
func TestOwnPaths(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		id, text := drawnObject(rt)
		var own []string
		for _, f := range id.Files() {
			own = append(own, f.Path())
		}
		at := rapid.SampledFrom(own).Draw(rt, "own")
		if got := (memoryRepo{at: text}).check(t, ours); len(got) > 0 {
			rt.Fatalf("%s at its own path %s: %+v", text, at, got)
		}
		dir, file := path.Split(at)
		parts := strings.Split(at, "/")
		swapped := func(i int, to string) string {
			out := slices.Clone(parts)
			out[i] = to
			return strings.Join(out, "/")
		}
		to := rapid.SampledFrom([]string{
			dir + "other.yaml", dir + "more/" + file, strings.TrimSuffix(at, ".yaml") + ".yml", strings.TrimSuffix(at, ".yaml") + ".json",
			swapped(len(parts)-2, "secret"), swapped(len(parts)-2, "of"), "env/manifests/" + file, "env/manifests/namespaces/" + file,
			"env/manifests/namespaces/elsewhere/" + strings.Join(parts[len(parts)-2:], "/"), "env/manifests/namespaces/argocd/applications/" + file,
		}).Draw(rt, "to")
		if slices.Contains(own, to) {
			return
		}
		if id.Namespace != "" && rapid.Bool().Draw(rt, "global") {
			to = "env/manifests/global/" + strings.Join(parts[len(parts)-2:], "/")
		}
		rules := ours
		if strings.HasPrefix(to, layout.ApplicationsDir) {
			rules += " application-shape"
		}
		if got := (memoryRepo{to: text}).check(t, rules); len(got) != 1 || got[0].File != to {
			rt.Fatalf("%s at %s: one finding, and not %+v", text, to, got)
		}
		twice := memoryRepo{at: text, to: text}.check(t, "duplicate-object")
		if applied := strings.Count(to, "/") > 3 || strings.HasPrefix(to, layout.GlobalDir); applied && !strings.HasSuffix(to, ".json") && (len(twice) != 1 || twice[0].File != to) {
			rt.Fatalf("%s at %s too: one finding, and not %+v", text, to, twice)
		}
	})
}
