package plugin

import "github.com/spf13/cobra"

// NewCmdSchema returns the command kubectl apl schema, which holds those on the interfaces of charts.
func NewCmdSchema(streams Streams, env Env, connection *connection) *cobra.Command {
	diff := withoutCluster(NewCmdSchemaDiff(streams, env))
	cmd := &cobra.Command{
		Use:     "schema",
		Short:   "Look at what charts take as values",
		Long:    `Works on the interface of a chart: its values.schema.json, and its values.yaml where there is none.`,
		Example: diff.Example,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(diff, NewCmdSchemaPublish(streams, env, connection))
	return cmd
}
