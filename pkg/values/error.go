package values

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Error says what is wrong with a text of values, and where. Line and Column count from 1; 0 means unknown.
// Its message never quotes a value: values can be secrets.
type Error struct {
	Name    string // how the caller named the text: a file, or an Application and its field
	Line    int
	Column  int
	Message string

	err error
}

// ErrNoMap is wrapped by an Error for values, or an object, that are a list or a scalar.
var ErrNoMap = errors.New("the text is no map of keys")

// Unwrap returns ErrNoMap, or nil.
func (e *Error) Unwrap() error { return e.err }

// Error returns "name:line:column: message", less what is unknown.
func (e *Error) Error() string {
	place := e.Name
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			place += ":" + strconv.Itoa(e.Column)
		}
	}
	return place + ": " + e.Message
}

// Warning is something that Helm accepts and a person should know of.
type Warning struct {
	Line    int
	Column  int
	Message string
}

var (
	yamlLine    = regexp.MustCompile(`^line (\d{1,9}): `)
	quotedValue = regexp.MustCompile("(?s)`.*`") // a value can hold backquotes itself
	namedAnchor = regexp.MustCompile(`(?s)anchor '(.*)' `)
)

// parserError turns an error of Helm's parser into an Error of ours. Parts of that error can be values: what stands
// between backquotes, the Go syntax of a map with a key that JSON has no room for, and what looks like an alias, since
// a password can begin with "*".
func parserError(name, text string, err error) *Error {
	message := err.Error()
	for _, wrapping := range []string{"error converting YAML to JSON: ", "error unmarshaling JSON: ", "while decoding JSON: ", "yaml: "} {
		message = strings.TrimPrefix(message, wrapping)
	}
	out := &Error{Name: name}
	if m := yamlLine.FindStringSubmatchIndex(message); m != nil {
		out.Line, err = strconv.Atoi(message[m[2]:m[3]])
		if err == nil {
			message = message[:m[0]] + message[m[1]:]
			out.Line = min(out.Line, countLines(text)) // where no line end is at the end it counts one more
			out.Column = suspectColumn(text, out.Line, message)
		}
	}
	switch {
	case strings.HasPrefix(message, "unsupported map key of type: %!s(<nil>)"), strings.HasPrefix(message, "unsupported map key of type: <nil>"):
		message = "a map has a null key; Helm takes text, numbers and booleans as keys"
	case strings.HasPrefix(message, "unsupported map key"):
		message = "a map has a key of a kind that Helm does not take; it takes text, numbers up to 63 bits and booleans"
	case strings.HasPrefix(message, "invalid map key"):
		message = "a map has a list or a map as a key; Helm takes text, numbers and booleans"
	case strings.HasPrefix(message, "json: unsupported value"):
		message = "a number is infinite or not a number; Helm cannot hold it"
	case strings.HasPrefix(message, "json: cannot unmarshal"):
		message, out.err = ErrNoMap.Error(), ErrNoMap
	default:
		message = quotedValue.ReplaceAllString(message, "(a value)")
	}
	if anchor := namedAnchor.FindStringSubmatch(message); anchor != nil {
		out.Line, out.Column = placeOf(text, "*"+anchor[1])
		message = strings.Replace(message, "'"+anchor[1]+"' ", "", 1) + `; text that begins with "*" needs quotes`
	}
	out.Message = message
	if out.Line == 0 {
		out.Line, out.Column = suspectPlace(text, message)
	}
	if message == noToken && strings.HasPrefix(lineOf(text, out.Line)[max(out.Column-1, 0):], "\t") {
		out.Message = "a tab stands where YAML wants spaces"
	}
	return out
}

// noToken is what Helm's parser says of a tab that indents, among others.
const noToken = "found character that cannot start any token"

// placeOf returns the line and column at which part first stands in text.
func placeOf(text, part string) (line, column int) {
	before, _, _ := strings.Cut(text, part)
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

// suspectPlace finds what a parser error that has no line is about, in the nodes of the text where it has some.
// Helm's parser gives no line for its first line, nor for what only its conversion to JSON refuses.
func suspectPlace(text, message string) (line, column int) {
	var document yamlv3.Node
	if yamlv3.Unmarshal([]byte(text), &document) != nil || len(document.Content) == 0 {
		return 1, suspectColumn(text, 1, message)
	}
	if n := refused(document.Content[0], 0); n != nil {
		return n.Line, n.Column
	}
	return document.Content[0].Line, document.Content[0].Column
}

// refused finds the first node that JSON, or Helm, has no room for: a key that is null or no scalar, an infinite
// number, a tag that does not fit.
func refused(n *yamlv3.Node, depth int) *yamlv3.Node {
	if depth > maxDepth {
		return nil
	}
	for i, child := range n.Content {
		if n.Kind == yamlv3.MappingNode && i%2 == 0 && !isMerge(child) {
			if _, _, err := readKey(child); err != nil {
				return child
			}
			continue
		}
		if child.Kind == yamlv3.ScalarNode && decodeScalar(child) != nil {
			return child
		}
		if found := refused(child, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// decodeScalar puts one scalar to Helm's parser.
func decodeScalar(n *yamlv3.Node) error {
	tag := coreTag(n)
	if tag == "" && (n.Style != 0 || plainText(n.Value)) {
		return nil
	}
	var item []any
	return decode([]byte("- "+tag+quoteUnlessPlain(n)), &item)
}

func quoteUnlessPlain(n *yamlv3.Node) string {
	if n.Style&^yamlv3.TaggedStyle == 0 {
		return n.Value
	}
	return quote(n.Value)
}

// suspectColumn guesses the column that a parser error, which has a line only, is about: the tab that it complains
// of, or where the line's text begins.
func suspectColumn(text string, line int, message string) int {
	text = lineOf(text, line)
	if message == noToken || strings.Contains(message, "tab character") {
		if i := strings.IndexByte(text, '\t'); i >= 0 {
			return i + 1
		}
	}
	return len(text) - len(strings.TrimLeft(text, " ")) + 1
}

// countLines counts the lines of text as YAML does. What follows its last line end is one, and empty where nothing does.
func countLines(text string) int {
	count := 1 + strings.Count(text, "\n") - strings.Count(text, "\r\n")
	for _, r := range otherBreaks {
		count += strings.Count(text, string(r))
	}
	return count
}

// lineOf returns a line of text, counted from 1; "" when there is none.
func lineOf(text string, line int) string {
	for n := 1; n < line; n++ {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

func errorAt(name string, line, column int, format string, args ...any) *Error {
	return &Error{Name: name, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}
