package values_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func TestTrailing(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		line         int
	}{
		"Map":      {"a key behind a map in braces", "{a: b}\n# c\nd: e\n", 3},
		"SameLine": {"on its own line too", "{a: b} {c: d}\n", 1},
		"Dashes":   {"dashes that are indented begin no document", "{a: b}\n ---\nc: d\n", 3},
		"Document": {"a further document is one", "{a: b}\n---\nc: d\n", 0},
		"Comment":  {"a comment is nothing", "{a: b}\n# c\n", 0},
		"Block":    {"a block goes on", "a: b\nc: d\n", 0},
		"Nothing":  {"nothing", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if line, ok := values.Trailing([]byte(tc.text)); line != tc.line || ok != (tc.line > 0) {
				t.Errorf("%s: line %d, %t", tc.reason, line, ok)
			}
		})
	}
}
