package artifact

import (
	"bytes"

	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// itemIndent is how far the text of a list's item is indented: by the "- " that it begins with.
const itemIndent = 2

// cutter takes the items of a list out of its text, with their comments, where the list is written as kubectl writes it: each item
// begins a line with "- ". It goes through the text once.
type cutter struct {
	text    []byte // what is left of it
	line    int    // of the stream, at which text begins
	waiting []byte // comments that stand above the next item
}

// cut returns the text of the item that begins at a line, and whether it says what the item is. Items are asked for in their order.
func (c *cutter) cut(item stream.Item) ([]byte, bool) {
	var out bytes.Buffer
	for len(c.text) > 0 && c.line < item.Line {
		c.keep(c.next())
	}
	if !bytes.HasPrefix(c.text, []byte("- ")) || c.line != item.Line {
		return nil, false
	}
	out.Write(c.waiting)
	c.waiting = nil
	out.Write(c.next()[itemIndent:])
	for len(c.text) > 0 {
		switch line := c.peek(); {
		case bytes.HasPrefix(line, []byte("  ")):
			out.Write(c.next()[itemIndent:])
		case len(bytes.TrimSpace(line)) == 0:
			c.next()
			out.WriteByte('\n')
		default:
			return verified(out.Bytes(), item.Object)
		}
	}
	return verified(out.Bytes(), item.Object)
}

// keep remembers a comment that begins its line, and forgets all before a line that is none.
func (c *cutter) keep(line []byte) {
	if line[0] != '#' {
		c.waiting = nil
		return
	}
	c.waiting = append(c.waiting, line...)
}

func (c *cutter) peek() []byte {
	if end := bytes.IndexByte(c.text, '\n'); end >= 0 {
		return c.text[:end+1]
	}
	return c.text
}

// next takes a line, with LF at its end.
func (c *cutter) next() []byte {
	line := c.peek()
	c.text = c.text[len(line):]
	c.line++
	if body, ok := bytes.CutSuffix(line, []byte("\r\n")); ok {
		return append(bytes.Clone(body), '\n')
	}
	return line
}

// verified returns a text if it reads as an object does.
func verified(text []byte, object map[string]any) ([]byte, bool) {
	got, err := values.DecodeObject("", text)
	return text, err == nil && values.Equal(got, object)
}
