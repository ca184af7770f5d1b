package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// input reads all that a plan is made from, and opens the repo.
func (o *migrateOptions) input(ctx context.Context) (migrate.Input, *gitrepo.Repo, error) {
	fail := func(err error) (migrate.Input, *gitrepo.Repo, error) { return migrate.Input{}, nil, err }
	repo, err := openRepo(o.streams, o.env, o.repo, o.push.options()...)
	if err != nil {
		return fail(err)
	}
	if err := o.push.find(repo); err != nil {
		return fail(err)
	}
	if warning, err := o.backup.find(repo, o.env); err != nil {
		return fail(err)
	} else if warning != "" {
		fmt.Fprintf(o.streams.ErrOut, "warning: %s\n", warning) // nothing depends on it
	}
	in := migrate.Input{Repo: repo}
	if in.Config, err = readConfig(repo); err != nil {
		return fail(err)
	}
	if in.Registry, in.Managed, err = o.platform.read(ctx, o.streams); err != nil {
		return fail(err)
	}
	if in.Charts, err = o.charts.store(); err != nil {
		return fail(err)
	}
	if len(o.filenames) == 0 {
		if err := o.readCluster(ctx, &in); err != nil {
			return fail(err)
		}
		return in, repo, nil
	}
	if in.Capabilities, err = o.proof.capabilities(ctx, nil); err != nil {
		return fail(err)
	}
	if in.Applications, err = readApplications(ctx, o.streams, o.filenames); err != nil {
		return fail(err)
	}
	return in, repo, nil
}

// maxOtherKinds bounds how many kinds of objects that are no Applications are named for an input.
const maxOtherKinds = 10

// readApplications reads all inputs. Input without any Application is an error, as a cluster without any is: a command that
// failed before the pipe looks like that, and so does an empty list of another group's Applications.
func readApplications(ctx context.Context, streams Streams, filenames []string) ([]*argocd.Application, error) {
	named, err := inputs(filenames, streams.In)
	if err != nil {
		return nil, err
	}
	var (
		apps      []*argocd.Application
		documents int
		others    int
	)
	for _, in := range named {
		summary, err := readStream(ctx, in, &apps)
		if err != nil {
			return nil, err
		}
		documents += summary.Documents
		others += len(summary.Others)
		for i, other := range summary.Others {
			if i == maxOtherKinds {
				fmt.Fprintf(streams.ErrOut, "warning: %s: %d more kinds of objects are left alone\n", in.name, len(summary.Others)-i) // as below
				break
			}
			fmt.Fprintf(streams.ErrOut, "warning: %s:%d: %s %s is no Application of Argo CD and is left alone (%d of this kind)\n", // a warning that cannot be shown changes nothing
				in.name, other.Line, other.APIVersion, other.Kind, other.Count)
		}
	}
	switch {
	case documents == 0:
		return nil, errors.New("the input of -f holds no object; did the command that wrote it fail?")
	case len(apps) == 0 && others > 0:
		return nil, errors.New("the input of -f holds objects, and none is an Application (argoproj.io/v1alpha1)")
	case len(apps) == 0:
		return nil, errors.New("the input of -f holds no Application; write it with: kubectl get applications.argoproj.io -A -o yaml")
	}
	return apps, nil
}

func readStream(ctx context.Context, in input, apps *[]*argocd.Application) (argocd.Summary, error) {
	file, err := in.open()
	if err != nil {
		return argocd.Summary{}, fmt.Errorf("-f %s: %w", in.name, plainPathError(err))
	}
	defer file.Close()
	return argocd.Read(in.name, interruptible{ctx, file}, func(a *argocd.Application) error {
		*apps = append(*apps, a)
		return nil
	})
}

// carryOut prints the plan and does what it says, as far as the flags let it.
func (o *migrateOptions) carryOut(ctx context.Context, repo *gitrepo.Repo, plan *migrate.Plan) error {
	var failed error
	switch {
	case plan.Held():
	case o.dryRun:
		if err := errors.Join(o.backup.free(plan), plan.Check(ctx, repo, o.noCommit)); err != nil {
			fmt.Fprintf(o.streams.ErrOut, "warning: a run would be refused: %v\n", err) // the run says it too
		}
	default:
		o.streams.Progress("writing files", 0, 0)
		if failed = o.backup.write(plan, o.env); failed == nil {
			if failed = plan.Carry(ctx, repo, o.noCommit); failed != nil && plan.Commit == "" {
				failed = errors.Join(failed, o.backup.drop(plan))
			}
		}
	}
	overtaken := errors.Is(failed, gitrepo.ErrNothingToCommit)
	if overtaken {
		failed = nil
	}
	if failed == nil && !o.dryRun {
		failed = o.push.run(ctx, repo, plan)
	}
	o.streams.Quiet()
	text := o.format == printer.Table || o.format == printer.Wide
	if failed == nil || plan.Commit != "" || text {
		style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
		if err := printer.Plan(o.streams.Out, o.format, style, plan); err != nil {
			return errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan, overtaken)) // the exit code says it too
	if text := o.backup.outcome(plan, o.dryRun); text != "" {
		fmt.Fprintln(o.streams.ErrOut, text) // nothing depends on it
	}
	if plan.Blocked() || plan.Refused() {
		return errFindings
	}
	return nil
}

// outcome says in a sentence what was done, and in a second one what was not.
func (o *migrateOptions) outcome(plan *migrate.Plan, overtaken bool) string {
	s := plan.Summary
	files, blocked := finding.Count(s.Files, "file"), ""
	switch {
	case s.Migrate > 0 && plan.Parts != (migrate.Parts{}):
		files += ", of " + finding.Count(s.Migrate, "app") + " and the other parts"
	case s.Migrate > 0 || s.Files == 0:
		files += " of " + finding.Count(s.Migrate, "app")
	}
	if s.Blocked > 0 {
		blocked = fmt.Sprintf(" Blocked: %s.", finding.Count(s.Blocked, "app"))
	}
	if refused := plan.RefusedParts(); len(refused) > 0 {
		blocked += fmt.Sprintf(" Refused whole, as the findings say: %s.", strings.Join(refused, " and "))
	}
	switch {
	case plan.Refused():
		return fmt.Sprintf("Nothing was written: the preflight found what stands against the plan.%s Solve it first.", blocked)
	case plan.Held():
		return fmt.Sprintf("Nothing was written.%s Solve what blocks, exclude it in %s, or use --keep-going.", blocked, layout.ConfigFile)
	case overtaken:
		return "Nothing to do: another run has committed the same meanwhile." + o.push.outcome(plan, false) + blocked
	case s.Migrate+s.Unchanged+s.Blocked == 0 && s.Files == 0 && !plan.Blocked():
		return "Nothing to do: none of the Applications is to be moved, see why they are skipped." + o.push.outcome(plan, o.dryRun)
	case s.Files == 0 && plan.Pushed != nil && !plan.Pushed.Already:
		return "Nothing to write." + o.push.outcome(plan, false) + blocked
	case s.Files == 0:
		return "Nothing to do." + o.push.outcome(plan, o.dryRun) + blocked
	case o.dryRun:
		return fmt.Sprintf("Dry run: nothing was written. It would be %s.%s%s%s", files, byGit(plan, true), o.push.outcome(plan, true), blocked)
	case plan.Commit == "":
		return fmt.Sprintf("Wrote %s to the work tree; nothing was committed.%s", files, blocked)
	}
	return fmt.Sprintf("Committed %s as %.10s.%s%s%s", files, plan.Commit, byGit(plan, false), o.push.outcome(plan, false), blocked)
}
