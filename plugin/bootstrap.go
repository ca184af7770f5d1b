package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/bootstrap"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type bootstrapOptions struct {
	streams    Streams
	env        Env
	connection *connection

	repo           string
	rootApp        string
	sync           string
	valuesRepoURL  string
	valuesRevision string
	dryRun         string
	force          bool
	acceptOperator bool
	output         string

	format printer.Format
}

// NewCmdBootstrap returns the command kubectl apl bootstrap.
func NewCmdBootstrap(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &bootstrapOptions{streams: streams, env: env, connection: connection}
	cmd := &cobra.Command{
		Use:   "bootstrap [--repo DIR] [--root-app NAME] [--sync=auto|manual] [--dry-run=client|server|none]",
		Short: "Apply the Applications by which Argo CD reads the values repo",
		Long: `Applies, server-side, what Argo CD needs to take a platform from its values repo: the root app, which applies the
Application files, an Application for the folder of each namespace, gitops-global for the objects of the cluster, and, where
the settings have a custom root CA, the ExternalSecret and the ClusterIssuer that every certificate rests on. Which folders
there are, HEAD of the values repo says. Folders of teams are left alone.

The Applications are those that the platform's operator makes, less a sync option that can stop a root app. What already says
what it is to say is left alone, so that a second run writes nothing. Nothing is deleted, no Application that is there is
pointed at another folder, and no folder gets a second owner. A field that belongs to another field manager is a conflict,
which is named, unless --force-conflicts takes it.

A new Application syncs by itself; one that is there goes on as it does. --sync=manual leaves automation off for a first
sync that you have looked at, and --sync=auto then turns it on.

Exit codes: 0 done, nothing to do, or a dry run of what could be done; 1 something stands against it, and nothing was
written; 2 it could not be done.`,
		Example: `  # What would be applied
  kubectl apl bootstrap --repo values --dry-run=client

  # The same, checked by the API server, as objects that kubectl apply takes
  kubectl apl bootstrap --repo values --dry-run=server -o yaml

  # Apply it, look at what a sync would do, then let Argo CD sync by itself
  kubectl apl bootstrap --repo values --sync=manual
  kubectl apl bootstrap --repo values --sync=auto`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	return cmd
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: %s takes no argument; see %s --help", args[0], cmd.Name(), cmd.CommandPath())
	}
	return nil
}

// clusterDryRuns are the values of --dry-run of commands that write to the cluster.
func clusterDryRuns() []string {
	return []string{string(cluster.DryRunNone), string(cluster.DryRunClient), string(cluster.DryRunServer)}
}

// addClusterDryRun adds --dry-run.
func addClusterDryRun(cmd *cobra.Command, value *string) {
	f := cmd.Flags()
	f.StringVar(value, "dry-run", string(cluster.DryRunNone), "client: print the plan and write nothing; server: have the API server check each write too; none: do it")
	f.Lookup("dry-run").NoOptDefVal = string(cluster.DryRunClient)
	_ = cmd.RegisterFlagCompletionFunc("dry-run", cobra.FixedCompletions(clusterDryRuns(), cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
}

// checkClusterDryRun checks the value of --dry-run.
func checkClusterDryRun(value string) error {
	if !slices.Contains(clusterDryRuns(), value) {
		return fmt.Errorf("--dry-run %q: it is one of %s", value, strings.Join(clusterDryRuns(), ", "))
	}
	return nil
}

func (o *bootstrapOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.repo, "repo", "", "values repo whose folders are looked at (default: the folder that holds env/, from here upwards)")
	f.StringVar(&o.rootApp, "root-app", argocd.RootApp, "Application that reconciles the Application files")
	f.StringVar(&o.sync, "sync", string(bootstrap.SyncKeep), "auto: Argo CD syncs by itself; manual: leave that off (default: auto for what is new, and as it is for what is there)")
	f.StringVar(&o.valuesRepoURL, "values-repo-url", "", "URL by which Argo CD reads the values repo (default: that of the live gitops-* Applications)")
	f.StringVar(&o.valuesRevision, "values-revision", "", "branch by which Argo CD reads the values repo (default: that of the live gitops-* Applications)")
	addClusterDryRun(cmd, &o.dryRun)
	f.BoolVar(&o.force, "force-conflicts", false, "take fields from the field managers that own them")
	f.BoolVar(&o.acceptOperator, "accept-operator", false, "go on with --sync=manual although the platform's operator runs, which turns automation on")
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "table and wide print what is done, json, yaml and name the objects: "+strings.Join(printer.ObjectFormats(), ", "))
	_ = cmd.MarkFlagDirname("repo")                                                                                                                                            // fails for an unknown flag only
	_ = cmd.RegisterFlagCompletionFunc("sync", cobra.FixedCompletions([]string{string(bootstrap.SyncAuto), string(bootstrap.SyncManual)}, cobra.ShellCompDirectiveNoFileComp)) // as above
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.ObjectFormats(), cobra.ShellCompDirectiveNoFileComp))                                          // as above
}

