package migrate

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// The rules about an app's chart. None of them is ever a warning where the chart is needed: a chart that was not looked at
// says nothing (DESIGN 7).
const (
	ruleNoChart          = "chart-missing"
	ruleChartUnreadable  = "chart-unreadable"
	ruleChartUnreachable = "chart-unreachable"
	ruleChartNote        = "chart-offline"
)

// foundChart is what a source has come to, good or bad, for all apps that share it.
type foundChart struct {
	located *chart.Located
	loaded  *chart.Chart
	err     error
}

// chartSource is where an Application's chart is.
func chartSource(s argocd.Source) chart.Source {
	return chart.Source{RepoURL: s.RepoURL, Path: s.Path, Chart: s.Chart, Revision: s.TargetRevision}
}

// locate finds a source's chart, once.
func (p *planner) locate(ctx context.Context, source chart.Source) *foundChart {
	if found, ok := p.charts[source]; ok {
		return found
	}
	found := &foundChart{}
	found.located, found.err = p.in.Charts.Locate(ctx, source)
	p.charts[source] = found
	return found
}

// findChart blocks an app whose chart should be in the charts folder and is not, needed or not. Where charts come from
// their own sources, none is fetched that is not needed (ADR 0005).
func (d *decision) findChart(ctx context.Context) {
	source, err := d.source.ChartSource()
	if d.in.Charts == nil || err != nil || !d.in.Charts.Local(chartSource(source)) {
		return
	}
	found := d.locate(ctx, chartSource(source))
	if found.err != nil {
		d.noChart(found.err, true)
		return
	}
	d.checkOverrides(found.located)
}

// noChart blocks for want of a chart, which is local when it was to be in the charts folder.
func (d *decision) noChart(err error, local bool) {
	switch {
	case errors.Is(err, chart.ErrOffline):
		d.block(ruleChartUnreachable, "the chart is needed: "+err.Error(), "run once without --offline, or say where charts are with --charts")
	case errors.Is(err, chart.ErrUnreachable):
		d.block(ruleChartUnreachable, "the chart is needed: "+err.Error(), "see that this machine can reach it, or say where charts are with --charts")
	case errors.Is(err, chart.ErrNotFound) && local:
		d.block(ruleNoChart, err.Error(), "see whether --charts is the checkout that the Applications' source.path is relative to")
	case errors.Is(err, chart.ErrNotFound):
		d.block(ruleNoChart, "the chart is needed: "+err.Error(), "correct the Application's source, or say where charts are with --charts")
	default:
		d.block(ruleChartUnreadable, err.Error(), "correct the chart")
	}
}

// chartNotAtHand tells why the app's chart cannot be had, where nobody asked for more: no charts at all, or no network.
func (d *decision) chartNotAtHand(ctx context.Context) string {
	if d.in.Charts == nil {
		return "the chart is not at hand"
	}
	source, err := d.source.ChartSource()
	if err != nil {
		return "" // readLive has blocked the app
	}
	if found := d.locate(ctx, chartSource(source)); errors.Is(found.err, chart.ErrOffline) {
		return found.err.Error()
	}
	return ""
}

// chart loads the app's chart, once for all apps that share it. It blocks the app, and returns nil, when there is none.
func (d *decision) chart(ctx context.Context) *chart.Chart {
	source, err := d.source.ChartSource()
	switch {
	case err != nil:
		return nil // readLive has blocked the app
	case d.in.Charts == nil:
		d.block(ruleNoChart, "the chart is needed: it tells what changes", "say where charts are with --charts")
		return nil
	}
	found := d.locate(ctx, chartSource(source))
	if found.err == nil && found.loaded == nil {
		found.loaded, found.err = found.located.Load()
	}
	switch {
	case found.err == nil:
	case d.blockedBy(ruleNoChart), d.blockedBy(ruleChartUnreachable), d.blockedBy(ruleChartUnreadable):
		return nil // findChart has said it
	default:
		d.noChart(found.err, d.in.Charts.Local(chartSource(source)))
		return nil
	}
	d.note(found.located)
	d.checkOverrides(found.located)
	d.loaded = found.loaded
	return found.loaded
}

// needChart loads the chart for a proof that renders. Without one the app is blocked.
func (d *decision) needChart(ctx context.Context) {
	if d.loaded == nil {
		d.chart(ctx)
	}
}
