package argocd

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ValueFile is an entry of helm.valueFiles, resolved as Argo CD does (its getResolvedValueFiles): to a path in the repo or
// archive that the chart comes from, or in the repo of a source that the entry refers to.
type ValueFile struct {
	// At is where the entry stands: spec.source.helm.valueFiles[0].
	At string
	// Source is what the file is in: the chart's source, or the one that is referred to.
	Source Source
	// Path is the file's path from the root of the repo or archive, clean and without a slash at its beginning.
	Path string
	// Optional tells that a missing file is passed over (ignoreMissingValueFiles).
	Optional bool
}

// files looks at what Argo CD reads besides the Application.
func (l *live) files(s Source) {
	tolerate, _, _ := field[bool](s.helm, "ignoreMissingValueFiles")
	at := s.At + ".helm.valueFiles"
	files, _, err := field[[]any](s.helm, "valueFiles")
	switch {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(files) == 0:
	case l.app.readsOurFiles(s) && s.hasInline():
		l.block(RuleValueFiles, at, "the Application already reads our value files, and something else of helm lies over or beside them",
			"move what it sets into the custom file, and remove "+strings.Join(inlineFields(), ", "))
	case l.app.readsOurFiles(s):
		l.Origin, l.At = OriginFiles, at
	default:
		l.valueFiles(s, files, tolerate)
	}

	at = s.At + ".helm.fileParameters"
	switch parameters, _, err := field[[]any](s.helm, "fileParameters"); {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(parameters) > 0:
		l.block(RuleValueFiles, at, "the source reads parameters from files, which cannot be folded in", "move their content into helm.values first")
	}

	if tolerate {
		l.warn(RuleValueFiles, s.At+".helm.ignoreMissingValueFiles",
			"ignoreMissingValueFiles is not carried over: with it, a missing file would sync chart defaults", "")
	}
}

// valueFiles resolves the entries. What Argo CD refuses, and what it reads differently from one version to the next, blocks.
func (l *live) valueFiles(s Source, entries []any, tolerate bool) {
	r := resolver{live: l, chart: s, environment: l.app.environment(s), seen: map[string]string{}}
	if s.At != "spec.source" {
		r.many = true
		r.sources, _, _ = l.app.sources() // chartSource has read them
	}
	for i, entry := range entries {
		at := fmt.Sprintf("%s.helm.valueFiles[%d]", s.At, i)
		raw, ok := entry.(string)
		if !ok {
			l.block(RuleValueFiles, at, "the entry is "+typeName(entry)+"; it must be text", "correct the Application")
			continue
		}
		file, reason := r.resolve(at, raw)
		if l.app.ownsFile(file) {
			l.block(RuleValueFiles, s.At+".helm.valueFiles", "the Application reads our value files, but not just managed and then custom, as the order must be",
				"correct the list to what the Application file in the values repo says")
			return
		}
		if reason != "" {
			l.block(RuleValueFiles, at, reason, "move the file's content into helm.values first, or correct the entry")
			continue
		}
		file.Optional = tolerate
		l.Files = append(l.Files, file)
	}
}

// ownsFile reports whether a file is one of the app's two in the layout.
func (a *Application) ownsFile(f ValueFile) bool {
	id, err := a.ID()
	return err == nil && (f.Path == layout.ManagedFile(id) || f.Path == layout.CustomFile(id))
}

// OverrideFiles returns the names of files beside the chart that Argo CD merges over the Application's source when they are
// there (its mergeSourceParameters).
func (a *Application) OverrideFiles() []string {
	return []string{".argocd-source.yaml", ".argocd-source-" + a.Name() + ".yaml"}
}
