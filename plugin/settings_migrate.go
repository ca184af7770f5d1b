package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type settingsMigrateOptions struct {
	streams Streams
	env     Env

	repo          repoFlags
	releases      string
	flagsOnly     bool
	removeEnvApps bool
	platformReads bool
	prefer        string
	dryRunMode    string
	output        string

	dryRun bool
	format printer.Format
}

// NewCmdSettingsMigrate returns the command kubectl apl settings migrate. It asks no cluster.
func NewCmdSettingsMigrate(streams Streams, env Env) *cobra.Command {
	o := &settingsMigrateOptions{streams: streams, env: env}
	cmd := &cobra.Command{
		Use:   "migrate [--repo DIR] [--releases FILE] [--flags-only] [--remove-env-apps --platform-reads-apps-yaml]",
		Short: "Gather env/apps in env/settings/apps.yaml",
		Long: `Gathers the settings of all apps, an envelope each in env/apps, in one file, env/settings/apps.yaml: one commit. The
settings keep their shape, comments and quotes. Values below _rawValues have no place there: the report says for each
where it lives on, or that it never had an effect. No cluster is asked for anything.

env/apps stays: a platform that reads only env/apps would go back to its defaults without it, which have most apps off,
and delete those. --remove-env-apps removes it in the same commit, and wants your word that the platform's version reads
the new file, --platform-reads-apps-yaml.

Running it again changes nothing. Where apps.yaml was edited since, it is kept; where env/apps was, it is made anew; where
both were, nothing is written unless --prefer says which counts.

Exit codes: 0 done, nothing to do, or a dry run of what could be done; 1 findings stand against it, nothing was written;
2 it could not be done.`,
		Example: `  # What would be gathered, and where raw values live on
  kubectl apl settings migrate --repo values --dry-run

  # Gather it, with the registry that helmfile list --output json printed
  kubectl apl settings migrate --repo values --releases releases.json

  # Remove env/apps too, once the platform reads the new file
  kubectl apl settings migrate --repo values --remove-env-apps --platform-reads-apps-yaml`,
		Args: cobra.NoArgs,
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

func (o *settingsMigrateOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.repo.add(cmd)
	f.StringVar(&o.releases, "releases", "", "file with the release registry, as helmfile list --output json prints it, to tell apps that no release reads (default: the releases that this version knows)")
	f.BoolVar(&o.flagsOnly, "flags-only", false, "keep flags alone: each enabled at any depth, and the others that switch releases")
	f.BoolVar(&o.removeEnvApps, "remove-env-apps", false, "remove env/apps in the same commit")
	f.BoolVar(&o.platformReads, "platform-reads-apps-yaml", false, "the platform's version is known to read env/settings/apps.yaml")
	f.StringVar(&o.prefer, "prefer", string(settings.Neither), "which counts where apps.yaml and env/apps were both edited: "+strings.Join(settings.Sides(), ", "))
	f.StringVar(&o.dryRunMode, "dry-run", dryRunNone, "client: print the report and write nothing; none: do it")
	f.Lookup("dry-run").NoOptDefVal = dryRunClient
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the report: "+strings.Join(printer.Formats(), ", "))
	_ = cmd.MarkFlagFilename("releases", "json") // fails for an unknown flag only
	for name, list := range map[string][]string{"prefer": settings.Sides(), "dry-run": {dryRunNone, dryRunClient}, "output": printer.Formats()} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // as above
	}
}

// complete checks the flags against each other. It reads nothing.
func (o *settingsMigrateOptions) complete() (err error) {
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	if o.dryRun = o.dryRunMode == dryRunClient; !o.dryRun && o.dryRunMode != dryRunNone {
		return fmt.Errorf("--dry-run %q: it is one of %s, %s; nothing is written to the cluster, so that there is no other", o.dryRunMode, dryRunNone, dryRunClient)
	}
	if !slices.Contains(settings.Sides(), o.prefer) {
		return fmt.Errorf("--prefer %q: it is one of %s", o.prefer, strings.Join(settings.Sides(), ", "))
	}
	return nil
}

func (o *settingsMigrateOptions) run(ctx context.Context) error {
	repo, err := o.repo.open(o.streams, o.env)
	if err != nil {
		return err
	}
	in, err := o.input(repo)
	if err != nil {
		return err
	}
	plan, err := settings.NewPlan(in, settings.Options{
		FlagsOnly: o.flagsOnly, RemoveEnvApps: o.removeEnvApps, PlatformReads: o.platformReads, Prefer: settings.Side(o.prefer),
	})
	if errors.Is(err, settings.ErrNoApps) {
		return fmt.Errorf("%w; is %s the values repo of a platform?", err, repo.Root())
	}
	if err != nil {
		return err
	}
	if err := o.land(ctx, repo, in.Files, plan); err != nil {
		return err
	}
	text := o.format == printer.Table || o.format == printer.Wide
	style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
	if err := printer.Settings(o.streams.Out, o.format, style, plan); err != nil {
		return err
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan)) // the exit code says it too
	if plan.Refused() {
		return errFindings
	}
	return nil
}

// land writes what the plan wants, as far as the flags let it. A plan that is made from files which are not committed is not
// committed either: git would not have what it says it is made from.
func (o *settingsMigrateOptions) land(ctx context.Context, repo *gitrepo.Repo, files []settings.File, plan *settings.Plan) error {
	changes := gitChanges(plan)
	if len(changes) == 0 {
		return nil
	}
	against := error(nil)
	if !o.repo.noCommit {
		against = committed(ctx, repo, files, plan)
	}
	if o.dryRun {
		if err := errors.Join(against, repo.Check(ctx, changes, o.repo.noCommit)); err != nil {
			fmt.Fprintf(o.streams.ErrOut, "warning: a run would be refused: %v\n", err) // the run says it too
		}
		return nil
	}
	if against != nil {
		return against
	}
	hash, err := repo.Land(ctx, changes, plan.Message(), o.repo.noCommit)
	if errors.Is(err, gitrepo.ErrNothingToCommit) { // another run has committed the same meanwhile
		err = nil
	}
	plan.Commit = hash
	return err
}

// outcome says in a sentence what was done.
func (o *settingsMigrateOptions) outcome(plan *settings.Plan) string {
	what := layout.AppsFile + " of " + finding.Count(len(plan.Apps), "app")
	if plan.Effect == settings.Same {
		what = layout.AppsFile + " as it is"
	}
	if n := len(plan.Removed); n > 0 {
		what += ", less " + finding.Count(n, "file") + " of " + layout.AppsDir
	}
	switch {
	case plan.Refused():
		return "Nothing was written: errors stand against it. Solve them first."
	case len(plan.Changes()) == 0:
		return "Nothing to do."
	case o.dryRun:
		return "Dry run: nothing was written. It would be " + what + "."
	case plan.Commit == "" && o.repo.noCommit:
		return "Wrote " + what + " to the work tree; nothing was committed."
	case plan.Commit == "":
		return "Nothing to do: another run has committed the same meanwhile."
	}
	return fmt.Sprintf("Committed %s as %.10s.", what, plan.Commit)
}
