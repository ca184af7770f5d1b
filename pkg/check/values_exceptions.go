package check

import (
	"context"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// checkExceptions warns of entries of .apl.yaml that accept nothing in value files any more. It has to come last. Those about objects
// are left alone: they name a release, and which objects are its is not known here.
func (r *run) checkExceptions(context.Context) error {
	searched := map[app.ID]bool{}
	for _, u := range r.units {
		searched[u.id] = u.searched
	}
	r.found = append(r.found, r.scanner.Unused(func(e config.Exception) bool {
		return searched[e.App] && e.Rule != scan.RuleLeftOut && !ofObject(e.Path)
	})...)
	return nil
}

// ofObject tells whether a path names an object (kind/namespace/name) and a place within it, with a colon between them. Paths in values
// quote keys with colons.
func ofObject(path string) bool {
	object, _, found := strings.Cut(path, ":")
	return found && !strings.ContainsAny(object, `"[`)
}
