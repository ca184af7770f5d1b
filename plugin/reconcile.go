package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type reconcileOptions struct {
	streams Streams
	env     Env

	platform platformFlags
	repo     repoFlags
	objects  objectReader

	artifacts     bool
	skipArtifacts bool
	protect       string
	prune         bool

	filenames      []string
	accept         []string
	revision       string
	chartsURL      string
	valuesURL      string
	valuesRevision string
	check          bool
	dryRunMode     string
	keepGoing      bool
	output         string

	dryRun bool
	format printer.Format
}

// NewCmdReconcile returns the command kubectl apl reconcile.
func NewCmdReconcile(streams Streams, env Env) *cobra.Command {
	o := &reconcileOptions{streams: streams, env: env, objects: objectReader{streams: streams, offline: true}}
	cmd := &cobra.Command{
		Use:   "reconcile --helmfile DIR | --releases FILE --managed DIR [--repo DIR] [--check]",
		Short: "Keep managed values and Application files as the platform computes them",
		Long: `Brings a values repo up to date with the platform: managed values, and the Application file of each app that is on.
What changes is one commit, or none. An app that was switched off loses its Application file and keeps its value files;
one that came on gets all three. Custom values are never touched.

The charts' revision in Application files follows the platform's version, as env/settings/otomi.yaml or --revision names
it. A managed file changes only when the platform computes other values; the commit says which input changed.

An app that is on and has no files here is new, or was never moved; to write files for one that was not moved would
lose its custom values. -f with the live Applications tells which it is, or --accept-new.

No cluster is asked for anything. Exit codes: 0 done, or nothing to do; 1 apps are blocked, or --check found what would
change; 2 it could not be done.`,
		Example: `  # Would anything change? For CI
  kubectl apl reconcile --releases releases.json --managed managed --charts apl-core --repo values --check

  # What would change
  kubectl apl reconcile --releases releases.json --managed managed --charts apl-core --repo values --dry-run

  # Commit what changes, by the platform's own helmfile
  kubectl apl reconcile --helmfile apl-core --repo values`,
		Args:              cobra.NoArgs,
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

func (o *reconcileOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.platform.add(cmd)
	o.repo.add(cmd)
	f.StringSliceVarP(&o.filenames, "filename", "f", nil, `file, folder or "-" (standard input) with the live Applications, as kubectl get applications.argoproj.io -A -o yaml prints them: they tell apps that are new from those that were not moved yet`)
	f.StringSliceVar(&o.accept, "accept-new", nil, "write the files of apps that are on and have none; list the apps behind \"=\" (--accept-new=APP,APP), without a list it is all of them")
	f.Lookup("accept-new").NoOptDefVal = allApps
	f.StringVar(&o.revision, "revision", "", "the platform's version, which charts come from (default: spec.version of "+layout.SettingsFile+")")
	f.StringVar(&o.chartsURL, "charts-repo-url", "", "URL of the git repo with the platform's charts (default: that which most Application files name)")
	f.StringVar(&o.valuesURL, "values-repo-url", "", "URL by which Argo CD reads the values repo (default: that of the Application files)")
	f.StringVar(&o.valuesRevision, "values-revision", "", "branch by which Argo CD reads the values repo (default: that of the Application files)")
	f.StringVar(&o.objects.charts, "charts", "", "checkout that holds the platform's charts, to render -artifacts releases with (default: that of --helmfile)")
	f.StringVar(&o.objects.rendered, "rendered", "", "folder with what -artifacts releases render, <namespace>-<releaseName>.yaml, in place of --charts")
	f.StringSliceVar(&o.objects.crds, "crds", nil, "file or folder with CustomResourceDefinitions, which tell whether objects of their kinds live in namespaces")
	f.StringVar(&o.objects.kubeVersion, "kube-version", "", "Kubernetes version to render for (default: "+builtInKubernetes+")")
	f.StringSliceVar(&o.objects.apiVersions, "api-versions", nil, "API versions to render for, as group/version or group/version/Kind, on top of Helm's own")
	f.BoolVar(&o.artifacts, "artifacts", false, "keep the objects of all -artifacts releases, not only of those that have files here")
	f.BoolVar(&o.skipArtifacts, "skip-artifacts", false, "leave the objects of -artifacts releases alone, although some are in git")
	f.StringVar(&o.protect, "protect", string(artifact.ProtectData), "protect objects against pruning and deletion: data (kinds whose loss loses data), all, none")
	f.BoolVar(&o.prune, "prune", true, "remove the files of objects that their release renders no more")
	f.BoolVar(&o.check, "check", false, "write nothing, and end with exit code 1 when anything would change")
	f.StringVar(&o.dryRunMode, "dry-run", dryRunNone, "client: print the plan and write nothing; none: do it")
	f.Lookup("dry-run").NoOptDefVal = dryRunClient
	f.BoolVar(&o.keepGoing, "keep-going", false, "keep what can be kept although other apps are blocked")
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the plan: "+strings.Join(printer.Formats(), ", "))
	for _, flag := range []string{"rendered", "charts"} {
		_ = cmd.MarkFlagDirname(flag) // fails for an unknown flag only
	}
	_ = cmd.RegisterFlagCompletionFunc("protect", cobra.FixedCompletions(protections(), cobra.ShellCompDirectiveNoFileComp))                      // as above
	_ = cmd.RegisterFlagCompletionFunc("dry-run", cobra.FixedCompletions([]string{dryRunNone, dryRunClient}, cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.Formats(), cobra.ShellCompDirectiveNoFileComp))                   // as above
}

// complete checks the flags against each other. It reads nothing.
func (o *reconcileOptions) complete() (err error) {
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	if o.dryRun = o.dryRunMode == dryRunClient; !o.dryRun && o.dryRunMode != dryRunNone {
		return fmt.Errorf("--dry-run %q: it is one of %s, %s", o.dryRunMode, dryRunNone, dryRunClient)
	}
	if o.check && o.repo.noCommit {
		return errors.New("--check writes nothing; leave out --no-commit")
	}
	if err := o.platform.complete("reconcile"); err != nil {
		return err
	}
	if o.objects.charts == "" {
		o.objects.charts = o.platform.helmfile
	}
	switch {
	case o.objects.rendered != "" && o.objects.charts != "" && o.platform.helmfile == "":
		return errors.New("--rendered and --charts exclude each other: both say what releases render")
	case o.artifacts && o.skipArtifacts:
		return errors.New("--artifacts and --skip-artifacts contradict each other; leave one out")
	case o.artifacts && !o.rendersObjects():
		return errors.New("nothing says what -artifacts releases render: give --rendered, the folder that has it, or --charts, to render it here")
	case !slices.Contains(protections(), o.protect):
		return fmt.Errorf("--protect %q: it is one of %s", o.protect, strings.Join(protections(), ", "))
	}
	return nil
}

// rendersObjects tells that the objects of -artifacts releases can be had.
func (o *reconcileOptions) rendersObjects() bool { return o.objects.rendered+o.objects.charts != "" }

func (o *reconcileOptions) run(ctx context.Context) error {
	in, repo, err := o.input(ctx)
	if err != nil {
		return err
	}
	options := reconcile.Options{
		AcceptAll: slices.Contains(o.accept, allApps), Version: o.revision,
		ChartsURL: o.chartsURL, ValuesURL: o.valuesURL, ValuesRevision: o.valuesRevision,
		KeepGoing: o.keepGoing, WorkTree: o.repo.noCommit,
	}
	if !options.AcceptAll {
		if options.Accept, err = appIDs("accept-new", o.accept); err != nil {
			return err
		}
	}
	plan, err := reconcile.New(ctx, in, options)
	if err != nil {
		return err
	}
	return o.carryOut(ctx, repo, plan)
}

// carryOut prints the plan and does what it says, as far as the flags let it.
func (o *reconcileOptions) carryOut(ctx context.Context, repo *gitrepo.Repo, plan *reconcile.Plan) error {
	changes := plan.Changes()
	idle := o.check || o.dryRun
	var failed error
	switch {
	case plan.Held():
	case idle:
		if err := repo.Check(ctx, changes, o.repo.noCommit); err != nil {
			fmt.Fprintf(o.streams.ErrOut, "warning: a run would be refused: %v\n", err) // the run says it too
		}
	default:
		o.streams.Progress("writing files", 0, 0)
		failed = plan.Carry(ctx, repo, o.repo.noCommit)
	}
	if errors.Is(failed, gitrepo.ErrNothingToCommit) {
		failed = nil // another run has committed the same meanwhile
	}
	o.streams.Quiet()
	text := o.format == printer.Table || o.format == printer.Wide
	if failed == nil || text {
		style := printer.Style{Color: text && colored(o.streams.Out, o.env.Lookup)}
		if err := printer.Reconcile(o.streams.Out, o.format, style, plan); err != nil {
			return errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(plan, idle)) // the exit code says it too
	if plan.Blocked() || o.check && len(changes) > 0 {
		return errFindings
	}
	return nil
}

// outcome says in a sentence what was done, and in a second one what was not.
func (o *reconcileOptions) outcome(plan *reconcile.Plan, idle bool) string {
	s := plan.Summary
	files, blocked := finding.Count(s.Files, "file"), ""
	if n := s.Update + s.Add + s.Remove; n > 0 {
		files += " of " + finding.Count(n, "app")
	}
	switch {
	case s.Blocked > 0:
		blocked = fmt.Sprintf(" Blocked: %s.", finding.Count(s.Blocked, "app"))
	case plan.Blocked():
		blocked = " Blocked: the artifacts."
	}
	switch {
	case plan.Held():
		return fmt.Sprintf("Nothing was written.%s Solve what blocks, exclude it in %s, or use --keep-going.", blocked, layout.ConfigFile)
	case s.Files == 0:
		return "Nothing to do." + blocked
	case idle:
		return fmt.Sprintf("Nothing was written. It would be %s.%s", files, blocked)
	case plan.Commit == "" && !o.repo.noCommit:
		return "Nothing to do: another run has committed the same meanwhile." + blocked
	case plan.Commit == "":
		return fmt.Sprintf("Wrote %s to the work tree; nothing was committed.%s", files, blocked)
	}
	return fmt.Sprintf("Committed %s as %.10s.%s", files, plan.Commit, blocked)
}
