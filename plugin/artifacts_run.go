package plugin

import (
	"context"
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// carryOut makes the plan, prints it, and does what it says as far as the flags let it.
func (o *artifactsOptions) carryOut(ctx context.Context, repo *gitrepo.Repo, in publish.Input) error {
	plan, err := publish.New(ctx, in, publish.Options{Protect: artifact.Protection(o.protect), Prune: o.prune, WorkTree: o.repo.noCommit, Progress: o.streams.Progress})
	if err != nil {
		return err
	}
	var failed error
	switch {
	case plan.Refused():
	case o.dryRun:
		if err := plan.Check(ctx, repo, o.repo.noCommit); err != nil {
			fmt.Fprintf(o.streams.ErrOut, "warning: a run would be refused: %v\n", err) // the run says it too
		}
	default:
		o.streams.Progress("writing files", 0, 0)
		failed = plan.Carry(ctx, repo, o.repo.noCommit)
	}
	overtaken := errors.Is(failed, gitrepo.ErrNothingToCommit)
	if overtaken {
		failed = nil
	}
	o.streams.Quiet()
	text := o.format == printer.Table || o.format == printer.Wide
	if failed == nil || plan.Commit != "" || text {
		style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
		if err := printer.Artifacts(o.streams.Out, o.format, style, plan); err != nil {
			return errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan, overtaken)) // the exit code says it too
	if plan.Refused() {
		return errFindings
	}
	return nil
}

// outcome says in a sentence what was done.
func (o *artifactsOptions) outcome(plan *publish.Plan, overtaken bool) string {
	files := finding.Count(len(plan.Changes()), "file")
	switch {
	case plan.Refused():
		return "Nothing was written: findings stand against it. Solve what is marked as an error; nothing is written in part."
	case overtaken:
		return "Nothing to do: another run has committed the same meanwhile."
	case len(plan.Changes()) == 0:
		return "Nothing to do."
	case o.dryRun:
		return fmt.Sprintf("Dry run: nothing was written. It would be %s.", files)
	case plan.Commit == "":
		return fmt.Sprintf("Wrote %s to the work tree; nothing was committed.", files)
	}
	return fmt.Sprintf("Committed %s as %.10s.", files, plan.Commit)
}
