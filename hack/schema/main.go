// Command schema writes the JSON schema of env/settings/apps.yaml, for editors and other readers, from the code that reads
// that file. Usage: go run ./hack/schema FILE
package main

//go:generate go run . ../../docs/schema/apps.schema.json

import (
	"fmt"
	"os"

	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schema FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func write(file string) error {
	schema, err := settings.Schema()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, schema, 0o644); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}
