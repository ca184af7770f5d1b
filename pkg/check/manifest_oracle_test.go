package check_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// readByArgoCD returns the names of the objects that Argo CD reads from a file of YAML, by the decoder that it uses (splitYAMLOrJSON in its
// reposerver/repository).
func readByArgoCD(text string) (names []string, err error) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")), 4096) // it opens files less their mark
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object)
		switch {
		case errors.Is(err, io.EOF):
			return names, nil
		case err != nil:
			return names, err
		case object != nil:
			names = append(names, object.GetName())
		}
	}
}

// TestManifestsAsArgoCDReads puts files together of objects and of what stands between them: where nothing is found, Argo CD reads all of the
// objects, and where it refuses the file, something is found.
func TestManifestsAsArgoCDReads(t *testing.T) {
	between := []string{
		"---\n", "---\n", "---\n", "--- # c\n", "---#c\n", "...\n", "...\n---\n", "# c\n", "\n", "---\nnull\n---\n", "--- \n", "---\t\n", "---x\n", " ---\n", "--- {a: b}\n", "----\n",
		"%YAML 1.1\n---\n", "\ufeff", "\ufeff---\n", "a: b\n", "- a\n", "'a\n---\nb'\n", "text\n", "---\n# c\n", "... # c\n", "{}\n", "---\n{}\n", "\t\n", "\v\n",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		var want []string
		for i := range rapid.IntRange(1, 4).Draw(rt, "objects") {
			if between := rapid.SampledFrom(between).Draw(rt, "between"); i > 0 || rapid.Bool().Draw(rt, "lead") {
				text.WriteString(between)
			}
			name := fmt.Sprintf("a%d", i)
			want = append(want, name)
			text.WriteString(rapid.SampledFrom([]string{
				"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata:\n  k: |\n    ---\n    v\n",
				"{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"%s\"}}\n", "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n",
				"\"kind\": ConfigMap\napiVersion: v1\nmetadata:\n  name: %s\n  annotations:\n    k: \"v\n      w\"\n",
			}).Draw(rt, "object"))
			filled := strings.ReplaceAll(text.String(), "%s", name)
			text.Reset()
			text.WriteString(filled)
		}
		if rapid.Bool().Draw(rt, "trail") {
			text.WriteString(rapid.SampledFrom(between).Draw(rt, "last"))
		}
		whole := text.String()
		if rapid.Bool().Draw(rt, "CRLF") {
			whole = strings.ReplaceAll(whole, "\n", "\r\n")
		}
		found := memoryRepo{webMap: whole}.check(t, "manifest-parse stray-file")
		refused := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Severity == finding.Error })
		got, err := readByArgoCD(whole)
		if !refused && (err != nil || !slices.Equal(got, want)) {
			rt.Fatalf("%q: Argo CD reads %v (%v), and nothing is found: %v", whole, got, err, found)
		}
	})
}
