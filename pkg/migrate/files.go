package migrate

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// compose makes the three files of the app, scans all of them for secrets, and compares them with the repo.
func (d *decision) compose(form argocd.Form) error {
	text, err := d.diff.Text()
	if err != nil {
		d.block("values-write", err.Error(), "simplify the live values where they are")
		return nil
	}
	for _, leaf := range values.Leaves(text.Values, nil) {
		if len(leaf.Path) > 0 {
			d.Custom = append(d.Custom, d.shown(leaf.Path).String())
		}
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
	application, err := applicationFile(object)
	if err != nil {
		d.block("application-write", fmt.Sprintf("Application %s: %v", d.source.Name(), err), "")
		return nil
	}
	managed, aboveManaged := managedFile(d.managed, d.platformVersion())
	custom, err := d.keepCustom(customFile(text.Bytes), text.Values)
	if err != nil {
		return err
	}
	d.scanned = true
	d.scanValues(layout.ManagedFile(d.id), d.managed, aboveManaged)
	if doc, err := values.Parse(layout.CustomFile(d.id), custom); err == nil { // both kinds have been read already
		d.scanValues(layout.CustomFile(d.id), doc, 0)
	}
	d.report(d.detector.Scan(object), func(h secret.Hit, f *finding.Finding) { f.File = layout.ApplicationFile(d.id) })
	return d.place(managed, custom, application, text.Values)
}

// platformVersion is the version that the charts come from: that of the live Application, as the operator sets it.
func (d *decision) platformVersion() string {
	if source, err := d.source.ChartSource(); err == nil && source.Path != "" && source.TargetRevision != "" {
		return source.TargetRevision
	}
	return d.platform
}

// scanValues looks for secrets in a value file: in its values, in its comments, and in what Helm does not read.
func (d *decision) scanValues(file string, doc *values.Document, above int) {
	hits := d.detector.Scan(doc.Values)
	d.report(hits, func(h secret.Hit, f *finding.Finding) {
		f.File = file
		if line, column := doc.Position(h.Path); line > 0 {
			f.Line, f.Column = line+above, column
		}
	})
	doc.Comments(func(line int, comment string) {
		d.report(d.detector.ScanText(comment), func(_ secret.Hit, f *finding.Finding) {
			f.File, f.Line, f.Column = file, line+above, 1
			f.Message = "in a comment: " + f.Message
		})
	})
	if len(doc.Warnings) == 0 {
		return
	}
	d.report(unread(d.detector.Scan(doc.Text()), hits), func(_ secret.Hit, f *finding.Finding) {
		f.File = file
		f.Message = "in text that Helm does not read: " + f.Message
	})
}

// unread returns the hits of a whole text that are not among those of its values. Duplicate keys and further documents
// hide what they hold from Helm, not from whoever reads the repo.
func unread(whole, read []secret.Hit) []secret.Hit {
	var out []secret.Hit
	for _, h := range whole {
		h.Path, h.Inside = h.Inside, nil
		if !slices.ContainsFunc(read, func(other secret.Hit) bool { return other.Rule == h.Rule && other.Place() == h.Place() }) {
			out = append(out, h)
		}
	}
	return out
}

// report adds what was found, less what .apl.yaml excepts.
func (d *decision) report(hits []secret.Hit, place func(secret.Hit, *finding.Finding)) {
	open, used := secret.Filter(d.App.App, hits, d.exceptions)
	for i := range used {
		d.used[i] = d.used[i] || used[i]
	}
	for _, h := range open {
		f := h.Finding()
		place(h, &f)
		d.add(f)
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
		if path == layout.ManagedFile(d.id) && there != nil && editedByHand(there) {
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
	}
	return nil
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
	if values.Equal(doc.Values, want) {
		return there, nil
	}
	d.add(finding.Finding{Rule: "custom-differs", Severity: finding.Error, File: path,
		Message: "the file differs from what the live values ask for, and is not overwritten: " + d.join(values.Differences(doc.Values, want, maxEffects)),
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
	return err == nil && values.Equal(doc.Values, want), nil
}

func (d *decision) describe() string {
	reason := "all values are managed"
	if n := len(d.Custom); n > 0 {
		reason = count(n, "custom value")
	}
	if n := len(d.Introduced); n > 0 {
		reason += fmt.Sprintf(", %s introduced (%s)", count(n, "key"), d.Introduced[0].Effect)
	}
	return reason
}
