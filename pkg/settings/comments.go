package settings

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// comments compares the envelope's comments with those of the text that was made of its spec. It returns the ones that stand
// outside of spec, which go above the app, and the ones inside that the text lacks: those of what was left out, such as
// _rawValues, and all of a text that had to be written anew.
func (e *envelope) comments(text string) (above []string, lost []lostComment) {
	has := map[string]int{}
	for line := range strings.Lines(text) {
		if i := strings.IndexByte(line, '#'); i >= 0 {
			has[strings.TrimSpace(line[i:])]++
		}
	}
	from, to := e.specLines()
	e.doc.Comments(func(first int, block string) {
		line := first - 1
		for comment := range strings.SplitSeq(block, "\n") {
			line++
			comment = strings.TrimSpace(comment)
			switch {
			case comment == "":
			case has[comment] > 0:
				has[comment]--
			case line < from || line >= to:
				above = append(above, comment)
			default:
				lost = append(lost, lostComment{file: e.file, line: line})
			}
		}
	})
	return above, lost
}

// specLines returns the first line of spec, and the first that belongs to a key behind it.
func (e *envelope) specLines() (from, to int) {
	const end = 1 << 30
	from, to = end, end
	if _, ok := e.doc.Values["spec"]; !ok {
		return from, to
	}
	from, _ = e.doc.Position(values.Path{}.Key("spec"))
	for key := range e.doc.Values {
		if line, _ := e.doc.Position(values.Path{}.Key(key)); line > from {
			to = min(to, line)
		}
	}
	return from, to
}
