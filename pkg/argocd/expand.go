package argocd

import "strings"

// expand replaces $NAME and ${NAME} in text by what value returns for NAME, exactly as os.Expand does, which Argo CD uses (this
// package does not touch os; a test holds the two equal). broken tells that there was a "${" without a name or an end, of which
// nothing is left.
func expand(text string, value func(name string) string) (expanded string, broken bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		name, width := variable(text[i+1:])
		switch {
		case name != "":
			b.WriteString(value(name))
		case width > 0:
			broken = true
		default: // no name follows: the $ stays
			b.WriteByte('$')
		}
		i += width
	}
	return b.String(), broken
}

// variable returns the name that rest, which is not empty, begins with, and how many bytes it takes.
func variable(rest string) (name string, width int) {
	if rest[0] == '{' {
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return "", 1
		}
		return rest[1:end], end + 1
	}
	if strings.IndexByte("*#$@!?-0123456789", rest[0]) >= 0 { // the shell's own variables have one letter
		return rest[:1], 1
	}
	for width < len(rest) && isNameByte(rest[width]) {
		width++
	}
	return rest[:width], width
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
