package plugin_test

import (
	"fmt"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/get"
	"k8s.io/kubectl/pkg/cmd/patch"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// kubectl is as much of kubectl as commands that are printed need: its own code of kubectl patch, and of kubectl get to look at what came of it.
func kubectl() {
	flags := genericclioptions.NewConfigFlags(true)
	root := &cobra.Command{Use: "kubectl"}
	flags.AddFlags(root.PersistentFlags())
	factory, streams := cmdutil.NewFactory(flags), genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	root.AddCommand(patch.NewCmdPatch(factory, streams), get.NewCmdGet("kubectl", factory, streams))
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err) // the exit code says it too
		os.Exit(1)
	}
}

var kubectlCommand = regexp.MustCompile(`kubectl patch .*'`)

// paste gives the one kubectl command that a file holds, what a command printed, to a shell, as a person would.
func paste(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, false, len(args) == 1, "[!] paste FILE")
	command := kubectlCommand.FindString(ts.ReadFile(args[0]))
	if command == "" {
		ts.Fatalf("%s holds no kubectl command", args[0])
	}
	if err := ts.Exec("sh", "-c", command); (err != nil) != neg {
		ts.Fatalf("%s: %v", command, err)
	}
}
