package chart

import (
	"errors"
	"fmt"

	"helm.sh/helm/v3/pkg/chart"
)

// Interface is what of a chart judges values, without its templates: it can be written down as JSON, and a chart made of it judges as the
// one that it was taken from.
type Interface struct {
	Name         string         `json:"name"`
	Version      string         `json:"version"`
	Values       map[string]any `json:"values"` // numbers are float64, as Helm reads them
	Schema       []byte         `json:"schema"` // nil for none
	Dependencies []Dependency   `json:"dependencies,omitempty"`
	Subcharts    []Interface    `json:"subcharts,omitempty"`
}

// Dependency is what Chart.yaml says of a subchart: how it is called and switched, and what the chart imports from it.
type Dependency struct {
	Name         string   `json:"name"`
	Version      string   `json:"version,omitempty"`
	Alias        string   `json:"alias,omitempty"`
	Condition    string   `json:"condition,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	ImportValues []any    `json:"importValues,omitempty"`
}

// maxSubcharts bounds how deep subcharts of an Interface nest.
const maxSubcharts = 50

// Interface returns the chart's interface. It shares the chart's values, which nobody may change.
func (c *Chart) Interface() Interface { return interfaceOf(c.chart) }

func interfaceOf(c *chart.Chart) Interface {
	out := Interface{Name: c.Name(), Values: c.Values, Schema: c.Schema}
	if c.Metadata != nil {
		out.Version = c.Metadata.Version
		for _, d := range c.Metadata.Dependencies {
			if d != nil {
				out.Dependencies = append(out.Dependencies, Dependency{Name: d.Name, Version: d.Version, Alias: d.Alias, Condition: d.Condition, Tags: d.Tags, ImportValues: d.ImportValues})
			}
		}
	}
	for _, sub := range c.Dependencies() {
		out.Subcharts = append(out.Subcharts, interfaceOf(sub))
	}
	return out
}

// FromInterface makes a chart of an interface: its Judged, Unjudged, Defaults, Effective and Switches are those of the chart that the interface
// was taken from. It renders nothing. The error says what of it is no chart's.
func FromInterface(i Interface) (*Chart, error) {
	made, err := fromInterface(i, 0)
	if err != nil {
		return nil, fmt.Errorf("chart %q: %w", i.Name, err)
	}
	return &Chart{chart: made}, nil
}

func fromInterface(i Interface, depth int) (*chart.Chart, error) {
	switch {
	case i.Name == "":
		return nil, errors.New("it has no name")
	case depth > maxSubcharts:
		return nil, fmt.Errorf("its subcharts nest deeper than %d", maxSubcharts)
	}
	out := &chart.Chart{Metadata: &chart.Metadata{APIVersion: chart.APIVersionV2, Name: i.Name, Version: i.Version}, Values: i.Values, Schema: i.Schema}
	for _, d := range i.Dependencies {
		out.Metadata.Dependencies = append(out.Metadata.Dependencies, &chart.Dependency{Name: d.Name, Version: d.Version, Alias: d.Alias, Condition: d.Condition, Tags: d.Tags, ImportValues: d.ImportValues})
	}
	for _, s := range i.Subcharts {
		sub, err := fromInterface(s, depth+1)
		if err != nil {
			return nil, fmt.Errorf("subchart %q: %w", s.Name, err)
		}
		out.AddDependency(sub)
	}
	return out, nil
}
