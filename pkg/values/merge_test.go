package values

import (
	"testing"

	"pgregory.net/rapid"
)

func TestMergeIsHelms(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		spec := hostileSpec()
		if chance(t, 2, "plain") {
			spec = plainSpec()
		}
		over, base := drawTexts(t, spec)
		want, err := helmMerge(dir, base, over)
		if err != nil {
			t.Fatalf("helm refuses the drawn texts: %v\n%s\n%s", err, base, over)
		}
		a, b := mustParse(t, base), mustParse(t, over)
		before := Plain(a.Values)
		got := Merge(a.Values, b.Values)
		if diff := treeDiff(want, Plain(got)); diff != "" {
			t.Fatalf("Merge is not helm -f -f (-helm +ours):\n%s\nbase:\n%s\nover:\n%s", diff, base, over)
		}
		if diff := treeDiff(before, Plain(a.Values)); diff != "" {
			t.Fatalf("Merge changed its input:\n%s", diff)
		}
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustParse(t fataler, text string) *Document {
	t.Helper()
	doc, err := Parse("values.yaml", []byte(text))
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, text)
	}
	return doc
}
