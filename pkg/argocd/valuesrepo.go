package argocd

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ValuesRepo is a git repo, at a revision, that Argo CD syncs manifests from, and who says so.
type ValuesRepo struct {
	// URL is as the Application has it and can hold credentials: show the value by String, and never encode it.
	URL      string `json:"-"`
	Revision string
	// Applications are the names of those that sync from it, sorted.
	Applications []string
}

// String returns "URL at revision", without credentials.
func (r ValuesRepo) String() string { return RedactURL(r.URL) + " at " + r.Revision }

// ValuesRepos returns the repos and revisions from which the gitops Applications among apps sync what lies under
// env/manifests (DESIGN 5), sorted. One means that they agree; none that there is no such Application; several that the
// values repo cannot be told from them. Spellings of one URL that Argo CD takes as equal count as one.
func ValuesRepos(apps []*Application) []ValuesRepo {
	type key struct{ repo, revision string }
	found := map[key]*ValuesRepo{}
	for _, a := range apps {
		if class, _ := a.Class(); class != GitOps {
			continue
		}
		sources, _, err := a.sources()
		if err != nil {
			continue // such an Application syncs nothing, so that it says nothing either
		}
		for _, s := range sources {
			if !underManifests(s.Path) || s.RepoURL == "" {
				continue
			}
			k := key{normalURL(s.RepoURL), revision(s.TargetRevision)}
			r, ok := found[k]
			if !ok {
				r = &ValuesRepo{URL: s.RepoURL, Revision: k.revision}
				found[k] = r
			}
			r.URL = min(r.URL, s.RepoURL)
			if !slices.Contains(r.Applications, a.Name()) {
				r.Applications = append(r.Applications, a.Name())
			}
		}
	}
	out := make([]ValuesRepo, 0, len(found))
	for _, r := range found {
		slices.Sort(r.Applications)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b ValuesRepo) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Revision, b.Revision))
	})
	return out
}

// Find returns the Application with a name in Namespace, as of the root app, and whether there is one.
func Find(apps []*Application, name string) (*Application, bool) {
	i := slices.IndexFunc(apps, func(a *Application) bool { return a.Name() == name && a.Namespace() == Namespace })
	if i < 0 {
		return nil, false
	}
	return apps[i], true
}

func underManifests(folder string) bool {
	folder = path.Clean("/" + folder)[1:]
	return folder == layout.ManifestsDir || strings.HasPrefix(folder, layout.ManifestsDir+"/")
}

// revision spells the default out: to Argo CD no revision is HEAD.
func revision(target string) string { return cmp.Or(target, "HEAD") }

func sameRepo(a, b string) bool { return normalURL(a) == normalURL(b) }

// normalURL is what Argo CD compares repo URLs by (its NormalizeGitURL): without case, ".git", and the two ways to write SSH.
func normalURL(url string) string {
	url = strings.ToLower(strings.TrimSpace(url))
	if user, rest, ok := strings.Cut(url, "@"); ok && !strings.ContainsAny(user, ":/") {
		url = user + "@" + strings.Replace(rest, ":", "/", 1) // git@host:path
	}
	url = strings.TrimSuffix(url, ".git")
	return strings.TrimPrefix(url, "ssh://")
}

// Syncs reports whether the Application syncs the manifests of a folder of a git repo: one of its sources has that folder
// as its path, or one above it with directory.recurse.
func (a *Application) Syncs(folder string) bool {
	sources, _, err := a.sources()
	if err != nil {
		return false // such an Application syncs nothing
	}
	return slices.ContainsFunc(sources, func(s Source) bool {
		at := path.Clean("/" + s.Path)[1:]
		recurse, _ := child(s.tree, "directory")["recurse"].(bool)
		return s.Chart == "" && (at == folder || recurse && (at == "" || strings.HasPrefix(folder, at+"/")))
	})
}
