package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type validateOptions struct {
	streams Streams
	env     Env

	dir          string
	charts       chartFlags
	fetch        bool
	skipCharts   bool
	schemaDir    string
	releases     string
	changedSince string
	strictKeys   bool
	failOnText   string
	output       string

	failOn finding.FailOn
	format printer.Format
}

// NewCmdValidate returns the command kubectl apl validate. It asks no cluster, and no network unless it is told to.
func NewCmdValidate(streams Streams, env Env) *cobra.Command {
	o := &validateOptions{streams: streams, env: env}
	cmd := &cobra.Command{
		Use:   "validate [PATH...] [--repo DIR] [--charts DIR] [--changed-since REV] [-o FORMAT]",
		Short: "Check a values repo: values against the charts' schemas, secrets, Applications, manifests, settings",
		Long: `Checks all that a values repo holds, the same on a desk and in CI: no cluster is asked, and no network unless --fetch says so.
Values are judged as Helm does when it installs: the chart's defaults, managed and custom coalesced, against the chart's own
values.schema.json. A finding stands at the line that brings what is wrong, in the file of the one who can change it.

Charts come from --charts, a checkout that the Applications' source.path is relative to, or from the cache that earlier runs filled.
An app whose chart is not at hand is an error, since nothing is known of its values; --skip-charts leaves that part out.

PATH is a file or folder of the repo; what depends on it is checked too. --changed-since REV takes those that differ from where
HEAD's history parted from REV: what a pull request onto REV brings. Each rule has a page, and a severity that .apl.yaml can change.

Exit codes: 0 nothing found that --fail-on counts; 1 something was; 2 it could not be done.`,
		Example: `  # Everything, with the platform's charts
  kubectl apl validate --repo values --charts apl-core

  # What a pull request brings, as annotations of GitHub Actions
  kubectl apl validate --repo values --charts apl-core --changed-since origin/main -o github

  # One app; warnings fail too
  kubectl apl validate values/env/values/docs/wiki --repo values --charts apl-core --strict-keys --fail-on warning`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "repo", "", "values repo to check; it need not be a git repository (default: the folder that holds env/, from here upwards)")
	o.charts.addPlaces(cmd, "those that the cache has")
	f.BoolVar(&o.fetch, "fetch", false, "fetch charts that neither --charts nor the cache has from the Applications' own sources, over the network")
	f.BoolVar(&o.skipCharts, "skip-charts", false, "leave out what needs charts: values are not put to schemas")
	f.StringVar(&o.schemaDir, "schema-dir", "", "folder with copies of what schemas refer to elsewhere: DIR/<host>/<path> of a URL; nothing is ever fetched for a schema")
	f.StringVar(&o.releases, "releases", "", "file with the release registry, as helmfile list --output json prints it, to tell Applications of releases that the platform does not have")
	f.StringVar(&o.changedSince, "changed-since", "", "check what differs from where HEAD parted from this revision, and what depends on it")
	f.BoolVar(&o.strictKeys, "strict-keys", false, "warn of keys of custom values that neither the chart's defaults nor its schema have")
	f.StringVar(&o.failOnText, "fail-on", string(finding.FailOnError), "findings that end the command with exit code 1: "+strings.Join(finding.FailOns(), ", "))
	f.StringVarP(&o.output, "output", "o", string(printer.Text), "how to print what was found: "+strings.Join(printer.ValidateFormats(), ", "))
	_ = cmd.MarkFlagDirname("repo")                                                                                                     // fails for an unknown flag only
	_ = cmd.MarkFlagDirname("schema-dir")                                                                                               // as above
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(finding.FailOns(), cobra.ShellCompDirectiveNoFileComp))        // as above
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.ValidateFormats(), cobra.ShellCompDirectiveNoFileComp)) // as above
	return cmd
}

// complete checks the flags against each other. It reads nothing.
func (o *validateOptions) complete() (err error) {
	if o.format, err = printer.ParseValidateFormat(o.output); err != nil {
		return err
	}
	if o.failOn, err = finding.ParseFailOn(o.failOnText); err != nil {
		return err
	}
	if o.skipCharts && (o.fetch || o.charts.dir != "" || o.schemaDir != "") {
		return errors.New("--skip-charts leaves out what --charts, --fetch and --schema-dir are for; use one or the other")
	}
	o.charts.offline = !o.fetch
	return nil
}

func (o *validateOptions) run(ctx context.Context, paths []string) error {
	boundShort(o.env)
	// Helm is asked here of values that nobody installs too: the chart's own, and those without the custom file. What it logs of them
	// misleads, and a finding tells what matters.
	log.SetOutput(io.Discard)
	tree, err := openTree(o.dir)
	if err != nil {
		return err
	}
	defer tree.close()
	in := check.Input{Read: tree.read, Detector: secret.New()}
	if in.Config, err = tree.config(); err != nil {
		return err
	}
	if in.Files, err = tree.files(ctx); err != nil {
		return err
	}
	if in.Select, err = o.selection(ctx, tree, paths); err != nil {
		return err
	}
	if err := o.known(&in); err != nil {
		return err
	}
	if o.skipCharts {
		fmt.Fprintln(o.streams.ErrOut, "warning: no values are put to schemas, as --skip-charts asks") // nothing depends on it
	}
	result, err := check.Run(ctx, in, check.Options{StrictKeys: o.strictKeys})
	if err != nil {
		return err
	}
	report := finding.NewReport(finding.Run{Version: o.env.Version, Rules: check.Rules(), Checked: result.Checked, FailOn: o.failOn}, result.Findings)
	if err := printer.Validate(o.streams.Out, o.format, printer.Style{Color: o.format == printer.Text && colored(o.streams.Out, o.env.Lookup)}, report, check.NewExcerpts(tree.read, in.Detector).Line); err != nil {
		return err
	}
	if report.Fails(o.failOn) {
		return errFindings
	}
	return nil
}
