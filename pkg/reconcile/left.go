package reconcile

import (
	"bytes"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// leftChart writes an Application file whose chart an earlier run has brought up to date in the work tree, and nobody committed: HEAD's
// text becomes that of the work tree by the same change.
func (d *decision) leftChart() error {
	if d.options.WorkTree || len(d.changes) > 0 && d.changes[len(d.changes)-1].Path == d.file.path {
		return nil
	}
	head, found, err := d.in.Repo.HeadFile(d.file.path)
	if err != nil {
		return fmt.Errorf("read %s in HEAD: %w", d.file.path, err)
	}
	if !found || bytes.Equal(head, d.file.text) {
		return nil
	}
	text, _, err := argocd.WithChart(head, d.chartPath(), d.plan.Version)
	if err == nil && bytes.Equal(text, d.file.text) {
		d.write(d.file.path, d.file.text, text, uncommitted)
	}
	return nil
}

// left writes managed values that an earlier run has left in the work tree, and nobody committed.
func (d *decision) left(path string, there []byte) error {
	if d.options.WorkTree {
		return nil
	}
	head, found, err := d.in.Repo.HeadFile(path)
	if err != nil {
		return fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	body, now, _ := valuefile.ReadManaged(there)
	before, was, intact := valuefile.ReadManaged(head)
	if !found || !intact || !bytes.Equal(before, body) {
		d.inputs = was.Changed(now)
		d.write(path, there, there, uncommitted)
	}
	return nil
}

// search looks for secrets in a person's file that is in no commit yet, and blocks the app where there are any, or nobody can tell.
func (d *decision) search(path string, text []byte) {
	doc, err := values.Parse(path, text)
	if err != nil {
		d.block("values-parse", err.Error(), "correct it, or commit it yourself")
		return
	}
	for _, f := range d.scanner.Values(d.id, path, doc, 0) {
		d.add(f)
	}
}
