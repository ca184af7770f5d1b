package stream

import (
	"fmt"
	"unicode/utf8"
)

// check refuses what parsers read by chance or drop in silence: bytes that are no UTF-8, control characters, and line
// breaks of YAML 1.1 before a document's start, after which Helm's parser would not read on.
func (d Document) check() error {
	line, begin := d.Line, 0
	for i := 0; i < len(d.Text); {
		c := d.Text[i]
		if c >= ' ' && c < 0x7f || c == '\t' || c == '\r' && !endsLine(d.Text[i:]) {
			i++
			continue
		}
		if c == '\n' {
			i++
			line, begin = line+1, i
			continue
		}
		r, size := utf8.DecodeRune(d.Text[i:])
		message := ""
		switch {
		case r == utf8.RuneError && size == 1 && i == 0 && (c == 0xff || c == 0xfe):
			message = "the text is UTF-16, as a Windows shell writes it; save it as UTF-8"
		case r == utf8.RuneError && size == 1:
			message = "the text is not UTF-8; save it as UTF-8"
		case d.JSON:
		case r == '\r', r == '\u0085', r == '\u2028', r == '\u2029':
			if indicator(d.Text[i+size:]) {
				message = "a document starts after a line break that is not LF; end lines with LF"
			}
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
			message = fmt.Sprintf("the text holds a control character, %U", r)
		}
		if message != "" {
			return d.errorAt(line, i-begin+1, "%s", message)
		}
		i += size
	}
	return nil
}

// endsLine reports whether text begins with a carriage return alone, which ends a line in YAML.
func endsLine(text []byte) bool { return len(text) == 1 || text[1] != '\n' }
