package preflight

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// valuesRepo looks whether Argo CD can be expected to read the values repo: it knows the URL, or a template for its
// credentials (its longest prefix, in getRepositoryCredentialIndex), or some Application reads it today.
func (c *checker) valuesRepo() {
	if c.Cluster == nil || c.isRead() {
		return
	}
	url := argocd.NormalURL(c.ValuesRepoURL)
	known := slices.ContainsFunc(c.Cluster.ArgoCD.Repositories, func(repo string) bool {
		return strings.HasPrefix(url, argocd.NormalURL(repo))
	})
	if known {
		return
	}
	c.add(finding.Warning, RuleRepo, "add it to Argo CD (argocd repo add, or a Secret with the label argocd.argoproj.io/secret-type=repository), unless everyone may read it",
		"Argo CD knows no repository %s, and no Application reads from it: an Application that it cannot fetch values for stops syncing", argocd.RedactURL(c.ValuesRepoURL))
}

// isRead tells whether a live Application has the values repo among its sources.
func (c *checker) isRead() bool {
	return slices.ContainsFunc(c.Applications, func(a *argocd.Application) bool {
		return slices.ContainsFunc(a.RepoURLs(), func(url string) bool { return argocd.SameRepo(url, c.ValuesRepoURL) })
	})
}

// projects demands of the AppProject of each app that it permits the values repo: Argo CD checks each source, one that is
// only referred to as well, and answers with InvalidSpecError.
func (c *checker) projects() {
	if c.Cluster == nil || c.Cluster.Projects.Unknown != "" {
		return
	}
	apps := map[string][]string{}
	for _, a := range c.Moving {
		apps[a.Project()] = append(apps[a.Project()], label(a))
	}
	severity, but := finding.Error, ""
	if c.Cluster.Projects.Inherited {
		severity, but = finding.Warning, " itself; what it inherits by globalProjects of argocd-cm was not looked at"
	}
	for _, project := range c.Cluster.Projects.List {
		members := apps[project.Name]
		if len(members) == 0 || project.Permits(c.ValuesRepoURL) {
			continue
		}
		c.add(severity, RuleProject, "add the URL to spec.sourceRepos of AppProject "+project.Name+", or leave those apps out",
			"AppProject %s, of %s, does not permit the values repo %s as a source%s", project.Name, named(members), argocd.RedactURL(c.ValuesRepoURL), but)
	}
}
