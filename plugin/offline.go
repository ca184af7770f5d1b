package plugin

import (
	"regexp"

	"github.com/spf13/cobra"
)

// noCluster annotates commands that ask no cluster.
const noCluster = "kubectl-apl/no-cluster"

// globalFlags is what cobra's usage says of flags that a command has from above it.
var globalFlags = regexp.MustCompile(`(?s)\{\{if \.HasAvailableInheritedFlags\}\}.*?\{\{end\}\}`)

// withoutCluster keeps the flags of the connection, twenty of them, out of the help of a command that asks no cluster, and of those below
// it. They are taken all the same, as kubectl's users give them to every command by an alias.
func withoutCluster(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{noCluster: "true"}
	cmd.SetUsageTemplate(globalFlags.ReplaceAllLiteralString(cmd.UsageTemplate(), ""))
	return cmd
}

// AsksCluster reports whether a command can ask a cluster, so that the flags of the connection mean something to it.
func AsksCluster(cmd *cobra.Command) bool {
	for ; cmd != nil; cmd = cmd.Parent() {
		if cmd.Annotations[noCluster] != "" {
			return false
		}
	}
	return true
}
