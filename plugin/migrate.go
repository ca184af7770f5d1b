package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// allApps is the value of --accept-introduced without one.
const allApps = "all"

type migrateOptions struct {
	streams    Streams
	env        Env
	connection *connection

	charts    chartFlags
	platform  platformFlags
	proof     proofFlags
	preflight preflightFlags
	push      pushFlags
	backup    backupFlags
	artifacts artifactsFlags
	all       allFlags

	filenames      []string
	selector       string
	repo           string
	output         string
	valuesRepoURL  string
	valuesRevision string
	rootApp        string
	accept         []string
	dryRunMode     string
	dryRun         bool
	exact          bool
	keepGoing      bool
	noCommit       bool

	apps   []string
	format printer.Format
	labels labels.Selector
}

// NewCmdMigrate returns the command kubectl apl migrate.
func NewCmdMigrate(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &migrateOptions{streams: streams, env: env, connection: connection}
	cmd := &cobra.Command{
		Use: `migrate [APP...] [-f FILE|DIR] --releases FILE --managed DIR [--charts DIR] [--repo DIR]
  kubectl apl migrate --all [-f FILE|DIR] --releases FILE --managed DIR --charts DIR|--rendered DIR [--repo DIR]
  kubectl apl migrate --artifacts [APP...] --releases FILE [--repo DIR] [--dry-run=client|server|none]`,
		DisableFlagsInUseLine: true,
		Short:                 "Move live apps to managed and custom value files in git",
		Long: `Reads the live Applications of a platform, splits the values of each app into what the platform computes (managed)
and what people set (custom), and writes both value files and the Application that uses them: one commit, without
changing what runs. APP is namespace/releaseName; without any, all platform apps are moved.

The Applications are read from the cluster that the connection flags, KUBECONFIG or the kubeconfig name, with no other
verbs than get and list, or, with -f, from files: then no cluster is asked for anything.

Nothing is written unless every app can be moved (or --keep-going). The plan says for every Application that was read
why it is moved, unchanged, skipped or blocked.

With --all the same commit has the objects of -artifacts releases too, as artifacts writes them, and the settings of the apps,
as settings migrate writes them.

With --artifacts no app is moved and no file is written. The objects of the -artifacts Applications, whose files are committed,
are handed over on the cluster, step by step, to the Applications that sync those files; then the old Applications are deleted,
and no object with them. A first run holds the old Applications, and stops; then the files are pushed, and a second run goes on.
The platform's operator is paused meanwhile.

Exit codes: 0 done, nothing to do, or a dry run of a plan that could be carried out; 1 apps are blocked, also when
--keep-going moved the others, or objects were not adopted in time; 2 it could not be done, or the commit stands and could
not be pushed.`,
		Example: `  # What would be moved, from a recorded cluster
  kubectl get applications.argoproj.io -A -o yaml > live.yaml
  helmfile list --output json > releases.json
  helmfile write-values --output-file-template 'managed/{{ .Release.Namespace }}-{{ .Release.Name }}.yaml'
  kubectl apl migrate -f live.yaml --releases releases.json --managed managed --charts apl-core --repo values --dry-run

  # Move two apps, from standard input
  kubectl get applications.argoproj.io -A -o yaml | kubectl apl migrate argocd/argocd harbor/harbor -f - \
    --releases releases.json --managed managed --charts apl-core --repo values

  # Move all that can be moved, and take over what the platform adds
  kubectl apl migrate -f live.yaml --releases releases.json --managed managed --charts apl-core --repo values \
    --keep-going --accept-introduced

  # What would be moved, on the cluster of the current context
  kubectl apl migrate --releases releases.json --managed managed --charts apl-core --repo values --dry-run

  # The whole layout in one commit: apps, objects, settings
  kubectl apl migrate --all -f live.yaml --releases releases.json --managed managed --charts apl-core --repo values

  # Hold the old owners of these objects, before the push; after it, the same again hands the objects over
  kubectl apl migrate --artifacts --releases releases.json --repo values`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.apps = args
			if err := o.artifacts.complete(cmd, o); err != nil {
				return err
			}
			if o.artifacts.wanted {
				return o.artifacts.run(cmd.Context(), o)
			}
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *migrateOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.filenames, "filename", "f", nil, `file, folder or "-" (standard input) with the live Applications, as kubectl get applications.argoproj.io -A -o yaml prints them (default: those of the cluster)`)
	f.StringVarP(&o.selector, "selector", "l", "", "move only Applications with these labels, as kubectl's -l; the others are still read")
	o.platform.add(cmd)
	o.charts.add(cmd)
	f.StringVar(&o.repo, "repo", "", "values repo to write to (default: the folder that holds env/, from here upwards)")
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the plan: "+strings.Join(printer.Formats(), ", "))
	f.StringVar(&o.valuesRepoURL, "values-repo-url", "", "URL by which Argo CD reads the values repo (default: that of the live gitops-* Applications)")
	f.StringVar(&o.valuesRevision, "values-revision", "", "branch by which Argo CD reads the values repo (default: that of the live gitops-* Applications)")
	f.StringVar(&o.rootApp, "root-app", migrate.DefaultRootApp, "Application that reconciles the Application files")
	f.StringSliceVar(&o.accept, "accept-introduced", nil, "move apps although managed has keys that live has not; list the apps behind \"=\" (--accept-introduced=APP,APP), without a list it is all of them")
	f.Lookup("accept-introduced").NoOptDefVal = allApps
	f.StringVar(&o.dryRunMode, "dry-run", dryRunNone, "client: print the plan and write nothing; server, with --artifacts: have the API server check each step too; none: do it")
	f.Lookup("dry-run").NoOptDefVal = dryRunClient
	f.BoolVar(&o.exact, "exact", false, "neutralise in custom what managed introduces, so that nothing changes")
	f.BoolVar(&o.keepGoing, "keep-going", false, "move what can be moved although other apps are blocked")
	o.proof.add(cmd)
	o.preflight.add(f)
	o.push.add(f)
	o.backup.add(f)
	o.artifacts.add(f)
	o.all.add(cmd)
	f.BoolVar(&o.noCommit, "no-commit", false, "write the files and leave them in the work tree")
	_ = cmd.RegisterFlagCompletionFunc("dry-run", cobra.FixedCompletions(clusterDryRuns(), cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
	_ = cmd.MarkFlagDirname("repo")                                                                                             // fails for an unknown flag only
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
}

// The values of --dry-run, as kubectl's. Only a hand-over (--artifacts) has server too: nothing else is written to one.
const (
	dryRunNone   = "none"
	dryRunClient = "client"
)

// complete checks the flags against each other. It reads nothing.
func (o *migrateOptions) complete() (err error) {
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	if o.dryRun = o.dryRunMode == dryRunClient; !o.dryRun && o.dryRunMode != dryRunNone {
		return fmt.Errorf("--dry-run %q: it is one of %s, %s; migrate writes nothing to the cluster, so that there is no other", o.dryRunMode, dryRunNone, dryRunClient)
	}
	if err := o.proof.complete(); err != nil {
		return err
	}
	if o.labels, err = labels.Parse(o.selector); err != nil {
		return fmt.Errorf("--selector %q: %w", o.selector, err)
	}
	if err := o.platform.complete("migrate"); err != nil {
		return err
	}
	if err := o.push.complete(o.noCommit); err != nil {
		return err
	}
	if err := o.backup.complete(); err != nil {
		return err
	}
	if err := o.all.complete(o); err != nil {
		return err
	}
	if o.exact && slices.Contains(o.accept, allApps) {
		return errors.New("--exact and --accept-introduced contradict each other; accept named apps only, with --accept-introduced=APP,APP")
	}
	return nil
}

func (o *migrateOptions) options() (migrate.Options, error) {
	out := migrate.Options{
		Apps:           o.apps,
		Exact:          o.exact,
		AcceptAll:      slices.Contains(o.accept, allApps),
		KeepGoing:      o.keepGoing,
		WorkTree:       o.noCommit,
		Verify:         migrate.Verify(o.proof.verify),
		ValuesRepoURL:  o.valuesRepoURL,
		ValuesRevision: o.valuesRevision,
		RootApp:        o.rootApp,
		Push:           o.push.push,
		AcceptOperator: o.preflight.acceptOperator,
		Progress:       o.streams.Progress,
	}
	if !o.labels.Empty() {
		out.Selected = func(set map[string]string) bool { return o.labels.Matches(labels.Set(set)) }
	}
	if out.AcceptAll {
		return out, nil
	}
	var err error
	out.Accept, err = appIDs("accept-introduced", o.accept)
	return out, err
}

// appIDs reads the apps that a flag lists.
func appIDs(flag string, names []string) ([]app.ID, error) {
	var out []app.ID
	for _, name := range names {
		id, err := app.Parse(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("--%s: %w; without a value it accepts all", flag, err)
		}
		out = append(out, id)
	}
	return out, nil
}

func (o *migrateOptions) run(ctx context.Context) error {
	options, err := o.options()
	if err != nil {
		return err
	}
	in, repo, err := o.input(ctx)
	if err != nil {
		return err
	}
	if o.all.wanted {
		in.Parts = func(ctx context.Context, written map[string][]byte) (migrate.Parts, error) {
			return o.all.parts(ctx, o, repo, in, written)
		}
	}
	plan, err := migrate.New(ctx, in, options)
	if err != nil {
		return err
	}
	return o.carryOut(ctx, repo, plan)
}
