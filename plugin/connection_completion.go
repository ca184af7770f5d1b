package plugin

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd/api"
)

// complete offers what the kubeconfig names for --context, --cluster and --user, and for --namespace those of the cluster, as
// kubectl does. What cannot be read offers nothing: completion has nobody to tell it to.
func (c *connection) complete(root *cobra.Command) {
	for flag, names := range map[string]func(api.Config) []string{
		"context": func(config api.Config) []string { return slices.Collect(maps.Keys(config.Contexts)) },
		"cluster": func(config api.Config) []string { return slices.Collect(maps.Keys(config.Clusters)) },
		"user":    func(config api.Config) []string { return slices.Collect(maps.Keys(config.AuthInfos)) },
	} {
		_ = root.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) { // fails for an unknown flag only
			config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return beginning(names(config), begun), cobra.ShellCompDirectiveNoFileComp
		})
	}
	_ = root.RegisterFlagCompletionFunc("namespace", func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) { // as above
		client, err := c.client()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names, err := client.Namespaces(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(names, begun), cobra.ShellCompDirectiveNoFileComp
	})
}

// beginning returns the names that begin with what was typed, sorted.
func beginning(names []string, begun string) []string {
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, begun) })
	slices.Sort(names)
	return names
}
