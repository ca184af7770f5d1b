package publish

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// Adopted returns the -artifacts releases of a registry of which the repo has files, as labels tell: their objects are kept in git.
// Of a name that several releases have, all are.
func Adopted(files Files, registry *release.Registry) (map[app.ID]bool, error) {
	p := &planner{in: Input{Repo: files}}
	paths, err := files.List(layout.ManifestsDir)
	if err != nil {
		return nil, err
	}
	owners := map[string]bool{}
	for _, path := range paths {
		place, _ := layout.Parse(path)
		at, ok := place.(layout.Object)
		if !ok || app.IsTeam(at.Namespace) {
			continue
		}
		if there, err := p.hold(at, nil); err == nil && there != nil && there.object != nil {
			owners[there.owner] = true // what cannot be read is of nobody here
		}
	}
	adopted := map[app.ID]bool{}
	for r := range registry.All() {
		if r.Artifacts() && owners[r.ID.Release] && !app.IsTeam(r.ID.Namespace) {
			adopted[r.ID] = true
		}
	}
	return adopted, nil
}
