package check

import (
	"context"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// checkManifests checks the files of objects: each by itself, where its objects belong, and that no two of them hold one object. Files that
// are not selected are read for what they hold.
func (r *run) checkManifests(ctx context.Context) error {
	files := make([]*manifest, len(r.manifests)+len(r.applications))
	if err := r.each(ctx, len(files), func(_ context.Context, i int) []finding.Finding {
		if i < len(r.manifests) {
			files[i] = r.readManifest(r.manifests[i], false)
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
	for _, path := range r.manifests {
		if r.selected.touches(path) {
			r.checked = append(r.checked, finding.Unit{File: path})
		}
	}
	p := &placer{run: r, scopes: artifact.NewScopes(nil), files: map[string]bool{}}
	for _, path := range r.paths {
		p.files[path] = true
	}
	for _, m := range files {
		for _, o := range m.objects {
			if o.defines.Kind != "" {
				_ = p.scopes.DefineKind(o.defines, o.namespaced) // of two definitions that contradict each other the first counts
			}
		}
	}
	again := p.duplicates(files)
	for _, m := range files[:len(r.manifests)] {
		if m.applied && r.selected.touches(m.path) {
			r.found = append(r.found, p.place(m, again)...)
		}
	}
	return nil
}

// readApplication looks for secrets in a file of the folder of Applications, and for objects of other kinds, which another file can hold too.
// What else is wrong with it, the rules about Applications say.
func (r *run) readApplication(a *applicationFile) *manifest {
	if a.app == nil || a.doc == nil || len(a.doc.Warnings) > 0 {
		m := r.readManifest(a.path, true)
		m.objects = slices.DeleteFunc(m.objects, func(o *object) bool { return o.groupKind() == applicationKind() })
		return m
	}
	m := &manifest{path: a.path}
	if _, excluded := r.in.Config.Excluded(a.id); !excluded && r.selected.touches(a.path) {
		m.findings = r.applicationSecrets(a)
	}
	return m
}

// applicationKind is the kind of Argo CD's Applications.
func applicationKind() artifact.GroupKind {
	return artifact.GroupKind{Group: "argoproj.io", Kind: "Application"}
}

// applicationSecrets looks for secrets in an Application's file. Exceptions name its app, and a path in it.
func (r *run) applicationSecrets(a *applicationFile) []finding.Finding {
	whose := "app: " + a.id.String()
	return told(RuleArtifactSecret, a.path, whose, 0, r.scanner.Part(a.id, "", scan.Part{Document: a.doc, Object: a.doc.Values}))
}
