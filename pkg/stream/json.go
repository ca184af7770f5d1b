package stream

// jsonScan follows a document that begins with { up to the end of that object.
type jsonScan struct {
	state  scanState
	begin  int // offset of the {
	depth  int
	quoted bool
}

type scanState int

const (
	scanStart scanState = iota // nothing but blanks, comments and "---" so far
	scanJSON
	scanYAML
)

// find goes on at offset from, where a line begins, and returns the offset after the object when it ends.
func (j *jsonScan) find(buf []byte, from int) (end int, ok bool) {
	if j.state == scanStart {
		from = j.first(buf, from)
	}
	if j.state != scanJSON {
		return 0, false
	}
	for i := from; i < len(buf); i++ {
		switch c := buf[i]; {
		case j.quoted && c == '\\':
			i++ // a line does not end within a JSON string, so that the next byte is here
		case c == '"':
			j.quoted = !j.quoted
		case j.quoted:
		case c == '{' || c == '[':
			j.depth++
		case c == '}' || c == ']':
			if j.depth--; j.depth <= 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// first decides by the first byte that says something whether this is JSON, and returns where to go on.
func (j *jsonScan) first(buf []byte, from int) int {
	for i := from; i < len(buf); i++ {
		switch c := buf[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case i == from && indicator(buf[i:]):
			i += 2
		case c == '#':
			return len(buf) // the rest of the line is a comment; from begins a line, so no other line is here
		case c == '{':
			j.state, j.begin = scanJSON, i
			return i
		default:
			j.state = scanYAML
			return i
		}
	}
	return len(buf)
}
