package schema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxCharts bounds how deep subcharts may nest.
const maxCharts = 50

// Chart is what validation needs of a chart: its schema, and its subcharts once Helm has dropped the disabled ones.
type Chart struct {
	Name      string // the key of its values in those of its parent
	Schema    []byte // nil for none
	Subcharts []Chart
}

// ChartReport is what ForChart found.
type ChartReport struct {
	Report
	Errors   []*Error // schemas that could not judge
	Warnings []string // each begins with the name of the chart
	Schemas  int      // how many schemas looked at values
}

// ForChart puts coalesced values to the schemas of a chart and of those of its subcharts that have values, each to what
// stands under its key, as Helm does. The paths of violations begin at the root. Helm takes the values when there is
// neither a violation nor an error.
func (c *Cache) ForChart(chart Chart, tree map[string]any) ChartReport {
	var report ChartReport
	c.chart(&report, chart, chart.Name, tree, nil)
	slices.SortStableFunc(report.Violations, Violation.compare)
	if n := len(report.Violations); n > MaxViolations {
		report.Violations, report.More = report.Violations[:MaxViolations], report.More+n-MaxViolations
	}
	slices.SortFunc(report.Errors, func(a, b *Error) int { return cmp.Compare(a.Name, b.Name) })
	return report
}

func (c *Cache) chart(report *ChartReport, chart Chart, name string, tree map[string]any, at values.Path) {
	if len(at) > maxCharts {
		report.Errors = append(report.Errors, &Error{Name: name, Err: ErrLimit,
			Message: fmt.Sprintf("subcharts nest deeper than %d", maxCharts), Next: "tell the chart's maintainers"})
		return
	}
	if chart.Schema != nil {
		c.one(report, chart.Schema, name, tree, at)
	}
	for _, sub := range chart.Subcharts {
		v := tree[sub.Name]
		if v == nil {
			continue
		}
		m, ok := v.(map[string]any)
		if !ok {
			report.Violations = append(report.Violations, Violation{Path: at.Key(sub.Name), Keyword: "type",
				Message: "the values of a subchart have to be a map"})
			continue
		}
		c.chart(report, sub, name+"/"+sub.Name, m, at.Key(sub.Name))
	}
}

func (c *Cache) one(report *ChartReport, text []byte, name string, tree map[string]any, at values.Path) {
	s, err := c.Compile(name, text)
	var found Report
	if err == nil {
		report.Schemas++
		for _, w := range s.Warnings() {
			report.Warnings = append(report.Warnings, name+": "+w)
		}
		found, err = s.Validate(tree)
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Message: "the schema cannot be used", Err: ErrInvalid}
		}
		named := *e // the cached one has the name of the chart that came first
		named.Name = name
		report.Errors = append(report.Errors, &named)
		return
	}
	for _, v := range found.Violations {
		v.Path = append(slices.Clip(at), v.Path...)
		for i := range v.Near {
			v.Near[i] = append(slices.Clip(at), v.Near[i]...)
		}
		if v.Choice != "" {
			v.Choice = at.String() + " " + v.Choice
		}
		report.Violations = append(report.Violations, v)
	}
	report.More += found.More
}
