package argocd

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// GlobalApp is the Application that applies the cluster-scoped objects of the values repo (DESIGN 10).
const GlobalApp = "gitops-global"

// namespaceApps begins the names of those that apply the folder of a namespace.
const namespaceApps = "gitops-ns-"

// NamespaceApp is the Application that applies the folder of a namespace, by the folder's name.
func NamespaceApp(folder string) string { return namespaceApps + folder }

// FolderAppOf returns the name of the Application that applies the file at a path of the values repo, and the name of the folder of
// its namespace, "" for the cluster-scoped ones; no name for a file that none applies.
func FolderAppOf(path string) (name, folder string) {
	if strings.HasPrefix(path, layout.GlobalDir+"/") {
		return GlobalApp, ""
	}
	rest, ok := strings.CutPrefix(path, layout.NamespacesDir+"/")
	folder, _, below := strings.Cut(rest, "/")
	if !ok || !below {
		return "", ""
	}
	return NamespaceApp(folder), folder
}
