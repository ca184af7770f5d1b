package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

const (
	// adoptTime bounds the wait where --timeout says nothing: Argo CD looks for commits every three minutes.
	adoptTime = 10 * time.Minute
	// adoptPoll is the time between two looks at what is waited for.
	adoptPoll = 3 * time.Second
)

// artifactsFlags make migrate hand objects over, on a cluster, in place of moving apps to files.
type artifactsFlags struct {
	wanted  bool
	timeout time.Duration
}

func (a *artifactsFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&a.wanted, "artifacts", false, "in place of moving apps: hand the objects of the -artifacts Applications over to those that sync the values repo, on the cluster, and delete the old ones")
	f.DurationVar(&a.timeout, "timeout", adoptTime, "with --artifacts, how long to wait until the objects are adopted")
}

// ours are the flags of migrate that mean something to a hand-over; kubectl's connection flags do too.
func (a *artifactsFlags) ours() []string {
	return []string{"artifacts", "timeout", "releases", "helmfile", "repo", "dry-run", "output"}
}

// complete checks the flags against each other. It reads nothing.
func (a *artifactsFlags) complete(cmd *cobra.Command, o *migrateOptions) (err error) {
	if !a.wanted {
		if cmd.Flags().Changed("timeout") {
			return errors.New("--timeout is for --artifacts; --request-timeout bounds each request to the cluster")
		}
		return nil
	}
	var others []string
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains(a.ours(), f.Name) {
			others = append(others, "--"+f.Name)
		}
	})
	slices.Sort(others)
	switch o.format, err = printer.ParseFormat(o.output); {
	case err != nil:
		return err
	case slices.Contains(others, "--filename"):
		return errors.New("--artifacts and -f exclude each other: objects are handed over on a cluster; leave out -f")
	case len(others) > 0:
		return fmt.Errorf("--artifacts and %s exclude each other: it hands objects over on the cluster, moves no app and writes no file; leave out one or the other", strings.Join(others, ", "))
	case !slices.Contains(clusterDryRuns(), o.dryRunMode):
		return fmt.Errorf("--dry-run %q: it is one of %s", o.dryRunMode, strings.Join(clusterDryRuns(), ", "))
	case o.platform.releases == "" && o.platform.helmfile == "":
		return errors.New("missing --releases (what helmfile list --output json prints), or --helmfile: it tells which releases are -artifacts ones; see kubectl apl migrate --help")
	case o.platform.releases != "" && o.platform.helmfile != "":
		return errors.New("--helmfile and --releases exclude each other: both say which releases there are")
	case a.timeout <= 0:
		return fmt.Errorf("--timeout %s: it is how long to wait, and more than nothing", a.timeout)
	}
	return nil
}

// run hands over.
func (a *artifactsFlags) run(ctx context.Context, o *migrateOptions) error {
	in, err := a.input(ctx, o)
	if err != nil {
		return err
	}
	o.streams.Progress("looking at the objects", 0, 0)
	plan, err := handover.New(ctx, in, handover.Options{Apps: o.apps, Timeout: a.timeout, Poll: adoptPoll, Now: o.env.Now, Progress: o.streams.Progress})
	if err != nil {
		return err
	}
	failed := plan.Carry(ctx, cluster.DryRun(o.dryRunMode), func(a *handover.App, s handover.Step) {
		fmt.Fprintf(o.streams.ErrOut, "%s: %s: %s\n", a.App, s.Name, s.Text) // the plan says it too
	})
	o.streams.Quiet()
	stopped := errors.Is(failed, handover.ErrRefused) || errors.Is(failed, handover.ErrNotAdopted)
	text := o.format == printer.Table || o.format == printer.Wide
	style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
	if err := printer.Handover(o.streams.Out, o.format, style, plan); err != nil {
		return errors.Join(failed, err)
	}
	const goesOn = "what is done is done, and running it again goes on from there"
	switch {
	case failed == nil:
		fmt.Fprintln(o.streams.ErrOut, a.outcome(o, plan)) // the exit code says it too
		return nil
	case stopped && plan.Begun():
		fmt.Fprintf(o.streams.ErrOut, "Stopped: %v. See above what to do; %s.\n", failed, goesOn) // as above
		return errFindings
	case stopped:
		fmt.Fprintln(o.streams.ErrOut, "Nothing was done: see above what stands against it, and what to do.") // as above
		return errFindings
	case !plan.Begun():
		return fmt.Errorf("%w; nothing was written", failed)
	case ctx.Err() != nil:
		return errors.New("interrupted; " + goesOn)
	}
	return fmt.Errorf("%w; %s", failed, goesOn)
}

// input opens the values repo, connects, and reads what there is.
func (a *artifactsFlags) input(ctx context.Context, o *migrateOptions) (handover.Input, error) {
	fail := func(err error) (handover.Input, error) { return handover.Input{}, err }
	in := handover.Input{Namespace: o.connection.namespace()}
	repo, err := openRepo(o.streams, o.env, o.repo)
	if err != nil {
		return fail(err)
	}
	in.Repo = repo
	if in.Config, err = readConfig(repo); err != nil {
		return fail(err)
	}
	if in.Registry, err = a.registry(ctx, o); err != nil {
		return fail(err)
	}
	client, err := o.connection.client()
	if err != nil {
		return fail(err)
	}
	in.Cluster = client
	progress := func(done int) { o.streams.Progress("reading Applications", done, 0) }
	if in.Applications, err = client.Applications(ctx, cluster.ListOptions{Namespace: in.Namespace, Progress: progress}); err != nil {
		return fail(err)
	}
	if len(in.Applications) == 0 {
		return fail(noApplications(in.Namespace))
	}
	return in, nil
}

// registry reads which releases there are. helmfile computes the values along with them, which are not looked at.
func (a *artifactsFlags) registry(ctx context.Context, o *migrateOptions) (*release.Registry, error) {
	if o.platform.helmfile == "" {
		return readRegistry(o.platform.releases)
	}
	registry, _, err := o.platform.read(ctx, o.streams)
	return registry, err
}

// outcome says in a sentence what was done.
func (a *artifactsFlags) outcome(o *migrateOptions, plan *handover.Plan) string {
	apps := 0
	for i := range plan.Apps {
		if len(plan.Apps[i].Steps) > 0 {
			apps++
		}
	}
	switch {
	case apps == 0:
		return "Nothing to do: there is no -artifacts Application that has something to hand over."
	case o.dryRunMode != dryRunNone:
		return fmt.Sprintf("Dry run: nothing was written. %s would be handed over.", finding.Count(apps, "Application"))
	}
	return fmt.Sprintf("Handed over %s.", finding.Count(apps, "Application"))
}
