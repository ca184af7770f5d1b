package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// decide makes the part of the plan that is about one Application. It returns an error only when the repo cannot be
// read, or the cluster no longer answers.
func (p *planner) decide(ctx context.Context, a *argocd.Application) (*decision, error) {
	id, idErr := a.ID()
	d := &decision{planner: p, source: a, noted: map[string]bool{}, App: App{
		Application: a.Name(),
		Custom:      []string{}, Introduced: []Introduced{}, Findings: []finding.Finding{}, Files: []File{},
	}}
	if class, _ := a.Class(); idErr == nil && (class == argocd.Platform || class == argocd.Team) {
		d.App.App, d.id = id.String(), id
		r, _ := p.in.Registry.Get(id)
		d.chartRelease = class == argocd.Platform && !r.Artifacts()
	}
	if reason := p.passOver(a, id, idErr); reason != "" {
		d.Action, d.Reason = Skipped, reason
		if p.named[a] {
			d.block("not-movable", "it is named on the command line, and not to be moved: "+reason, "leave it out of the command line, or change what says so")
		}
		return d, nil
	}
	if idErr != nil {
		d.block("application-identity", idErr.Error(), "correct the live Application")
		return d, nil
	}
	err := d.run(ctx)
	slices.SortFunc(d.Findings, finding.Compare)
	return d, err
}

// decision is one App in the making. Each stage may block; the first stages that do end it, the later ones collect.
type decision struct {
	App
	*planner
	source *argocd.Application

	live, managed *values.Document
	diff          *values.Diff
	files         *valueFiles // as they will be, once they are decided
	kept          []byte      // a custom file that says something else, and is not overwritten

	loaded    *chart.Chart    // the app's chart, once it was needed
	overrides bool            // files beside the chart were looked for
	noted     map[string]bool // what was said of charts
}

// block records why the app cannot be moved. The first reason is the one that the table shows.
func (d *decision) block(rule, message, next string) {
	d.add(finding.Finding{Rule: rule, Severity: finding.Error, Message: message, Next: next})
}

// add records a finding; one of severity error blocks.
func (d *decision) add(f finding.Finding) {
	f.App = d.App.App
	d.Findings = append(d.Findings, f)
	if f.Severity == finding.Error && d.Action != Blocked {
		d.Action, d.Reason = Blocked, strings.TrimPrefix(f.Path+": ", ": ")+f.Message
	}
}

func (d *decision) blocked() bool { return d.Action == Blocked }

// run is the flow of one app: may it move, live values, managed values, split, files.
func (d *decision) run(ctx context.Context) error {
	d.admit()
	if d.blocked() {
		return nil
	}
	form := d.form
	form.ID = d.id
	if d.source.Moved(form) {
		d.Action, d.Reason = Unchanged, "the live Application reads its values from git already"
		for _, f := range d.source.LiveValues().Warnings {
			d.add(f) // a spec.source that was left behind, with what was inline
		}
		return d.wantFiles()
	}
	d.checkRevisions()
	if err := d.readLive(ctx); err != nil {
		return err
	}
	d.readManaged()
	d.findChart(ctx)
	if d.live == nil || d.managed == nil {
		return nil
	}
	d.split(ctx)
	if d.options.Verify == VerifyManifests {
		d.needChart(ctx)
	}
	return d.compose(form)
}

// admit blocks Applications that are not to be written, whatever their values are.
func (d *decision) admit() {
	if owner, owned := d.source.Owner(); owned {
		d.block("application-owned", fmt.Sprintf("ApplicationSet %s owns the Application and would put its own form back", owner),
			"change the template of ApplicationSet "+owner)
	}
	if all := d.shared[d.id]; len(all) > 1 {
		d.block("identity-twice", fmt.Sprintf("%d Applications deploy %s: %s", len(all), d.id, strings.Join(all, ", ")),
			"remove all but one of them, or see whether -f names one of them twice")
	}
	if other, clash := d.clashes[d.id]; clash {
		d.block("app-name-twice", fmt.Sprintf("%s and %s have the same app name %s, and so the same Application file", d.id, other, d.id.Name()),
			"rename one of the releases")
	}
	if _, err := d.source.ChartSource(); err != nil {
		// What the app is called, and so all below, is read from the source.
		d.addLive(d.source.LiveValues())
		return
	}
	if d.source.Name() != d.id.Name() {
		d.block("application-name", fmt.Sprintf("the Application of %s is called %s; the layout needs %s", d.id, d.source.Name(), d.id.Name()),
			"an Application cannot be renamed without a new one; exclude it in "+layout.ConfigFile)
	}
	r, known := d.in.Registry.Get(d.id)
	switch {
	case !known:
		d.block("application-without-release", "the release registry has no release "+d.id.String(),
			"the platform's operator removes such an Application; see whether --releases is of this platform")
	case !r.Present():
		d.block("release-not-installed", fmt.Sprintf("release %s is not installed by the platform", d.id),
			"the platform's operator removes such an Application")
	}
}

