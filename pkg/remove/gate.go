package remove

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// FromRegistry returns the gate that a release registry is: it knows every app, and has those on that it would install. name is
// how the registry is called.
func FromRegistry(registry *release.Registry, name string) Gate {
	return func(id app.ID) (on, known bool, why string) {
		r, listed := registry.Get(id)
		switch {
		case !listed:
			return false, true, name + " does not list it"
		case r.Present():
			return true, true, name + " has it installed"
		}
		return false, true, name + " does not have it installed"
	}
}
