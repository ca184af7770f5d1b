package plugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The rules of what cannot be published.
const (
	ruleChartMissing   = "chart-missing"
	ruleSchemaBroken   = "schema-broken"
	ruleManagedEdited  = "managed-edited"
	ruleManagedUnread  = "managed-unreadable"
	ruleNotPublishable = "chart-not-publishable"
)

// publication is what is to be published, and what cannot be.
type publication struct {
	namespace string
	objects   []*corev1.ConfigMap
	rows      []catalog.Row
	findings  []finding.Finding
	kept      []string // keys of charts that could not be found
	managed   bool
}

func (p *publication) add(severity finding.Severity, rule, app, message, next string) {
	p.findings = append(p.findings, finding.Finding{Rule: rule, Severity: severity, App: app, Message: app + ": " + message, Next: next})
}

// wantedChart is a chart and the apps that use it.
type wantedChart struct {
	source chart.Source
	apps   []string
}

// sourcesOf returns the chart of each platform Application, each once.
func (p *publication) sourcesOf(apps []*argocd.Application) []*wantedChart {
	var list []*wantedChart
	byKey := map[string]*wantedChart{}
	for _, a := range apps {
		if class, _ := a.Class(); class != argocd.Platform {
			continue
		}
		id, err := a.ID()
		name := id.String()
		if err != nil {
			name = a.Name()
		}
		s, err := a.ChartSource()
		if err != nil {
			p.add(finding.Error, ruleChartMissing, name, err.Error(), "correct the Application's source")
			continue
		}
		source := chart.Source{RepoURL: s.RepoURL, Path: s.Path, Chart: s.Chart, Revision: s.TargetRevision}
		key := catalog.Key(source)
		w := byKey[key]
		if w == nil {
			w = &wantedChart{source: source}
			byKey[key], list = w, append(list, w)
		}
		w.apps = append(w.apps, name)
	}
	return list
}

// readCharts loads and encodes the charts, each by itself, so that one that fails leaves the others.
func (p *publication) readCharts(ctx context.Context, charts *loadedCharts, wanted []*wantedChart, progress func(done, of int)) error {
	schemas := schema.NewCache(nil)
	for i, w := range wanted {
		progress(i, len(wanted))
		slices.Sort(w.apps)
		loaded, err := charts.Chart(ctx, w.source)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		key := catalog.Key(w.source)
		if err != nil {
			p.kept = append(p.kept, key)
			for _, name := range w.apps {
				p.add(finding.Error, ruleChartMissing, name, err.Error(), nextForChart(err))
			}
			continue
		}
		c := catalog.Chart{Source: w.source, Interface: loaded.Interface()}
		objects, err := catalog.Encode(catalog.Input{Namespace: p.namespace, Charts: []catalog.Chart{c}})
		if err != nil {
			p.kept = append(p.kept, key)
			for _, name := range w.apps {
				p.add(finding.Error, ruleNotPublishable, name, err.Error(), "make the chart smaller, or leave the app to kubectl apl validate in CI")
			}
			continue
		}
		p.compile(schemas, w.apps[0], c.Interface.Name, c.Interface)
		p.objects = append(p.objects, objects...)
		p.rows = append(p.rows, catalog.NewRow(c, w.apps, objects))
	}
	return nil
}

func nextForChart(err error) string {
	switch {
	case errors.Is(err, chart.ErrOffline):
		return "name the checkout that has it with --charts, or let --fetch get it"
	case errors.Is(err, chart.ErrUnreachable):
		return "see that this machine can reach it, or say where charts are with --charts"
	case errors.Is(err, chart.ErrNotFound):
		return "correct the Application's source; see whether --charts is the checkout that source.path is relative to"
	}
	return "correct the chart"
}

// compile warns of schemas that cannot judge. Subcharts nest no deeper than catalog.Encode has let them.
func (p *publication) compile(schemas *schema.Cache, app, name string, i chart.Interface) {
	if i.Schema != nil {
		if _, err := schemas.Compile(name, i.Schema); err != nil {
			p.add(finding.Warning, ruleSchemaBroken, app, "the schema of chart "+name+" cannot judge values: "+err.Error(),
				"tell the chart's maintainers; the webhook does with such values what --unevaluable says")
		}
	}
	for _, sub := range i.Subcharts {
		p.compile(schemas, app, name+"/"+sub.Name, sub)
	}
}

// readManaged reads the managed values and .apl.yaml of a values repo.
func (p *publication) readManaged(ctx context.Context, dir string) error {
	tree, err := openTree(dir)
	if err != nil {
		return err
	}
	defer tree.close()
	settings, err := tree.config()
	if err != nil {
		return err
	}
	in := catalog.Input{Namespace: p.namespace}
	if in.Config, err = tree.read(layout.ConfigFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", layout.ConfigFile, err)
	}
	scanner, err := scan.New(settings, secret.New())
	if err != nil {
		return err
	}
	files, err := tree.files(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		place, ok := layout.Parse(f.Path)
		at, isValues := place.(layout.Values)
		if !ok || !isValues || f.Path != layout.ManagedFile(at.ID) {
			continue
		}
		text, err := tree.read(f.Path)
		if err != nil {
			p.refuse(at.ID.String(), f.Path, ruleManagedUnread, err.Error(), "correct the file")
			continue
		}
		if m, ok := p.managedOf(scanner, at, text); ok {
			in.Managed = append(in.Managed, m)
		}
	}
	objects, err := catalog.Encode(in)
	if err != nil {
		return err
	}
	p.objects, p.managed = append(p.objects, objects...), true
	return nil
}

// managedOf takes the body of a managed file, unless it was edited or holds what no file may.
func (p *publication) managedOf(scanner *scan.Scanner, at layout.Values, text []byte) (catalog.Managed, bool) {
	id, file := at.ID, layout.ManagedFile(at.ID)
	body, _, intact := valuefile.ReadManaged(text)
	if !intact {
		p.refuse(id.String(), file, ruleManagedEdited, "it was edited since it was written: its managed values are not published", "run kubectl apl reconcile, which writes it anew")
		return catalog.Managed{}, false
	}
	doc, err := values.Parse(file, body)
	if err != nil {
		p.refuse(id.String(), file, ruleManagedUnread, err.Error(), "run kubectl apl reconcile, which writes it anew")
		return catalog.Managed{}, false
	}
	clean := true
	for _, f := range scanner.Values(id, file, doc, 0) {
		if !scan.Accepted(f) {
			clean, p.findings = false, append(p.findings, f)
		}
	}
	return catalog.Managed{App: id, Text: body}, clean
}

func (p *publication) refuse(app, file, rule, message, next string) {
	p.findings = append(p.findings, finding.Finding{Rule: rule, Severity: finding.Error, App: app, File: file, Message: message, Next: next})
}
