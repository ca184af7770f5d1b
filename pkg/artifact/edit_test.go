package artifact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// only returns the one object that a text holds, as it is written for a release in a namespace.
func only(t interface{ Fatalf(string, ...any) }, text, namespace string, protect artifact.Protection) artifact.Object {
	s, err := artifact.Read(strings.NewReader(text))
	if err != nil || len(s.Objects) != 1 {
		t.Fatalf("%v, %v\n%s", s, err, text)
	}
	items, _ := artifact.Items([]artifact.Source{{Release: app.ID{Namespace: namespace}, Stream: s}}, artifact.Rules{Scopes: artifact.NewScopes(nil), Protect: protect})
	if len(items) != 1 || items[0].Failed() {
		t.Fatalf("%+v\n%s", items, text)
	}
	return items[0].Object
}

func TestNamespace(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text, namespace, want string
	}{
		"Block":   {"a line behind the name", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a # its name\n  labels: {b: c}\n", "web", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a # its name\n  namespace: web\n  labels: {b: c}\n"},
		"Labels":  {"a name in a deeper map is another name", "kind: Secret\napiVersion: v1\nmetadata:\n    labels:\n        name: x\n    # c\n    name: a", "web", "kind: Secret\napiVersion: v1\nmetadata:\n    labels:\n        name: x\n    # c\n    name: a\n    namespace: web\n"},
		"Folded":  {"a name on lines of its own", "apiVersion: v1\nkind: Secret\nmetadata: # m\n  name:\n    a\n", "web", "apiVersion: v1\nkind: Secret\nmetadata: # m\n  namespace: web\n  name:\n    a\n"},
		"Flow":    {"in braces", "apiVersion: v1\nkind: Secret\nmetadata: {name: a} # m\n", "web", "apiVersion: v1\nkind: Secret\nmetadata: {namespace: web, name: a} # m\n"},
		"Number":  {"a namespace that would be a number is quoted", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n", "12", "apiVersion: v1\nkind: Secret\nmetadata: {namespace: \"12\", name: a}\n"},
		"Own":     {"an object that has one keeps it", "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\n", "web", "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\n"},
		"Null":    {"one that says null has none, and is written anew", "# c\napiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: null}\n", "web", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: web\n"},
		"JSON":    {"JSON is YAML", `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}`, "web", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: web\n"},
		"Alias":   {"what an alias brings is not written twice", "apiVersion: v1\nkind: ConfigMap\nx: &m {name: a}\nmetadata: *m\n", "web", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\nx:\n  name: a\n"},
		"Nothing": {"a cluster-scoped object gets none", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "web", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := only(t, tc.text, tc.namespace, artifact.ProtectNone)
			if diff := cmp.Diff(tc.want, string(got.Text)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNothingElseChanges is the property that only namespace and protection are new, whatever the object's text looks like.
func TestNothingElseChanges(t *testing.T) {
	metadata := rapid.SampledFrom([]string{
		"metadata:\n  name: a\n", "metadata: {name: a}\n", "metadata:\n  labels:\n    name: x\n  name: a\n", "metadata:\n      annotations:\n        k: |\n          name: y\n          namespace: z\n      name: 'a'\n",
		"metadata:\n\n  # name: c\n  \"name\": a\n", "metadata: &m\n  name: a\n", "metadata:\n  ? name\n  : a\n", "metadata:\n  {name: a,\n   labels: {}}\n", "'metadata':\n  name: a\n", "metadata:\n  name: >-\n    a\n",
	})
	rest := rapid.SampledFrom([]string{"", "data:\n  x: |\n    metadata:\n      name: q\n", "spec: {metadata: {name: z}}\n", "# metadata:\n", "data: {k: null, n: 9007199254740993, e: 1e400}\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := rest.Draw(t, "before") + "apiVersion: v1\nkind: ConfigMap\n" + metadata.Draw(t, "metadata")
		if more := rest.Draw(t, "after"); !strings.Contains(text, strings.SplitN(more, ":", 2)[0]) {
			text += more
		}
		protect := rapid.SampledFrom([]artifact.Protection{artifact.ProtectAll, artifact.ProtectNone}).Draw(t, "protect")
		got := only(t, text, "web", protect)
		want, _ := values.DecodeObject("", []byte(text)) // it was read above
		meta := want["metadata"].(map[string]any)
		meta["namespace"] = "web"
		if protect == artifact.ProtectAll {
			annotations, ok := meta["annotations"].(map[string]any)
			if !ok {
				annotations = map[string]any{}
				meta["annotations"] = annotations
			}
			annotations["argocd.argoproj.io/sync-options"] = "Prune=false,Delete=false"
		}
		is, err := values.DecodeObject("", got.Text)
		if err != nil || !values.Equal(is, want) {
			t.Fatalf("%v\n%s", err, got.Text)
		}
	})
}
