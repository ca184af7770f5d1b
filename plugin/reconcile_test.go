package plugin

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
)

// TestReconcileOutcome holds that a run which another was faster than does not say that it left files behind.
func TestReconcileOutcome(t *testing.T) {
	plan := &reconcile.Plan{Summary: reconcile.Summary{Update: 1, Files: 2}}
	for want, o := range map[string]reconcileOptions{
		"Nothing to do: another run has committed the same meanwhile.":    {},
		"Wrote 2 files of 1 app to the work tree; nothing was committed.": {repo: repoFlags{noCommit: true}},
	} {
		if got := o.outcome(plan, false); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
