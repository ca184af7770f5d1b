package plugin

import "github.com/spf13/cobra"

// NewCmdSettings returns the command kubectl apl settings, which holds those on the settings of the platform's apps.
func NewCmdSettings(streams Streams, env Env) *cobra.Command {
	migrate := NewCmdSettingsMigrate(streams, env)
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "Gather the settings of the platform's apps in one file",
		Long: `Works on what says which of the platform's apps are on: the envelopes of env/apps, and env/settings/apps.yaml, which
takes their place.`,
		Example: migrate.Example,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(migrate)
	return cmd
}
