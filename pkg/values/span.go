package values

import (
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

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
	rest := w.doc.from(n.Line, n.Column)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' { // an anchor stands before it
		return line + 1
	}
	end := closingQuote(rest[1:], rest[0])
	for end < 0 && line+1 < len(w.doc.lines) {
		line++
		end = closingQuote(w.doc.lines[line], rest[0])
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

// foot returns the lines of comment that an entry ends in, below its value.
func (w *writer) foot(e *entry) []string {
	last := lastScalar(e.value)
	if last.Style&(yamlv3.LiteralStyle|yamlv3.FoldedStyle) != 0 {
		return nil // they can be lines of the block
	}
	from := max(w.afterQuotes(e.value), e.keyNode.Line)
	start := e.end
	for i := e.end - 1; i >= from; i-- {
		line := strings.TrimSpace(w.doc.lines[i])
		if line != "" && line[0] != '#' {
			break
		}
		if line != "" {
			start = i
		}
	}
	return w.doc.lines[start:e.end]
}

// commented tells whether comments stand inside a value's text.
func commented(n *yamlv3.Node, depth int) bool {
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || depth > maxDepth {
		return true
	}
	for _, c := range n.Content {
		if commented(c, depth+1) {
			return true
		}
	}
	return false
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
