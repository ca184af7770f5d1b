package check

import (
	"context"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkManifests checks the files of objects: each by itself, where its objects belong, and that no two of them hold one object. Files that
// are not selected are read for what they hold.
func (r *run) checkManifests(ctx context.Context) error {
	files := make([]*manifest, len(r.manifests)+len(r.applications))
	if err := r.each(ctx, len(files), func(_ context.Context, i int) []finding.Finding {
		if i < len(r.manifests) {
			files[i] = r.readManifest(r.manifests[i])
		} else {
			files[i] = r.readApplication(r.applications[i-len(r.manifests)])
		}
		if !r.selected.touches(files[i].path) {
			return nil
		}
		return files[i].findings
	}); err != nil {
		return err
	}
	for i, m := range files {
		if i < len(r.manifests) && r.selected.touches(m.path) {
			r.checked = append(r.checked, finding.Unit{File: m.path})
		}
	}
	p := &placer{run: r, scopes: artifact.NewScopes(nil), files: map[string]bool{}}
	for _, path := range r.paths {
		p.files[path] = true
	}
	r.searchedObjects = map[string]bool{}
	for _, m := range files {
		for _, o := range m.objects {
			r.searchedObjects[o.place()] = r.searchedObjects[o.place()] || o.searched
			if o.defines.Kind != "" {
				_ = p.scopes.DefineKind(o.defines, o.namespaced) // of two definitions that contradict each other the first counts
			}
		}
	}
	again := p.duplicates(files)
	for _, m := range files {
		if m.applied && !m.silent && !m.lost && r.selected.touches(m.path) {
			r.found = append(r.found, p.place(m, again)...)
		}
	}
	return nil
}

// readApplication reads a file of the folder of Applications. One that is about no Application is a manifest as others are. What is wrong with
// Applications, the rules about them say; the rest of their files can hold secrets, and objects that stand elsewhere too.
func (r *run) readApplication(a *applicationFile) *manifest {
	switch {
	case a.other:
		return r.readManifest(a.path)
	case a.searched() && len(a.more) == 0:
		return &manifest{path: a.path, silent: true}
	}
	m := &manifestReader{run: r, manifest: &manifest{path: a.path, silent: true}, application: a.searched()}
	m.takeIn()
	m.objects = slices.DeleteFunc(m.objects, func(o *object) bool { return o.groupKind() == applicationKind() })
	return m.manifest
}

// searched tells that the Application in the file is searched for secrets with the rules about Applications: its app is known.
func (a *applicationFile) searched() bool { return a.doc != nil && a.bound && a.id != (app.ID{}) }

// applicationKind is the kind of Argo CD's Applications.
func applicationKind() artifact.GroupKind {
	return artifact.GroupKind{Group: "argoproj.io", Kind: "Application"}
}
