package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// compose makes the three files of the app, scans all of them for secrets, and compares them with the repo.
func (d *decision) compose(form argocd.Form) error {
	text, err := d.diff.Text()
	if err != nil {
		d.block("values-write", err.Error(), "simplify the live values where they are")
		return nil
	}
	if text.Rewritten {
		d.add(finding.Finding{Rule: "values-rewritten", Severity: finding.Warning, File: layout.CustomFile(d.id),
			Message: "comments and the look of the live values could not be kept; what they mean is"})
	}
	object, warnings, err := d.source.Build(form)
	if err != nil {
		d.block("application-source", err.Error(), "")
		return nil
	}
	for _, f := range warnings {
		d.add(f)
	}
	application, err := values.Marshal(object)
	if err != nil {
		d.block("application-write", fmt.Sprintf("Application %s: %v", d.source.Name(), err), "")
		return nil
	}
	managed, aboveManaged := valuefile.Managed([]byte(d.managed.Text()), d.inputs())
	custom, err := d.keepCustom(valuefile.Custom(text.Bytes), text.Values)
	if err != nil {
		return err
	}
	doc := d.readBack(managed, custom)
	if doc == nil {
		return nil
	}
	d.files = &valueFiles{managed, custom}
	if d.kept != nil {
		d.files.custom = d.kept // what it says is what the proof is about
	}
	d.checkRepoURLs(object)
	d.scanned = true
	d.addSecrets(d.scanner.Values(d.id, layout.ManagedFile(d.id), d.managed, aboveManaged))
	d.listCustom(doc)
	d.addSecrets(d.scanner.Values(d.id, layout.CustomFile(d.id), doc, 0))
	d.addSecrets(d.scanner.Object(d.id, layout.ApplicationFile(d.id), object))
	return d.place(managed, custom, application, text.Values)
}

// inputs are what the managed values come from.
func (d *decision) inputs() valuefile.Inputs {
	r, _ := d.in.Registry.Get(d.id)
	return valuefile.Inputs{Version: d.platformVersion(), Settings: d.settings, Release: valuefile.Digest(r.Entry())}
}

// platformVersion is the version that the charts come from: that of the live Application, as the operator sets it. It
// is "" when it is no name of a git revision: it goes into a comment, which a line break would end.
func (d *decision) platformVersion() string {
	version := d.platform
	if source, err := d.source.ChartSource(); err == nil && source.Path != "" && source.TargetRevision != "" {
		version = source.TargetRevision
	}
	version = strings.TrimSpace(version)
	if argocd.CheckRevision(version) != nil {
		return ""
	}
	return version
}

// readBack reads both value files as they are composed, and returns the custom one. It blocks the app, and returns nil,
// when the managed one does not mean what helmfile wrote, or the custom one cannot be read.
func (d *decision) readBack(managed, custom []byte) *values.Document {
	again, err := values.DecodeObject(layout.ManagedFile(d.id), managed)
	if err != nil || !values.Equal(again, d.managed.Values) {
		d.block("values-write", "the managed values do not read back the same below the header of their file", "write them anew with helmfile write-values")
		return nil
	}
	doc, err := values.Parse(layout.CustomFile(d.id), custom)
	if err != nil {
		d.block("values-write", "the custom values do not read back: "+err.Error(), "")
		return nil
	}
	return doc
}

// listCustom lists what the custom file holds, as the plan shows it.
func (d *decision) listCustom(doc *values.Document) {
	for _, leaf := range values.Leaves(doc.Values, nil) {
		if len(leaf.Path) > 0 {
			d.Custom = append(d.Custom, d.shown(leaf.Path).String())
		}
	}
}

