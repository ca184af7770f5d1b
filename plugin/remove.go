package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/remove"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// defaultRemoveTimeout is how long remove waits for the Application to be gone.
const defaultRemoveTimeout = 5 * time.Minute

type removeOptions struct {
	streams    Streams
	env        Env
	connection *connection

	repo           string
	releases       string
	rootApp        string
	orphan         bool
	yes            bool
	acceptOperator bool
	timeout        time.Duration
	dryRun         string
	output         string

	app    string
	host   string // the API server's address: who is asked sees which cluster it is about
	format printer.Format
}

// NewCmdRemove returns the command kubectl apl remove.
func NewCmdRemove(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &removeOptions{streams: streams, env: env, connection: connection}
	cmd := &cobra.Command{
		Use:   "remove APP [--releases FILE] [--orphan] [--yes] [--timeout 5m] [--repo DIR] [--dry-run=client|server|none]",
		Short: "Delete the Application of an app that was switched off, with what it deploys",
		Long: `Deletes the Application of an app whose file is gone from git. APP is namespace/releaseName, or the name of the Application.

Written Applications outlive their files, so that no revert deletes a platform. So switching an app off has two halves: its
file goes from git, by reconcile or by hand, and then this command removes what runs. It shows what goes, by kind, and
what of it holds data, and asks. Then it drops the protection, deletes the Application by the finalizer with which Argo CD
deletes what it deploys, waits, and says what is left where it does not go. --orphan leaves everything that runs where it
is: only the Application goes.

Nothing is done while somebody would make the Application anew: the file is in the work tree, in HEAD, or on the remote as it
was last seen; the settings or --releases have the release on; the root app still has it; or the platform's operator runs
and neither told that it is off. Only apps of the platform are removed.

Exit codes: 0 done, or gone already, or a dry run of what could be done; 1 it is refused; 2 it could not be done, was not
confirmed, or is not gone yet.`,
		Example: `  # What would go
  kubectl apl remove harbor/harbor --repo values --releases releases.json --dry-run=client

  # The same, checked by the API server
  kubectl apl remove harbor/harbor --repo values --releases releases.json --dry-run=server

  # Remove it with all that it deploys, without a question
  kubectl apl remove harbor/harbor --repo values --releases releases.json --yes

  # Remove the Application and keep what runs
  kubectl apl remove monitoring/loki --repo values --releases releases.json --orphan --yes`,
		Args:              oneApp,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	return cmd
}

// oneApp demands one argument.
func oneApp(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one APP, not %d; see %s --help", cmd.Name(), len(args), cmd.CommandPath())
	}
	return nil
}

func (o *removeOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.repo, "repo", "", "values repo from which the app's file has to be gone (default: the folder that holds env/, from here upwards)")
	f.StringVar(&o.releases, "releases", "", "file with the release registry, as helmfile list --output json prints it: it tells whether the app is switched on, as the settings do")
	f.StringVar(&o.rootApp, "root-app", argocd.RootApp, "Application that reconciles the Application files")
	f.BoolVar(&o.orphan, "orphan", false, "delete the Application alone, and leave what it deploys where it is")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.acceptOperator, "accept-operator", false, "go on although the platform's operator runs and may make the Application anew")
	f.DurationVar(&o.timeout, "timeout", defaultRemoveTimeout, "how long to wait until the Application is gone; 0 waits for nothing")
	addClusterDryRun(cmd, &o.dryRun)
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the plan: "+strings.Join(printer.Formats(), ", "))
	_ = cmd.MarkFlagDirname("repo")                                                                                             // fails for an unknown flag only
	_ = cmd.MarkFlagFilename("releases", "json")                                                                                // as above
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.Formats(), cobra.ShellCompDirectiveNoFileComp)) // as above
}

// complete checks the flags against each other. It reads nothing.
func (o *removeOptions) complete(args []string) (err error) {
	o.app = args[0]
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	if err := checkClusterDryRun(o.dryRun); err != nil {
		return err
	}
	switch {
	case o.timeout < 0:
		return fmt.Errorf("--timeout %s: it is no time to wait; 0 waits for nothing", o.timeout)
	case o.rootApp == "":
		return errors.New("--root-app is empty; leave it out for " + argocd.RootApp)
	case !o.text() && !o.yes && o.dryRun == string(cluster.DryRunNone):
		return fmt.Errorf("-o %s prints the plan when all is done, so that nobody can be asked about it; say yes with --yes", o.output)
	}
	return nil
}

