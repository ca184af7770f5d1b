package check

import (
	"bytes"
	"cmp"
)

// position is a line and a column of a file, from 1; 0 where unknown.
type position struct{ line, column int }

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column))
}

// positionAt returns the place of an offset.
func positionAt(text []byte, offset int) position {
	before := text[:min(offset, len(text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return position{1 + bytes.Count(before, []byte("\n")), 1 + len(bytes.TrimPrefix(line, []byte("\ufeff")))}
}

// lineAt returns a line of a text, from 1; nil where there is none.
func lineAt(text []byte, number int) []byte {
	for line := range bytes.Lines(text) {
		if number--; number == 0 {
			return line
		}
	}
	return nil
}
