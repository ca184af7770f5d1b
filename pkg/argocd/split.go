package argocd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxDocument bounds one document of a stream, in bytes. A list of 4,200 Applications has some 60 MB.
const maxDocument = 128 << 20

// document is one document of a stream. Its text is valid until the next one is read.
type document struct {
	text []byte
	line int  // of the stream, where text begins
	json bool // text is one JSON value
}

// splitter cuts a stream into documents and holds one at a time. YAML documents end at a line that begins with "---" or
// "..." and a blank; such a line is no part of any scalar, since block scalars are indented. A document that is one JSON
// value ends where the value does, so that values can follow each other as kubectl writes them.
type splitter struct {
	name  string
	lines *bufio.Reader
	limit int

	line  int    // lines that were read
	buf   []byte // the document so far
	start int    // line of its first byte
	rest  []byte // what was read past the end of the last document, behind it in the same memory
	scan  jsonScan
}

func newSplitter(name string, r io.Reader) *splitter {
	return &splitter{name: name, lines: bufio.NewReaderSize(r, 64<<10), limit: maxDocument}
}

// next returns the next document that is not blank, or io.EOF. An error of the reader, or a document over the limit, is
// an error with the place.
func (s *splitter) next() (document, error) {
	for { // bounded by the stream
		d, err := s.read()
		if err != nil || !blank(d.text) {
			return d, err
		}
	}
}

// read returns the next document, which may be blank.
func (s *splitter) read() (document, error) {
	s.buf, s.scan = s.buf[:0], jsonScan{}
	s.start = s.line + 1
	if len(s.rest) > 0 {
		s.buf, s.rest = s.rest, nil
		s.start = s.line // the line was counted when it was read
		if d, ok := s.jsonEnd(0); ok {
			return d, nil
		}
	}
	for {
		from := len(s.buf)
		err := s.readLine()
		line := s.buf[from:]
		if len(line) == 0 {
			if !errors.Is(err, io.EOF) {
				return document{}, s.fail(err)
			}
			if from == 0 {
				return document{}, io.EOF
			}
			return document{text: s.buf, line: s.start}, nil
		}
		s.line++
		if err != nil && !errors.Is(err, io.EOF) {
			return document{}, s.fail(err)
		}
		if rest := bytes.TrimLeft(line, byteOrderMark); len(rest) < len(line) && (s.scan.state == scanStart || indicator(rest)) {
			// Files that were put together bring their marks along.
			s.buf = append(s.buf[:from], rest...)
			line = s.buf[from:]
		}
		if indicator(line) && from > 0 {
			if line[0] == '-' {
				s.rest = line
			}
			return document{text: s.buf[:from], line: s.start}, nil
		}
		if indicator(line) && line[0] == '.' { // the end of a document that holds nothing
			s.buf, s.start = s.buf[:0], s.line+1
			continue
		}
		if d, ok := s.jsonEnd(from); ok {
			return d, nil
		}
	}
}

// readLine appends one line to buf, with its line end where it has one.
func (s *splitter) readLine() error {
	for {
		part, err := s.lines.ReadSlice('\n')
		if len(s.buf)+len(part) > s.limit {
			return &values.Error{Name: s.name, Line: s.start, Column: 1, Message: fmt.Sprintf("the document is larger than %d MiB", s.limit>>20)}
		}
		s.buf = append(s.buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (s *splitter) fail(err error) error {
	var placed *values.Error
	if errors.As(err, &placed) {
		return err
	}
	return fmt.Errorf("read %s: %w", s.name, err)
}

// jsonEnd looks at the bytes of buf from offset from, and returns the document when a JSON value ends among them. What
// only looks like JSON goes on as YAML.
func (s *splitter) jsonEnd(from int) (document, bool) {
	end, ok := s.scan.find(s.buf, from)
	if !ok {
		return document{}, false
	}
	begin := s.scan.begin
	if !json.Valid(s.buf[begin:end]) {
		s.scan.state = scanYAML
		return document{}, false
	}
	d := document{text: s.buf[begin:end], line: s.start + bytes.Count(s.buf[:begin], []byte("\n")), json: true}
	// Not more is looked at than needed: a line can hold thousands of values.
	s.rest = bytes.TrimLeft(s.buf[end:], " \t\r\n")
	return d, true
}

const byteOrderMark = "\ufeff"

// indicator reports whether a line is a document's start or end: --- or ... and then a blank or nothing.
func indicator(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}

// blank reports whether a document holds nothing: blank lines, comments, directives, and its own "---".
func blank(text []byte) bool {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if bytes.HasPrefix(line, []byte("---")) && indicator(line) {
			line = line[3:]
		}
		directive := len(line) > 0 && line[0] == '%'
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !directive {
			return false
		}
	}
	return true
}
