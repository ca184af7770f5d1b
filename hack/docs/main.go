// Command docs writes the command reference, a Markdown file for each command, from the commands themselves.
// Usage: go run ./hack/docs DIR
package main

//go:generate go run . ../../docs/commands

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: docs DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for the reference: %w", err)
	}
	root := plugin.NewCmdRoot(
		plugin.Streams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard},
		plugin.Env{Lookup: func(string) (string, bool) { return "", false }, Now: time.Now},
	)
	return writeTree(root, dir)
}

// inherited is the section about flags that a command has from above it: those of the connection to a cluster.
var inherited = regexp.MustCompile("(?s)### Options inherited from parent commands\n\n```\n.*?\n```\n\n")

func writeTree(cmd *cobra.Command, dir string) error {
	cmd.DisableAutoGenTag = true // the same commands write the same bytes
	var b strings.Builder
	if err := doc.GenMarkdown(cmd, &b); err != nil {
		return fmt.Errorf("write the reference of %s: %w", cmd.CommandPath(), err)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "_") + ".md"
	text := b.String()
	if !plugin.AsksCluster(cmd) {
		text = inherited.ReplaceAllLiteralString(text, "")
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the reference of %s: %w", cmd.CommandPath(), err)
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writeTree(sub, dir); err != nil {
			return err
		}
	}
	return nil
}
