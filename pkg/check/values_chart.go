package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// chart puts the app's values to its chart. Nothing is done where charts are left out, and where no single chart can be told: the rules
// about Applications say why.
func (c *valueCheck) chart(ctx context.Context, managed, custom *values.Document) {
	if c.run.in.Charts == nil || c.unit.application == nil || c.unit.application.app == nil {
		return
	}
	source, err := c.unit.application.app.ChartSource()
	if err != nil {
		return
	}
	loaded, err := c.run.in.Charts.Chart(ctx, chartAt(source))
	if err != nil {
		if ctx.Err() == nil {
			c.noChart(source, err)
		}
		return
	}
	if !c.unit.managed || !c.unit.custom {
		return // without both, Argo CD fails; what one of them brings is not to be blamed for it
	}
	j := &judge{check: c, source: source, loaded: loaded, layers: []*values.Document{managed, custom}}
	j.judge()
	if c.run.options.StrictKeys && len(custom.Values) > 0 {
		c.unknownKeys(loaded, custom)
	}
}

func chartAt(s argocd.Source) chart.Source {
	return chart.Source{RepoURL: s.RepoURL, Path: s.Path, Chart: s.Chart, Revision: s.TargetRevision}
}

// loadCharts loads the charts of apps, each once, so that apps which share one do not wait for each other. What is wrong with one is told of
// its apps.
func (r *run) loadCharts(ctx context.Context, units []*unit) error {
	if r.in.Charts == nil {
		return nil
	}
	var sources []chart.Source
	seen := map[chart.Source]bool{}
	for _, u := range units {
		if u.application == nil || u.application.app == nil {
			continue
		}
		source, err := u.application.app.ChartSource()
		if at := chartAt(source); err == nil && !seen[at] {
			seen[at] = true
			sources = append(sources, at)
		}
	}
	return r.each(ctx, len(sources), func(ctx context.Context, i int) []finding.Finding {
		if loaded, err := r.in.Charts.Chart(ctx, sources[i]); err == nil && !loaded.Unjudged(nil) {
			if values, top, err := loaded.Judged(nil); err == nil {
				r.in.Schemas.ForChart(withSchemas(top), values) // which compiles the schemas
			}
		}
		return nil
	})
}

// noChart tells that the chart is not at hand: nothing is known of the app's values then (DESIGN 7).
func (c *valueCheck) noChart(source argocd.Source, err error) {
	f := c.atChart(source)
	f.Message = err.Error()
	switch {
	case errors.Is(err, chart.ErrOffline):
		f.Next = "name the checkout that has it with --charts, or let --fetch get it"
	case errors.Is(err, chart.ErrUnreachable):
		f.Next = "see that this machine can reach it, or say where charts are with --charts"
	case errors.Is(err, chart.ErrNotFound):
		f.Next = "correct the Application's source; see whether --charts is the checkout that source.path is relative to"
	default:
		f.Next = "correct the chart"
	}
	c.add(RuleChart, finding.Error, f)
}

// atChart returns a finding at the line of the Application that names the chart.
func (c *valueCheck) atChart(source argocd.Source) finding.Finding {
	key := "path"
	if source.Chart != "" {
		key = "chart"
	}
	return c.atSource(source, key)
}

// atSource returns a finding at keys of a source of the Application.
func (c *valueCheck) atSource(source argocd.Source, keys ...string) finding.Finding {
	a := c.unit.application
	path := values.Path{}.Key("spec").Key("source")
	var index int
	if _, err := fmt.Sscanf(source.At, "spec.sources[%d]", &index); err == nil {
		path = values.Path{}.Key("spec").Key("sources").Index(index)
	}
	for _, key := range keys {
		path = path.Key(key)
	}
	f := finding.Finding{File: a.path, Path: path.String()}
	if a.doc != nil {
		f.Line, f.Column = a.doc.Position(path)
	}
	return f
}

// schemas tells what is to be known of the chart's schemas.
func (c *valueCheck) schemas(source argocd.Source, report schema.ChartReport) {
	for _, e := range report.Errors {
		f := c.atChart(source)
		f.Message, f.Next = e.Error(), e.Next
		c.add(RuleSchemaUnusable, finding.Error, f)
	}
	for _, w := range report.Warnings {
		f := c.atChart(source)
		f.Message, f.Next = w, "the chart's maintainers can put what is referred to into the schema itself"
		c.add(RuleSchemaUnchecked, finding.Warning, f)
	}
	if report.Schemas == 0 && len(report.Errors) == 0 {
		f := c.atChart(source)
		f.Path, f.Message = "", "the chart has no schema, so that nothing checks its values" // all apps' are told in one line
		c.add(RuleSchemaMissing, finding.Info, f)
	}
}
