package argocd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
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

// maxDocument bounds one document of a stream, in bytes. A list of 4,200 Applications has some 60 MB.
const maxDocument = 128 << 20

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
	err := in.read(stream.New(name, r, maxDocument))
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

func (in *reader) read(documents *stream.Reader) error {
	for {
		d, err := documents.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return plain(err)
		}
		if d.Blank() {
			continue
		}
		object, err := d.Decode()
		if err != nil {
			return plain(err)
		}
		if object == nil { // null
			continue
		}
		in.summary.Documents++
		if err := d.Objects(object, in.visit, func(bad *values.Error) error { return bad }); err != nil {
			return err
		}
	}
}

// plain returns what says where a document is wrong, without what it wraps.
func plain(err error) error {
	var placed *values.Error
	if !errors.As(err, &placed) {
		return err
	}
	if errors.Is(placed, values.ErrNoMap) {
		placed.Message = "the document is no Kubernetes object: it is a list or plain text"
	}
	return placed
}

// visit hands on an Application, and counts what is none.
func (in *reader) visit(at stream.Item) error {
	version, kindName := text(at.Object, "apiVersion"), text(at.Object, "kind")
	switch {
	case version == "" || kindName == "":
		return in.errorAt(at.Line, 1, "the document is no Kubernetes object: it has no apiVersion or no kind")
	case version == apiVersion && kindName == kind:
		return in.application(at.Object, at.Line)
	}
	in.other(version, kindName, at.Line)
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