func (o *removeOptions) text() bool {
	return o.format == printer.Table || o.format == printer.Wide
}

func (o *removeOptions) run(ctx context.Context) error {
	in, err := o.input()
	if err != nil {
		return err
	}
	plan, err := remove.New(ctx, in, remove.Options{App: o.app, RootApp: o.rootApp, Orphan: o.orphan, AcceptOperator: o.acceptOperator})
	if err != nil {
		return err
	}
	asked := plan.Writes() && o.dryRun == string(cluster.DryRunNone) && !o.yes
	if asked {
		if err := o.print(plan); err != nil {
			return err
		}
		if err := o.ask(ctx, plan); err != nil {
			return fmt.Errorf("%w; nothing was removed", err)
		}
	}
	shown := slices.Clone(plan.Findings)
	over := o.streams.During(ctx, "removing "+plan.App)
	failed := plan.Carry(ctx, cluster.DryRun(o.dryRun), o.timeout, func(s remove.Step) {
		fmt.Fprintf(o.streams.ErrOut, "%s: %s: %s\n", plan.App, s.Name, s.Text) // the plan says it too
	})
	over()
	more := slices.ContainsFunc(plan.Findings, func(f finding.Finding) bool { return !slices.Contains(shown, f) })
	if !asked || failed != nil || len(plan.Left) > 0 || more {
		if err := o.print(plan); err != nil {
			return errors.Join(failed, err)
		}
	}
	switch {
	case errors.Is(failed, remove.ErrRefused):
		fmt.Fprintln(o.streams.ErrOut, "Nothing was removed: the app is refused. Solve what stands against it.") // the exit code says it too
		return errFindings
	case failed != nil && ctx.Err() != nil:
		return errors.New("interrupted; what is done is done, and running it again goes on from there")
	case failed != nil:
		return failed
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan)) // the exit code says it too
	return nil
}

// input opens the values repo, reads the registry, and connects.
func (o *removeOptions) input() (remove.Input, error) {
	in := remove.Input{Namespace: o.connection.namespace()}
	repo, err := openRepo(o.streams, o.env, o.repo)
	if err != nil {
		return in, err
	}
	in.Repo = repo
	gates, err := settings.Read(repo.ReadFile)
	if err != nil {
		return in, err
	}
	committed, err := settings.Read(repo.HeadFile)
	if err != nil {
		return in, fmt.Errorf("read HEAD: %w", err)
	}
	in.Gates = append(in.Gates, gates.Gate, remove.Committed(gates.Gate, committed.Gate))
	if o.releases != "" {
		data, err := os.ReadFile(o.releases)
		if err != nil {
			return in, fmt.Errorf("--releases %s: %w", o.releases, plainPathError(err))
		}
		registry, err := release.ParseRegistry(o.releases, data)
		if err != nil {
			return in, err
		}
		in.Gates = append(in.Gates, remove.FromRegistry(registry, o.releases))
	}
	client, err := o.connection.client()
	if err != nil {
		return in, err
	}
	in.Cluster, o.host = client, client.Host()
	return in, nil
}

// ask asks whether to go on. Where data goes, the app's name is the only answer that means yes.
func (o *removeOptions) ask(ctx context.Context, plan *remove.Plan) error {
	if len(plan.Data) > 0 && plan.Action == remove.Remove {
		return o.streams.confirm(ctx, fmt.Sprintf("Type %s to delete it from %s, and the data that goes with it:", plan.App, o.host), plan.App)
	}
	return o.streams.confirm(ctx, fmt.Sprintf("Delete the Application of %s from %s? [y/N]", plan.App, o.host), "y", "yes", plan.App)
}

func (o *removeOptions) print(plan *remove.Plan) error {
	o.streams.Quiet()
	return printer.Remove(o.streams.Out, o.format, printer.Style{Color: o.text() && colored(o.streams.Out, o.env.Lookup)}, plan)
}

// outcome says in a sentence what was done.
func (o *removeOptions) outcome(plan *remove.Plan) string {
	switch {
	case plan.Action == remove.Gone:
		return "Nothing to do: it is gone already."
	case plan.DryRun != "":
		return "Dry run: nothing was removed."
	case o.timeout == 0:
		return "Deleted; nobody waited until it is gone."
	case plan.Action == remove.Orphan:
		return "Removed. What it deployed stays, and belongs to nobody."
	}
	return "Removed."
}
