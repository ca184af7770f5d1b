// Package release owns what the platform's helmfile says: which releases there are, and the values that the platform
// computes for each. It reads the outputs of two helmfile commands, or runs them, and refuses to know how helmfile makes
// them, or what the cluster runs.
package release

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// MaxSize bounds a file of helmfile's that is read, in bytes. A platform's registry has some 20 KB and its largest
// values file some 100 KB; what is larger than this is some other file.
const MaxSize = 32 << 20

// ErrRegistry is wrapped by every error of ParseRegistry.
var ErrRegistry = errors.New("not a release registry")

// Registry holds the releases that helmfile knows, by identity.
type Registry struct {
	sorted []Release
	byID   map[app.ID]int
}

// ParseRegistry reads what `helmfile list --output json` writes. name is how errors name the text. Fields that are not
// known are ignored; null, which helmfile writes for no release at all, is an empty registry.
//
// It returns an error that wraps ErrRegistry, and names the place as name:line:column, for text that is no such list, for a
// release without a name, a namespace or its installed or enabled flag, for a name that Helm or Kubernetes would refuse,
// and for an identity that stands twice.
func ParseRegistry(name string, data []byte) (*Registry, error) {
	p := parser{name: name, data: data}
	if len(data) > MaxSize {
		return nil, p.errorAt(0, "the file is larger than %d MiB", MaxSize>>20)
	}
	p.data = bytes.TrimPrefix(data, []byte("\ufeff")) // PowerShell's redirection writes one
	p.decoder = json.NewDecoder(bytes.NewReader(p.data))
	r, err := p.registry()
	if err != nil {
		return nil, err
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	return r, nil
}

// Get returns the release of an identity, and whether there is one.
func (r *Registry) Get(id app.ID) (Release, bool) {
	i, ok := r.byID[id]
	if !ok {
		return Release{}, false
	}
	return r.sorted[i], true
}

// All returns every release in the order of app.Compare, absent ones too.
func (r *Registry) All() iter.Seq[Release] { return slices.Values(r.sorted) }

// Len returns the number of releases, absent ones too.
func (r *Registry) Len() int { return len(r.sorted) }

// parser reads the list entry by entry, so that an error can say where its entry stands.
type parser struct {
	name    string
	data    []byte
	decoder *json.Decoder
}

func (p *parser) registry() (*Registry, error) {
	r := &Registry{byID: map[app.ID]int{}}
	opening, err := p.decoder.Token()
	switch {
	case err != nil:
		return nil, p.syntax(err)
	case opening == nil:
		return r, nil
	case opening != json.Delim('['):
		return nil, p.errorAt(p.start(0), "the text is no list; write it with: helmfile list --output json")
	}
	places := map[app.ID]int{}
	for p.decoder.More() { // bounded by the text
		at := p.start(int(p.decoder.InputOffset()))
		release, err := p.release(at)
		if err != nil {
			return nil, err
		}
		if first, taken := places[release.ID]; taken {
			line, column := p.position(first)
			return nil, p.errorAt(at, "release %s stands here again; it is at %d:%d too", release.ID, line, column)
		}
		places[release.ID] = at
		r.sorted = append(r.sorted, release)
	}
	if _, err := p.decoder.Token(); err != nil {
		return nil, p.syntax(err)
	}
	slices.SortFunc(r.sorted, func(a, b Release) int { return app.Compare(a.ID, b.ID) })
	for i := range r.sorted {
		r.byID[r.sorted[i].ID] = i
	}
	return r, nil
}

// release reads the entry that starts at offset at.
func (p *parser) release(at int) (Release, error) {
	var raw json.RawMessage
	if err := p.decoder.Decode(&raw); err != nil {
		return Release{}, p.syntax(err)
	}
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return Release{}, p.errorAt(at, "%q of a release is a %s; it must be a %s", kind.Field, kind.Value, kind.Type)
		}
		return Release{}, p.errorAt(at, "this is no object")
	}
	release, err := e.release()
	if err != nil {
		return Release{}, p.errorAt(at, "%w", err)
	}
	return release, nil
}

// end returns an error unless nothing follows.
func (p *parser) end() error {
	at := p.start(int(p.decoder.InputOffset()))
	if _, err := p.decoder.Token(); errors.Is(err, io.EOF) {
		return nil
	}
	return p.errorAt(at, "something follows the list")
}

// start returns the offset of the next value at or after offset: separators are no part of it.
func (p *parser) start(offset int) int {
	for offset < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,"), p.data[offset]) >= 0 {
		offset++
	}
	return offset
}

// syntax says where the text stops to be JSON. The whole text is read again for that: the offsets of a Decoder's errors
// leave out what its Token consumed.
func (p *parser) syntax(err error) error {
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal(p.data, &whole), &syntax) {
		return p.errorAt(0, "%w", err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.errorAt(len(p.data), "the text ends too early")
	}
	return p.errorAt(int(syntax.Offset)-1, "%w", syntax)
}

func (p *parser) errorAt(offset int, format string, args ...any) error {
	line, column := p.position(offset)
	return fmt.Errorf("%s:%d:%d: %w: %w", p.name, line, column, ErrRegistry, fmt.Errorf(format, args...))
}

// position counts lines and columns from 1; a column is a byte of the line.
func (p *parser) position(offset int) (line, column int) {
	before := p.data[:min(max(offset, 0), len(p.data))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
