package catalog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// What is read of one bundle, and of all. The largest chart of the platform has some 300 KB compressed, and 8 MB as JSON.
const (
	maxInflated = 32 << 20
	maxTotal    = 512 << 20 // of all bundles, as JSON
	maxBundles  = 1000
	maxApps     = 5000
	maxDepth    = 500 // of maps and lists in JSON
)

// managedKey is the key of the one bundle with all managed values. A chart's has an equals sign.
const managedKey = "managed"

// written is a bundle as JSON: a chart's, or the one with managed values.
type written struct {
	Key     string           `json:"key"`
	Source  *writtenSource   `json:"source,omitempty"`
	Chart   *chart.Interface `json:"chart,omitempty"`
	Config  string           `json:"config,omitempty"` // the text of .apl.yaml
	Managed []writtenApp     `json:"managed,omitempty"`
}

type writtenSource struct {
	Repo     string `json:"repo,omitempty"`
	Path     string `json:"path,omitempty"`
	Chart    string `json:"chart,omitempty"`
	Revision string `json:"revision"`
}

type writtenApp struct {
	App  string `json:"app"`
	Text string `json:"text"` // the body of values.managed.yaml
}

// loaded is a bundle that can be looked things up in.
type loaded struct {
	size    int // as JSON
	chart   *published
	managed map[app.ID]*values.Document
	config  *config.Config
}

// pack makes the bytes of a bundle: the same for the same bundle. The error is for a bundle that nobody could read back.
func pack(w written) ([]byte, error) {
	text, err := json.Marshal(w)
	if err != nil {
		return nil, fmt.Errorf("write it as JSON: %w", err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression) // without a name or a time
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if _, err := z.Write(text); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	_, err = unpack(w.Key, b.Bytes())
	return b.Bytes(), err
}

// unpack reads a bundle, of whoever wrote it. The error quotes nothing of it.
func unpack(key string, data []byte) (*loaded, error) {
	text, err := inflate(data)
	if err != nil {
		return nil, err
	}
	if tooDeep(text) {
		return nil, fmt.Errorf("it nests deeper than %d", maxDepth)
	}
	var w written
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, errors.New("it is not the JSON of a bundle") // the error can quote it
	}
	if w.Key != key {
		return nil, errors.New("it holds another bundle than its annotation says")
	}
	out := &loaded{size: len(text)}
	if key == managedKey {
		return out, out.readManaged(w)
	}
	return out, out.readChart(w)
}

func inflate(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it is not compressed by gzip")
	}
	text, err := io.ReadAll(io.LimitReader(z, maxInflated+1))
	switch {
	case err != nil:
		return nil, errors.New("it cannot be decompressed")
	case len(text) > maxInflated:
		return nil, fmt.Errorf("it is larger than %d MiB decompressed", maxInflated>>20)
	}
	return text, nil
}

// tooDeep counts brackets outside of texts; what is no JSON is left to the parser.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func (l *loaded) readChart(w written) error {
	if w.Source == nil || w.Chart == nil {
		return errors.New("it holds no chart")
	}
	k := keyOf(chart.Source{RepoURL: w.Source.Repo, Path: w.Source.Path, Chart: w.Source.Chart, Revision: w.Source.Revision})
	if k.String() != w.Key {
		return errors.New("its chart has another source than its key says")
	}
	made, err := chart.FromInterface(*w.Chart)
	if err != nil {
		return errors.New("what it holds cannot be a chart: a name is missing, or subcharts nest too deep")
	}
	l.chart = &published{source: k, chart: made, noSchema: !hasSchema(*w.Chart)}
	return nil
}

// hasSchema looks through subcharts, whose depth chart.FromInterface has bounded.
func hasSchema(i chart.Interface) bool {
	if i.Schema != nil {
		return true
	}
	for _, sub := range i.Subcharts {
		if hasSchema(sub) {
			return true
		}
	}
	return false
}

func (l *loaded) readManaged(w written) (err error) {
	if len(w.Managed) > maxApps {
		return fmt.Errorf("it holds more than %d apps", maxApps)
	}
	if l.config, err = config.Parse(layout.ConfigFile, []byte(w.Config)); err != nil {
		return errors.New("its " + layout.ConfigFile + " cannot be read; kubectl apl validate says why")
	}
	l.managed = make(map[app.ID]*values.Document, len(w.Managed))
	for _, a := range w.Managed {
		id, err := app.Parse(a.App)
		if err != nil {
			return errors.New("it names an app that is none")
		}
		doc, err := values.Parse(layout.ManagedFile(id), []byte(a.Text))
		if err != nil {
			return fmt.Errorf("the managed values of %s cannot be read; kubectl apl validate says why", id)
		}
		l.managed[id] = doc
	}
	return nil
}
