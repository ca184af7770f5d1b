// Command kubectl-apl is the kubectl plugin `kubectl apl`: it moves an Akamai App Platform to a git layout in which
// every app is a file. This file only hands the process to package plugin.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// version is set by the build (-ldflags -X); go install takes it from the module instead.
var version string

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process as it would any other
	return plugin.Main(ctx, os.Args[1:],
		plugin.Streams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		plugin.Env{Lookup: os.LookupEnv, Now: time.Now, Version: binaryVersion()})
}

func binaryVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
