package values

import (
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// maxMarks bounds how many places of a line are taken for the beginning of its comment. Further on, the comment is given
// with the line of the key that it belongs to.
const maxMarks = 8

// Comments calls visit for each line of comment in the text: its line, from 1, and the comment with its "#". They come
// in no order. What stands below the first document, and a text that has no nodes, is given from the first "#" of
// each line on, comment or not.
func (d *Document) Comments(visit func(line int, text string)) {
	places := map[string][]int{} // of what can be a comment
	number := 0
	for line := range strings.SplitSeq(d.text, "\n") {
		number++
		line = strings.TrimSpace(line)
		at := strings.IndexByte(line, '#')
		if at >= 0 && number > d.last {
			visit(number, line[at:])
			continue
		}
		for tries := 0; at >= 0 && tries < maxMarks; tries++ { // those in quoted text come first
			places[line[at:]] = append(places[line[at:]], number)
			at = nextMark(line, at)
		}
	}
	if d.document != nil {
		visitComments(d.document, 0, func(near int, comment string) {
			for text := range strings.SplitSeq(comment, "\n") {
				text = strings.TrimSpace(text)
				line := near
				if at := places[text]; len(at) > 0 {
					line, places[text] = at[0], at[1:]
				}
				if text != "" {
					visit(line, text)
				}
			}
		})
	}
}

// nextMark returns where a comment can begin in line after at: at a "#" after white space. It returns -1 for nowhere.
func nextMark(line string, at int) int {
	for i := at + 1; i < len(line); i++ {
		if line[i] == '#' && (line[i-1] == ' ' || line[i-1] == '\t') {
			return i
		}
	}
	return -1
}

// visitComments calls visit for the comments of a node and of those below it, with the node's line.
func visitComments(n *yamlv3.Node, depth int, visit func(line int, comment string)) {
	if depth > maxDepth {
		return
	}
	for _, comment := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		if comment != "" {
			visit(max(n.Line, 1), comment)
		}
	}
	for _, c := range n.Content {
		visitComments(c, depth+1, visit)
	}
}
