package finding

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ReportSchema returns the JSON schema (draft 07) of a Report: what readers can rely on within APIVersion. Further fields can come, so
// that it refuses none. docs/schema/validation-report.schema.json is a copy.
func ReportSchema() ([]byte, error) {
	number := func(description string) map[string]any {
		return map[string]any{"type": "integer", "minimum": 0, "description": description}
	}
	schema := object("What kubectl apl validate -o json prints.", map[string]any{
		"apiVersion": map[string]any{"const": APIVersion, "description": "Within it, fields keep their names and meanings; new ones can come."},
		"kind":       map[string]any{"const": ReportKind},
		"findings": map[string]any{
			"type": "array", "items": findingSchema(),
			"description": "What was found, sorted by app, file, line, column, path, rule and message; each once. Empty when all is well, never null.",
		},
		"summary": object("How many findings there are, and what was looked at.", map[string]any{
			"errors":   number("Findings of severity error."),
			"warnings": number("Findings of severity warning."),
			"infos":    number("Findings of severity info."),
			"apps":     number("Apps that were checked."),
			"files":    number("Files that were checked."),
		}, "errors", "warnings", "infos", "apps", "files"),
	}, "apiVersion", "kind", "findings", "summary")
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["title"] = ReportKind
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		return nil, fmt.Errorf("write the schema of reports: %w", err)
	}
	return b.Bytes(), nil
}

// findingSchema is the schema of a Finding. What is unknown is absent.
func findingSchema() map[string]any {
	text := func(description string) map[string]any {
		return map[string]any{"type": "string", "description": description}
	}
	from1 := func(description string) map[string]any {
		return map[string]any{"type": "integer", "minimum": 1, "description": description}
	}
	return object("One result of a check. No field holds a secret's value; what is unknown is absent.", map[string]any{
		"rule":     text("The id of the rule, as docs/rules has a page of it."),
		"severity": map[string]any{"enum": []Severity{Info, Warning, Error}, "description": "How bad it is, as .apl.yaml may have it."},
		"app":      text("The app that it is about, namespace/releaseName."),
		"file":     text("The file, relative to the root of the values repo, with slashes."),
		"line":     from1("The line in the file, from 1."),
		"column":   from1("The column in the line, from 1; it counts characters."),
		"path":     text("The place in the values or the object: keys joined by dots, list indexes in brackets."),
		"message":  text("What is wrong."),
		"next":     text("What to do about it."),
	}, "rule", "severity", "message")
}

func object(description string, properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "description": description, "properties": properties, "required": required}
}
