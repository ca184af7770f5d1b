// Package plugin owns the commands of kubectl apl: one file each, from flags to an input, one call into pkg, and the
// printer. It holds no rule of the domain.
package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Streams are where a command reads and writes. Results go to Out; progress, warnings and errors to ErrOut.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	ErrOut io.Writer
}

// Env is what a command takes from its process.
type Env struct {
	// Lookup reads an environment variable, as os.LookupEnv.
	Lookup func(string) (string, bool)
	// Now is the clock.
	Now func() time.Time
	// Version is the version of this binary.
	Version string
}

// Exit codes, in the manner of kubectl diff (DESIGN 7).
const (
	ExitDone    = 0 // done, or nothing to do
	ExitFinding = 1 // findings of severity error, apps blocked, differences
	ExitFailed  = 2 // it could not be done
)

// errFindings ends a command whose result, already printed, asks for exit code 1.
var errFindings = errors.New("findings")

// Main runs the command line args (without the program's name) and returns the exit code. An error is printed once,
// here.
func Main(ctx context.Context, args []string, streams Streams, env Env) int {
	streams.ErrOut = newStatus(streams.ErrOut, env)
	defer streams.Quiet()
	boundMemory(env)
	// Helm's library warns through the global logger, and quotes values when it does.
	log.SetOutput(&helmWarnings{out: streams.ErrOut})
	log.SetFlags(0)

	root := NewCmdRoot(streams, env)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, errFindings):
		return ExitFinding
	}
	if errors.Is(err, context.Canceled) && !errors.Is(err, gitrepo.ErrNotPushed) { // which says that a commit stands
		err = errors.New("interrupted")
	}
	fmt.Fprintf(streams.ErrOut, "error: %v\n", err) // there is nowhere left to report it
	return ExitFailed
}

// NewCmdRoot returns the command kubectl apl.
func NewCmdRoot(streams Streams, env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kubectl-apl",
		Short: "Move an Akamai App Platform to a git layout in which every app is a file",
		Long: `kubectl apl moves a living Akamai App Platform to a git layout in which every app is a file and its chart
values are two: what the platform computes (managed) and what people own (custom).`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl apl"},
		Version:       env.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetIn(streams.In)
	cmd.SetOut(streams.Out)
	cmd.SetErr(streams.ErrOut)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	connection := newConnection(cmd)
	cmd.AddCommand(NewCmdMigrate(streams, env, connection), withoutCluster(NewCmdReconcile(streams, env)), withoutCluster(NewCmdValidate(streams, env)),
		NewCmdRollback(streams, env, connection), NewCmdArtifacts(streams, env, connection), withoutCluster(NewCmdSettings(streams, env)),
		NewCmdSchema(streams, env, connection), NewCmdBootstrap(streams, env, connection), NewCmdRemove(streams, env, connection))
	return cmd
}
