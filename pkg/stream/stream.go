// Package stream owns the way from a stream of YAML or JSON to its documents, and from a document to the objects in it. It knows
// text, lines and lists, and nothing of what an object means.
package stream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// ErrDocument is wrapped for a document that cannot be taken out of its stream. Reading can go on behind it.
var ErrDocument = errors.New("bad document")

// Document is one document of a stream.
type Document struct {
	// Text is valid until the next document is read. It can begin with its own "---".
	Text []byte
	// Line is where Text begins in the stream, from 1.
	Line int
	// JSON tells that Text is one JSON value.
	JSON bool

	name string
}

// Reader cuts a stream into documents and holds one at a time. YAML documents end at a line that begins with "---" or "..." and a
// blank, or with "---#"; such a line is no part of any scalar, since block scalars are indented (YAML 1.2, 9.1.2). A document that is one JSON
// value ends where the value does, so that values can follow each other as kubectl writes them.
type Reader struct {
	name  string
	lines *bufio.Reader
	limit int
	line  int    // lines that were read
	buf   []byte // the document so far
	start int    // line of its first byte
	rest  []byte // what was read past the end of the last document, behind it in the same memory
	scan  jsonScan
	bad   *values.Error // why the document so far cannot be used
	over  bool          // it is over the limit, and what is left of it is to be passed over
	cut   bool          // in the middle of a line
}

// New returns a Reader of r. name is how errors name the stream; limit bounds each document, in bytes, and not the stream.
func New(name string, r io.Reader, limit int) *Reader {
	return &Reader{name: name, lines: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// Next returns the next document, which can be blank, or io.EOF. A document that is over the limit, or has a directive other than
// %YAML, is an error that wraps ErrDocument and a *values.Error with its place; Next goes on behind it. Any other error is that of
// the stream.
func (s *Reader) Next() (Document, error) {
	s.buf, s.scan, s.bad = s.buf[:0], jsonScan{}, nil
	if err := s.skip(); err != nil {
		return Document{}, err
	}
	d, err := s.read()
	switch {
	case s.bad != nil:
		return Document{}, fmt.Errorf("%w: %w", ErrDocument, s.bad)
	case err != nil:
		return Document{}, err
	}
	d.name = s.name
	return d, nil
}

func (s *Reader) read() (Document, error) {
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
		if s.over {
			return Document{}, nil
		}
		line := s.buf[from:]
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return Document{}, s.failed(err)
		case len(line) == 0 && from == 0:
			return Document{}, io.EOF
		case len(line) == 0:
			if s.buf[from-1] != '\n' {
				s.buf = append(s.buf, '\n') // as kubectl and Argo CD read the last line: in a block it counts
			}
			return Document{Text: s.buf, Line: s.start}, nil
		}
		s.line++
		line = s.clean(from)
		switch {
		case indicator(line) && from > 0:
			if line[0] == '-' {
				s.rest = line
			}
			return Document{Text: s.buf[:from], Line: s.start}, nil
		case indicator(line) && line[0] == '.': // the end of a document that holds nothing
			s.buf, s.start = s.buf[:0], s.line+1
			continue
		}
		if d, ok := s.jsonEnd(from); ok {
			return d, nil
		}
	}
}

// skip passes over what is left of a document that is over the limit, up to the line that begins the next one.
func (s *Reader) skip() error {
	for s.over {
		part, err := s.lines.ReadSlice('\n')
		begins := !s.cut && indicator(part)
		s.cut = errors.Is(err, bufio.ErrBufferFull)
		if len(part) > 0 && !s.cut {
			s.line++
		}
		switch {
		case begins:
			s.over = false
			if part[0] == '-' {
				s.rest = spaced(bytes.Clone(part))
			}
		case s.cut:
		case errors.Is(err, io.EOF):
			return io.EOF
		case err != nil:
			return s.failed(err)
		}
	}
	return nil
}

// clean takes byte order marks and directives out of the line that begins at an offset of buf, and returns it. A directive can
// stand before content alone. %YAML says which YAML it is, and there is one reading of it here; others change what is read.
func (s *Reader) clean(from int) []byte {
	line := s.buf[from:]
	if rest := bytes.TrimLeft(line, byteOrderMark); len(rest) < len(line) && (s.scan.state == scanStart || indicator(rest)) {
		// Files that were put together bring their marks along.
		s.buf = append(s.buf[:from], rest...)
		line = s.buf[from:]
	}
	if spaced := spaced(line); len(spaced) > len(line) {
		s.buf = append(s.buf[:from], spaced...)
		line = s.buf[from:]
	}
	if s.scan.state != scanStart || len(line) == 0 || line[0] != '%' {
		return line
	}
	if name, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); string(name) != "%YAML" && s.bad == nil {
		what := "a line that begins with % is a directive, which" // what stands there can be a secret
		if string(name) == "%TAG" {
			what = "directive %TAG"
		}
		s.bad = s.problem(s.line, what+" is not supported; write the document without it")
	}
	s.buf = append(s.buf[:from], '\n') // the lines behind it keep their numbers
	return s.buf[from:]
}

// readLine appends one line to buf, with its line end where it has one, unless that is over the limit.
func (s *Reader) readLine() error {
	for {
		part, err := s.lines.ReadSlice('\n')
		s.cut = errors.Is(err, bufio.ErrBufferFull)
		if len(s.buf)+len(part) > s.limit {
			s.bad = s.problem(s.start, fmt.Sprintf("the document is larger than %d MiB", s.limit>>20))
			s.over, s.buf = true, nil
			if !s.cut {
				s.line++
			}
			return nil
		}
		s.buf = append(s.buf, part...)
		if !s.cut {
			return err
		}
	}
}

// failed returns the error of a stream with its name, where it has one.
func (s *Reader) failed(err error) error {
	if s.name == "" {
		return err
	}
	return fmt.Errorf("read %s: %w", s.name, err)
}

func (s *Reader) problem(line int, message string) *values.Error {
	return &values.Error{Name: s.name, Line: line, Column: 1, Message: message}
}

// jsonEnd looks at the bytes of buf from offset from, and returns the document when a JSON value ends among them. What
// only looks like JSON goes on as YAML.
func (s *Reader) jsonEnd(from int) (Document, bool) {
	end, ok := s.scan.find(s.buf, from)
	if !ok {
		return Document{}, false
	}
	begin := s.scan.begin
	if !json.Valid(s.buf[begin:end]) {
		s.scan.state = scanYAML
		return Document{}, false
	}
	d := Document{Text: s.buf[begin:end], Line: s.start + bytes.Count(s.buf[:begin], []byte("\n")), JSON: true}
	// Not more is looked at than needed: a line can hold thousands of values.
	s.rest = bytes.TrimLeft(s.buf[end:], " \t\r\n")
	return d, true
}

const byteOrderMark = "\ufeff"

// indicator reports whether a line is a document's start or end: --- or ... and then a blank or nothing. Behind --- it can be a
// comment too, as kubectl takes it: YAML makes a key or a text of it, and of two objects one.
func indicator(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0 || line[0] == '-' && line[3] == '#'
}

// spaced returns a line with the blank that YAML wants between a document's start and a comment.
func spaced(line []byte) []byte {
	if !bytes.HasPrefix(line, []byte("---#")) {
		return line
	}
	return slices.Concat([]byte("--- "), line[3:])
}
