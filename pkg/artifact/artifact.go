// Package artifact owns the way from a stream of rendered objects to the text of one file each. It knows what an object is, where
// it lives, and what has to be true of it in git, and nothing of charts, clusters and disks: it takes and returns values.
package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
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
	// Text is the object as YAML: its own text with its comments, also of an item of a list as kubectl writes lists, or else
	// written anew.
	Text []byte

	indent    int      // how far Text is indented in the stream
	rewritten bool     // Text was written anew, so that its lines are not those of the stream
	plain     bool     // see there
	words     []string // keys whose words were put in quotes
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
	// Empty counts the documents that hold nothing, lists of nothing among them.
	Empty int
	// Problems are in the order of the stream. One bad document hides no other.
	Problems []Problem
}

// Read reads a stream of YAML or JSON documents, which are read one by one: an anchor of one is unknown to the next. Lists are
// taken apart, of any kind, as kubectl does. The error is that of r.
func Read(r io.Reader) (*Stream, error) {
	s := &Stream{}
	documents := stream.New("", r, values.MaxSize)
	for {
		d, err := documents.Next()
		switch {
		case errors.Is(err, io.EOF):
			return s, nil
		case errors.Is(err, stream.ErrDocument):
			s.problem(err)
		case err != nil:
			return nil, fmt.Errorf("read objects: %w", err)
		case d.Blank():
			s.Empty++
		default:
			s.document(d)
		}
	}
}

// problem notes what is wrong with a document, by the *values.Error in it.
func (s *Stream) problem(err error) {
	var at *values.Error
	if errors.As(err, &at) {
		s.Problems = append(s.Problems, Problem{Line: at.Line, Message: at.Message})
	}
}

func (s *Stream) document(d stream.Document) {
	tree, err := d.Decode()
	if err != nil {
		s.problem(err)
		return
	}
	if tree == nil {
		s.Empty++
		return
	}
	items, found := &cutter{text: d.Text, line: d.Line}, len(s.Objects)+len(s.Problems)
	_ = d.Objects(tree, func(item stream.Item) error { // neither returns an error
		if err := s.object(d, item, items); err != nil {
			s.Problems = append(s.Problems, Problem{Line: item.Line, Message: err.Error()})
		}
		return nil
	}, func(bad *values.Error) error {
		s.problem(bad)
		return nil
	})
	if len(s.Objects)+len(s.Problems) == found {
		s.Empty++
	}
}

// object adds an object.
func (s *Stream) object(d stream.Document, item stream.Item, items *cutter) (err error) {
	o := Object{Line: item.Line}
	var own []byte // nil for an item of a list, and for JSON
	if item.Whole && !d.JSON {
		own, o.words = quoteWords(d.Own(), item.Object)
	}
	identity, err := Identify(item.Object)
	if err != nil {
		return err
	}
	o.ID, o.Version, o.Generated = identity.ID, identity.Version, identity.Generated
	if o.Generated {
		if o.ID.Name, err = generated(item.Object); err != nil {
			return err
		}
	}
	if o.Text, err = o.text(d, own, item, items); err != nil {
		return err
	}
	o.plain = plain(o.Text, item.Object)
	s.Objects = append(s.Objects, o)
	return nil
}

// text returns the text of an object: its document's, or what an item says in its list's; else it is written anew.
func (o *Object) text(d stream.Document, own []byte, item stream.Item, items *cutter) ([]byte, error) {
	if own != nil {
		if !parted(own) {
			return own, nil
		}
	} else if !d.JSON {
		if text, ok := items.cut(item); ok && !parted(text) {
			o.indent = itemIndent
			return text, nil
		}
	}
	o.rewritten = true
	text, err := values.Marshal(item.Object)
	if err != nil {
		return nil, errors.New("the object that begins here cannot be written as YAML: a number has more digits than are kept; make it text, or give the object as YAML in a document of its own")
	}
	return text, nil
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
