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

func (u *user) by(f *face, supplied map[string]any) judged {
	tree, part, err := f.source.Chart.Judged(supplied)
	if err != nil {
		return judged{err: err}
	}
	return judged{tree: tree, report: u.in.Schemas.ForChart(schemaChart(part), tree)}
}

func schemaChart(part chart.Part) schema.Chart {
	out := schema.Chart{Name: part.Name, Schema: part.Schema}
	for _, sub := range part.Parts {
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
			u.add(finding.Finding{Rule: "custom-breaks", Severity: finding.Error, File: u.app.Custom.Path,
				Message: "the new chart cannot take the values: " + after.err.Error(), Next: "correct what is named before the chart is upgraded"})
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
		switch {
		case has(alone.report.Violations, v):
			u.comparison.add(finding.Finding{Rule: "chart-refuses-itself", Severity: finding.Error, File: u.in.New.Origin, Path: u.after.shown(v.Path),
				Message: "the new chart's schema refuses the chart's own values: " + v.Message, Next: "tell the chart's maintainers, or set the value"})
		case has(managed.report.Violations, v):
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