// place compares the files with those in the repo, and says what changes.
func (d *decision) place(managed, custom, application []byte, customValues map[string]any) error {
	contents := [][]byte{managed, custom, application}
	for i, path := range paths(d.id) {
		state, there, err := d.fileState(path, contents[i])
		if err != nil {
			return err
		}
		if _, _, intact := valuefile.ReadManaged(there); path == layout.ManagedFile(d.id) && there != nil && !intact {
			d.add(finding.Finding{Rule: "managed-edited", Severity: finding.Warning, File: path,
				Message: "the file was edited by hand; it is written anew", Next: "put overrides in " + layout.CustomFile(d.id)})
		}
		if path == layout.CustomFile(d.id) && state == Update && there != nil {
			means, err := d.committedMeans(path, customValues)
			if err != nil {
				return err
			}
			if means {
				state = Same // an edit of its look is left to whoever made it
			}
		}
		if path == layout.ApplicationFile(d.id) && there != nil && state != Same {
			d.warnOfEdits(path, there, contents[i])
		}
		d.Files = append(d.Files, File{Path: path, Change: state})
		if state != Same {
			d.changes = append(d.changes, gitrepo.Change{Path: path, Data: contents[i]})
		}
	}
	switch {
	case d.blocked():
		d.changes, d.Files = nil, []File{}
	case len(d.changes) == 0:
		d.Action, d.Reason = Unchanged, "its files are up to date"
	default:
		d.Action, d.Reason = Migrate, d.describe()
		d.backup = d.supersede(managed, custom)
	}
	return nil
}

// warnOfEdits tells what an Application file in the repo says otherwise than the live Application, and so loses: an edit
// that was never rolled out looks the same as a file that is older than the cluster.
func (d *decision) warnOfEdits(path string, there, want []byte) {
	f := finding.Finding{Rule: "application-differs", Severity: finding.Warning, File: path,
		Message: "the file is written anew from the live Application", Next: "what it said is in git's history; roll it out by Argo CD before migrating again"}
	was, errWas := values.DecodeObject(path, there)
	is, errIs := values.DecodeObject(path, want)
	if errWas == nil && errIs == nil {
		differs := values.Differences(was, is, maxEffects)
		if len(differs) == 0 {
			return
		}
		if !slices.ContainsFunc(differs, func(p values.Path) bool { return p[len(p)-1].Key != "targetRevision" }) {
			f.Severity, f.Next = finding.Info, "" // the platform has another version since
		}
		f.Message += ", and differs from it at " + d.join(differs)
	}
	d.add(f)
}

// keepCustom returns the custom file that is to be: the one in the work tree when there is one that means the same, since
// it belongs to people. One that means something else blocks the app.
func (d *decision) keepCustom(custom []byte, want map[string]any) ([]byte, error) {
	path := layout.CustomFile(d.id)
	there, found, err := d.in.Repo.ReadFile(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case !found:
		return custom, nil
	}
	doc, err := values.Parse(path, there)
	if err != nil {
		d.unreadable(err, "correct the file")
		return custom, nil
	}
	if d.sameLive(doc.Values, want) {
		return there, nil
	}
	d.kept = there
	d.add(finding.Finding{Rule: "custom-differs", Severity: finding.Error, File: path,
		Message: "values.custom.yaml differs from what the live values ask for, and is not overwritten: " + d.join(values.Differences(doc.Values, want, maxEffects)),
		Next:    "roll out what it says first, or remove it, and commit that, to have it written from the live values"})
	return custom, nil
}

// committedMeans tells whether the custom file in HEAD has the meaning that is wanted.
func (d *decision) committedMeans(path string, want map[string]any) (bool, error) {
	data, found, err := d.in.Repo.HeadFile(path)
	if err != nil {
		return false, fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	if !found {
		return false, nil
	}
	doc, err := values.Parse(path, data)
	return err == nil && d.sameLive(doc.Values, want), nil
}

// sameLive tells whether two custom values come to the same over the managed ones. They need not be equal: what the
// platform has made managed since may still stand in a custom file.
func (d *decision) sameLive(a, b map[string]any) bool {
	return values.Equal(values.Merge(d.managed.Values, a), values.Merge(d.managed.Values, b))
}

func (d *decision) describe() string {
	reason := "all values are managed"
	if n := len(d.Custom); n > 0 {
		reason = finding.Count(n, "custom value")
	}
	if n := len(d.Introduced); n > 0 {
		reason += fmt.Sprintf(", %s introduced (%s)", finding.Count(n, "key"), d.Introduced[0].Effect)
	}
	return reason
}
