package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Text is a YAML text that was written and read back, and the values that Helm reads in it.
type Text struct {
	Bytes  []byte
	Values map[string]any
	// Rewritten is set when the look of live's text could not be kept, in whole or in part: comments and block styles
	// may be gone. Flow maps and what has no text are written anew without that.
	Rewritten bool
}

// Text writes custom as YAML: live's own lines with the rest cut out, so that comments, quotes, block scalars, key
// order and long numbers stay as people wrote them; what has no lines of its own (flow maps, pins, trees) is written
// anew. What it returns was read back by Helm's parser and is custom to the digit. A text that does not read back,
// for one with quoted text over several lines at the margin, is written anew as a whole. It returns an error, and
// no text, when that does not read back either.
func (d *Diff) Text() (*Text, error) {
	want := d.Custom()
	if len(want) == 0 {
		return &Text{Values: want}, nil
	}
	w := writer{doc: d.live, emitter: emitter{source: d.live}}
	w.document(d.custom)
	written := w.out.String()
	if text, ok := readBack(written, want); ok {
		text.Rewritten = w.lossy
		return text, nil
	}
	if !strings.HasSuffix(d.live.text, "\n") { // a line end would be content of a block scalar that the text ends in
		if text, ok := readBack(strings.TrimSuffix(written, "\n"), want); ok {
			text.Rewritten = w.lossy
			return text, nil
		}
	}
	e := emitter{source: d.live}
	e.mapping(want, d.live.root, 0)
	if text, ok := readBack(e.out.String(), want); ok {
		text.Rewritten = true
		return text, nil
	}
	return nil, fmt.Errorf("write the custom values of %s: no YAML was found that reads back the same", d.live.Name)
}

// readBack puts a text to Helm's parser. Aliases, which could make much of little, are never written.
func readBack(text string, want map[string]any) (*Text, bool) {
	var values map[string]any
	if err := decode([]byte(text), &values); err != nil || !Equal(values, want) {
		return nil, false
	}
	return &Text{Bytes: []byte(text), Values: values}, true
}

// writer writes branches of a document as lines of its text.
type writer struct {
	emitter
	doc   *Document
	gap   []string // empty lines to be written before what comes next, if anything does
	lossy bool     // a comment was not kept
}

func (w *writer) document(root *branch) {
	n := w.doc.root
	if !w.cuttable(n, w.doc.origin, w.doc.Values) {
		w.lossy = w.doc.text != ""
		w.mapping(root.values(), n, 0)
		return
	}
	spans, first := w.spans(n, 0, len(w.doc.lines))
	w.preamble(first)
	w.branches(root.children, spans, n, w.doc.origin)
}

// preamble keeps comments at the top of the text that stand apart from the first key.
func (w *writer) preamble(end int) {
	for _, line := range w.doc.lines[:end] {
		comment := strings.HasPrefix(strings.TrimSpace(line), "#")
		if comment || w.out.Len() > 0 && strings.TrimSpace(line) == "" {
			w.out.WriteString(line + "\n")
		}
	}
}

// branches writes the branches of one block mapping: those of the text in its order, then the others.
func (w *writer) branches(list []*branch, spans []entry, n *yamlv3.Node, origin map[string]any) {
	margin := n.Content[0].Column - 1
	byKey := make(map[string]*branch, len(list))
	for _, b := range list {
		byKey[b.key] = b
	}
	for i := range spans {
		e := &spans[i]
		b := byKey[e.key]
		if b == nil {
			continue
		}
		delete(byKey, e.key)
		w.branch(b, e, margin, origin[e.key])
	}
	for _, b := range list {
		if byKey[b.key] != nil {
			w.anew(b, nil, margin)
		}
	}
}

func (w *writer) branch(b *branch, e *entry, margin int, origin any) {
	same := b.children == nil && Equal(b.value, origin)
	if now, isMap := b.value.(map[string]any); isMap && len(now) > 0 && !same && w.cuttable(e.value, origin, now) {
		b = parts(b.key, now) // some of it was set since: the other lines stay
	}
	switch {
	case same && selfContained(e.value, 0):
		w.copyLines(e)
	case b.children != nil && !w.cuttable(e.value, origin, origin), b.children == nil:
		w.lines(w.doc.lines[e.start:max(e.keyNode.Line-1, e.start)])
		w.lossy = w.lossy || e.keyNode.LineComment != "" || commented(e.value, 0)
		w.anew(b, e, margin)
		w.linesAndGap(w.foot(e))
	default:
		spans, first := w.spans(e.value, e.keyNode.Line, e.end)
		w.lines(w.doc.lines[e.start:first])
		inner, _ := origin.(map[string]any)
		w.branches(b.children, spans, e.value, inner)
	}
}

// parts returns a map's keys as branches of their own.
func parts(key string, m map[string]any) *branch {
	out := &branch{key: key}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out.children = append(out.children, &branch{key: k, value: m[k]})
	}
	return out
}

// anew writes a branch without lines of its own.
func (w *writer) anew(b *branch, e *entry, margin int) {
	v := b.value
	if b.children != nil {
		v = b.values()
	}
	w.lines(nil)
	w.entry(b.key, v, e, margin)
}

// copyLines copies an entry's lines. Empty lines at its end belong to what follows, unless a block scalar keeps them.
func (w *writer) copyLines(e *entry) {
	lines := w.doc.lines[e.start:e.end]
	last := lastScalar(e.value)
	block := last.Style&(yamlv3.LiteralStyle|yamlv3.FoldedStyle) != 0
	if block && (last.Value == "\n" || strings.HasSuffix(last.Value, "\n\n")) {
		w.lines(lines)
	} else {
		w.linesAndGap(lines)
	}
}

// linesAndGap writes lines without the empty ones at their end. Below a comment those are kept for what comes next,
// which the comment would seem to be about. Lines of spaces alone stay: they can be content of a block scalar.
func (w *writer) linesAndGap(lines []string) {
	end := len(lines)
	for end > 0 && lines[end-1] == "" {
		end--
	}
	w.lines(lines[:end])
	if end > 0 && strings.HasPrefix(strings.TrimSpace(lines[end-1]), "#") {
		w.gap = lines[end:]
	}
}

func (w *writer) lines(lines []string) {
	for _, line := range w.gap {
		w.out.WriteString(line + "\n")
	}
	w.gap = nil
	for _, line := range lines {
		w.out.WriteString(line + "\n")
	}
}
