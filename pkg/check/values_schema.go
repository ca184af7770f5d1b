package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// judge puts an app's values to its chart's schemas, as Helm does when it installs: the chart's defaults, managed, custom. What is refused
// is told of the file that brings it: the first layer, from the chart's defaults up, with which the schema refuses the same.
type judge struct {
	check  *valueCheck
	source argocd.Source
	loaded *chart.Chart
	layers []*values.Document // over the chart's defaults, the lowest first
}

// verdict is what the lowest layers come to, without those above.
type verdict struct {
	report schema.ChartReport
	top    chart.Part // and its subcharts that are on
	err    error      // *chart.RefusedError where Helm does not even get to the schemas
}

func (j *judge) top() *values.Document { return j.layers[len(j.layers)-1] }

func (j *judge) judge() {
	if j.source.HelmOptions().SkipSchemaValidation {
		j.skipped()
		return
	}
	all := j.coalesce(len(j.layers))
	if all.err == nil {
		j.check.schemas(j.source, all.report)
		if len(all.report.Violations) == 0 {
			return
		}
	}
	below := make([]verdict, len(j.layers)) // by how many layers they have; what all of them come to is known
	for n := range below {
		below[n] = j.coalesce(n)
	}
	if all.err != nil {
		j.refused(all.err, slices.IndexFunc(below, func(v verdict) bool { return v.err != nil }))
		return
	}
	list := all.report.Violations
	for _, v := range list[:min(len(list), maxTold)] {
		j.violation(v, all.top, slices.IndexFunc(below, func(b verdict) bool { return b.refuses(v, j.top()) }))
	}
	if more := all.report.More + max(0, len(list)-maxTold); more > 0 {
		j.check.add(RuleSchema, finding.Error, finding.Finding{File: j.top().Name,
			Message: fmt.Sprintf("the chart's schema refuses at least %d more places", more), Next: "correct those that are named, and look again"})
	}
}

// coalesce puts the lowest n layers to the chart and its schemas.
func (j *judge) coalesce(n int) verdict {
	var user map[string]any
	for _, layer := range j.layers[:n] {
		user = values.Merge(user, layer.Values)
	}
	if j.loaded.Unjudged(user) {
		return verdict{}
	}
	coalesced, top, err := j.loaded.Judged(user)
	if err != nil {
		return verdict{err: err}
	}
	return verdict{report: j.check.run.in.Schemas.ForChart(withSchemas(top), coalesced), top: top}
}

func withSchemas(p chart.Part) schema.Chart {
	out := schema.Chart{Name: p.Name, Schema: p.Schema}
	for _, sub := range p.Parts {
		out.Subcharts = append(out.Subcharts, withSchemas(sub))
	}
	return out
}

// skipped tells that Argo CD has Helm not look at schemas.
func (j *judge) skipped() {
	if _, top, err := j.loaded.Judged(nil); err != nil || !hasSchema(top) {
		return
	}
	f := j.check.atSource(j.source, "helm", "skipSchemaValidation")
	f.Message, f.Next = "the Application has Helm skip the chart's schema, so that nothing checks the values", "remove skipSchemaValidation, unless the schema is wrong"
	j.check.add(RuleSchemaUnchecked, finding.Warning, f)
}

func hasSchema(p chart.Part) bool {
	return p.Schema != nil || slices.ContainsFunc(p.Parts, hasSchema)
}

// refuses tells whether a violation is there already without the layers above. Where that is not known, since the list was cut, or Helm
// does not get to the schemas, it is there when top, the highest layer, has nothing at its place.
func (b verdict) refuses(v schema.Violation, top *values.Document) bool {
	same := func(w schema.Violation) bool {
		if v.Choice != "" || w.Choice != "" {
			return v.Choice == w.Choice
		}
		return v.SchemaPath == w.SchemaPath && v.Path.Compare(w.Path) == 0 && slices.EqualFunc(v.Near, w.Near, func(a, b values.Path) bool { return a.Compare(b) == 0 })
	}
	if slices.ContainsFunc(b.report.Violations, same) {
		return true
	}
	if b.err == nil && b.report.More == 0 {
		return false
	}
	_, _, depth := top.Locate(v.Path)
	return depth < len(v.Path)
}

// violation tells of a violation. lowest is with how many layers it is there, -1 when all are needed.
func (j *judge) violation(v schema.Violation, top chart.Part, lowest int) {
	f := j.place(lowest, top, append(slices.Clone(v.Near), v.Path))
	f.Path, f.Message, f.Next = j.check.run.shown(v.Path), v.Message, v.Next
	advice := "correct the value, or remove it"
	switch lowest {
	case 0:
		f.Message = "the chart's own defaults are refused by its schema: " + v.Message
		advice = "set it in " + j.top().Name
	case -1:
		switch v.Keyword {
		case "required":
			advice = "set the key"
		case "additionalProperties", "false":
			advice = wrongKey
		}
		if j.check.refused == nil {
			j.check.refused = map[string]bool{}
		}
		j.check.refused[v.Path.String()] = true
	default:
		advice = "the platform computes it; until it is corrected there, override it in " + j.top().Name
	}
	if f.Next == "" || lowest >= 0 {
		f.Next = strings.TrimPrefix(f.Next+"; "+advice, "; ")
	}
	j.check.add(RuleSchema, finding.Error, f)
}

// refused tells of values that Helm refuses before it comes to schemas.
func (j *judge) refused(err error, lowest int) {
	var refused *chart.RefusedError
	if !errors.As(err, &refused) {
		refused = &chart.RefusedError{}
	}
	f := j.place(lowest, chart.Part{}, []values.Path{refused.Path})
	f.Path, f.Message, f.Next = j.check.run.shown(refused.Path), refused.Error(), "write a map there"
	j.check.add(RuleSchema, finding.Error, f)
}
