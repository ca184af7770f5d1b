package values

import "unicode/utf8"

// A node's column counts characters. Counting from the beginning of its line each time would take time quadratic in
// the length of a long line, and JSON values are one line, so that long lines have marks on the way.
const (
	longLine = 4096 // bytes from which on a line has marks
	markStep = 512  // characters from mark to mark
)

// marksOf returns the byte offset of every markStep-th character of each long line, by line number from 0.
func marksOf(lines []string) map[int][]int {
	var out map[int][]int
	for number, line := range lines {
		if len(line) < longLine {
			continue
		}
		if out == nil {
			out = map[int][]int{}
		}
		count := 0
		for offset := range line {
			if count%markStep == 0 {
				out[number] = append(out[number], offset)
			}
			count++
		}
	}
	return out
}

// from returns the rest of a line, counted from 1, from a column on; "" when there is none.
func (d *Document) from(line, column int) string {
	if line < 1 || line > len(d.lines) || column < 1 {
		return ""
	}
	text := d.lines[line-1]
	skip := column - 1
	if marks := d.marks[line-1]; len(marks) > 0 {
		mark := min(skip/markStep, len(marks)-1)
		text = text[marks[mark]:]
		skip -= mark * markStep
	}
	for ; skip > 0 && text != ""; skip-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
