package argocd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Summary says what a stream held.
type Summary struct {
	// Documents counts the documents that hold something; Applications the Applications in them.
	Documents, Applications int
	// Others are the objects of other kinds, which Read passes over, sorted by apiVersion and kind.
	Others []OtherKind
}

// OtherKind counts the objects of a kind that is not Application. Line is where the first of them stands.
type OtherKind struct {
	APIVersion, Kind string
	Count, Line      int
}

// maxNesting bounds how deep lists may stand in lists. kubectl writes one level.
const maxNesting = 8

// Read calls each for every Application in a stream of YAML or JSON documents, in their order, and holds one document at
// a time. A document is an object or a list of objects: `kubectl get applications.argoproj.io -A -o yaml`, or -o json, or
// manifests one after another. Documents that hold nothing are passed over, and objects of other kinds are counted. name is how
// errors name the stream.
//
// Reading stops at the first error: one of each, which is returned as it is, or a *values.Error with line and column in the
// stream for a document that does not parse, is no Kubernetes object, or is an Application without a name or a spec.
// The summary holds what was read until then.
func Read(name string, r io.Reader, each func(*Application) error) (Summary, error) {
	in := &reader{name: name, each: each, others: map[OtherKind]*OtherKind{}}
	err := in.read(newSplitter(name, r))
	for _, other := range in.others {
		in.summary.Others = append(in.summary.Others, *other)
	}
	slices.SortFunc(in.summary.Others, func(a, b OtherKind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return in.summary, err
}

type reader struct {
	name    string
	each    func(*Application) error
	summary Summary
	others  map[OtherKind]*OtherKind // by kind alone: the key's numbers are 0
}

func (in *reader) read(s *splitter) error {
	for {
		d, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		object, err := in.parse(d)
		if err != nil {
			return err
		}
		if object == nil { // null
			continue
		}
		in.summary.Documents++
		if err := in.visit(object, d.line, d.itemLines(object), 0); err != nil {
			return err
		}
	}
}

// parse reads one document. Errors say where in the stream they are.
func (in *reader) parse(d document) (map[string]any, error) {
	if err := in.checkText(d); err != nil {
		return nil, err
	}
	if d.json {
		// YAML's parser would lose the digits of long numbers, and refuse what JSON escapes.
		var object map[string]any
		decoder := json.NewDecoder(bytes.NewReader(d.text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return nil, in.errorAt(d.line, 1, "the JSON does not parse") // not reached: the splitter has checked it
		}
		return object, nil
	}
	object, err := values.DecodeObject(in.name, d.text)
	var placed *values.Error
	if errors.As(err, &placed) {
		if errors.Is(err, values.ErrNoMap) {
			placed.Message = "the document is no Kubernetes object: it is a list or plain text"
		}
		return nil, in.errorAt(d.line+max(placed.Line, 1)-1, max(placed.Column, 1), "%s", placed.Message)
	}
	return object, err
}

// visit hands on an Application, or goes through a list.
func (in *reader) visit(object map[string]any, line int, itemLines []int, depth int) error {
	version, kindName := text(object, "apiVersion"), text(object, "kind")
	if version == "" || kindName == "" {
		return in.errorAt(line, 1, "the document is no Kubernetes object: it has no apiVersion or no kind")
	}
	group, _, _ := strings.Cut(version, "/")
	items, isList, err := field[[]any](object, "items")
	switch {
	case version == apiVersion && kindName == kind:
		return in.application(object, line)
	case strings.HasSuffix(kindName, "List") && (isList || err != nil || version == "v1" || group == apiGroup):
		if err != nil {
			return in.errorAt(line, 1, "%s: %v", kindName, err)
		}
		return in.list(kindName, version, items, line, itemLines, depth)
	}
	in.other(version, kindName, line)
	return nil
}

func (in *reader) list(kindName, version string, items []any, line int, itemLines []int, depth int) error {
	if depth == maxNesting {
		return in.errorAt(line, 1, "lists stand in lists more than %d deep", maxNesting)
	}
	for i, item := range items {
		at := line
		if i < len(itemLines) {
			at = itemLines[i]
		}
		object, ok := item.(map[string]any)
		if !ok {
			return in.errorAt(at, 1, "items[%d] of %s is %s; it must be a map", i, kindName, typeName(item))
		}
		if of := strings.TrimSuffix(kindName, "List"); of != "" && object["kind"] == nil && object["apiVersion"] == nil {
			// The API server leaves both out of the items of a typed list.
			object["apiVersion"], object["kind"] = version, of
		}
		if err := in.visit(object, at, nil, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (in *reader) application(object map[string]any, line int) error {
	a, err := New(object)
	if err != nil {
		return in.errorAt(line, 1, "%v", err)
	}
	a.File, a.Line = in.name, line
	in.summary.Applications++
	return in.each(a)
}

func (in *reader) other(version, kindName string, line int) {
	key := OtherKind{APIVersion: version, Kind: kindName}
	other, ok := in.others[key]
	if !ok {
		other = &OtherKind{APIVersion: version, Kind: kindName, Line: line}
		in.others[key] = other
	}
	other.Count++
}

func (in *reader) errorAt(line, column int, format string, args ...any) error {
	return &values.Error{Name: in.name, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// itemLines returns the line of each item of a list as kubectl writes it, with every item's "- " at the line's start. It
// returns nil where the text is written otherwise; items then stand at the line of their list.
func (d document) itemLines(object map[string]any) []int {
	items, ok := object["items"].([]any)
	if !ok || d.json {
		return nil
	}
	var lines []int
	line := d.line
	for text := d.text; len(text) > 0; line++ {
		if bytes.HasPrefix(text, []byte("- ")) {
			lines = append(lines, line)
		}
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			break
		}
		text = text[i+1:]
	}
	if len(lines) != len(items) {
		return nil
	}
	return lines
}
