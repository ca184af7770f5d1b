package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkFolders tells of Applications in git that apply a folder of the values repo which the platform's operator makes an Application
// for: both take its objects from each other (DESIGN 10). The platform's own apps render charts; a rule of theirs tells what else they do.
func (r *run) checkFolders(all []*declared) {
	repo := r.mostNamed().URL
	if repo == "" {
		return // nothing tells which repo this is
	}
	owned := r.folderApps(repo)
	for _, d := range all {
		if d.bound {
			continue
		}
		for _, folder := range d.Directories() {
			files := r.takenBy(folder)
			taken := slices.DeleteFunc(slices.Clone(owned), func(o argocd.FolderApp) bool {
				return o.Name == d.Name() || !folder.Overlaps(o.Directory()) || folder.Filtered() && !slices.ContainsFunc(files, o.Directory().Takes)
			})
			if len(taken) > 0 {
				r.tell(d, d.source(folder.At).Key("path"), RuleOwnedTwice, fmt.Sprintf("the Application applies what %s applies already: both take its objects from each other", names(taken)),
					"let one of them own the folder: take it from this Application (its path, directory.recurse or directory.exclude)")
			}
		}
	}
}

// source is the path of a source.
func (d *declared) source(at string) values.Path {
	sources, _, _ := d.Sources() // those that were read for the folders
	for i := range sources {
		if path := keys("spec", "sources").Index(i); path.String() == at {
			return path
		}
	}
	return inlineSource()
}

// folderApps returns the Applications that the operator makes: one for each folder of a namespace, and one for all that is in none.
func (r *run) folderApps(repo string) []argocd.FolderApp {
	found := map[string]argocd.FolderApp{}
	for _, file := range r.paths {
		name, folder := argocd.FolderAppOf(file)
		if name == "" {
			continue
		}
		dir := layout.GlobalDir
		if folder != "" {
			dir = layout.NamespacesDir + "/" + folder
		}
		found[name] = argocd.FolderApp{Name: name, RepoURL: repo, Path: dir}
	}
	out := make([]argocd.FolderApp, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

// takenBy returns the files of the repo that are applied with a folder, where patterns decide.
func (r *run) takenBy(folder argocd.Directory) []string {
	if !folder.Filtered() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.paths), func(file string) bool { return !folder.Takes(file) })
}

// names lists a few Applications.
func names(list []argocd.FolderApp) string {
	const few = 3
	var out []string
	for _, f := range list[:min(len(list), few)] {
		out = append(out, f.Name)
	}
	if more := len(list) - few; more > 0 {
		return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(out, ", ")
}
