package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
)

const (
	// maxDocuments bounds how many other documents one schema reads, and MaxSize all of them together.
	maxDocuments = 100

	// maxDocumentSize bounds one of them, in bytes: Kubernetes' own definitions have some 3 MB.
	maxDocumentSize = MaxSize
)

// Option changes how Compile reads a schema.
type Option func(*Schema)

// WithDocuments lets a schema refer to local copies of other documents, which Helm would fetch over the network or read from
// the disk: https://host/path is read at host/path, with host_port for a host with a port, and a relative name, as other.json
// or file:///other.json, at that name. Nothing else is read. A document is JSON, and read as the schema itself is.
func WithDocuments(documents fs.FS) Option { return func(s *Schema) { s.documents = documents } }

// NewCache returns a Cache whose schemas may refer to documents, as by WithDocuments; nil for none, as in the zero Cache.
func NewCache(documents fs.FS) *Cache { return &Cache{documents: documents} }

// refusal is a document that is not fetched.
type refusal struct {
	ref string
	// place is where a copy of it would be read, "" for nowhere.
	place string
	// because is what is wrong with the copy that is there.
	because string
}

func (r refusal) Error() string { return "not fetched: " + r.ref }

// load answers the library's wish for another document. URNs are anything, as in Helm.
func (s *Schema) load(ref string) (io.ReadCloser, error) {
	u, err := url.Parse(ref)
	if err != nil {
		return nil, refusal{ref: ref}
	}
	if u.Scheme == "urn" {
		s.warn(ref)
		return io.NopCloser(strings.NewReader("true")), nil
	}
	place := placeOf(u)
	if s.documents == nil || place == "" {
		return nil, refusal{ref: ref, place: place}
	}
	doc, err := s.document(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal{ref: ref, place: place}
	}
	if err != nil {
		return nil, refusal{ref: ref, place: place, because: err.Error()}
	}
	root, count, dropped := rewrite(doc)
	if s.parts += count; s.parts > maxLatest && isLatest(root) {
		return nil, refusal{ref: ref, place: place, because: fmt.Sprintf("with it the schema has %d parts; by draft 2020-12, %d are the most that is compiled", s.parts, maxLatest)}
	}
	for _, urn := range dropped {
		s.warn(urn)
	}
	text, err := json.Marshal(root)
	if err != nil {
		return nil, refusal{ref: ref, place: place, because: "it cannot be written as JSON"}
	}
	s.others[ref], s.last = root, place
	s.also(u, root)
	return io.NopCloser(bytes.NewReader(text)), nil
}

// also knows a document by the name that it gives itself, which the library calls it by.
func (s *Schema) also(u *url.URL, root any) {
	m, _ := root.(map[string]any)
	for _, key := range []string{"$id", "id"} {
		id, ok := m[key].(string)
		if !ok {
			continue
		}
		if named, err := u.Parse(id); err == nil {
			named.Fragment, named.RawFragment = "", ""
			if _, taken := s.others[named.String()]; !taken {
				s.others[named.String()] = root
			}
		}
	}
}

// document reads the copy of a document. Its errors, but for fs.ErrNotExist, say what is wrong with it and no more.
func (s *Schema) document(place string) (any, error) {
	if len(s.others) >= maxDocuments {
		return nil, fmt.Errorf("it is one of more than %d documents", maxDocuments)
	}
	file, err := s.documents.Open(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, errors.New("it cannot be opened")
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, int64(maxDocumentSize-s.read)+1))
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	if s.read += len(data); s.read > maxDocumentSize {
		return nil, fmt.Errorf("it makes the documents larger than %d MiB", maxDocumentSize>>20)
	}
	doc, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if nesting(doc, 0) > maxNesting {
		return nil, fmt.Errorf("it is nested deeper than %d", maxNesting)
	}
	return doc, nil
}

// placeOf returns where the copy of a document is read, "" where none can be: a URL with a query, user or odd path has no
// file of its own.
func placeOf(u *url.URL) string {
	if u.RawQuery != "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	place := strings.TrimPrefix(u.Path, "/")
	switch {
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Host == "" {
			return ""
		}
		place = strings.ReplaceAll(strings.ToLower(u.Host), ":", "_") + "/" + place
	case u.Scheme != "file" || u.Host != "":
		return ""
	}
	if !fs.ValidPath(place) || place == "." || strings.ContainsAny(place, `\`+"\x00") {
		return ""
	}
	return place
}

// refused says why a document that a schema refers to is not there.
func (e *Error) refused(r refusal) {
	e.Err = ErrReference
	e.Message = fmt.Sprintf("the schema refers to %q, which is not fetched", shorten(r.ref))
	e.Next = "the chart's maintainers can put what is referred to into the schema itself"
	switch {
	case r.because != "":
		e.Message = fmt.Sprintf("the schema refers to %q, and its copy, %s, is of no use: %s", shorten(r.ref), shorten(r.place), r.because)
		e.Next = "correct the copy in the folder of --schema-dir"
	case r.place != "":
		e.Next = fmt.Sprintf("put a copy of it into a folder, as %s, and name the folder by --schema-dir; %s", shorten(r.place), e.Next)
	}
}
