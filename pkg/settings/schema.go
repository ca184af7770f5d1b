package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Schema returns the JSON schema (draft 07) of env/settings/apps.yaml. It accepts what Parse accepts: the flags of gates are
// booleans, there is no _rawValues, and all else has any shape. Editors complete by it, and say which releases a flag
// switches. It is made from the table of gates; docs/schema/apps.schema.json is a copy.
func Schema() ([]byte, error) {
	named := map[string]any{}
	for _, name := range gatedApps() {
		named[name] = appSchema(name)
	}
	schema := map[string]any{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                layout.AppsFile,
		"description":          "Which of the platform's apps are on, and their settings.",
		"type":                 "object",
		"additionalProperties": false,
		"properties": map[string]any{appsKey: map[string]any{
			"description":          "The settings of each app, under its name.",
			"type":                 orNull("object"),
			"propertyNames":        map[string]any{"pattern": namePattern.String()},
			"properties":           named,
			"additionalProperties": appSchema(""),
		}},
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", layout.AppsFile, err)
	}
	return b.Bytes(), nil
}

// orNull is the type of what may be left empty, which says nothing.
func orNull(kind string) []string { return []string{kind, "null"} }

// gatedApps lists the apps of which the table of gates knows a flag, and those with flags besides.
func gatedApps() []string {
	names := map[string]bool{"cnpg": true}
	for _, row := range gateTable() {
		for _, f := range row.flags {
			if f.Root == appsKey {
				names[f.Path[0].Key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// appSchema is the schema of an app's settings; name is "" for an app that the table does not know.
func appSchema(name string) map[string]any {
	properties := map[string]any{rawKey: map[string]any{
		"description": "It has no effect here: put values of a chart in the custom file of the release.", "not": map[string]any{},
	}}
	for _, path := range flagsOf(name) {
		at := properties
		for _, step := range path[:len(path)-1] {
			inner := map[string]any{}
			at[step.Key] = map[string]any{"properties": inner}
			at = inner
		}
		flag := map[string]any{"type": orNull("boolean")}
		if text := switches(name, path); text != "" {
			flag["description"] = text
		}
		at[path[len(path)-1].Key] = flag
	}
	return map[string]any{"type": orNull("object"), "properties": properties}
}

// switches says which releases a flag switches.
func switches(name string, path values.Path) string {
	if name == "" {
		return ""
	}
	var list []string
	for _, g := range Gates() {
		for _, f := range g.Flags {
			if f.Root == appsKey && f.Path[0].Key == name && f.Path[1:].Compare(path) == 0 {
				list = append(list, g.ID.String())
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Switches " + strings.Join(list, ", ")
}
