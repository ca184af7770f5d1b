package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const (
	// MaxSize bounds the text of one schema, in bytes. Generated ones, with Kubernetes' types inlined, have a few MB.
	MaxSize = 8 << 20

	maxNesting = 1_000  // of the schema's JSON
	maxLatest  = 15_000 // subschemas by draft 2020-12, where compiling takes time by the square of their number

	// address is what Helm calls the schema, so that references by this name are found in itself.
	address = "file:///values.schema.json"
)

// Schema is a compiled values.schema.json. It may be used by many goroutines; they take turns.
type Schema struct {
	name     string
	doc      any // as it was compiled
	warnings []string

	documents fs.FS          // what it may refer to; nil for nothing
	others    map[string]any // the documents that it does refer to, by URL, as they were compiled
	last      string         // the copy that was read last
	dynamic   bool           // references in it depend on who refers
	dialect   bool           // it may be of a dialect of its own
	read      int            // bytes of them
	parts     int            // subschemas, of the others too

	mu       sync.Mutex // guards budget, which is part of compiled
	compiled *jsonschema.Schema
	budget   *budget
}

// Warnings says what of the schema was not looked at, sorted: references to URNs, which Helm lets pass too.
func (s *Schema) Warnings() []string { return slices.Clone(s.warnings) }

// Compile compiles a schema of draft 4 to 2020-12, the latter when it does not say. name is how errors name it.
// It returns an *Error when values could not be judged by it. References to files and over the network are not followed,
// where Helm would, but to local copies (WithDocuments).
func Compile(name string, data []byte, options ...Option) (*Schema, error) {
	fail := func(kind error, format string, args ...any) (*Schema, error) {
		return nil, &Error{Name: name, Message: fmt.Sprintf(format, args...), Next: tellVendor, Err: kind}
	}
	if len(data) > MaxSize {
		return fail(ErrLimit, "the schema has %d bytes; %d are the most that is read", len(data), MaxSize)
	}
	doc, err := decode(data)
	if err != nil {
		return fail(ErrInvalid, "the schema is no JSON: %v", err)
	}
	if nesting(doc, 0) > maxNesting {
		return fail(ErrLimit, "the schema is nested deeper than %d", maxNesting)
	}
	said, isMap := doc.(map[string]any)
	_, drafted := said["$schema"]
	doc, count, dropped := rewrite(doc)
	if count > maxLatest && isLatest(doc) {
		return fail(ErrLimit, "the schema has %d parts; by draft 2020-12, %d are the most that is compiled", count, maxLatest)
	}
	s, err := compile(name, doc, count, options)
	if err != nil {
		var e *Error
		if !drafted && isMap && errors.As(err, &e) && !errors.Is(e, ErrReference) {
			e.Next = olderDraft(name, said, count, options, e.Next)
		}
		return nil, err
	}
	for _, urn := range dropped {
		s.warn(urn)
	}
	slices.Sort(s.warnings)
	s.warnings = slices.Compact(s.warnings)
	return s, nil
}

func isLatest(doc any) bool {
	m, _ := doc.(map[string]any)
	draft, _ := m["$schema"].(string)
	return strings.Contains(draft, "/draft/2020-12/") || strings.Contains(draft, "json-schema.org/schema")
}

// olderDraft looks whether a schema that says no draft is one of the drafts that Helm up to 3.18.4 took it for.
func olderDraft(name string, m map[string]any, parts int, options []Option, next string) string {
	for _, draft := range []string{"draft-07", "draft-04"} {
		m["$schema"] = "http://json-schema.org/" + draft + "/schema#"
		if _, err := compile(name, m, parts, options); err == nil {
			return "the schema has no $schema, which Helm since 3.18.5 takes for draft 2020-12; as " + draft +
				" it would compile: the chart's maintainers should say so in it"
		}
	}
	return next
}

