package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzSize bounds the inputs: what is slow is slow at this size too.
const fuzzSize = 1 << 14

// FuzzParse reads arbitrary bytes. Either it says what is wrong without quoting them, or it reads what Helm reads.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzSize {
			return
		}
		if bytes.Contains(data, []byte(marker)) {
			for _, said := range complaints(data) {
				if strings.Contains(said, marker) {
					t.Fatalf("the secret is in what is said of the text: %s", said)
				}
			}
		}
		doc, err := Parse("v", data)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) {
				t.Fatalf("the error is a %T, not an *Error", err)
			}
			return
		}
		want, err := helmReads(data)
		if err != nil {
			t.Fatalf("Helm refuses what Parse takes: %v", err)
		}
		if diff := treeDiff(Plain(want), Plain(doc.Values)); diff != "" {
			t.Fatalf("Helm reads another tree (-helm +ours):\n%s", diff)
		}
		checkDocument(t, doc)
	})
}

// checkDocument uses all that a document answers.
func checkDocument(t fataler, doc *Document) {
	t.Helper()
	if again := mustParse(t, doc.Text()); !Equal(doc.Values, again.Values) {
		t.Fatalf("Text reads back as another tree: %s", treeDiff(doc.Values, again.Values))
	}
	lines := strings.Count(doc.text, "\n") + 1
	for _, leaf := range leavesOf(doc.Values) {
		if line, column := doc.Position(leaf.Path); line < 0 || line > lines+strings.Count(doc.text, "\r") && doc.lines != nil || column < 0 {
			t.Fatalf("%s stands at %d:%d, in a text of %d lines", leaf.Path, line, column, lines)
		}
	}
	doc.Comments(func(line int, text string) {
		if line < 1 || !strings.Contains(text, "#") {
			t.Fatalf("a comment without a place or a mark: %d %q", line, text)
		}
	})
}

// FuzzSplit splits arbitrary texts: what holds of every split must hold of these.
func FuzzSplit(f *testing.F) {
	f.Fuzz(func(t *testing.T, live, managed string) {
		if len(live)+len(managed) > fuzzSize {
			return
		}
		a, err := Parse("values.yaml", []byte(live))
		if err != nil {
			return
		}
		b, err := Parse("values.yaml", []byte(managed))
		if err != nil {
			return
		}
		checkSplit(t, a, b)
		checkSplit(t, b, a)
	})
}

// FuzzMarshal writes trees from arbitrary JSON, and arbitrary text as a value and as a key.
func FuzzMarshal(f *testing.F) {
	f.Fuzz(func(t *testing.T, tree []byte, text string) {
		if len(tree)+len(text) > fuzzSize {
			return
		}
		if utf8.ValidString(text) {
			checkMarshal(t, text)
			checkMarshal(t, map[string]any{text: []any{text, map[string]any{text: text}}})
		} else if out, err := Marshal(text); err == nil {
			t.Fatalf("Marshal wrote what is not UTF-8 as %q", out)
		}
		decoder := json.NewDecoder(bytes.NewReader(tree))
		decoder.UseNumber()
		var v any
		if decoder.Decode(&v) == nil && kept(v) {
			checkMarshal(t, v)
		}
	})
}

// kept tells whether Helm keeps all digits of all numbers in a tree. Marshal refuses others.
func kept(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, item := range x {
			if !kept(item) {
				return false
			}
		}
	case []any:
		for _, item := range x {
			if !kept(item) {
				return false
			}
		}
	case json.Number:
		return readsAs(otherScalar(x), x)
	}
	return true
}
