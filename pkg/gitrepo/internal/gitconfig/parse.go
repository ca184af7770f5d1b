package gitconfig

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxFile bounds one file: git has no limit, but no person's configuration comes near it.
const maxFile = 16 << 20

// ReadFile returns the settings of one file, includes not followed. A missing file is an error that wraps fs.ErrNotExist.
func ReadFile(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read git config: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only: nothing can be lost
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read git config: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: %s is larger than %d bytes", ErrSyntax, path, maxFile)
	}
	return parse(path, data)
}

// parse reads the text of a file as config.c's git_parse_source does.
func parse(name string, data []byte) ([]Entry, error) {
	p := parser{file: name, text: strings.TrimPrefix(string(data), "\xef\xbb\xbf"), line: 1}
	var entries []Entry
	var section string
	for !p.done() {
		c := p.next()
		switch {
		case space(c):
		case c == '#' || c == ';':
			p.comment()
		case c == '[':
			var ok bool
			if section, ok = p.section(); !ok {
				return nil, p.error()
			}
		case !letter(c):
			return nil, p.error()
		default:
			e := Entry{File: name, Line: p.line}
			var ok bool
			if e.Key, e.Value, e.Implicit, ok = p.setting(c); !ok {
				return nil, p.error()
			}
			e.Key = section + "." + e.Key
			entries = append(entries, e)
		}
	}
	return entries, nil
}

type parser struct {
	file, text string
	at, line   int
	past       bool // the newline that stands for the end has been read
}

func (p *parser) done() bool { return p.past || p.at >= len(p.text) }

// next returns the next byte; the end of the text reads as a newline, and so does a carriage return before one.
func (p *parser) next() byte {
	if p.at >= len(p.text) {
		p.past = true
		return '\n'
	}
	if strings.HasPrefix(p.text[p.at:], "\r\n") {
		p.at++
	}
	c := p.text[p.at]
	p.at++
	if c == '\n' {
		p.line++
	}
	return c
}

func (p *parser) error() error {
	line := p.line
	if p.at > 0 && p.at <= len(p.text) && p.text[p.at-1] == '\n' {
		line--
	}
	return fmt.Errorf("%w: %s:%d", ErrSyntax, p.file, line)
}

func (p *parser) comment() {
	for p.next() != '\n' { // the end of the text is one
	}
}

// section reads from behind "[" to "]".
func (p *parser) section() (string, bool) {
	var b strings.Builder
	for {
		c := p.next()
		switch {
		case p.past:
			return "", false
		case c == ']':
			return b.String(), b.Len() > 0
		case space(c):
			return p.subsection(&b, c)
		case !keyByte(c) && c != '.':
			return "", false
		}
		b.WriteByte(lower(c))
	}
}

func (p *parser) subsection(b *strings.Builder, c byte) (string, bool) {
	for space(c) {
		if c == '\n' {
			return "", false
		}
		c = p.next()
	}
	if c != '"' {
		return "", false
	}
	b.WriteByte('.')
	for {
		if c = p.next(); c == '"' {
			return b.String(), p.next() == ']'
		}
		if c == '\\' {
			c = p.next()
		}
		if c == '\n' { // the end of the text is one
			return "", false
		}
		b.WriteByte(c)
	}
}

func (p *parser) setting(c byte) (key, value string, implicit, ok bool) {
	var b strings.Builder
	for ; keyByte(c); c = p.next() { // ends at the newline that stands for the end
		b.WriteByte(lower(c))
	}
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	if c == '\n' {
		return b.String(), "", true, true
	}
	if c != '=' {
		return "", "", false, false
	}
	value, ok = p.value()
	return b.String(), value, false, ok
}

func (p *parser) value() (string, bool) {
	var b strings.Builder
	var quoted bool
	var blank int // spaces seen since the last byte that counts
	for {
		c := p.next()
		switch {
		case c == '\n':
			return b.String(), !quoted
		case space(c) && !quoted:
			if b.Len() > 0 {
				blank++
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			p.comment()
			return b.String(), true
		}
		b.WriteString(strings.Repeat(" ", blank))
		blank = 0
		switch c {
		case '\\':
			if c = p.next(); c == '\n' {
				continue // the value goes on in the next line
			}
			i := strings.IndexByte(`tbn\"`, c)
			if i < 0 {
				return "", false
			}
			b.WriteByte("\t\b\n\\\""[i])
		case '"':
			quoted = !quoted
		default:
			b.WriteByte(c)
		}
	}
}

// space is git's isspace, which knows neither vertical tabs nor form feeds.
func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func letter(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }

func keyByte(c byte) bool { return letter(c) || ('0' <= c && c <= '9') || c == '-' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}
