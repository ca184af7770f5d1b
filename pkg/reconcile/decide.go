package reconcile

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// decision is one App in the making.
type decision struct {
	App
	*planner
	id      app.ID
	release release.Release
	file    *applicationFile // nil when the repo has none
}

// decide makes the part of the plan that is about one release. It leaves no action for one that is off and has no Application file. It
// returns an error only when the repo cannot be read.
func (d *decision) decide() error {
	reason, excluded := d.in.Config.Excluded(d.id)
	switch {
	case isOperator(d.id):
		return nil
	case excluded:
		d.Action, d.Reason = Skipped, "excluded by "+layout.ConfigFile+": "+reason
		return nil
	}
	on := d.release.Present()
	if d.gateDiffers(on) {
		return nil
	}
	if on && strings.HasPrefix(d.release.Chart, chartsPrefix) && (!fs.ValidPath(d.chartPath()) || d.chartPath() == ".") {
		d.block(ruleCharts, fmt.Sprintf("the registry names the chart %q, which is no folder of the charts' repo", d.release.Chart), "have helmfile compute the registry anew")
		return nil
	}
	switch {
	case on && d.file == nil:
		return d.come()
	case on:
		return d.keep()
	case d.file != nil:
		return d.remove()
	}
	return nil
}

// come writes the files of an app that is on and has no Application file. Its value files tell that it was moved before. Without them
// it can be one that was never moved, whose custom values would be lost: that has to be known.
func (d *decision) come() error {
	_, known, err := d.in.Repo.ReadFile(layout.CustomFile(d.id))
	if err != nil {
		return fmt.Errorf("read %s: %w", layout.CustomFile(d.id), err)
	}
	accepted := d.options.AcceptAll || slices.Contains(d.options.Accept, d.id)
	switch {
	case d.in.Live[d.id] && !known:
		d.Action, d.Reason = Skipped, "it is live and not moved yet"
		d.add(finding.Finding{Rule: ruleNew, Severity: finding.Warning, Message: "the app is live, and was not moved to git yet", Next: "kubectl apl migrate " + d.id.String()})
		return nil
	case !known && !accepted && d.in.Live == nil:
		d.Action, d.Reason = Skipped, "it is not in git: it is new, or not moved yet"
		d.add(finding.Finding{Rule: ruleNew, Severity: finding.Warning, Message: "the app is on and has no files here: it is new, or was not moved yet",
			Next: "move it with kubectl apl migrate " + d.id.String() + ", which keeps its custom values; if it is new, --accept-new=" + d.id.String()})
		return nil
	}
	d.Action, d.Reason = Add, "it is on"
	if taken, err := d.taken(); taken || err != nil {
		return err
	}
	if !strings.HasPrefix(d.release.Chart, chartsPrefix) || d.charts == "" || d.form.ValuesRepoURL == "" || d.form.ValuesRevision == "" || d.plan.Version == "" {
		d.block(ruleCharts, "it is not known what its Application is to refer to: the charts' repo and version, and the values repo; no Application file here tells",
			"say it with --charts-repo-url, --revision, --values-repo-url and --values-revision")
		return nil
	}
	form := d.form
	form.ID = d.id
	object, _, err := argocd.Made(d.id, d.charts, d.chartPath(), d.plan.Version).Build(form)
	if err != nil {
		d.block(ruleOtherFile, err.Error(), "")
		return nil
	}
	text, err := values.Marshal(object)
	if err != nil {
		return fmt.Errorf("write the Application of %s: %w", d.id, err)
	}
	if err := d.values(); err != nil {
		return err
	}
	d.write(layout.ApplicationFile(d.id), nil, text, "")
	return nil
}

// chartsPrefix is how the registry names the folder of a chart, relative to the helmfile.
const chartsPrefix = "../"

func (d *decision) chartPath() string { return strings.TrimPrefix(d.release.Chart, chartsPrefix) }

// keep brings the files of an app up to date.
func (d *decision) keep() error {
	d.Action, d.Reason = Same, "its files are up to date"
	if d.file.application == nil {
		d.block(ruleOtherFile, "its Application file cannot be read", "correct "+d.file.path)
		return nil
	}
	if d.clash() {
		return nil
	}
	if err := d.values(); err != nil {
		return err
	}
	return d.chart()
}

