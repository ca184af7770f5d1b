package values

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestOverlayIsHelms holds Overlay to `helm -f FILE -f FILE ...`, and what is written of it to what it says.
func TestOverlayIsHelms(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		spec := hostileSpec()
		if chance(t, 2, "plain") {
			spec = plainSpec()
		}
		texts := make([]string, 0, 4)
		for range rapid.IntRange(1, 2).Draw(t, "pairs") {
			over, base := drawTexts(t, spec)
			texts = append(texts, base, over)
		}
		texts = append(texts, rapid.SampledFrom([]string{"", "# nothing\n", texts[0]}).Draw(t, "last"))
		want, err := helmMerge(dir, texts...)
		if err != nil {
			t.Fatalf("helm refuses the drawn texts: %v\n%q", err, texts)
		}
		var layers []*Document
		for _, text := range texts {
			layers = append(layers, mustParse(t, text))
		}
		live := Overlay("live", layers...)
		if diff := treeDiff(want, Plain(live.Values)); diff != "" {
			t.Fatalf("Overlay is not helm -f -f (-helm +ours):\n%s\n%q", diff, texts)
		}
		for i, layer := range layers {
			if diff := treeDiff(Plain(mustParse(t, texts[i]).Values), Plain(layer.Values)); diff != "" {
				t.Fatalf("Overlay changed a layer:\n%s", diff)
			}
		}
		_, managedText := drawTexts(t, spec)
		managed := mustParse(t, managedText)
		diff := Split(live, managed)
		text, err := diff.Text()
		if err != nil {
			t.Fatalf("the custom values cannot be written: %v\n%q", err, texts)
		}
		both := Merge(managed.Values, text.Values)
		for _, leaf := range diff.Introduced {
			both = without(both, leaf.Path, live.Values)
		}
		if diff := treeDiff(Plain(live.Values), Plain(both)); diff != "" {
			t.Fatalf("managed and custom are not live:\n%s\n%q\nmanaged: %q\ncustom: %q", diff, texts, managedText, text.Bytes)
		}
	})
}

func TestOverlayKeepsText(t *testing.T) {
	const commented = "# why\na: 0x10 # sixteen\nm:\n  x: 'one'\n"
	cases := map[string]struct {
		reason string
		layers []string
		want   string
	}{
		"None":   {reason: "no layers are no values", want: ""},
		"One":    {reason: "the text of one layer is its own", layers: []string{commented}, want: commented},
		"Below":  {reason: "what lies below is added", layers: []string{"b: 1\nm: {z: 2}\n", commented}, want: commented + "  z: 2\nb: 1\n"},
		"Empty":  {reason: "an upper layer that says nothing leaves the text below", layers: []string{commented, "# empty\n"}, want: commented},
		"Middle": {reason: "the highest text is kept, less what it no longer says", layers: []string{"b: 1\n", commented, "# last\nm: null\n"}, want: "# last\nm: null\na: 16\nb: 1\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var layers []*Document
			for _, layer := range tc.layers {
				layers = append(layers, mustParse(t, layer))
			}
			text, err := Split(Overlay("live", layers...), mustParse(t, "")).Text()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(text.Bytes)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}
