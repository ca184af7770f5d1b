package check

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// checkOrphans checks that what the repo has of an app belongs together, and to a platform that has the app.
func (r *run) checkOrphans(context.Context) error {
	gate := r.gate()
	for _, u := range r.units {
		// The gates of all apps stand in the settings.
		if !r.selected.touches(append(u.files(), layout.AppsFile, layout.SettingsFile, layout.AlertsFile, layout.DNSFile)...) {
			continue
		}
		v := r.standing(u, gate)
		switch {
		case u.application != nil && v.gone:
			f := finding.Finding{Rule: RuleOrphanApplication, Severity: finding.Warning, App: u.id.String(), File: u.application.path, Message: v.why, Next: v.next}
			at := keys("metadata", "name")
			f.Path = at.String()
			f.Line, f.Column = u.application.position(at)
			r.found = append(r.found, f)
		case u.application == nil && !v.gone && !v.unknown && !r.has(layout.ApplicationFile(u.id)):
			file := layout.CustomFile(u.id)
			if !u.custom {
				file = layout.ManagedFile(u.id)
			}
			r.found = append(r.found, finding.Finding{Rule: RuleOrphanValues, Severity: finding.Warning, App: u.id.String(), File: file,
				Message: "no Application reads these values: " + layout.ApplicationFile(u.id) + " is not there",
				Next:    "if the app is to run: kubectl apl reconcile, or migrate, writes its Application; if it is gone for good, remove the folder of its values"})
		}
	}
	return nil
}

// standing says whether the platform has an app.
type standing struct {
	gone      bool // it has not, and why
	why, next string
	unknown   bool // the settings say, and cannot be read
}

type gate func(u *unit) (off bool, why string, err error)

// errSettings tells that the settings cannot be read, which rules about them tell.
var errSettings = errors.New("the settings cannot be read")

// gate reads the settings by which apps are switched on and off.
func (r *run) gate() gate {
	s, err := settings.Read(func(path string) ([]byte, bool, error) {
		if !r.has(path) {
			return nil, false, nil
		}
		data, err := r.in.Read(path)
		return data, err == nil, err
	})
	return func(u *unit) (bool, string, error) {
		if err != nil {
			return false, "", errSettings
		}
		on, known, why := s.Gate(u.id)
		return known && !on, why, nil
	}
}

// standing asks the registry, where somebody gave it, and the settings. Either is enough to say that an app is gone: the one that says
// otherwise is of another time, which reconcile tells.
func (r *run) standing(u *unit, gate gate) standing {
	if r.in.Registry != nil {
		switch release, known := r.in.Registry.Get(u.id); {
		case !known:
			return standing{gone: u.application != nil, why: "the release registry has no release " + u.id.String(),
				next: "see whether the registry is of this platform; delete the file if the app is gone for good"}
		case !release.Present():
			return standing{gone: true, why: "the release registry says that the release is not installed", next: removal(u)}
		}
	}
	off, why, err := gate(u)
	if off {
		return standing{gone: true, why: "the app is off in the settings: " + why, next: removal(u) + "; or switch it on there"}
	}
	return standing{unknown: err != nil && r.in.Registry == nil}
}

func removal(u *unit) string {
	return "kubectl apl reconcile removes the file, and then kubectl apl remove " + u.id.String() + " the live Application"
}