// chart lets the Application file follow the platform's version, as the operator does. A chart from elsewhere is a person's choice.
func (d *decision) chart() error {
	source, err := d.file.application.ChartSource()
	if err != nil {
		d.block(ruleOtherFile, err.Error(), "correct "+d.file.path)
		return nil
	}
	if d.plan.Version == "" || source.Path == "" || source.RepoURL != d.charts || !strings.HasPrefix(d.release.Chart, chartsPrefix) {
		return d.change(d.file.text)
	}
	text, anew, err := argocd.WithChart(d.file.text, d.chartPath(), d.plan.Version)
	if err != nil {
		d.block(ruleOtherFile, err.Error(), "correct "+d.file.path)
		return nil
	}
	if source.TargetRevision != d.plan.Version {
		d.inputs = append(d.inputs, valuefile.Inputs{Version: source.TargetRevision}.Changed(valuefile.Inputs{Version: d.plan.Version})...)
	}
	if anew {
		d.add(finding.Finding{Rule: ruleOtherFile, Severity: finding.Warning, File: d.file.path, Message: "the file is written anew: its comments are lost"})
	}
	if err := d.change(text); err != nil {
		return err
	}
	return d.leftChart()
}

// change writes an Application file whose text is to be another, or that was never committed. What a person has not committed yet
// of a file that is there is theirs to commit.
func (d *decision) change(text []byte) error {
	committed, err := d.inHead(d.file.path)
	if err != nil {
		return err
	}
	if !committed {
		d.search(d.file.path, text)
	}
	switch {
	case !bytes.Equal(d.file.text, text):
		d.write(d.file.path, d.file.text, text, otherChart)
	case !committed:
		d.write(d.file.path, d.file.text, text, uncommitted)
	}
	return nil
}

// inHead tells whether HEAD has a file; that counts only where a commit is wanted.
func (d *decision) inHead(path string) (bool, error) {
	if d.options.WorkTree {
		return true, nil
	}
	_, found, err := d.in.Repo.HeadFile(path)
	if err != nil {
		return false, fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	return found, nil
}

// remove takes the Application file of an app that is off. Argo CD deletes an Application whose file goes, with all that it runs, unless
// it is protected; and what stands below the Application in the file would go too.
func (d *decision) remove() error {
	d.Action, d.Reason = Remove, "it is off"
	if d.file.application == nil {
		d.block(ruleOtherFile, "its Application file cannot be read", "correct "+d.file.path)
		return nil
	}
	if !d.file.application.Protected() {
		d.block(ruleRemoved, "it is off, and its Application is not protected: with the file, Argo CD would delete the Application and all that it runs",
			fmt.Sprintf("set the annotation %s: %s in %s, and have it synced; then run this again", argocd.SyncOptionsAnnotation, d.file.application.Protection(), d.file.path))
		return nil
	}
	if holdsMore(d.file.text) {
		d.block(ruleOtherFile, "it is off, and its Application file holds more than the Application, which would go too", "move the rest of "+d.file.path+" to files of its own")
		return nil
	}
	if d.in.Gate != nil {
		if on, known, why := d.in.Gate(d.id); known && !on {
			d.Reason = "it is off: " + why
		}
	}
	d.changes = append(d.changes, gitrepo.Change{Path: layout.ApplicationFile(d.id), Delete: true})
	d.Files = append(d.Files, File{Path: layout.ApplicationFile(d.id), Change: DeleteFile})
	d.add(finding.Finding{Rule: ruleRemoved, Severity: finding.Info, File: layout.ApplicationFile(d.id),
		Message: "its Application is protected against pruning, and so stays in the cluster; its value files stay here",
		Next:    "once the commit is synced: kubectl apl remove " + d.id.String()})
	return nil
}

// write notes a file that changes.
func (d *decision) write(path string, there, data []byte, reason string) {
	change := UpdateFile
	if there == nil {
		change = CreateFile
	}
	d.changes = append(d.changes, gitrepo.Change{Path: path, Data: data})
	d.Files = append(d.Files, File{Path: path, Change: change})
	if d.Action == Same {
		d.Action, d.Reason = Update, reason
	}
}

func (d *decision) block(rule, message, next string) {
	d.add(finding.Finding{Rule: rule, Severity: finding.Error, Message: message, Next: next})
}

// add records a finding; one of severity error blocks, and nothing of a blocked app is written.
func (d *decision) add(f finding.Finding) {
	f.App = d.App.App
	d.Findings = append(d.Findings, f)
	if f.Severity == finding.Error && d.Action != Blocked {
		d.Action, d.Reason = Blocked, strings.TrimPrefix(f.Path+": ", ": ")+f.Message
	}
}
