package plugin

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

type schemaPublishOptions struct {
	streams    Streams
	env        Env
	connection *connection

	filenames []string
	repo      string
	charts    chartFlags
	fetch     bool
	prune     bool
	dryRun    string
	output    string

	format printer.Format
}

// NewCmdSchemaPublish returns the command kubectl apl schema publish.
func NewCmdSchemaPublish(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &schemaPublishOptions{streams: streams, env: env, connection: connection}
	cmd := &cobra.Command{
		Use:   "publish [--charts DIR] [--fetch] [--repo DIR] [-f FILE] [-n NAMESPACE] [--dry-run=client|server|none]",
		Short: "Publish the charts' schemas to the cluster, for apl-webhook",
		Long: `Writes what apl-webhook judges custom values by into ConfigMaps of its namespace, -n (default ` + catalog.Namespace + `): for the chart of each
platform Application its default values and schemas, those of subcharts too, and with --repo each app's managed values and .apl.yaml.
Run it after each upgrade of the platform, in CI or by hand. A second run changes nothing.

Charts come from --charts, a checkout that the Applications' source.path is relative to, or from the cache; --fetch gets the others from
the Applications' own sources. A chart that cannot be had is an error, the others are published, and what was published of it before
stays. Managed values that were edited, or that hold a secret, are not published.

What no Application uses any more is deleted, after the new is there; --prune=false keeps it. Without --repo, managed values stay as
they were published before.

Exit codes: 0 published, or nothing to do; 1 something could not be published; 2 it could not be done.`,
		Example: `  # What would be published, from a recording; no cluster is asked
  kubectl apl schema publish -f applications.yaml --charts apl-core --dry-run=client

  # The objects, for kubectl apply --server-side or a git repo
  kubectl apl schema publish -f applications.yaml --charts apl-core --repo values -o yaml`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.filenames, "filename", "f", nil, "files, folders or - with the Applications, in place of those of the cluster")
	f.StringVar(&o.repo, "repo", "", "values repo whose managed values and .apl.yaml are published too (default: none)")
	o.charts.addPlaces(cmd, "those that the cache has")
	f.BoolVar(&o.fetch, "fetch", false, "fetch charts that neither --charts nor the cache has from the Applications' own sources, over the network")
	f.BoolVar(&o.prune, "prune", true, "delete what was published before and belongs to no Application any more")
	addClusterDryRun(cmd, &o.dryRun)
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "table and wide print what is published; json and yaml print the objects and write nothing: "+strings.Join(printer.Formats(), ", "))
	_ = cmd.MarkFlagDirname("repo")                                                                                             // fails for an unknown flag only
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(printer.Formats(), cobra.ShellCompDirectiveNoFileComp)) // as above
	return cmd
}

// complete checks the flags. It reads nothing.
func (o *schemaPublishOptions) complete() (err error) {
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	o.charts.offline = !o.fetch
	return checkClusterDryRun(o.dryRun)
}

// namespace is that of the webhook; -n says it here, and not Argo CD's.
func (o *schemaPublishOptions) namespace() string {
	if name := *o.connection.flags.Namespace; name != "" {
		return name
	}
	return catalog.Namespace
}

// objectsOnly tells that the objects are printed, and nothing is written.
func (o *schemaPublishOptions) objectsOnly() bool {
	return o.format == printer.JSON || o.format == printer.YAML
}

// outcome says in a sentence what was done.
func (o *schemaPublishOptions) outcome(c catalog.Changes, dry bool) string {
	switch {
	case len(c.Apply)+len(c.Delete) == 0:
		return fmt.Sprintf("Nothing to do: all %d ConfigMaps are as they are to be.", len(c.Same))
	case dry:
		return fmt.Sprintf("Dry run: nothing was written. ConfigMaps to apply: %d, to delete: %d, unchanged: %d.", len(c.Apply), len(c.Delete), len(c.Same))
	}
	return fmt.Sprintf("ConfigMaps applied: %d, deleted: %d, unchanged: %d.", len(c.Apply), len(c.Delete), len(c.Same))
}
