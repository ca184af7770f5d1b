package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// drawSchema draws a small schema over the keys a to c, of each draft.
func drawSchema(t *rapid.T) []byte {
	draft := rapid.SampledFrom([]string{"", "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
		"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"}).Draw(t, "draft")
	root := drawSubschema(t, 3)
	if draft != "" {
		root["$schema"] = draft
	}
	root["definitions"] = map[string]any{"x": drawSubschema(t, 1), "y": drawSubschema(t, 1)}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	if draft == "" || strings.Contains(draft, "2020-12") {
		// The latest draft has this keyword for compatibility, and our library does not look for mistakes below it.
		text = bytes.ReplaceAll(text, []byte(`"dependencies"`), []byte(`"dependentSchemas"`))
	}
	return text
}

func drawSubschema(t *rapid.T, depth int) map[string]any {
	m := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		word := rapid.SampledFrom([]string{"type", "enum", "const", "minimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
			"format", "required", "minProperties", "minItems", "uniqueItems", "properties", "patternProperties", "additionalProperties", "items",
			"not", "allOf", "anyOf", "oneOf", "if", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "$ref", "dependencies",
			"prefixItems", "dependentRequired"}).Draw(t, "word")
		m[word] = drawKeyword(t, word, depth)
		if word == "if" {
			m["then"], m["else"] = drawKeyword(t, "not", depth), drawKeyword(t, "not", depth)
		}
	}
	return m
}

func drawKeyword(t *rapid.T, word string, depth int) any {
	sub := func() any {
		if depth == 0 {
			return map[string]any{"type": rapid.SampledFrom([]string{"string", "integer", "object", "array", "null", "boolean", "number"}).Draw(t, "type")}
		}
		return drawSubschema(t, depth-1)
	}
	switch word {
	case "type":
		return rapid.SampledFrom([]any{"string", "integer", "object", "array", "null", "boolean", "number", []any{"string", "object"}, "int"}).Draw(t, word)
	case "enum":
		return []any{drawConstant(t), drawValue(t, 0)}
	case "const":
		return drawConstant(t)
	case "minimum", "exclusiveMaximum":
		return rapid.SampledFrom([]any{0, 1, 1.5, json.Number("1e30"), true}).Draw(t, word)
	case "multipleOf":
		return rapid.SampledFrom([]any{0.5, 1, 2}).Draw(t, word)
	case "minLength", "maxLength", "minProperties", "minItems":
		return rapid.SampledFrom([]any{0, 1, 2, 1.0, json.Number("2.0")}).Draw(t, word)
	case "pattern":
		return rapid.SampledFrom([]any{"^x", "1$", "(?!x)", ""}).Draw(t, word)
	case "format":
		return rapid.SampledFrom([]any{"ipv4", "hostname", "date", "uri", "semver", "none"}).Draw(t, word)
	case "required":
		return []any{rapid.SampledFrom([]any{"a", "b"}).Draw(t, word)}
	case "uniqueItems", "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		return rapid.SampledFrom([]any{true, false, sub()}).Draw(t, word)
	case "properties", "dependencies":
		return map[string]any{"a": sub(), "b": sub()}
	case "patternProperties":
		return map[string]any{"^[ab]": sub()}
	case "dependentRequired":
		return map[string]any{"a": []any{"b"}}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return []any{sub(), sub()}
	case "items":
		return rapid.SampledFrom([]any{sub(), []any{sub(), sub()}}).Draw(t, word)
	case "$ref":
		return rapid.SampledFrom([]any{"#/definitions/x", "#/definitions/y", "#/definitions/none", "urn:acme:x"}).Draw(t, word)
	}
	return sub()
}

// drawConstant draws what values are compared with: scalars, and collections without texts that look like numbers, which
// Helm's library takes for these (docs/adr/0029).
func drawConstant(t *rapid.T) any {
	return rapid.SampledFrom([]any{drawValue(t, 0), drawValue(t, 0), []any{}, []any{"x", 1}, map[string]any{}, map[string]any{"a": nil},
		map[string]any{"a": []any{1.5, true}}}).Draw(t, "constant")
}

