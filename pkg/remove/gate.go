package remove

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// FromRegistry returns the gate that a release registry is: it knows every app, and has those on that it would install. name is
// how the registry is called. One without any release is not that of a platform, and says nothing.
func FromRegistry(registry *release.Registry, name string) Gate {
	return func(id app.ID) (on, known bool, why string) {
		r, listed := registry.Get(id)
		switch {
		case registry.Len() == 0:
			return false, false, ""
		case !listed:
			return false, true, name + " does not list it"
		case r.Present():
			return true, true, name + " has it installed"
		}
		return false, true, name + " does not have it installed"
	}
}

// Committed returns the gate that settings are in HEAD, where they differ from those of the work tree: what was switched off and not
// committed is still on for everybody else.
func Committed(work, head Gate) Gate {
	return func(id app.ID) (on, known bool, why string) {
		if on, known, _ := work(id); on && known {
			return false, false, "" // which is told already
		}
		on, known, why = head(id)
		if !on || !known {
			return false, false, ""
		}
		return true, true, why + " in HEAD"
	}
}
