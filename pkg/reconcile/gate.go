package reconcile

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// gateDiffers tells of an app that the registry has and the settings do not, or the other way round: one of them is of another time, or
// of another platform. It blocks the app where an Application file would come or go on the word of one of them.
func (d *decision) gateDiffers(on bool) bool {
	if d.in.Gate == nil {
		return false
	}
	wanted, known, why := d.in.Gate(d.id)
	if !known || wanted == on {
		return false
	}
	f := finding.Finding{Rule: ruleGate, Severity: finding.Warning, Next: gateNext(why)}
	f.Message = "the registry says that the release is not installed, and the settings that it is: " + why
	if on {
		f.Message = "the registry says that the release is installed, and the settings that it is not: " + why
	}
	switch here := d.file != nil; {
	case here != on:
		f.Severity = finding.Error
	case !here:
		d.Action, d.Reason = Skipped, "it is off in the registry"
	}
	d.add(f)
	return f.Severity == finding.Error
}

// gateNext says what to do about a gate that differs. apps.yaml lags where people go on editing what it was made from.
func gateNext(why string) string {
	next := "have helmfile compute the registry from these settings, or correct the gate"
	if strings.Contains(why, layout.AppsFile) {
		next += "; if it was switched in " + layout.AppsDir + " since: kubectl apl settings migrate"
	}
	return next
}
