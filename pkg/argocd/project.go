package argocd

import "strings"

// Project is what an AppProject says about where its Applications may come from.
type Project struct {
	Name string
	// SourceRepos are patterns of repo URLs; one that begins with "!" forbids.
	SourceRepos []string
}

// Permits reports whether an Application of the project may have a source in a repo, as Argo CD decides it: some pattern
// has to match, and none that forbids. "*" alone matches everything, elsewhere it stops at a slash and "**" does not.
func (p Project) Permits(repoURL string) bool {
	url, permitted := normalURL(repoURL), false
	for _, pattern := range p.SourceRepos {
		if denied, deny := strings.CutPrefix(pattern, "!"); deny {
			if globMatch(normalURL(denied), url, '/') {
				return false
			}
			permitted = true
			continue
		}
		pattern = normalURL(pattern)
		permitted = permitted || pattern == "*" || globMatch(pattern, url, '/')
	}
	return permitted
}

// NormalURL returns the form of a repo URL by which Argo CD compares it with others: without case, ".git", and the two
// ways to write SSH.
func NormalURL(url string) string { return normalURL(url) }

// SameRepo reports whether Argo CD takes two URLs for one repo.
func SameRepo(a, b string) bool { return sameRepo(a, b) }

// SameRevision reports whether Argo CD takes two revisions for one by their names: none is HEAD.
func SameRevision(a, b string) bool { return revision(a) == revision(b) }
