// Package artifact owns the way from a stream of rendered objects to files of one object each. It knows what an object is and
// where its file goes, and nothing of charts, releases, clusters and disks: it takes and returns values.
package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Object is one object of a stream.
type Object struct {
	// ID is what the object says of itself: Namespace is "" where it names none.
	ID layout.ObjectID
	// Version is that of the group's API.
	Version string
	// Generated tells that the API server would make up the name. ID.Name is metadata.generateName and a hash of the object: it
	// is the same for the same object, and another for each other one.
	Generated bool
	// Line is where the object's document begins in the stream, from 1.
	Line int
	// Text is the object as YAML: its own text with its comments, or written anew for an item of a list.
	Text []byte
}

// Problem is a document, or an item of a list, that is no object. It quotes no value.
type Problem struct {
	Line    int
	Message string
}

// Stream is what Read found.
type Stream struct {
	// Objects are in the order of the stream, lists taken apart.
	Objects []Object
	// Empty counts the documents that hold nothing.
	Empty int
	// Problems are in the order of the stream. One bad document hides no other.
	Problems []Problem
}

// maxNesting bounds lists in lists.
const maxNesting = 8

// Read reads a stream of YAML or JSON documents, which are read one by one: an anchor of one is unknown to the next. Lists are
// taken apart, of any kind, as kubectl does. The error is that of r.
func Read(r io.Reader) (*Stream, error) {
	s := &Stream{}
	err := split(r, func(d document, err error) error {
		switch {
		case errors.Is(err, errDocument):
			s.problem(d.line, "%s", strings.TrimPrefix(err.Error(), errDocument.Error()+": "))
			return nil
		case err != nil:
			return err
		}
		s.document(d)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read objects: %w", err)
	}
	return s, nil
}

func (s *Stream) problem(line int, format string, args ...any) {
	s.Problems = append(s.Problems, Problem{Line: line, Message: fmt.Sprintf(format, args...)})
}

func (s *Stream) document(d document) {
	first, ok := content(d)
	if !ok {
		s.Empty++
		return
	}
	tree, err := values.DecodeObject("", d.text)
	if err != nil {
		line := first
		var at *values.Error
		if errors.As(err, &at) {
			if at.Line > 0 {
				line = d.line + at.Line - 1
			}
			err = errors.New(at.Message)
		}
		s.problem(line, "%v", err)
		return
	}
	if tree == nil {
		s.Empty++
		return
	}
	s.object(tree, d.text, first, 0)
}

// content returns the first line of a document that is neither blank nor a comment, and false where there is none.
func content(d document) (line int, ok bool) {
	line = d.line
	for text := range bytes.Lines(d.text) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			return line, true
		}
		line++
	}
	return d.line, false
}

// object adds an object, or those of a list. text is nil for an item of one.
func (s *Stream) object(tree map[string]any, text []byte, line, depth int) {
	if items, ok := list(tree); ok {
		s.items(tree, items, line, depth)
		return
	}
	o := Object{Line: line, Text: text}
	var err error
	if o.ID, o.Version, err = identify(tree); err == nil && o.ID.Name == "" {
		o.Generated = true
		o.ID.Name, err = generated(tree)
	}
	if err == nil && text == nil {
		o.Text, err = values.Marshal(tree)
	}
	if err != nil {
		s.problem(line, "%v", err)
		return
	}
	s.Objects = append(s.Objects, o)
}

// list returns the items of a list: an object of a kind that ends in List, with items and without a name of its own.
func list(tree map[string]any) (items []any, ok bool) {
	kind, _ := tree["kind"].(string)
	metadata, _ := tree["metadata"].(map[string]any)
	value, has := tree["items"]
	if !has || !strings.HasSuffix(kind, "List") || metadata["name"] != nil {
		return nil, false
	}
	items, ok = value.([]any)
	return items, ok || value == nil
}

func (s *Stream) items(list map[string]any, items []any, line, depth int) {
	if depth == maxNesting {
		s.problem(line, "lists are nested deeper than %d levels", maxNesting)
		return
	}
	kind, _ := list["kind"].(string)
	for i, item := range items {
		tree, ok := item.(map[string]any)
		if !ok {
			s.problem(line, "items[%d] is no object", i)
			continue
		}
		if kind = strings.TrimSuffix(kind, "List"); kind != "" && tree["kind"] == nil && tree["apiVersion"] == nil {
			tree["kind"], tree["apiVersion"] = kind, list["apiVersion"] // a list of one kind need not repeat it
		}
		s.object(tree, nil, line, depth+1)
	}
}

// identify reads what names an object. Name is "" where metadata has a generateName in its place.
func identify(tree map[string]any) (id layout.ObjectID, version string, err error) {
	apiVersion, ok := tree["apiVersion"].(string)
	if !ok || apiVersion == "" {
		return id, "", errors.New("the object that begins here has no apiVersion")
	}
	if id.Kind, ok = tree["kind"].(string); !ok || id.Kind == "" {
		return id, "", errors.New("the object that begins here has no kind")
	}
	version = apiVersion
	if group, rest, ok := strings.Cut(apiVersion, "/"); ok {
		id.Group, version = group, rest
	}
	if version == "" || strings.Contains(version, "/") || version != apiVersion && id.Group == "" {
		return id, "", fmt.Errorf("the apiVersion of the %s that begins here is not of the form group/version", id.Kind)
	}
	metadata, ok := tree["metadata"].(map[string]any)
	if !ok {
		return id, "", fmt.Errorf("the %s that begins here has no metadata", id.Kind)
	}
	for key, to := range map[string]*string{"name": &id.Name, "namespace": &id.Namespace} {
		value := metadata[key]
		if *to, ok = value.(string); !ok && value != nil {
			return id, "", fmt.Errorf("metadata.%s of the %s that begins here is no text; quote it", key, id.Kind)
		}
	}
	if prefix, ok := metadata["generateName"].(string); id.Name == "" && (!ok || prefix == "") {
		return id, "", fmt.Errorf("the %s that begins here has no metadata.name", id.Kind)
	}
	return id, version, nil
}

// generated makes a name in place of the one that the API server would make up.
func generated(tree map[string]any) (string, error) {
	metadata, _ := tree["metadata"].(map[string]any)
	prefix, _ := metadata["generateName"].(string)
	encoded, err := json.Marshal(tree) // sorts its keys
	if err != nil {
		return "", errors.New("the object that begins here is not JSON")
	}
	sum := sha256.Sum256(encoded)
	return prefix + hex.EncodeToString(sum[:4]), nil
}
