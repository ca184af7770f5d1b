package values

import (
	"fmt"
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
	lossy bool // a comment was not kept
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

// cuttable tells whether a mapping's entries have lines of their own in the text, and the text still says what the
// tree says in shape: a block mapping without merge keys.
func (w *writer) cuttable(n *yamlv3.Node, origin, now any) bool {
	if n == nil || w.doc.lines == nil || n.Kind != yamlv3.MappingNode || n.Style&yamlv3.FlowStyle != 0 || len(n.Content) == 0 {
		return false
	}
	_, originMap := origin.(map[string]any)
	_, nowMap := now.(map[string]any)
	return originMap && nowMap && entries(n) != nil
}

// spans gives the entries of a block mapping their lines, within from and to, and tells where the first begins.
func (w *writer) spans(n *yamlv3.Node, from, to int) (list []entry, first int) {
	list = entries(n)
	margin := n.Content[0].Column - 1
	starts := make([]int, 0, len(n.Content)/2) // of all keys, also of duplicates that do not count
	for i := 0; i < len(n.Content); i += 2 {
		starts = append(starts, w.aboveKey(n.Content[i].Line-1, margin, from))
		from = w.afterQuotes(n.Content[i+1])
	}
	starts = append(starts, to)
	for i := range list {
		e := &list[i]
		e.start, e.end = starts[e.at], starts[e.at+1]
	}
	return list, starts[0]
}

// aboveKey goes up from a key's line over the comments that belong to it: those right above, not indented deeper
// than the key. Deeper ones can be lines of a block scalar.
func (w *writer) aboveKey(line, margin, from int) int {
	for line > from {
		above := w.doc.lines[line-1]
		trimmed := strings.TrimLeft(above, " ")
		if !strings.HasPrefix(trimmed, "#") || len(above)-len(trimmed) > margin {
			break
		}
		line--
	}
	return line
}

// afterQuotes returns the first line, from 0, that the quoted text which a value ends in cannot reach. Lines of such a
// text can stand at the margin and begin with "#".
func (w *writer) afterQuotes(n *yamlv3.Node) int {
	n = lastScalar(n)
	line := n.Line - 1
	if line < 0 || line >= len(w.doc.lines) || n.Style != yamlv3.DoubleQuotedStyle && n.Style != yamlv3.SingleQuotedStyle {
		return max(line, 0)
	}
	rest, _ := fromColumn(w.doc.lines[line], n.Column)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' { // an anchor stands before it
		return line + 1
	}
	mark, end := rest[:1], closingQuote(rest, 1)
	for end < 0 && line+1 < len(w.doc.lines) {
		line++
		end = closingQuote(mark+w.doc.lines[line], 1)
	}
	return line + 1
}

// lastScalar returns the node that a value's text ends in, brackets apart.
func lastScalar(n *yamlv3.Node) *yamlv3.Node {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n
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
	switch {
	case b.children == nil && Equal(b.value, origin) && selfContained(e.value, 0):
		w.copyLines(e)
	case b.children != nil && !w.cuttable(e.value, origin, origin), b.children == nil:
		w.comments(e)
		w.lossy = w.lossy || strings.Contains(strings.Join(w.doc.lines[e.keyNode.Line-1:e.end], "\n"), "#")
		w.anew(b, e, margin)
	default:
		spans, first := w.spans(e.value, e.keyNode.Line, e.end)
		w.lines(w.doc.lines[e.start:first])
		inner, _ := origin.(map[string]any)
		w.branches(b.children, spans, e.value, inner)
	}
}

// anew writes a branch without lines of its own.
func (w *writer) anew(b *branch, e *entry, margin int) {
	v := b.value
	if b.children != nil {
		v = b.values()
	}
	w.entry(b.key, v, e, margin)
}

func (w *writer) comments(e *entry) {
	if top := e.keyNode.Line - 1; top > e.start {
		w.lines(w.doc.lines[e.start:top])
	}
}

// copyLines copies an entry's lines. Empty lines at its end belong to what follows, unless a block scalar keeps them.
func (w *writer) copyLines(e *entry) {
	lines := w.doc.lines[e.start:e.end]
	last := lastScalar(e.value)
	block := last.Style&(yamlv3.LiteralStyle|yamlv3.FoldedStyle) != 0
	if !block || last.Value != "\n" && !strings.HasSuffix(last.Value, "\n\n") {
		// Lines of spaces alone stay: they can be content of a block scalar.
		for len(lines) > 1 && lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
	}
	w.lines(lines)
}

func (w *writer) lines(lines []string) {
	for _, line := range lines {
		w.out.WriteString(line + "\n")
	}
}

// selfContained tells whether a value's lines mean the same on their own: without aliases and merge keys, whose
// anchors may be cut, and without duplicate keys, which are not worth keeping.
func selfContained(n *yamlv3.Node, depth int) bool {
	if n.Kind == yamlv3.AliasNode || depth > maxDepth {
		return false
	}
	if n.Kind == yamlv3.MappingNode && len(entries(n)) != len(n.Content)/2 {
		return false
	}
	for _, c := range n.Content {
		if !selfContained(c, depth+1) {
			return false
		}
	}
	return true
}
