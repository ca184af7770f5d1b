package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/rollback"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type rollbackOptions struct {
	streams    Streams
	env        Env
	connection *connection

	filenames      []string
	clusterOnly    bool
	dryRun         string
	rootApp        string
	manager        string
	force          bool
	acceptOperator bool
	repo           repoFlags
	output         string

	apps   []string
	format printer.Format
}

// NewCmdRollback returns the command kubectl apl rollback.
func NewCmdRollback(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &rollbackOptions{streams: streams, env: env, connection: connection}
	cmd := &cobra.Command{
		Use:   "rollback -f BACKUP [APP...] [--repo DIR | --cluster-only] [--dry-run=client|server|none]",
		Short: "Put back the Applications that a migrate superseded",
		Long: `Puts the Applications of a backup back as they were before migrate moved them to git, and removes their files from
the values repo: one commit. APP is namespace/releaseName; without any, all of the backup are put back.

No Application is deleted or made, and none is put into a state in which Argo CD would delete what it deploys. Each app
is put back step by step: it stays protected while it is taken out of the root app's care, then gets its inline form back
from the field manager that owned it, then loses spec.sources, and last the protection. A run that was interrupted
is continued by running it again.

Nothing is written while the root app, or the platform's operator, would undo it, nor over what was changed since the
migration: the plan says what to do.

Exit codes: 0 done, nothing to do, or a dry run of what could be done; 1 apps are refused; 2 it could not be done.`,
		Example: `  # What would be done
  kubectl apl rollback -f backup.yaml --repo values --dry-run=client

  # The same, checked by the API server
  kubectl apl rollback -f backup.yaml --repo values --dry-run=server

  # Put two apps back, and commit the removal of their files
  kubectl apl rollback argocd/argocd harbor/harbor -f backup.yaml --repo values`,
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

func (o *rollbackOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.filenames, "filename", "f", nil, `backup that migrate wrote, or Applications as kubectl get applications.argoproj.io -o yaml printed them before; "-" is standard input`)
	o.repo.add(cmd)
	f.BoolVar(&o.clusterOnly, "cluster-only", false, "leave the values repo alone")
	addClusterDryRun(cmd, &o.dryRun)
	f.StringVar(&o.rootApp, "root-app", "", "Application that reconciles the Application files (default: that of the backup, or else "+argocd.RootApp+")")
	f.StringVar(&o.manager, "field-manager", "", "field manager to give the inline form back to (default: the one that owned it)")
	f.BoolVar(&o.force, "force", false, "put apps back that were changed since the migration: those changes are lost")
	f.BoolVar(&o.acceptOperator, "accept-operator", false, "go on although nobody can tell whether the platform's operator runs")
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the plan: "+strings.Join(printer.Formats(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.Formats(), cobra.ShellCompDirectiveNoFileComp)) // as above
}

// complete checks the flags against each other. It reads nothing.
func (o *rollbackOptions) complete(args []string) (err error) {
	o.apps = args
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	switch {
	case len(o.filenames) == 0:
		return errors.New("missing -f (the backup that migrate wrote); see kubectl apl rollback --help")
	case !slices.Contains(clusterDryRuns(), o.dryRun):
		return fmt.Errorf("--dry-run %q: it is one of %s", o.dryRun, strings.Join(clusterDryRuns(), ", "))
	case o.clusterOnly && o.repo != (repoFlags{}):
		return errors.New("--cluster-only leaves the values repo alone; leave out --repo, --no-commit and --allow-detached, or --cluster-only")
	}
	return nil
}

func (o *rollbackOptions) run(ctx context.Context) error {
	in, err := o.input(ctx)
	if err != nil {
		return err
	}
	plan, err := rollback.New(ctx, in, rollback.Options{
		Apps: o.apps, RootApp: o.rootApp, Manager: o.manager, Force: o.force, AcceptOperator: o.acceptOperator, WorkTree: o.repo.noCommit,
	})
	if err != nil {
		return err
	}
	failed := plan.Carry(ctx, cluster.DryRun(o.dryRun), func(a *rollback.App, s rollback.Step) {
		fmt.Fprintf(o.streams.ErrOut, "%s: %s: %s\n", a.App, s.Name, s.Text) // the plan says it too
	})
	refused := plan.Refused() && errors.Is(failed, rollback.ErrRefused)
	if refused {
		failed = nil
	}
	text := o.format == printer.Table || o.format == printer.Wide
	style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
	if err := printer.Rollback(o.streams.Out, o.format, style, plan); err != nil {
		return errors.Join(failed, err)
	}
	switch {
	case failed == nil:
	case o.dryRun != string(cluster.DryRunNone) || !begun(plan):
		return fmt.Errorf("%w; nothing was written", failed)
	case ctx.Err() != nil:
		return errors.New("interrupted; what is done is done, and running it again goes on from there")
	default:
		return fmt.Errorf("%w; what is done is done, and running it again goes on from there", failed)
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan)) // the exit code says it too
	if refused {
		return errFindings
	}
	return nil
}

