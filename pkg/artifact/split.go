package artifact

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxDocument bounds one document, in bytes.
const maxDocument = values.MaxSize

// document is one document of a stream.
type document struct {
	// line is that of text's first line in the stream, from 1.
	line int
	// text has LF line ends, and neither markers nor directives. The next document does not overwrite it.
	text []byte
}

// errDocument is wrapped for a document that cannot be taken out of its stream. Splitting goes on behind it.
var errDocument = errors.New("bad document")

// splitter takes a stream of YAML apart, a line at a time. A line ends a document when it begins with --- or ... at the first
// column, alone or followed by a space: YAML allows that nowhere inside of a document, whatever the quotes (YAML 1.2, 9.1.2),
// while what is indented is content. What follows on the line of --- belongs to the next document.
type splitter struct {
	in   *bufio.Reader
	line int // lines read

	text  bytes.Buffer // of the document that is open
	start int          // its first line
	begun bool         // it has more than comments and space, so that no directive can follow
	bad   error        // why it cannot be used
}

// split calls each for every document of a stream, those without content too. A document that is no good comes with its
// line alone and an error that wraps errDocument; any other error is that of the stream, or of each, and ends it.
func split(r io.Reader, each func(document, error) error) error {
	s := &splitter{in: bufio.NewReaderSize(r, 64<<10), start: 1}
	for {
		line, err := s.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			if err := s.take(line, each); err != nil {
				return err
			}
		}
		if err != nil {
			return s.end(s.line+1, each)
		}
	}
}

// next returns a line with LF at its end, if it has one. A line that is longer than a document may be is cut: it is not used.
func (s *splitter) next() ([]byte, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if len(line) <= maxDocument {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > 0 {
			s.line++
		}
		if s.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if bytes.HasSuffix(line, []byte("\r\n")) {
			line = append(line[:len(line)-2], '\n')
		}
		return line, err
	}
}

// take adds a line to the document that is open, or ends that.
func (s *splitter) take(line []byte, each func(document, error) error) error {
	rest, marked := marker(line)
	if !marked {
		s.add(line)
		return nil
	}
	if err := s.end(s.line+1, each); err != nil {
		return err
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		s.start = s.line
		s.add(rest)
	}
	return nil
}

// marker tells whether a line ends a document, and what of the line belongs to the next one.
func marker(line []byte) (rest []byte, ok bool) {
	if len(line) < 3 || len(line) > 3 && !bytes.ContainsRune([]byte(" \t\r\n"), rune(line[3])) {
		return nil, false
	}
	switch string(line[:3]) {
	case "---":
		return bytes.TrimLeft(line[3:], " \t"), true
	case "...":
		return nil, true // what can follow is a comment
	}
	return nil, false
}

// add adds a line. Directives are left out: %YAML says which YAML it is, and there is one reading of it here; others change
// what is read.
func (s *splitter) add(line []byte) {
	content := bytes.TrimSpace(line)
	switch {
	case s.bad != nil:
		return
	case !s.begun && line[0] == '%':
		if !bytes.HasPrefix(line, []byte("%YAML")) {
			name, _, _ := bytes.Cut(content, []byte(" "))
			s.bad = fmt.Errorf("%w: directive %s is not supported; write the document without it", errDocument, name)
		}
		line = []byte("\n") // the lines after it keep their numbers
	case len(content) > 0 && content[0] != '#':
		s.begun = true
	}
	if s.text.Len()+len(line) > maxDocument {
		s.bad = fmt.Errorf("%w: it is larger than %d MiB", errDocument, maxDocument>>20)
		s.text = bytes.Buffer{}
		return
	}
	s.text.Write(line)
}

// end hands the open document over, and opens the next one at a line.
func (s *splitter) end(next int, each func(document, error) error) error {
	d, bad := document{line: s.start, text: bytes.Clone(s.text.Bytes())}, s.bad
	s.text.Reset()
	s.start, s.begun, s.bad = next, false, nil
	if bad != nil {
		return each(document{line: d.line}, bad)
	}
	return each(d, nil)
}
