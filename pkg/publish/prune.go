package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

const (
	ruleNameTwice  = "artifact-release-name"
	ruleOutlives   = "artifact-outlives-file"
	ruleUnlabelled = "artifact-unlabelled"
)

// prune removes the files whose object a release of the plan has rendered once and renders no more. That a file is of a release, its
// labels have to tell, and that it is no copy, its place: it holds one object, whose file it is. What is a team's is left alone.
func (p *planner) prune(ctx context.Context) error {
	owned, err := p.prunable()
	if err != nil {
		return err
	}
	paths, err := p.list(ctx)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		place, ok := layout.Parse(path)
		at, isObject := place.(layout.Object)
		if !ok || !isObject || app.IsTeam(at.Namespace) || p.taken[path] || p.gone[path] {
			continue
		}
		there, err := p.hold(at, nil)
		if errors.Is(err, gitrepo.ErrUnsafePath) {
			continue // a symbolic link, which no run made
		}
		if err != nil {
			return err
		}
		if there == nil || there.object == nil || there.owner == "" || p.unwritten[there.object.ID] || !slices.Contains(there.object.ID.Files(), at) {
			continue
		}
		if r := owned[there.owner]; r != nil {
			p.remove(r, path, there)
		}
	}
	return nil
}

// list returns the manifests of the work tree, and of HEAD where there is to be a commit: an earlier run can have removed some
// without one.
func (p *planner) list(ctx context.Context) ([]string, error) {
	paths, err := p.in.Repo.List(layout.ManifestsDir)
	if err != nil || p.options.WorkTree {
		return paths, err
	}
	committed, err := p.in.Repo.HeadFiles(ctx, layout.ManifestsDir)
	if err != nil {
		return nil, err
	}
	paths = append(paths, committed...)
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// prunable returns the releases whose files may be removed, by name. Of a name that several releases have nobody can tell whose
// a file is.
func (p *planner) prunable() (map[string]*Release, error) {
	names := map[string]int{}
	for r := range p.in.Registry.All() {
		if r.Artifacts() {
			names[r.ID.Release]++
		}
	}
	owned := map[string]*Release{}
	for at, s := range p.in.Sources {
		r, name := p.releases[at], s.Release.Release
		_, known := p.in.Registry.Get(s.Release)
		if n := p.unlabelled[at]; n > 0 {
			r.blame(finding.Info, ruleUnlabelled, "", "", fmt.Sprintf("%s of the release without its labels; no run will know their files as its own, to remove them", finding.Count(n, "object")), "")
		}
		switch {
		case p.excluded[at], len(s.Findings) > 0, s.Stream != nil && len(s.Stream.Problems) > 0: // nobody knows what it renders
		case name == "":
			return nil, fmt.Errorf("nobody says which release %s is of; name it, to remove what it renders no more", s.Name)
		case !known: // the files would be those of another release that has the name
			return nil, fmt.Errorf("release %s is not in the registry, so that nobody knows whose its files are; correct its namespace and name, or leave out --prune", s.Release)
		case names[name] > 1:
			r.blame(finding.Warning, ruleNameTwice, "", "", fmt.Sprintf("no file is removed for it: %d releases of the platform are called %s, and labels name a release without its namespace", names[name], name),
				"remove what it renders no more by hand")
		default:
			owned[name] = r
		}
	}
	return owned, nil
}

func (p *planner) remove(r *Release, path string, there *held) {
	object := there.object.Place()
	r.Objects = append(r.Objects, Object{Object: object, Action: Remove, File: path, Reason: "its release renders it no more"})
	p.gone[path] = true
	if protected, err := there.object.Protected(); err == nil && protected {
		r.blame(finding.Info, ruleOutlives, path, object, "its file goes, and the object stays in the cluster: it is protected against pruning (Prune=false)",
			"delete it with kubectl once nobody needs what it holds")
	}
}
