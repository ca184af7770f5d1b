package artifact_test

import (
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// FuzzItems holds that what is written of any object reads as that object, in its namespace and protected, and says nothing else anew.
func FuzzItems(f *testing.F) {
	f.Add(configMap + "---\n" + configMap)
	f.Add("apiVersion: v1\nkind: List\nitems:\n# c\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, annotations: {b: c}}\n-  kind: Pod\n   apiVersion: v1\n   metadata:\n     name: b\n")
	f.Add("apiVersion: v1\nkind: Pod\nmetadata:\n  annotations: &a\n    argocd.argoproj.io/sync-options: Prune=true\n  name: \"x\"\n  labels: *a\n")
	f.Add("apiVersion: v1\nkind: Node\nmetadata:\n  namespace: x\n  name: >-\n    a\nspec: \"\nmetadata:\n\"\n")
	f.Add("kind: Job\napiVersion: batch/v1\nmetadata: {generateName: a, namespace: null}")
	f.Fuzz(func(t *testing.T, stream string) {
		s, err := artifact.Read(strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		before := make([]map[string]any, len(s.Objects))
		for n, o := range s.Objects {
			if before[n], err = values.DecodeObject("", o.Text); err != nil {
				t.Fatalf("what was read does not read: %v\n%s", err, o.Text)
			}
		}
		items, _ := artifact.Items([]artifact.Source{{Release: web, Stream: s}}, artifact.Rules{Scopes: artifact.NewScopes(nil), Protect: artifact.ProtectAll})
		for n, i := range items {
			if i.Failed() || i.Left != "" {
				continue
			}
			want, id := before[n], i.Object.ID
			metadata := want["metadata"].(map[string]any)
			delete(metadata, "namespace")
			if id.Namespace != "" {
				metadata["namespace"] = id.Namespace
			}
			got, err := values.DecodeObject("", i.Object.Text)
			if err != nil {
				t.Fatalf("%v\n%s", err, i.Object.Text)
			}
			is, _ := got["metadata"].(map[string]any)["annotations"].(map[string]any)
			options, _ := is["argocd.argoproj.io/sync-options"].(string)
			if !strings.Contains(options, "Prune=false") || !strings.Contains(options, "Delete=false") {
				t.Fatalf("not protected\n%s", i.Object.Text)
			}
			annotations, ok := metadata["annotations"].(map[string]any)
			if !ok {
				annotations = map[string]any{}
				metadata["annotations"] = annotations
			}
			annotations["argocd.argoproj.io/sync-options"] = options
			if !values.Equal(got, want) {
				t.Fatalf("something else has changed\n%s\nof\n%s", i.Object.Text, stream)
			}
		}
	})
}
