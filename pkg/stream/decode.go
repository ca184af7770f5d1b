package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Blank reports whether a document holds nothing: blank lines, comments, and its own "---".
func (d Document) Blank() bool {
	_, ok := d.content()
	return !ok
}

// First returns the line of the stream at which the document's content begins; that of the document where it has none.
func (d Document) First() int {
	line, ok := d.content()
	if !ok {
		return d.Line
	}
	return line
}

func (d Document) content() (line int, ok bool) {
	line = d.Line
	for text := range bytes.Lines(d.Text) {
		if indicator(text) {
			text = text[3:]
		}
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			return line, true
		}
		line++
	}
	return line, false
}

// Own returns the document's text in memory of its own, with LF line ends and without the "---" that it began with.
func (d Document) Own() []byte {
	text := bytes.ReplaceAll(d.Text, []byte("\r\n"), []byte("\n"))
	if d.JSON || !indicator(text) {
		return text
	}
	return bytes.TrimPrefix(bytes.TrimLeft(text[3:], " \t"), []byte("\n"))
}

// Decode reads the document with the parser that Helm and kubectl use; numbers become json.Number. It returns nil for a document
// that is null or blank. The error is a *values.Error with line and column in the stream, and quotes no value: it wraps
// values.ErrNoMap for a list or plain text. A document in which several objects run together is an error too.
func (d Document) Decode() (map[string]any, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if d.JSON {
		// YAML's parser would lose the digits of long numbers, and refuse what JSON escapes.
		var object map[string]any
		decoder := json.NewDecoder(bytes.NewReader(d.Text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return nil, d.errorAt(d.Line, 1, "the JSON does not parse") // not reached: the reader has checked it
		}
		return object, nil
	}
	object, err := values.DecodeObject(d.name, d.Text)
	var placed *values.Error
	if errors.As(err, &placed) {
		line := d.First()
		if placed.Line > 0 {
			line = d.Line + placed.Line - 1
		}
		placed.Line, placed.Column = line, max(placed.Column, 1)
	}
	if err == nil {
		err = d.trailing()
	}
	if err == nil {
		err = d.glued(object)
	}
	if err != nil {
		return nil, err
	}
	return object, nil
}

// Parse is Decode for who wants to know where things stand: doc tells places in the document, from line 1. It is nil where nothing tells.
func (d Document) Parse() (object map[string]any, doc *values.Document, err error) {
	doc, err = values.Parse(d.name, d.Text)
	switch {
	case err != nil: // Kubernetes' parser can take it all the same: two keys of which one is a number and one its text
		object, err = d.Decode()
		return object, nil, err
	case d.JSON, len(doc.Values) == 0, isList(text(doc.Values["kind"]), doc.Values): // null reads as nothing, and items of lists are changed
		object, err = d.Decode()
		return object, doc, err
	}
	if err := d.check(); err != nil {
		return nil, nil, err
	}
	if err := d.trailing(); err != nil {
		return nil, nil, err
	}
	if err := d.glued(doc.Values); err != nil {
		return nil, nil, err
	}
	return doc.Values, doc, nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func (d Document) errorAt(line, column int, format string, args ...any) *values.Error {
	return &values.Error{Name: d.name, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}
