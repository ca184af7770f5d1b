package values

import (
	"fmt"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
)

// scalarText writes a string as a YAML scalar on one line: plain where YAML 1.1 and 1.2 both read it back as this
// text, else in double quotes.
func scalarText(s string) string {
	if plainSafe(s) {
		return s
	}
	return quote(s)
}

// plainSafe is careful rather than complete: it says no to much that would be safe.
func plainSafe(s string) bool {
	if s == "" || strings.HasPrefix(s, "...") || reservedWord(s) || s[0] == ' ' || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '/':
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+':
			if i == 0 && c == '-' {
				return false
			}
		case c == ' ', c == ':', c == '@', c == '=', c == ',', c == '(', c == ')', c == ';', c == '~', c == '$', c == '\'', c == '"':
			if i == 0 || c == ':' && i+1 < len(s) && s[i+1] == ' ' {
				return false
			}
		default:
			return false
		}
	}
	if c := s[0]; c >= '0' && c <= '9' || c == '.' || c == '+' {
		// Number-like beginnings go to the resolver: 10.0.0.1 and 100m are text, 1e3 and 2024-01-02 are not.
		probe := yamlv3.Node{Kind: yamlv3.ScalarNode, Value: s}
		return probe.ShortTag() == "!!str" && !strings.ContainsAny(s, "_:")
	}
	return true
}

// quote writes s in double quotes with the escapes that YAML and Helm's parser share.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			switch {
			case printable(r):
				b.WriteRune(r)
			case r <= 0xff:
				fmt.Fprintf(&b, `\x%02x`, r)
			case r <= 0xffff:
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				fmt.Fprintf(&b, `\U%08x`, r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// printable is YAML 1.1's c-printable without line breaks and the BOM, which readers treat as more than text.
func printable(r rune) bool {
	switch {
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == utf8.RuneError:
		return false
	}
	return r >= 0x20 && r <= 0x7e || r >= 0xa0 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}

// blockText returns the header and lines of a literal block scalar for s, or false when s has a shape that emitters
// and parsers are known to disagree on: a first line that starts with white space, lines of spaces only, line
// breaks other than LF, characters that need escapes.
func blockText(s string) (header string, lines []string, ok bool) {
	body := strings.TrimRight(s, "\n")
	if body == s && !strings.Contains(s, "\n") || body == "" || body[0] == ' ' || body[0] == '\t' || body[0] == '\n' {
		return "", nil, false
	}
	for _, r := range body {
		if r != '\n' && r != '\t' && !printable(r) {
			return "", nil, false
		}
	}
	lines = strings.Split(body, "\n")
	for _, line := range lines {
		if line != "" && strings.Trim(line, " \t") == "" {
			return "", nil, false
		}
	}
	switch len(s) - len(body) {
	case 0:
		return "|-", lines, true
	case 1:
		return "|", lines, true
	}
	return "", nil, false
}

// sourceText returns a scalar node as its text has it, quotes and all, when it stands on one line and has neither
// tag nor anchor.
func (d *Document) sourceText(n *yamlv3.Node) (string, bool) {
	if n == nil || n.Kind != yamlv3.ScalarNode || n.Anchor != "" || n.Style&yamlv3.TaggedStyle != 0 || d.lines == nil {
		return "", false
	}
	switch n.Style {
	case 0:
		return n.Value, n.Value != "" && !strings.Contains(n.Value, "\n")
	case yamlv3.DoubleQuotedStyle, yamlv3.SingleQuotedStyle:
	default:
		return "", false
	}
	rest := d.from(n.Line, n.Column)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	if end := closingQuote(rest[1:], rest[0]); end >= 0 {
		return rest[:end+2], true
	}
	return "", false
}

// closingQuote returns where quoted text closes that is open where text begins, or -1.
func closingQuote(text string, mark byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case mark == '"' && text[i] == '\\':
			i++
		case mark == '\'' && text[i] == mark && i+1 < len(text) && text[i+1] == mark:
			i++
		case text[i] == mark:
			return i
		}
	}
	return -1
}
