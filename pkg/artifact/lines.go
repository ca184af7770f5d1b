package artifact

import (
	"slices"
	"strings"
)

// insert puts lines with the keys of a path, one below the other, into a block; behind name and namespace, where people look for it.
func insert(lines []string, from, to, indent int, path []string, scalar string) string {
	for _, key := range []string{"namespace", "name"} {
		if at := keyAt(lines[from:to], indent, key); at >= 0 && (from+at+1 == to || indentOf(lines[from+at+1]) <= indent) {
			from += at + 1
			break
		}
	}
	var b strings.Builder
	for depth, key := range path {
		b.WriteString(strings.Repeat(" ", indent+2*depth) + key + ":")
		if depth == len(path)-1 {
			b.WriteString(" " + scalar)
		}
		b.WriteByte('\n')
	}
	return strings.Join(slices.Insert(lines, from, b.String()), "")
}

// inBraces puts the keys of a path into the map whose brace a line opens first.
func inBraces(line string, path []string, scalar string) string {
	brace := strings.IndexByte(line, '{') + 1
	comma := ", "
	if strings.HasPrefix(strings.TrimSpace(line[brace:]), "}") {
		comma = ""
	}
	for _, key := range slices.Backward(path[1:]) {
		scalar = "{" + key + ": " + scalar + "}"
	}
	return line[:brace] + path[0] + ": " + scalar + comma + line[brace:]
}

// keyAt returns the line of a key at an indentation, -1 when there is none.
func keyAt(lines []string, indent int, key string) int {
	return slices.IndexFunc(lines, func(line string) bool {
		return indentOf(line) == indent && strings.HasPrefix(line[indent:], key+":")
	})
}

// block returns which lines, between two of them, are indented deeper than indent, and how deep the first is; -1 when there is
// none.
func block(lines []string, from, to, indent int) (first, end, deeper int) {
	deeper = -1
	for first, end = from, from; end < to; end++ {
		at := indentOf(lines[end])
		switch {
		case at < 0:
			continue // blank, or a comment
		case at <= indent:
			return first, end, deeper
		case deeper < 0:
			first, deeper = end, at
		}
	}
	return first, end, deeper
}

// indentOf returns how many spaces a line begins with, -1 for one that is blank or a comment.
func indentOf(line string) int {
	rest := strings.TrimLeft(line, " ")
	if strings.TrimSpace(rest) == "" || rest[0] == '#' {
		return -1
	}
	return len(line) - len(rest)
}