// wantFiles warns of files that a moved Application refers to and the repo does not have, and lists what people have set in the
// custom file since.
func (d *decision) wantFiles() error {
	for _, path := range paths(d.id) {
		data, ok, err := d.in.Repo.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if !ok {
			d.add(finding.Finding{Rule: "file-missing", Severity: finding.Warning, File: path,
				Message: "the live Application is in the new form, but the repo has no such file", Next: "see whether --repo is up to date"})
			continue
		}
		d.Files = append(d.Files, File{Path: path, Change: Same})
		if path != layout.CustomFile(d.id) {
			continue
		}
		doc, err := values.Parse(path, data)
		if err != nil {
			d.add(finding.Finding{Rule: "values-parse", Severity: finding.Warning, Message: err.Error(), Next: "correct it: Argo CD cannot render the app"})
			continue
		}
		d.listCustom(doc)
	}
	return nil
}

func paths(id app.ID) []string {
	return []string{layout.ManagedFile(id), layout.CustomFile(id), layout.ApplicationFile(id)}
}

// readManaged reads what the platform computes.
func (d *decision) readManaged() {
	data, name, err := d.in.Managed.Read(d.id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.block("managed-missing", "there are no managed values: no file "+name, "write them with helmfile write-values, or see whether --managed is the right folder")
		return
	case err != nil:
		d.block("managed-unreadable", err.Error(), "")
		return
	}
	doc, err := values.Parse(name, data)
	if err != nil {
		d.unreadable(err, "correct the platform's values of this app")
		return
	}
	if doc.MoreDocuments {
		d.block("values-parse", name+" holds more than one document; Helm 3 reads the first, Helm 4 all", "write it with one document")
		return
	}
	d.warn(doc)
	d.managed = doc
}

func (d *decision) unreadable(err error, next string) {
	f := finding.Finding{Rule: "values-parse", Severity: finding.Error, Message: err.Error(), Next: next}
	var at *values.Error
	if errors.As(err, &at) {
		f.File, f.Line, f.Column, f.Message = at.Name, at.Line, at.Column, at.Message
	}
	d.add(f)
	if d.Reason == f.Message {
		d.Reason = err.Error()
	}
}

func (d *decision) warn(doc *values.Document) {
	for _, w := range doc.Warnings {
		d.add(finding.Finding{Rule: "values-parse", Severity: finding.Warning, File: doc.Name, Line: w.Line, Column: w.Column, Message: w.Message})
	}
}

// fileState compares a file that is to be with the one that is there, in the work tree and, when a commit is wanted, in
// HEAD.
func (d *decision) fileState(path string, data []byte) (state FileChange, there []byte, err error) {
	there, found, err := d.in.Repo.ReadFile(path)
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", path, err)
	}
	committed, inHead := there, found
	if !d.options.WorkTree {
		if committed, inHead, err = d.in.Repo.HeadFile(path); err != nil {
			return "", nil, fmt.Errorf("read %s in HEAD: %w", path, err)
		}
	}
	switch {
	case !found && !inHead:
		return Create, nil, nil
	case found && inHead && sameFile(path, there, data) && sameFile(path, committed, data):
		return Same, there, nil
	case !inHead:
		return Create, there, nil
	}
	return Update, there, nil
}

// sameFile tells whether two texts of a file come to the same. Managed values that are the same are not written anew for what else the
// platform's settings say by now.
func sameFile(path string, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	place, _ := layout.Parse(path)
	if v, ok := place.(layout.Values); !ok || v.Layer != layout.Managed {
		return false
	}
	body, _, intact := valuefile.ReadManaged(a)
	other, _, otherIntact := valuefile.ReadManaged(b)
	return intact && otherIntact && bytes.Equal(body, other)
}

var _ Managed = release.Managed{}
