package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// misplaced: the file is called as the app is.
func (r *run) misplaced(a *applicationFile) []placed {
	if a.id == (app.ID{}) || a.path == layout.ApplicationFile(a.id) || r.second[a.path] {
		return nil
	}
	return shape(keys("metadata", "name"), fmt.Sprintf("the Application of %s is kept in another file, where this tool finds it", a.id),
		gitMove(a.path, layout.ApplicationFile(a.id)))
}

// undeclared finds what a server or a controller wrote, and nobody declares: in git it is applied for ever.
func (a *applicationFile) undeclared() []placed {
	var out []placed
	tell := func(at values.Path, message string) {
		out = append(out, warned(shape(at, message, "remove it"))...)
	}
	for _, at := range []values.Path{
		keys("status"), keys("operation"),
		keys("metadata", "creationTimestamp"), keys("metadata", "deletionTimestamp"), keys("metadata", "generation"), keys("metadata", "managedFields"),
		keys("metadata", "ownerReferences"), keys("metadata", "resourceVersion"), keys("metadata", "selfLink"), keys("metadata", "uid"),
	} {
		if v, _ := values.Lookup(a.app.Object(), at); v != nil {
			tell(at, "this is what the cluster says of the live Application; nobody declares it")
		}
	}
	for _, key := range a.app.Records() {
		tell(keys("metadata", "annotations", key), "the annotation records how the live Application got there; from git it would be applied for ever")
	}
	return out
}

// secretsOf finds literal secrets in the whole file.
func (r *run) secretsOf(a *applicationFile) []finding.Finding {
	if a.doc == nil || a.id == (app.ID{}) {
		return nil
	}
	return told(RuleArtifactSecret, a.path, "app: "+a.id.String(), 0, r.scanner.Values(a.id, a.path, a.doc, a.above))
}

// credentials finds URLs of repos that hold a user or a password, which the search for secrets has not found.
func credentials(s *subject, secrets []finding.Finding) []placed {
	var out []placed
	for i, source := range s.sources {
		at, shown := s.at(i).Key("repoURL"), argocd.RedactURL(source.RepoURL)
		known := slices.ContainsFunc(secrets, func(f finding.Finding) bool { return f.Path == at.String() })
		if shown != source.RepoURL && !known && len(out) < maxFaults {
			out = append(out, found(at, RuleArtifactSecret, "the URL "+shown+" holds what can be credentials", "keep them in a repository Secret of Argo CD, and the URL without them"))
		}
	}
	return out
}

// mostNamed returns the values repo that most Application files refer to, the first in the order of files where as many refer to another. It is the zero ValuesRepo where none does.
func (r *run) mostNamed() argocd.ValuesRepo {
	var repos []argocd.ValuesRepo
	var counts []int
	for _, a := range r.applications {
		if !a.bound {
			continue
		}
		s := a.subject()
		repo, _, ok := s.readsFrom()
		if !ok {
			continue
		}
		i := slices.IndexFunc(repos, repo.Same)
		if i < 0 {
			i, repos, counts = len(repos), append(repos, repo), append(counts, 0)
		}
		counts[i]++
	}
	best := 0
	for i := range repos {
		if counts[i] > counts[best] {
			best = i
		}
	}
	if len(repos) == 0 {
		return argocd.ValuesRepo{}
	}
	return repos[best]
}

// readsFrom returns the repo that the Application reads its value files from, and where it says so; false where that is not clear.
func (s *subject) readsFrom() (repo argocd.ValuesRepo, at values.Path, ok bool) {
	if len(s.refs) != 1 || s.refs[0] == s.chart || s.sources[s.refs[0]].RepoURL == "" {
		return repo, nil, false
	}
	source := s.sources[s.refs[0]]
	return argocd.ValuesRepo{URL: source.RepoURL, Revision: source.TargetRevision}, s.at(s.refs[0]), true
}

// otherRepo: all Applications read their values from one repo.
func (r *run) otherRepo(s *subject) []placed {
	repo, at, ok := s.readsFrom()
	if !ok || r.valuesRepo.Same(repo) {
		return nil
	}
	key := "repoURL"
	if r.valuesRepo.Same(argocd.ValuesRepo{URL: repo.URL, Revision: r.valuesRepo.Revision}) {
		key = "targetRevision"
	}
	return warned(shape(at.Key(key), fmt.Sprintf("the values are read from %s; most other Applications read theirs from %s", repo, r.valuesRepo), "name the same repo and revision"))
}

// missingFiles: the app's value files are there. A list that is wrong is told as that.
func (r *run) missingFiles(s *subject) []placed {
	u := r.unitOf(s.id)
	if s.chart < 0 || u == nil {
		return nil
	}
	list, _ := s.sources[s.chart].Helm()["valueFiles"].([]any)
	var out []placed
	for slot, entry := range layout.ValueFiles(s.id) {
		i := slices.Index(list, any(entry))
		if i < 0 || [...]bool{u.managed, u.custom}[slot] {
			continue
		}
		_, file, _ := strings.Cut(entry, "/")
		what := " is not there"
		if r.has(file) {
			what = " is a symbolic link, or no file"
		}
		at := s.at(s.chart).Key("helm").Key("valueFiles").Index(i)
		out = append(out, found(at, RuleFileMissing, file+what+": Argo CD cannot compare the app, and syncs nothing of it", r.instead(file, slot)))
	}
	return out
}

// instead says what to do about a value file that is missing.
func (r *run) instead(file string, slot int) string {
	if other := r.standIn(file, slot); other != "" {
		return "it seems to be there under another name: " + gitMove(other, file)
	}
	if slot == managedFirst {
		return "have it written: kubectl apl reconcile"
	}
	return "write it; a comment alone is enough where nothing is overridden"
}

// standIn returns the file that is likely meant to be a value file which is missing, "" for none.
func (r *run) standIn(file string, slot int) string {
	sibling := path.Base(layout.ValueFiles(app.ID{})[1-slot])
	for _, other := range r.paths {
		name, want := path.Base(other), path.Base(file)
		similar := path.Dir(other) == path.Dir(file) && name != sibling && schema.Nearest(name, []string{want}) == want
		if other != file && (similar || strings.EqualFold(other, file)) {
			return other
		}
	}
	return ""
}

// standIns returns the files that findings of value-file-missing have named, and links in the place of such files: what is wrong with
// them is told by that.
func (r *run) standIns() map[string]bool {
	out := map[string]bool{}
	for _, f := range r.found {
		id, err := app.Parse(f.App)
		if f.Rule != RuleFileMissing || err != nil {
			continue
		}
		for slot, file := range []string{layout.ManagedFile(id), layout.CustomFile(id)} {
			out[file], out[r.standIn(file, slot)] = true, true
		}
	}
	return out
}

// has tells whether the repo has a file, or a link.
func (r *run) has(file string) bool {
	_, there := slices.BinarySearch(r.paths, file)
	return there
}
