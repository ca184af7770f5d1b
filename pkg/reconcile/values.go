package reconcile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// values brings both value files up to date.
func (d *decision) values() error {
	data, name, err := d.in.Managed.Read(d.id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.block("managed-missing", "there are no managed values: no file "+name, "write them with helmfile write-values, or see whether --managed is the right folder")
		return nil
	case err != nil:
		d.block("managed-unreadable", err.Error(), "")
		return nil
	case len(bytes.TrimSpace(data)) == 0: // of a run that was cut off: its app would be emptied
		d.block("managed-unreadable", name+" is empty; helmfile writes {} where there are no values", "write it anew with helmfile write-values")
		return nil
	}
	doc, err := values.Parse(name, data)
	if err != nil {
		d.unreadable(err)
		return nil
	}
	if doc.MoreDocuments {
		d.block("values-parse", name+" holds more than one document; Helm 3 reads the first, Helm 4 all", "write it with one document")
		return nil
	}
	inputs := valuefile.Inputs{Version: d.plan.Version, Settings: d.settings, Release: valuefile.Digest(d.release.Entry())}
	file, above := valuefile.Managed([]byte(doc.Text()), inputs)
	for _, f := range d.scanner.Values(d.id, layout.ManagedFile(d.id), doc, above) {
		d.add(f)
	}
	if err := d.managed(doc, file, inputs); err != nil {
		return err
	}
	return d.custom()
}

// custom sees that there is a custom file, which is as people want it.
func (d *decision) custom() error {
	path := layout.CustomFile(d.id)
	there, found, err := d.in.Repo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if !found {
		d.write(path, nil, valuefile.Custom(nil), missing)
		return nil
	}
	committed, err := d.inHead(path)
	if err == nil && !committed {
		d.search(path, there)
		d.write(path, there, there, uncommitted)
	}
	return err
}

// managed writes the managed values where they are others than those in the repo.
func (d *decision) managed(doc *values.Document, file []byte, inputs valuefile.Inputs) error {
	path := layout.ManagedFile(d.id)
	there, found, err := d.in.Repo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	body, was, intact := valuefile.ReadManaged(there)
	if intact && bytes.Equal(body, []byte(doc.Text())) {
		return d.left(path, there)
	}
	if !found {
		d.write(path, nil, file, missing)
		return nil
	}
	reason := computed
	if !intact {
		reason = editedFile
		d.edited(path, body, doc)
	}
	d.inputs = was.Changed(inputs)
	d.write(path, there, file, reason)
	return nil
}

// maxLost bounds how many keys of an edit are quoted.
const maxLost = 10

// edited warns of a managed file that somebody edited, and quotes what is lost.
func (d *decision) edited(path string, body []byte, doc *values.Document) {
	f := finding.Finding{Rule: "managed-edited", Severity: finding.Warning, File: path,
		Message: "the file was edited by hand; it is written anew", Next: "put overrides in " + layout.CustomFile(d.id)}
	if was, err := values.Parse(path, body); err == nil {
		lost := values.Differences(was.Values, doc.Values, maxLost+1)
		var names []string
		for _, p := range lost[:min(len(lost), maxLost)] {
			names = append(names, d.detector.MaskPath(p).String())
		}
		if len(lost) > maxLost {
			names = append(names, "and more")
		}
		if len(names) > 0 {
			f.Message += ", and differs from what the platform computes at " + strings.Join(names, ", ")
		}
	}
	d.add(f)
}

// Why a file of an app that is kept changes. The first one of an app is its reason.
const (
	computed    = "the platform computes other values"
	editedFile  = "its managed values were edited by hand"
	missing     = "a value file is missing"
	uncommitted = "a file of it is not committed yet"
	otherChart  = "the platform has its chart at another place or version"
)

func (d *decision) unreadable(err error) {
	f := finding.Finding{Rule: "values-parse", Severity: finding.Error, Message: err.Error(), Next: "correct the platform's values of this app"}
	var at *values.Error
	if errors.As(err, &at) {
		f.File, f.Line, f.Column, f.Message = at.Name, at.Line, at.Column, at.Message
	}
	d.add(f)
}
