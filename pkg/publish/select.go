package publish

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// Select returns the -artifacts releases of a registry, sorted: those named, or all of the platform's. Skipped are those of teams.
// A release that is not installed renders nothing; it comes with the others, since it may have files to remove. It returns an
// error for a name that is no -artifacts release of the platform, and where two releases would share the files that they are read from.
func Select(registry *release.Registry, names []string) (selected []release.Release, skipped []Skipped, err error) {
	wanted := map[app.ID]bool{}
	for _, name := range names {
		id, err := app.Parse(name)
		if err != nil {
			return nil, nil, err
		}
		r, ok := registry.Get(id)
		switch {
		case !ok:
			return nil, nil, fmt.Errorf("release %s is not in the registry", id)
		case !r.Artifacts():
			return nil, nil, fmt.Errorf("release %s is no -artifacts release (chart raw): it is an app, which migrate moves", id)
		case app.IsTeam(id.Namespace):
			return nil, nil, fmt.Errorf("release %s is a team's, which is left alone", id)
		}
		wanted[id] = true
	}
	var present []app.ID
	for r := range registry.All() {
		if r.Present() {
			present = append(present, r.ID)
		}
		switch {
		case !r.Artifacts(), len(names) > 0 && !wanted[r.ID]:
		case app.IsTeam(r.ID.Namespace):
			skipped = append(skipped, Skipped{r.ID, "a team's release"})
		default:
			selected = append(selected, r)
		}
	}
	for _, shared := range layout.SharedApplications(present) {
		if slices.ContainsFunc(selected, func(r release.Release) bool { return slices.Contains(shared, r.ID) }) {
			return nil, nil, fmt.Errorf("releases %s and %s have the same app name, %s: nobody can tell whose a file of that name is", shared[0], shared[1], shared[0].Name())
		}
	}
	return selected, skipped, nil
}