func drawValue(t *rapid.T, depth int) any {
	if depth > 0 && rapid.Bool().Draw(t, "collection") {
		if rapid.Bool().Draw(t, "list") {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return drawValue(t, depth-1) }), 0, 3).Draw(t, "items")
		}
		return drawMap(t, depth)
	}
	return rapid.SampledFrom([]any{nil, true, false, "", "x", "x1", "1", "1.2.3.4", "2024-01-02", json.Number("0"), json.Number("1"),
		json.Number("1.0"), json.Number("1.5"), json.Number("1e30"), json.Number("18446744073709551616")}).Draw(t, "scalar")
}

func drawMap(t *rapid.T, depth int) map[string]any {
	m := map[string]any{}
	for _, key := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(t, key) {
			m[key] = drawValue(t, depth-1)
		}
	}
	return m
}

// TestDrawnSchemasAgreeWithHelm holds verdicts on drawn schemas and values to Helm's.
func TestDrawnSchemasAgreeWithHelm(t *testing.T) {
	quietHelm(t)
	rapid.Check(t, func(t *rapid.T) {
		text := drawSchema(t)
		s, err := schema.Compile("drawn", text)
		if errors.Is(err, schema.ErrLoop) {
			return // where Helm refuses values that reach the loop only (docs/adr/0029)
		}
		for range 4 {
			tree := drawMap(t, 3)
			theirs, said := helm(text, tree)
			mine, report := ours(s, err, tree)
			if theirs != mine {
				shown, _ := json.Marshal(tree)
				t.Fatalf("Helm takes it: %v (%v); we: %v (%v)\nschema: %s\nvalues: %s", theirs, said, mine, report, text, shown)
			}
		}
	})
}

const corpus = "../../../shared/corpus/charts"

// TestCorpusAgreesWithHelm holds verdicts on the platform's own schemas to Helm's: with the chart's defaults, and with
// these changed at random.
func TestCorpusAgreesWithHelm(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("../shared/corpus is not here: no real schemas to compare by")
	}
	tried, refused := 0, 0
	err := filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "values.schema.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		defaults, err := os.ReadFile(filepath.Join(filepath.Dir(path), "values.yaml"))
		if err != nil {
			return err
		}
		s, compileErr := schema.Compile(path, text)
		if compileErr != nil {
			t.Errorf("%v", compileErr)
		}
		// Helm compiles anew for each values, by the square of the size.
		count := min(300, max(12, 6_000_000/len(text)))
		if testing.Short() {
			count = min(count, 10)
		}
		base := parse(t, string(defaults))
		agree(t, text, s, compileErr, base)
		for seed := range count {
			tree := rapid.Custom(func(t *rapid.T) map[string]any { return mutate(t, base) }).Example(seed)
			agree(t, text, s, compileErr, tree)
			tried++
			if ok, _ := ours(s, compileErr, tree); !ok {
				refused++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d values tried, %d of them refused", tried, refused)
	if tried == 0 || refused == 0 || refused == tried {
		t.Error("the values tell nothing")
	}
}

// mutate returns a copy of a tree with one to three changes.
func mutate(t *rapid.T, tree map[string]any) map[string]any {
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	d, err := values.Parse("copy", text)
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		change(t, d.Values)
	}
	return d.Values
}

// change goes down to a map, and sets, renames or drops a key of it, or what stands in a list.
func change(t *rapid.T, m map[string]any) {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if len(keys) == 0 {
		m["new"] = drawValue(t, 2)
		return
	}
	key := rapid.SampledFrom(keys).Draw(t, "key")
	switch v := m[key].(type) {
	case map[string]any:
		if rapid.IntRange(0, 4).Draw(t, "enter") > 0 {
			change(t, v)
			return
		}
	case []any:
		if len(v) > 0 && rapid.Bool().Draw(t, "enter") {
			if item, ok := v[0].(map[string]any); ok {
				change(t, item)
			} else {
				v[0] = drawValue(t, 1)
			}
			return
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		delete(m, key)
	case 1:
		m[strings.ToUpper(key)] = m[key]
	default:
		m[key] = drawValue(t, 2)
	}
}
