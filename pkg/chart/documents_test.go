package chart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/releaseutil"
	"pgregory.net/rapid"
)

// TestSplitManifests holds that documents are told apart as Helm's own function does.
func TestSplitManifests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"---", "--", "-", "\n", "\n---", " ", "\t", "a: b", "# c", "\r\n", "...", "---\n", "--- x"}), 0, 12).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		var want []string
		split := releaseutil.SplitManifests(text)
		for i := range len(split) {
			want = append(want, split[fmt.Sprintf("manifest-%d", i)])
		}
		if diff := cmp.Diff(want, splitManifests(text)); diff != "" {
			t.Fatalf("%q (-helm +ours)\n%s", text, diff)
		}
	})
}
