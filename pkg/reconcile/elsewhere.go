package reconcile

import (
	"bytes"
	"fmt"
	"path"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// readElsewhere notes where each Application stands that the folder of Argo CD's namespace holds, whatever the files are called. Argo CD
// reads them all: the same Application in two files flips between them. What cannot be read here is told of elsewhere, or by validate.
func (p *planner) readElsewhere() error {
	p.elsewhere = map[string]string{}
	paths, err := p.in.Repo.List(path.Dir(layout.ApplicationsDir))
	if err != nil {
		return err
	}
	for _, file := range paths {
		switch path.Ext(file) { // those that Argo CD reads
		case ".yaml", ".yml", ".json":
		default:
			continue
		}
		text, found, err := p.in.Repo.ReadFile(file)
		if err != nil || !found {
			continue // a symbolic link of somebody's, which is theirs to keep
		}
		_, _ = argocd.Read(file, bytes.NewReader(text), func(a *argocd.Application) error { // as above
			if _, noted := p.elsewhere[a.Name()]; !noted && (a.Namespace() == argocd.Namespace || a.Namespace() == "") {
				p.elsewhere[a.Name()] = file
			}
			return nil
		})
	}
	return nil
}

// readClashes notes which releases share their app name, and so their managed values and their Application file.
func (p *planner) readClashes() {
	var present []app.ID
	for r := range p.in.Registry.All() {
		if r.Present() {
			present = append(present, r.ID)
		}
	}
	p.clashes = map[app.ID]app.ID{}
	for _, group := range layout.SharedApplications(present) {
		for i, id := range group {
			p.clashes[id] = group[(i+1)%len(group)]
		}
	}
}

// clash blocks an app whose name another has too: nobody can tell whose the managed values are.
func (d *decision) clash() bool {
	other, clash := d.clashes[d.id]
	if clash {
		d.block("app-name-twice", fmt.Sprintf("%s and %s have the same app name %s, and so the same files", d.id, other, d.id.Name()), "rename one of the releases")
	}
	return clash
}

// taken blocks an app whose Application file is not to come: a file of somebody else's stands there, or its Application stands in
// another one.
func (d *decision) taken() (bool, error) {
	if d.clash() {
		return true, nil
	}
	own := layout.ApplicationFile(d.id)
	if file, there := d.elsewhere[d.id.Name()]; there && file != own {
		d.block(ruleOtherFile, fmt.Sprintf("its Application stands in %s, and belongs to %s", file, own), "move it there")
		return true, nil
	}
	_, there, err := d.in.Repo.ReadFile(own)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", own, err)
	}
	if there {
		d.block(ruleOtherFile, own+" is there, and holds no Application of the platform", "see whose it is: give the Application the namespace argocd and the label otomi.io/app=managed, or move the file away")
	}
	return there, nil
}

// holdsMore tells whether a file holds more than its first document, or something that only Argo CD may read.
func holdsMore(text []byte) bool {
	doc, err := values.Parse("", text)
	return err != nil || doc.MoreDocuments
}
