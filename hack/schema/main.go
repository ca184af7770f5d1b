// Command schema writes the JSON schemas of docs/schema, for editors and other readers, from the code that reads or writes what they
// describe. Usage: go run ./hack/schema DIR
package main

//go:generate go run . ../../docs/schema

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schema DIR")
		os.Exit(2)
	}
	for _, s := range schemas() {
		if err := s.write(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(2)
		}
	}
}

// schema is a file of docs/schema, and what makes it.
type schema struct {
	file string
	text func() ([]byte, error)
}

func schemas() []schema {
	return []schema{
		{"apps.schema.json", settings.Schema},
		{"validation-report.schema.json", finding.ReportSchema},
	}
}

func (s schema) write(dir string) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, s.file), text, 0o644); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}
