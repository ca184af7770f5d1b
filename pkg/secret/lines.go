package secret

import (
	"iter"
	"strings"
)

// lines yields the lines of a text without their ends, each with its offset.
func lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		offset := 0
		for line := range strings.Lines(text) {
			if !yield(offset, strings.TrimRight(line, "\r\n")) {
				return
			}
			offset += len(line)
		}
	}
}

// unquote takes the space and the quotes off a word, escaped ones too.
func unquote(s string) string { return strings.Trim(s, " \t\"'\\") }

// lineCounter tells the lines of bytes of a text. It is linear as long as they are asked for in order, as the places that
// one rule reports are.
type lineCounter struct {
	text string
	line int // of byte at, less one
	at   int
}

func (l *lineCounter) of(offset int) int {
	if offset < l.at {
		l.line, l.at = 0, 0
	}
	l.line += strings.Count(l.text[l.at:offset], "\n")
	l.at = offset
	return l.line + 1
}
