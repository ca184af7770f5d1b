package chart

import (
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Part is a chart or a subchart as its values are judged: each by its own schema, under its own key.
type Part struct {
	Name    string // the key of its values in those of its parent: an alias, where Chart.yaml gives one
	Version string
	Schema  []byte // its values.schema.json; nil for none
	Parts   []Part // its subcharts, sorted by name
}

// Title returns the name that Chart.yaml gives the chart.
func (c *Chart) Title() string { return c.chart.Name() }

// Judged returns what Helm puts to the schemas before it renders: the values that templates see for the user-supplied ones, with numbers as
// json.Number, and the chart with those of its subcharts that are on. It returns the errors of Effective. The values share the chart's
// defaults, and are not to be changed.
func (c *Chart) Judged(user map[string]any) (map[string]any, Part, error) {
	supplied, _ := spelled(user).(map[string]any)
	if supplied == nil {
		supplied = map[string]any{}
	}
	own, dug, holes := c.spare().dig(supplied)
	effective, err := c.coalesce(own, dug)
	if err != nil {
		return nil, Part{}, err
	}
	holes.fill(effective)
	return effective, partOf(own), nil
}

// Defaults returns the values of the chart itself and of all its subcharts, and these too, whether they are on or not. Errors are those of
// Effective.
func (c *Chart) Defaults() (map[string]any, Part, error) {
	own := clone(c.spare().chart)
	switchOn(own)
	effective, err := c.coalesce(own, map[string]any{})
	if err != nil {
		return nil, Part{}, err
	}
	return effective, partOf(own), nil
}

// switchOn takes away what can switch subcharts off.
func switchOn(c *chart.Chart) {
	if c.Metadata != nil {
		for _, d := range c.Metadata.Dependencies {
			if d != nil {
				d.Condition, d.Tags = "", nil
			}
		}
	}
	for _, sub := range c.Dependencies() {
		switchOn(sub)
	}
}

func partOf(c *chart.Chart) Part {
	out := Part{Name: c.Name(), Schema: c.Schema}
	if c.Metadata != nil {
		out.Version = c.Metadata.Version
	}
	for _, sub := range c.Dependencies() {
		out.Parts = append(out.Parts, partOf(sub))
	}
	slices.SortStableFunc(out.Parts, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Switches returns the paths that decide which subcharts are on: their conditions and tags, at any depth, sorted. Defaults need not have them.
func (c *Chart) Switches() []values.Path {
	var out []values.Path
	var walk func(c *chart.Chart, at values.Path)
	walk = func(c *chart.Chart, at values.Path) {
		if c.Metadata == nil {
			return
		}
		for _, d := range c.Metadata.Dependencies {
			if d == nil {
				continue
			}
			for condition := range strings.SplitSeq(d.Condition, ",") {
				if condition = strings.TrimSpace(condition); condition != "" {
					out = append(out, keys(at, strings.Split(condition, ".")))
				}
			}
			for _, tag := range d.Tags {
				out = append(out, keys(nil, []string{"tags", tag}))
			}
			for _, sub := range c.Dependencies() {
				if sub.Name() == d.Name && d.Alias != "" {
					walk(sub, at.Key(d.Alias))
				}
			}
		}
		for _, sub := range c.Dependencies() {
			walk(sub, at.Key(sub.Name()))
		}
	}
	walk(c.chart, nil)
	slices.SortFunc(out, values.Path.Compare)
	return slices.CompactFunc(out, func(a, b values.Path) bool { return a.Compare(b) == 0 })
}

func keys(at values.Path, more []string) values.Path {
	for _, key := range more {
		at = at.Key(key)
	}
	return at
}

// CRDs returns what lies in the folders crds/ of the chart and of all its subcharts, which no template renders.
func (c *Chart) CRDs() []Document {
	var out []Document
	for _, crd := range c.chart.CRDObjects() {
		out = append(out, Document{Source: crd.Filename, Text: string(crd.File.Data)})
	}
	slices.SortStableFunc(out, func(a, b Document) int { return strings.Compare(a.Source, b.Source) })
	return out
}