// input reads the backup, opens the values repo, and connects.
func (o *rollbackOptions) input(ctx context.Context) (rollback.Input, error) {
	fail := func(err error) (rollback.Input, error) { return rollback.Input{}, err }
	in := rollback.Input{Namespace: o.connection.namespace()}
	streams, err := inputs(o.filenames, o.streams.In)
	if err != nil {
		return fail(err)
	}
	for _, s := range streams {
		file, err := s.open()
		if err != nil {
			return fail(fmt.Errorf("-f %s: %w", s.name, plainPathError(err)))
		}
		entries, err := backup.Decode(s.name, interruptible{ctx, file})
		if err = errors.Join(err, file.Close()); err != nil {
			return fail(err)
		}
		in.Entries = append(in.Entries, entries...)
	}
	if len(in.Entries) == 0 {
		return fail(errors.New("the input of -f holds no Application; is it the backup?"))
	}
	if !o.clusterOnly {
		repo, err := o.repo.open(o.streams, o.env)
		if err != nil {
			return fail(fmt.Errorf("%w; --cluster-only leaves it alone", err))
		}
		in.Repo = repo
	}
	client, err := o.connection.client()
	if err != nil {
		return fail(err)
	}
	in.Cluster = client
	return in, nil
}

// outcome says in a sentence what was done.
func (o *rollbackOptions) outcome(plan *rollback.Plan) string {
	files := finding.Count(len(plan.Files), "file")
	switch {
	case plan.Refused():
		return "Nothing was done: apps are refused. Solve what stands against each, or name the others."
	case idle(plan):
		return "Nothing to do."
	case o.dryRun != string(cluster.DryRunNone):
		return fmt.Sprintf("Dry run: nothing was written. %s would be put back, and %s removed.", finding.Count(plan.Pending(), "app"), files)
	case plan.Commit != "":
		return fmt.Sprintf("Put back. Committed the removal of %s as %.10s.", files, plan.Commit)
	case o.clusterOnly:
		return "Put back. The values repo was left alone."
	case len(plan.Files) > 0:
		return fmt.Sprintf("Put back. Removed %s from the work tree; nothing was committed.", files)
	}
	return "Put back. No file had to be removed."
}

// idle tells that no step and no file was left.
func idle(plan *rollback.Plan) bool {
	for i := range plan.Apps {
		if len(plan.Apps[i].Steps) > 0 {
			return false
		}
	}
	return len(plan.Files) == 0
}

// begun tells that some step was done.
func begun(plan *rollback.Plan) bool {
	for i := range plan.Apps {
		if slices.ContainsFunc(plan.Apps[i].Steps, func(s rollback.Step) bool { return s.Done }) {
			return true
		}
	}
	return false
}
