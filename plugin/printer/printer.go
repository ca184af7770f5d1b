// Package printer turns typed results into text, tables, JSON and YAML. It decides nothing and reads nothing.
package printer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Format is how a result is printed.
type Format string

// The formats of -o.
const (
	Table Format = "table"
	// Wide is Table with nothing left out.
	Wide Format = "wide"
	JSON Format = "json"
	YAML Format = "yaml"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{string(Table), string(Wide), string(JSON), string(YAML)} }

// ParseFormat reads the value of -o.
func ParseFormat(text string) (Format, error) {
	if !slices.Contains(Formats(), text) {
		return "", fmt.Errorf("-o %q: use one of %s", text, strings.Join(Formats(), ", "))
	}
	return Format(text), nil
}

// Data prints a result as JSON or YAML; both have the same fields.
func Data(out io.Writer, format Format, result any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(result); err != nil {
		return fmt.Errorf("print %T as JSON: %w", result, err)
	}
	text := b.Bytes()
	if format == YAML {
		tree, err := values.DecodeObject("result", text)
		if err != nil {
			return fmt.Errorf("print %T as YAML: %w", result, err)
		}
		if text, err = values.Marshal(tree); err != nil {
			return fmt.Errorf("print %T as YAML: %w", result, err)
		}
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
