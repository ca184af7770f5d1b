package migrate

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// supersede returns what a way back needs of the Application that is about to be moved.
func (d *decision) supersede(managed, custom []byte) backup.Entry {
	files := map[string]string{}
	for path, data := range map[string][]byte{layout.ManagedFile(d.id): managed, layout.CustomFile(d.id): custom} {
		files[path] = backup.Digest(path, data)
	}
	return backup.Entry{Application: d.source, Record: &backup.Record{
		UID: d.source.UID(), SourceOwners: d.source.SourceOwners(), TrackedBy: d.source.TrackedBy(), RootApp: d.options.RootApp, Files: files,
	}}
}

// Superseded returns the Applications, as they are, that take another form once the plan is carried out and pushed. They hold
// live values.
func (p *Plan) Superseded() []backup.Entry {
	var entries []backup.Entry
	for i := range p.Apps {
		if p.Apps[i].Action == Migrate {
			entries = append(entries, p.Apps[i].backup)
		}
	}
	return entries
}

// back says how to go back.
func (p *Plan) back() []string {
	for i := range p.Apps {
		if p.Apps[i].Action == Migrate {
			return []string{
				"before the push: drop the commit; nothing in the cluster knows of it",
				"after it: kubectl apl rollback -f BACKUP, which puts the Applications back as they were; a revert alone deletes nothing, and puts nothing back",
			}
		}
	}
	return []string{}
}
