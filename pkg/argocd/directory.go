package argocd

import (
	"path"
	"regexp"
	"strings"

	"github.com/gobwas/glob"
)

// Directory is a folder of a git repo whose plain manifests an Application applies.
type Directory struct {
	// At is the source that has it: spec.source or spec.sources[1]. It is "" for one that no source has yet.
	At string
	// RepoURL can hold credentials; show it by RedactURL.
	RepoURL string
	// Revision is what is synced; HEAD where the Application names none.
	Revision string
	// Path is relative to the repo's root, "" for the root itself.
	Path string
	// Recurse takes what lies in subfolders too.
	Recurse bool

	include, exclude string
}

// manifestName is what Argo CD's repo server takes for a manifest by its name.
var manifestName = regexp.MustCompile(`\.(yaml|yml|json|jsonnet)$`)

// Directories returns the folders whose manifests the Application applies. A chart, a kustomization, a plugin's folder and
// a source that is only referred to are none.
func (a *Application) Directories() []Directory {
	sources, _, err := a.sources()
	if err != nil {
		return nil // such an Application syncs nothing
	}
	var out []Directory
	for _, s := range sources {
		if s.Chart != "" || s.Path == "" || s.oci() || !zero(any(s.helm)) || !zero(s.tree["kustomize"]) || s.tree["plugin"] != nil {
			continue
		}
		options := child(s.tree, "directory")
		d := Directory{
			At: s.At, RepoURL: s.RepoURL, Revision: revision(s.TargetRevision), Path: path.Clean("/" + s.Path)[1:],
			include: text(options, "include"), exclude: text(options, "exclude"),
		}
		d.Recurse, _ = options["recurse"].(bool)
		out = append(out, d)
	}
	return out
}

// Takes reports whether the file at a path of the repo is one of those that are applied, by its name, as Argo CD's repo
// server decides: below the folder, not excluded, included where something is.
func (d Directory) Takes(file string) bool {
	below := file
	if d.Path != "" {
		var ok bool
		if below, ok = strings.CutPrefix(file, d.Path+"/"); !ok {
			return false
		}
	}
	switch {
	case !d.Recurse && strings.Contains(below, "/"), !manifestName.MatchString(below):
		return false
	case d.exclude != "" && globMatch(d.exclude, below):
		return false
	}
	return d.include == "" || globMatch(d.include, below)
}

// globMatch is Argo CD's matching of patterns: one that cannot be read matches nothing.
func globMatch(pattern, name string, separators ...rune) bool {
	compiled, err := glob.Compile(pattern, separators...)
	return err == nil && compiled.Match(name)
}
