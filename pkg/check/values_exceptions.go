package check

import (
	"context"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// checkExceptions warns of entries of .apl.yaml that accept nothing any more in the value files of apps, or in objects that git has. It has to
// come last. What leaves a Secret out of git accepts nothing there.
func (r *run) checkExceptions(context.Context) error {
	searched := map[app.ID]bool{}
	for _, u := range r.units {
		searched[u.id] = u.searched
	}
	r.found = append(r.found, r.scanner.Unused(func(e config.Exception) bool {
		if object, ok := objectOf(e.Path); ok {
			return r.searchedObjects[object]
		}
		return searched[e.App] && e.Rule != scan.RuleLeftOut
	})...)
	return nil
}

// objectOf returns the object (kind/namespace/name) that a path names, before a colon and a place within it. Paths in values quote keys with
// colons.
func objectOf(path string) (object string, ok bool) {
	object, _, found := strings.Cut(path, ":")
	return object, found && !strings.ContainsAny(object, `"[`)
}
