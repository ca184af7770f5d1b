// Package catalog owns the charts' interfaces as a cluster keeps them: what of a chart judges values, and each app's managed values, in
// ConfigMaps that kubectl apl schema publish writes and the webhook reads. It touches no cluster: it takes and returns objects.
package catalog

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	// Namespace is where the webhook and its catalog are, unless it is installed elsewhere.
	Namespace = "apl-webhook"
	// Label is what all ConfigMaps of a catalog carry; its value says what they hold.
	Label = "apl.io/schemas"
	// LabelChart is on a part of a chart's bundle.
	LabelChart = "chart"
	// LabelManaged is on a part of the bundle with all managed values.
	LabelManaged = "managed"
)

// Catalog is what was published, as a Store had it at one moment. Nothing changes it; the zero Catalog is empty.
type Catalog struct {
	charts  map[place][]*published // by path or chart, of all repos and revisions
	managed map[app.ID]*values.Document
	config  *config.Config
}

// published is a chart, loaded.
type published struct {
	source   key
	chart    *chart.Chart
	noSchema bool
}

// Found is a chart of the catalog.
type Found struct {
	Chart *chart.Chart
	// Exact tells that this chart was published for the very repo, path or chart, and revision. A revision that moves (a branch, HEAD, a range
	// of versions) is compared by its text: the chart is the one that it stood for when it was published.
	Exact bool
	// Revision is the one that the chart was published for, and Repo its repo, without credentials.
	Revision, Repo string
	// NoSchema tells that neither the chart nor a subchart has a schema, whether it is on or not.
	NoSchema bool
}

// Chart returns the chart of a source: the one that was published for it, or else the nearest one of the same path or chart, as nearer
// tells. Paths are compared as paths: ./charts/x/ is charts/x.
func (c *Catalog) Chart(source chart.Source) (Found, bool) {
	wanted := keyOf(source)
	var best *published
	for _, p := range c.charts[wanted.place] {
		if best == nil || wanted.nearer(p.source, best.source) {
			best = p
		}
	}
	if best == nil {
		return Found{}, false
	}
	return Found{
		Chart: best.chart, Exact: wanted.takes(best.source), NoSchema: best.noSchema,
		Revision: best.source.revision, Repo: best.source.repo,
	}, true
}

// Managed returns an app's managed values, as they were published with --repo. They are not to be changed.
func (c *Catalog) Managed(id app.ID) (*values.Document, bool) {
	doc, ok := c.managed[id]
	return doc, ok
}

// Config returns the .apl.yaml that was published with --repo: its exceptions hold at admission as in CI. It is never nil.
func (c *Catalog) Config() *config.Config {
	if c.config == nil {
		return &config.Config{}
	}
	return c.config
}

// Len returns how many charts there are.
func (c *Catalog) Len() int {
	n := 0
	for _, list := range c.charts {
		n += len(list)
	}
	return n
}
