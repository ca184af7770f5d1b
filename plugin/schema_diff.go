package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// When schema diff ends with exit code 1.
const (
	failOnNever    = "never"
	failOnBreaking = "breaking"
)

type schemaDiffOptions struct {
	streams Streams
	env     Env

	charts      chartFlags
	chartRepo   string
	dir         string
	apps        []string
	kubeVersion string
	schemaDir   string
	failOn      string
	output      string

	wanted []app.ID
	format printer.Format
}

// NewCmdSchemaDiff returns the command kubectl apl schema diff. It asks no cluster, and the network only for a chart that is named by its version.
func NewCmdSchemaDiff(streams Streams, env Env) *cobra.Command {
	o := &schemaDiffOptions{streams: streams, env: env}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW [--repo DIR] [--app NAMESPACE/RELEASE] [-o FORMAT]",
		Short: "Compare what two versions of a chart take as values, and what breaks",
		Long: `Compares the interfaces of two charts: which keys of their values came, went, were narrowed, widened or retyped, and which have another
default. Breaking is what can make values fail that the old chart takes; where that cannot be told it is said, and counts as breaking.
The interface is the values.schema.json of the chart and those of its subcharts; a chart without one is compared by its values.yaml.
The CustomResourceDefinitions in crds/ and the range of Kubernetes versions are compared too. Nothing is rendered.

In a values repo, the files of the apps that use the chart are put to both charts: which values the new one refuses, and where; which
keys lose their effect; nulls that no longer remove anything; overrides that the new chart has by itself. Their values are not shown.

OLD and NEW are a folder, a .tgz, NAME@VERSION of --chart-repo or of the folder --charts, oci://HOST/PATH/NAME@VERSION, or a path below
--charts. Only NAME@VERSION with --chart-repo and oci:// ask the network, and what was fetched is kept.

Exit codes: 0 compared, whatever was found; 1 something breaks, with --fail-on=breaking; 2 it could not be done.`,
		Example: `  # What an upgrade does, as a comment for a pull request
  kubectl apl schema diff old/charts/wiki new/charts/wiki --repo values -o markdown

  # For one app; end with 1 when something breaks
  kubectl apl schema diff old/charts/wiki new/charts/wiki --repo values --app docs/wiki --fail-on=breaking

  # Packages in a folder, by their versions; only the charts
  kubectl apl schema diff wiki@1.0.0 wiki@2.0.0 --charts packages`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%d given: name two charts, the old one and the new one; see %s --help", len(args), cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args); err != nil {
				return err
			}
			return o.run(cmd.Context(), args[0], args[1])
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *schemaDiffOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.charts.add(cmd)
	f.Lookup("charts").Usage = "folder with charts, unpacked or as .tgz: what OLD and NEW name is looked for there too"
	f.StringVar(&o.chartRepo, "chart-repo", "", "address of the Helm repository or OCI registry that NAME@VERSION is of")
	f.StringVar(&o.dir, "repo", "", "values repo with the files of the apps (default: the folder that holds env/, from here upwards; without one, only the charts are compared)")
	f.StringSliceVar(&o.apps, "app", nil, "look at these apps, NAMESPACE/RELEASE, whatever chart they use (default: those whose Application names the chart)")
	f.StringVar(&o.kubeVersion, "kube-version", "", "version of Kubernetes that the new chart is to run on (default: any version that the old one takes)")
	f.StringVar(&o.schemaDir, "schema-dir", "", "folder with copies of what schemas refer to elsewhere: DIR/<host>/<path> of a URL; nothing is ever fetched for a schema")
	f.StringVar(&o.failOn, "fail-on", failOnNever, "when to end with exit code 1: "+strings.Join(failOns(), ", "))
	f.StringVarP(&o.output, "output", "o", string(printer.Text), "how to print the comparison: "+strings.Join(printer.DriftFormats(), ", "))
	for _, name := range []string{"repo", "schema-dir"} {
		_ = cmd.MarkFlagDirname(name) // fails for an unknown flag only
	}
	for name, list := range map[string][]string{"fail-on": failOns(), "output": printer.DriftFormats()} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // as above
	}
}

func failOns() []string { return []string{failOnNever, failOnBreaking} }

// complete checks the flags and arguments against each other. It reads nothing.
func (o *schemaDiffOptions) complete(args []string) (err error) {
	if o.format, err = printer.ParseDriftFormat(o.output); err != nil {
		return err
	}
	if !slices.Contains(failOns(), o.failOn) {
		return fmt.Errorf("--fail-on %q: it is one of %s", o.failOn, strings.Join(failOns(), ", "))
	}
	for _, text := range o.apps {
		id, err := app.Parse(text)
		if err != nil {
			return fmt.Errorf("--app: %w", err)
		}
		o.wanted = append(o.wanted, id)
	}
	if o.chartRepo != "" && !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "@") }) {
		return errors.New("--chart-repo is for charts that are named NAME@VERSION, and neither is")
	}
	return nil
}

func (o *schemaDiffOptions) run(ctx context.Context, old, new string) error {
	in := drift.Input{KubeVersion: o.kubeVersion, Secrets: secret.New()}
	folders, err := o.readCharts(ctx, &in, old, new)
	if err != nil {
		return err
	}
	if in.Schemas, err = schemaCache(o.schemaDir); err != nil {
		return err
	}
	if err := o.readApps(ctx, &in, folders); err != nil {
		return err
	}
	report, err := drift.Compare(in)
	if err != nil {
		return err
	}
	style := printer.Style{Color: o.format == printer.Text && colored(o.streams.Out, o.env.Lookup)}
	if err := printer.Drift(o.streams.Out, o.format, style, report); err != nil {
		return err
	}
	if o.failOn == failOnBreaking && report.Broken() {
		return errFindings
	}
	return nil
}
