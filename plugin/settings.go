package plugin

import (
	"github.com/spf13/cobra"
)

// NewCmdSettings returns the command kubectl apl settings, which holds those on the settings of the platform's apps.
func NewCmdSettings(streams Streams, env Env, connection *connection) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "Gather the settings of the platform's apps in one file",
		Long: `Works on what says which of the platform's apps are on: the envelopes of env/apps, and env/settings/apps.yaml, which
takes their place.`,
		Example: `  # What would be gathered
  kubectl apl settings migrate --repo values --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(NewCmdSettingsMigrate(streams, env, connection))
	return cmd
}
