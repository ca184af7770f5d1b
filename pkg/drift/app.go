package drift

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// user is an app's values, as both charts take them.
type user struct {
	*comparison
	app             App
	managed, custom *values.Document
	was, is         judged // both files, by both charts
	findings        []finding.Finding
	refused         []values.Path // what custom-breaks is about
}

// app looks at what the upgrade does to the files of an app.
func (c *comparison) app(a App) AppReport {
	u := &user{comparison: c, app: a}
	if u.read() {
		u.judge()
		u.effects()
	}
	sortFindings(u.findings)
	return AppReport{App: a.ID.String(), Findings: append([]finding.Finding{}, u.findings...)}
}

func (u *user) add(f finding.Finding) {
	f.App = u.app.ID.String()
	u.findings = append(u.findings, f)
}

// read reads both files, and tells whether they could be read.
func (u *user) read() bool {
	ok := true
	for _, layer := range []struct {
		file File
		into **values.Document
	}{{u.app.Managed, &u.managed}, {u.app.Custom, &u.custom}} {
		doc, err := values.Parse(layer.file.Path, layer.file.Data)
		var placed *values.Error
		if errors.As(err, &placed) {
			u.add(finding.Finding{Rule: "values-parse", Severity: finding.Error, File: layer.file.Path, Line: placed.Line, Column: placed.Column,
				Message: placed.Message, Next: "correct the file"})
		}
		if err != nil {
			ok = false
			continue
		}
		*layer.into = doc
	}
	return ok
}

// judged is what a chart makes of values.
type judged struct {
	tree   map[string]any
	report schema.ChartReport
	err    error
}

func (c *comparison) by(f *face, supplied map[string]any) judged {
	tree, part, err := f.source.Chart.Judged(supplied)
	if err != nil {
		return judged{err: err}
	}
	return judged{tree: tree, report: c.in.Schemas.ForChart(schemaChart(part), tree)}
}

func schemaChart(s chart.Part) schema.Chart {
	out := schema.Chart{Name: s.Name, Schema: s.Schema}
	for _, sub := range s.Parts {
		out.Subcharts = append(out.Subcharts, schemaChart(sub))
	}
	return out
}

// judge puts the values to both charts, and tells what the new one alone refuses, against the layer that brings it.
func (u *user) judge() {
	supplied := values.Merge(u.managed.Values, u.custom.Values)
	u.was, u.is = u.by(u.before, supplied), u.by(u.after, supplied)
	before, after := u.was, u.is
	if after.err != nil {
		if before.err == nil {
			u.unmergeable(after.err)
		}
		return
	}
	for _, e := range after.report.Errors {
		u.comparison.add(u.after.unusable(e.Name, e))
	}
	managed, alone := u.by(u.after, u.managed.Values), u.by(u.after, nil)
	for _, v := range after.report.Violations {
		if has(before.report.Violations, v) {
			continue
		}
		switch missing := v.Keyword == "required"; { // which whoever has custom values can set
		case !missing && has(alone.report.Violations, v):
			// The chart refuses itself, and that is told.
		case !missing && has(managed.report.Violations, v):
			u.violation("managed-breaks", finding.Warning, u.managed, v, "the platform computes it: kubectl apl reconcile writes it anew for the new version")
		default:
			u.refused = append(u.refused, v.Path)
			u.violation("custom-breaks", finding.Error, u.custom, v, "change it before the chart is upgraded")
		}
	}
	if more := after.report.More; more > before.report.More {
		u.add(finding.Finding{Rule: "custom-breaks", Severity: finding.Error, File: u.app.Custom.Path,
			Message: fmt.Sprintf("the new chart refuses the values in %d more places, or more", more), Next: "solve those that are listed first"})
	}
}

// unmergeable tells that the new chart cannot take the values at all: they have something else than a map for a subchart.
func (u *user) unmergeable(err error) {
	f := finding.Finding{Rule: "custom-breaks", Severity: finding.Error, File: u.app.Custom.Path,
		Message: "the new chart cannot take the values: " + err.Error(), Next: "correct what is named before the chart is upgraded"}
	var refused *chart.RefusedError
	if errors.As(err, &refused) && len(refused.Path) > 0 {
		f.Message = "the new chart cannot take the values: " + refused.Error()
		u.place(&f, u.custom, refused.Path)
		u.refused = append(u.refused, refused.Path)
	}
	u.add(f)
}

// has tells whether a violation is one of a list.
func has(list []schema.Violation, v schema.Violation) bool {
	return slices.ContainsFunc(list, func(w schema.Violation) bool {
		return v.Keyword == w.Keyword && v.Message == w.Message && v.Path.Compare(w.Path) == 0
	})
}

func (u *user) violation(rule string, severity finding.Severity, in *values.Document, v schema.Violation, next string) {
	f := finding.Finding{Severity: severity, Message: "the new chart refuses it: " + v.Message, Next: next}
	f.Rule = rule
	if v.Next != "" {
		f.Next = v.Next + "; " + next
	}
	u.place(&f, in, v.Path)
	u.add(f)
}

// place says where in a document a path stands.
func (u *user) place(f *finding.Finding, in *values.Document, path values.Path) {
	f.File, f.Path = in.Name, u.after.shown(path)
	f.Line, f.Column = in.Position(path)
}
