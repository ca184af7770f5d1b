package values

import (
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Comments calls visit for each comment of the text with the line that it belongs to, from 1, and the comment with
// its "#". The lines are those of the key or item that a comment stands at. What stands below the first document, and
// a text that has no nodes, is given line by line.
func (d *Document) Comments(visit func(line int, text string)) {
	var walk func(n *yamlv3.Node, depth int)
	walk = func(n *yamlv3.Node, depth int) {
		if depth > maxDepth {
			return
		}
		for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
			if text != "" {
				visit(max(n.Line, 1), text)
			}
		}
		for _, c := range n.Content {
			walk(c, depth+1)
		}
	}
	if d.document != nil {
		walk(d.document, 0)
	}
	line := 0
	for text := range strings.SplitSeq(d.text, "\n") {
		if at := strings.IndexByte(text, '#'); at >= 0 && line >= d.last {
			visit(line+1, text[at:])
		}
		line++
	}
}