// complete checks the flags. It reads nothing.
func (o *bootstrapOptions) complete() (err error) {
	if o.format, err = printer.ParseObjectFormat(o.output); err != nil {
		return err
	}
	if err := checkClusterDryRun(o.dryRun); err != nil {
		return err
	}
	switch bootstrap.Sync(o.sync) {
	case bootstrap.SyncKeep, bootstrap.SyncAuto, bootstrap.SyncManual:
	default:
		return fmt.Errorf("--sync %q: it is one of %s, %s", o.sync, bootstrap.SyncAuto, bootstrap.SyncManual)
	}
	if o.rootApp == "" {
		return errors.New("--root-app is empty; leave it out for " + argocd.RootApp)
	}
	return nil
}

func (o *bootstrapOptions) run(ctx context.Context) error {
	in, err := o.input(ctx)
	if err != nil {
		return err
	}
	plan, err := bootstrap.New(ctx, in, bootstrap.Options{
		RootApp: o.rootApp, Sync: bootstrap.Sync(o.sync), ValuesRepoURL: o.valuesRepoURL, ValuesRevision: o.valuesRevision,
		Force: o.force, AcceptOperator: o.acceptOperator, DryRun: cluster.DryRun(o.dryRun),
	})
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	failed := plan.Carry(ctx, func(done *bootstrap.Object) {
		fmt.Fprintf(o.streams.ErrOut, "%s %s: %s: done\n", done.Kind, done.Name, done.Action) // the plan says it too
	})
	refused := errors.Is(failed, bootstrap.ErrRefused)
	if refused {
		failed = nil
	}
	if err := o.print(plan); err != nil {
		return errors.Join(failed, err)
	}
	switch {
	case failed != nil && ctx.Err() != nil:
		return errors.New("interrupted; what is done is done, and running it again goes on from there")
	case failed != nil:
		return fmt.Errorf("%w; what is done is done, and running it again goes on from there", failed)
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan)) // the exit code says it too
	if refused {
		return errFindings
	}
	return nil
}

// input opens the values repo and reads the cluster.
func (o *bootstrapOptions) input(ctx context.Context) (bootstrap.Input, error) {
	fail := func(err error) (bootstrap.Input, error) { return bootstrap.Input{}, err }
	in := bootstrap.Input{Namespace: o.connection.namespace()}
	repo, err := openRepo(o.streams, o.env, o.repo)
	if err != nil {
		return fail(err)
	}
	in.Repo = repo
	client, err := o.connection.client()
	if err != nil {
		return fail(err)
	}
	in.Cluster = client
	var denied error
	in.Applications, denied, err = client.Everywhere(ctx, in.Namespace, func(done int) { o.streams.Progress("reading Applications", done, 0) })
	switch {
	case errors.Is(err, cluster.ErrNoKind):
		return fail(fmt.Errorf("%w; if it is, install Argo CD first: its CustomResourceDefinitions have to be there", err))
	case err != nil:
		return fail(err)
	case denied != nil:
		in.Unseen = denied.Error()
	}
	facts, err := readFacts(ctx, client, in.Namespace)
	if err != nil {
		return fail(err)
	}
	in.Facts = *facts
	return in, nil
}

// print prints the result, and what was found where the result has no place for it.
func (o *bootstrapOptions) print(plan *bootstrap.Plan) error {
	text := o.format == printer.Table || o.format == printer.Wide
	style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
	o.streams.Quiet()
	if err := printer.Bootstrap(o.streams.Out, o.format, style, plan); err != nil {
		return err
	}
	if text {
		return nil
	}
	return printer.Findings(o.streams.ErrOut, printer.Style{Color: colored(o.streams.ErrOut, o.env.Lookup)}, plan.Findings)
}

// outcome says in a sentence what was done.
func (o *bootstrapOptions) outcome(plan *bootstrap.Plan) string {
	n := finding.Count(plan.Pending(), "object")
	switch {
	case plan.Refused():
		return "Nothing was written: something stands against it. Solve it first."
	case plan.Pending() == 0:
		return "Nothing to do."
	case plan.DryRun != "":
		return fmt.Sprintf("Dry run: nothing was written. %s would be applied.", n)
	}
	return fmt.Sprintf("Applied %s.", n)
}
