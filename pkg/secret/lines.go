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