// decode reads one JSON text as Helm does: numbers keep their digits, nothing may follow.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("there is no text")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows its end")
	}
	return doc, nil
}

// nesting returns how deep a tree is, or more than maxNesting.
func nesting(v any, depth int) int {
	deepest := depth
	if depth > maxNesting {
		return depth
	}
	switch v := v.(type) {
	case map[string]any:
		for _, sub := range v {
			deepest = max(deepest, nesting(sub, depth+1))
		}
	case []any:
		for _, sub := range v {
			deepest = max(deepest, nesting(sub, depth+1))
		}
	}
	return deepest
}

// compile puts a rewritten schema, of some number of parts, to the library.
func compile(name string, doc any, parts int, options []Option) (s *Schema, err error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, &Error{Name: name, Message: "the schema cannot be written as JSON", Next: tellVendor, Err: ErrInvalid}
	}
	s = &Schema{name: name, doc: doc, budget: &budget{}, others: map[string]any{}, parts: parts}
	for _, option := range options {
		option(s)
	}
	c := jsonschema.NewCompiler()
	c.LoadURL = s.load
	c.Formats = formats()
	// Content is never asserted by Helm; draft 7 of the library would.
	c.Decoders["base64"], c.MediaTypes["application/json"] = nil, nil
	c.RegisterExtension("budget", nil, s.budget)
	defer func() {
		// The library panics on what its metaschemas do not keep out, as it does for Helm, which says "unable to".
		if r := recover(); r != nil {
			s, err = nil, &Error{Name: name, Message: "the schema has a keyword of the wrong type", Next: tellVendor, Err: ErrInvalid}
		}
	}()
	if err := c.AddResource(address, bytes.NewReader(text)); err != nil {
		return nil, s.compileError(err)
	}
	if s.compiled, err = c.Compile(address); err != nil {
		return nil, s.compileError(err)
	}
	s.survey(s.doc)
	for _, other := range s.others {
		s.survey(other)
	}
	return s, nil
}

func (s *Schema) warn(urn string) {
	s.warnings = append(s.warnings, fmt.Sprintf("part of the schema was not checked: nobody resolves %q, and Helm lets it pass", shorten(urn)))
}

// compileError says what the library found wrong with a schema.
func (s *Schema) compileError(err error) error {
	e := &Error{Name: s.name, Message: "the schema does not compile", Next: tellVendor, Err: ErrInvalid}
	var (
		refused refusal
		loop    jsonschema.InfiniteLoopError
		invalid *jsonschema.ValidationError
	)
	switch {
	case errors.As(err, &refused):
		e.refused(refused)
	case errors.As(err, &loop):
		e.Err, e.Message = ErrLoop, "the schema refers to itself without end: "+shorten(strings.TrimPrefix(string(loop), address))
	case errors.As(err, &invalid):
		leaf := invalid
		for len(leaf.Causes) > 0 {
			leaf = leaf.Causes[0]
		}
		e.Place, e.Message = leaf.InstanceLocation, "this is no JSON schema of its draft: "+shorten(leaf.Message)
		if s.last != "" { // the library does not say which document it is about
			e.Place, e.Message = "", fmt.Sprintf("%s of the copy %s, or of a document that refers to it: %s", leaf.InstanceLocation, shorten(s.last), e.Message)
		}
		if strings.HasSuffix(leaf.Message, "is not valid 'regex'") || strings.HasSuffix(leaf.Message, "is not valid regex") {
			e.Err, e.Message = ErrRegexp, "a regular expression does not compile: "+shorten(leaf.Message)
			e.Next = "Helm has Go's regular expressions, without lookahead and backreferences; " + tellVendor
		}
	default:
		var schemaError *jsonschema.SchemaError
		if errors.As(err, &schemaError) && schemaError.Err != nil {
			err = schemaError.Err
		}
		e.Message += ": " + shorten(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "jsonschema: "), address, ""))
	}
	return e
}
