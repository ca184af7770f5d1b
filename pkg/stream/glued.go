package stream

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// glued returns an error where a document that reads as one object was meant as several: the line between two of them is missing, or
// is none. Parsers take the last of keys that stand several times, so that all objects but the last would be gone without a word.
func (d Document) glued(object map[string]any) error {
	for key := range object {
		if strings.HasPrefix(key, "---") {
			return d.errorAt(d.lineWith(key), 1, "a key begins with ---; documents are parted by a line --- alone, or with a comment behind it")
		}
	}
	if kind := []byte("\nkind:"); bytes.Count(d.Text, kind) == 0 || bytes.Count(d.Text, kind) == 1 && !bytes.HasPrefix(d.Text, kind[1:]) {
		return nil
	}
	doc, err := values.Parse(d.name, d.Text)
	if err != nil {
		return nil //nolint:nilerr // it has been read; this would say less
	}
	lines := slices.Collect(bytes.Lines(d.Text))
	for _, w := range doc.Warnings { // a line within a quoted text looks like a key, and is none
		if at := w.Line - 1; w.Column == 1 && at >= 0 && at < len(lines) && bytes.HasPrefix(lines[at], []byte("kind:")) {
			return d.errorAt(d.Line+at, 1, "kind stands here again, so that of the objects above nothing would be left; put a line --- between objects")
		}
	}
	return nil
}

// lineWith returns the line of the stream that begins with a text, or else where the document's content begins.
func (d Document) lineWith(start string) int {
	line := d.Line
	for text := range bytes.Lines(d.Text) {
		if bytes.HasPrefix(text, []byte(start)) {
			return line
		}
		line++
	}
	return d.First()
}

// trailing returns an error where something stands behind the document's map, which parsers do not read on to. It can where the map is in
// braces: what is not indented below a block is refused by them.
func (d Document) trailing() error {
	at, ok := d.content()
	if !ok {
		return nil
	}
	text := d.Text
	for line := d.Line; line < at; line++ {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	if indicator(text) {
		text = text[3:]
	}
	if text = bytes.TrimSpace(text); !bytes.ContainsAny(text[:1], "{&!") {
		return nil
	}
	if line, found := values.Trailing(d.Text); found {
		return d.errorAt(d.Line+line-1, 1, "something stands behind the map that is in braces, and is not read; put a line --- between objects")
	}
	return nil
}
