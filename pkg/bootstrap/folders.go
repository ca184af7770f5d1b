package bootstrap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// operatorManager is the field manager of the platform's operator.
const operatorManager = "apl-operator"

// folderApp is an Application that is wanted, or one that is left alone with a reason.
type folderApp struct {
	argocd.FolderApp
	live *argocd.Application // nil where there is none
	left string
	root bool
}

// rootFolder is the folder that the root app applies: all of namespace argocd, as the operator has it.
func rootFolder() string { return path.Dir(layout.ApplicationsDir) }

// folders returns the Applications that the files of HEAD want, in the order in which they are applied.
func (p *Plan) folders(files []string) []*folderApp {
	var out []*folderApp
	add := func(name, folder, destination, left string) *folderApp {
		f := &folderApp{left: left, FolderApp: argocd.FolderApp{
			Name: name, Namespace: p.in.Namespace, Path: folder, Destination: destination,
			RepoURL: p.ValuesRepo.URL, Revision: p.ValuesRepo.Revision,
		}}
		f.live = p.find(name)
		out = append(out, f)
		return f
	}
	if below(files, layout.GlobalDir) {
		add(argocd.GlobalApp, layout.GlobalDir, "", "")
	} else if p.find(argocd.GlobalApp) != nil {
		add(argocd.GlobalApp, layout.GlobalDir, "", "its folder is not in git; it is never removed")
	}
	for _, name := range subfolders(files, layout.NamespacesDir) {
		folder, namespace := layout.NamespacesDir+"/"+name, name
		switch decoded, ok := layout.DecodeName(name); {
		case folder == rootFolder():
			continue // that of the root app
		case app.IsTeam(name):
			add(argocd.NamespaceApp(name), folder, namespace, "a team's folder: what is in it is the team's")
			continue
		case !ok || (app.ID{Namespace: decoded, Release: "x"}).Validate() != nil:
			p.add(finding.Finding{Rule: RuleFolder, Severity: finding.Warning, File: folder,
				Message: fmt.Sprintf("%q is no name of a namespace: no Application is made of the folder", name), Next: "rename or remove it"})
			continue
		}
		add(argocd.NamespaceApp(name), folder, namespace, "")
	}
	root := add(p.RootApp, rootFolder(), path.Base(rootFolder()), "")
	root.root = true
	if !below(files, layout.ApplicationsDir) {
		p.add(finding.Finding{Rule: RuleFolder, Severity: finding.Warning, App: p.RootApp, File: layout.ApplicationsDir,
			Message: "HEAD has no Application file yet: the root app has nothing to apply, and shows a ComparisonError while its folder is missing",
			Next:    "write them with kubectl apl migrate, and push"})
	}
	return out
}

func (p *Plan) find(name string) *argocd.Application {
	for _, a := range p.in.Applications {
		if a.Name() == name && a.Namespace() == p.in.Namespace {
			return a
		}
	}
	return nil
}

func below(files []string, folder string) bool {
	return slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix(file, folder+"/") })
}

// subfolders returns the names of the folders in a folder, sorted.
func subfolders(files []string, folder string) []string {
	var out []string
	for _, file := range files {
		rest, ok := strings.CutPrefix(file, folder+"/")
		if name, _, deeper := strings.Cut(rest, "/"); ok && deeper {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
