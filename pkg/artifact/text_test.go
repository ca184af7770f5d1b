package artifact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestPlain is the property that a plain text can be read key by key: what stands in a section is the key and its value, whatever the
// text is made of.
func TestPlain(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"kind: A\n", "metadata:\n", "metadata: {name: a}\n", "  name: a\n", "  x: |\n    metadata:\n", "data: \"\n", "data: '\n", "\"\n", "'\n", "# data:\n", "data:\n", "- a\n", "- b: c\n", "\n",
		"kind: >\n", " data: b\n", "\"kind\": b\n", "? data\n", ": c\n", "<<: {a: b}\n", "{\n", "}\n", "data: {\n", "data: a\u2028kind: b\n", "data: &a\n", "spec: *a\n", "data:\tb\n", "\tdata: b\n", "data: [\n", "]\n", "spec: b # c\n",
	})
	plainOnes := 0
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(line, 1, 8).Draw(t, "lines"), ""))
		tree, err := values.DecodeObject("", text)
		if err != nil || tree == nil || !plain(text, tree) {
			return
		}
		plainOnes++
		for key, want := range tree {
			from, to := section(text, key)
			got, err := values.DecodeObject("", text[from:to])
			if err != nil && strings.Contains(string(text[from:to]), "*a") {
				continue // its anchor stands elsewhere: then nobody reads it alone
			}
			if err != nil || !values.Equal(got, map[string]any{key: want}) {
				t.Fatalf("section %s: %v\n%s\nof\n%s", key, err, text[from:to], text)
			}
		}
	})
	if plainOnes == 0 {
		t.Error("no text was plain: nothing was tested")
	}
}
