package preflight

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// overlaps finds Applications that would apply what the plan writes for the root app to apply: two owners of one object warn
// on both and take it from each other (DESIGN 10). Value files are worse off still: Argo CD lets a file alone that is no
// object, unless it holds the words apiVersion, kind and metadata; then it applies it, or fails altogether
// (getObjsFromYAMLOrJSON of its repo server).
func (c *checker) overlaps() {
	applications, values := c.files()
	for _, a := range c.Applications {
		var owned, read int
		for _, d := range a.Directories() {
			if !c.syncs(d) {
				continue
			}
			owned = max(owned, taken(d, applications))
			read = max(read, taken(d, values))
		}
		if owned > 0 && a.Name() != c.RootApp {
			c.add(finding.Error, RuleOverlap,
				"let one of them own the path: take it from "+a.Name()+" (its path, directory.recurse or directory.exclude), or make it the root app with --root-app="+a.Name(),
				"Application %s applies %s that the root app %s is to apply: two owners of one path take its objects from each other", a.Name(), finding.Count(owned, "file"), c.RootApp)
		}
		if read > 0 {
			c.add(finding.Warning, RuleValuesOverlap, "give it a directory.exclude for "+layout.ValuesDir+", or a path below",
				"Application %s reads %s of values as manifests: one that holds the words apiVersion, kind and metadata is applied, or stops its sync", a.Name(), finding.Count(read, "file"))
		}
	}
}

// syncs tells whether a directory is one of the values repo, as it is to be. A revision that is spelled otherwise is another
// branch, unless one of the two is HEAD.
func (c *checker) syncs(d argocd.Directory) bool {
	if !argocd.SameRepo(d.RepoURL, c.ValuesRepoURL) {
		return false
	}
	const head = "HEAD"
	return d.Revision == c.ValuesRevision || d.Revision == head || c.ValuesRevision == head
}

func taken(d argocd.Directory, files []string) (n int) {
	for _, file := range files {
		if d.Takes(file) {
			n++
		}
	}
	return n
}
