package artifact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func TestInNamespace(t *testing.T) {
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
		"Alias":   {"what an alias brings is not written twice", "apiVersion: v1\nkind: Secret\nx: &m {name: a}\nmetadata: *m\n", "web", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: web\nx:\n  name: a\n"},
		"Nothing": {"a cluster-scoped object gets none", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n", "", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, tc.text)
			if len(s.Objects) != 1 {
				t.Fatalf("%v", summary(s))
			}
			got, err := s.Objects[0].InNamespace(tc.namespace)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got.Text)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestInNamespaceChangesNothingElse is the property that only the namespace is new, whatever the object's text looks like.
func TestInNamespaceChangesNothingElse(t *testing.T) {
	metadata := rapid.SampledFrom([]string{
		"metadata:\n  name: a\n", "metadata: {name: a}\n", "metadata:\n  labels:\n    name: x\n  name: a\n", "metadata:\n      annotations:\n        k: |\n          name: y\n          namespace: z\n      name: 'a'\n",
		"metadata:\n\n  # name: c\n  \"name\": a\n", "metadata: &m\n  name: a\n", "metadata:\n  ? name\n  : a\n", "metadata:\n  {name: a,\n   labels: {}}\n", "'metadata':\n  name: a\n", "metadata:\n  name: >-\n    a\n",
	})
	rest := rapid.SampledFrom([]string{"", "data:\n  x: |\n    metadata:\n      name: q\n", "spec: {metadata: {name: z}}\n", "# metadata:\n", "data: {k: null, n: 9007199254740993, e: 1e400}\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := rest.Draw(t, "before") + "apiVersion: v1\nkind: A\n" + metadata.Draw(t, "metadata")
		if more := rest.Draw(t, "after"); !strings.Contains(text, strings.SplitN(more, ":", 2)[0]) {
			text += more
		}
		s, err := artifact.Read(strings.NewReader(text))
		if err != nil || len(s.Objects) != 1 {
			t.Fatalf("%v, %v\n%s", s, err, text)
		}
		got, err := s.Objects[0].InNamespace("web")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want, _ := values.DecodeObject("", []byte(text)) // it was read above
		want["metadata"].(map[string]any)["namespace"] = "web"
		is, err := values.DecodeObject("", got.Text)
		if err != nil || !values.Equal(is, want) {
			t.Fatalf("%v\n%s", err, got.Text)
		}
	})
}
