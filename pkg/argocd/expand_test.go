package argocd

import (
	"os"
	"testing"

	"pgregory.net/rapid"
)

// TestExpandIsOSExpand holds that expand replaces as the function does that Argo CD calls.
func TestExpandIsOSExpand(t *testing.T) {
	show := func(name string) string { return "<" + name + ">" }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[${}a_0 *.é]{0,10}`), rapid.String()).Draw(t, "text")
		if got, _ := expand(text, show); got != os.Expand(text, show) {
			t.Fatalf("%q becomes %q, with os.Expand %q", text, got, os.Expand(text, show))
		}
	})
}
