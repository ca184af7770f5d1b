package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// readFiles reads the value files of the Application, the lowest first. It blocks the app, and returns false, where one of
// them is not what Argo CD renders with beyond doubt.
func (d *decision) readFiles(ctx context.Context, files []argocd.ValueFile) (layers []*values.Document, ok bool) {
	for _, f := range files {
		doc, from, err := d.readFile(ctx, f)
		switch {
		case errors.Is(err, fs.ErrNotExist) && f.Optional:
			d.atFile(f, finding.Warning, "value file "+f.Path+" is missing "+from+", which the Application tolerates: nothing of it is live", "")
			continue
		case errors.Is(err, fs.ErrNotExist):
			d.atFile(f, finding.Error, "value file "+f.Path+" is missing "+from+": Argo CD renders nothing, and what runs is older than the Application",
				"correct the entry, and see that the Application syncs")
			return nil, false
		case err != nil:
			d.atFile(f, finding.Error, "value file "+f.Path+" cannot be read: "+err.Error(), "see that it can be, or move its content into helm.values")
			return nil, false
		}
		d.warn(doc)
		d.atFile(f, finding.Warning, "value file "+f.Path+" is folded in as it is "+from+"; it is not followed any more, and comments of it can be gone", "")
		layers = append(layers, doc)
	}
	return layers, true
}

func (d *decision) atFile(f argocd.ValueFile, severity finding.Severity, message, next string) {
	d.add(finding.Finding{Rule: argocd.RuleValueFiles, Severity: severity, File: d.source.File, Line: d.source.Line, Path: f.At, Message: message, Next: next})
}

// readFile reads a value file, and says where it is. The error wraps fs.ErrNotExist only where the file is known to be
// missing.
func (d *decision) readFile(ctx context.Context, f argocd.ValueFile) (doc *values.Document, from string, err error) {
	data, from, err := d.fileText(ctx, f)
	if err != nil {
		return nil, from, err
	}
	doc, err = values.Parse(f.Path, data)
	return doc, from, err
}

func (d *decision) fileText(ctx context.Context, f argocd.ValueFile) (data []byte, from string, err error) {
	own, err := d.source.ChartSource()
	if err != nil {
		return nil, "", err
	}
	place := chartSource(f.Source)
	switch {
	case d.inValuesRepo(f.Source):
		data, found, err := d.in.Repo.HeadFile(f.Path)
		if err == nil && !found {
			err = fs.ErrNotExist
		}
		return data, "in the values repo, at HEAD", err
	case d.in.Charts == nil:
		return nil, "", errors.New("its repo is not at hand; say where charts are with --charts")
	case f.Source.At == own.At:
		return d.besideChart(ctx, place, f.Path)
	}
	repo, err := d.in.Charts.Repo(ctx, place)
	if err != nil {
		return nil, "", err
	}
	d.note(repo)
	data, err = repo.ReadFile("/" + f.Path)
	return data, "in " + repo.Origin(), err
}

// inValuesRepo tells whether a source is the values repo at the revision that written Applications refer to, which is what is
// planned on here.
func (d *decision) inValuesRepo(s argocd.Source) bool {
	return s.Chart == "" && argocd.SameRepo(s.RepoURL, d.form.ValuesRepoURL) && argocd.SameRevision(s.TargetRevision, d.form.ValuesRevision)
}

// besideChart reads a file of the repo or archive that the chart is in.
func (d *decision) besideChart(ctx context.Context, source chart.Source, file string) (data []byte, from string, err error) {
	found := d.locate(ctx, source)
	if found.err != nil {
		return nil, "", found.err
	}
	d.note(found.located)
	d.checkOverrides(found.located)
	from = "beside " + found.located.Origin()
	folder := path.Clean(source.Path)
	if source.Chart != "" {
		folder = "."
	}
	name, inside := strings.CutPrefix(file, folder+"/")
	partial := found.located.StandsIn(source)
	switch {
	case folder == ".", inside:
		data, err = found.located.ReadFile(name)
	case partial:
		err = fs.ErrNotExist
	default:
		data, err = found.located.ReadFile("/" + file)
		partial = d.in.Charts.Local(source) // the folder of --charts need not be the whole repo
	}
	if partial && errors.Is(err, fs.ErrNotExist) {
		err = errors.New("it is not in what --charts names, which need not be all of the repo; name a checkout of the whole")
	}
	return data, from, err
}

// note warns of what is to be known of a chart or repo that was read.
func (d *decision) note(l *chart.Located) {
	if note := l.Note(); note != "" && !d.noted[note] {
		d.noted[note] = true
		d.add(finding.Finding{Rule: ruleChartNote, Severity: finding.Warning, Message: note})
	}
}

// checkOverrides blocks an app whose chart has a file beside it that Argo CD merges over the Application's source: parameters
// that image updaters write to git, mostly. It is called once the chart is at hand; where it never is, nobody can tell.
func (d *decision) checkOverrides(l *chart.Located) {
	if d.overrides {
		return
	}
	d.overrides = true
	for _, name := range d.source.OverrideFiles() {
		if _, err := l.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			d.block(argocd.RuleSource, "Argo CD merges "+name+", beside the chart, over the Application's source, which is not folded in",
				"move what it says into the Application, and remove the file")
		}
	}
}

// checkRevisions blocks an app whose chart is in the values repo at another revision: Argo CD takes one revision of a repo in
// an Application.
func (d *decision) checkRevisions() {
	source, err := d.source.ChartSource()
	if err != nil || source.Path == "" || !argocd.SameRepo(source.RepoURL, d.form.ValuesRepoURL) || d.inValuesRepo(source) {
		return
	}
	d.block("values-repo-revision", fmt.Sprintf("the chart is in the values repo too, at %s where value files are read at %s, and Argo CD refuses two revisions of one repo",
		revisionOf(source), d.form.ValuesRevision), "name the same revision in the Application, or by --values-revision")
}

func revisionOf(s argocd.Source) string {
	if s.TargetRevision == "" {
		return "HEAD"
	}
	return s.TargetRevision
}
