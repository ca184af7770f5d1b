package schema

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

const (
	latestDraft = "https://json-schema.org/draft/2020-12/schema"
	maxInteger  = 1 << 53 // up to here the library's float64 holds each integer
)

// rewriter makes a schema say to the library what it says to Helm's. It changes the tree that it is given.
type rewriter struct {
	draft   int // 4, 6, 7, or 0 for the later ones
	schemas int // subschemas seen
}

// rewrite prepares the root of a schema, and returns how many subschemas it has, and the URNs that were dropped.
func rewrite(doc any) (root any, schemas int, dropped []string) {
	var r rewriter
	if m, ok := doc.(map[string]any); ok {
		draft, _ := m["$schema"].(string)
		// Helm takes a URN that it cannot resolve for a dialect that allows all, and goes by the latest draft.
		if isURN(draft) {
			dropped = append(dropped, draft)
			delete(m, "$schema")
		}
		// Without $schema the library asserts formats, and Helm's does not.
		if _, ok := m["$schema"]; !ok {
			m["$schema"] = latestDraft
		}
		for _, n := range []int{4, 6, 7} {
			if strings.Contains(draft, "/draft-0"+strconv.Itoa(n)+"/") {
				r.draft = n
			}
		}
	}
	return r.schema(doc), r.schemas, dropped
}

func isURN(ref string) bool { return len(ref) >= 4 && strings.EqualFold(ref[:4], "urn:") }

// schema rewrites what stands where a schema is wanted.
func (r *rewriter) schema(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	r.schemas++
	r.below(m)
	delete(m, "regexProperties") // a keyword of the library's own
	if _, ok := m["contentSchema"]; ok {
		delete(m, "contentMediaType") // content is not looked at, nor what its schema refers to
	}
	for _, key := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
		"minContains", "maxContains"} {
		clampInteger(m, key)
	}
	if _, ref := m["$ref"].(string); ref && (r.draft == 6 || r.draft == 7) {
		if list, ok := m["enum"].([]any); ok {
			m["enum"] = r.enum(list) // for the metaschema
		}
		return r.besideRef(m)
	}
	r.constants(m)
	return m
}

// below rewrites the subschemas of m, of whatever draft: where a draft lacks a keyword, nobody looks.
func (r *rewriter) below(m map[string]any) {
	for key, v := range m {
		switch key {
		case "not", "additionalProperties", "additionalItems", "propertyNames", "contains", "if", "then", "else",
			"unevaluatedProperties", "unevaluatedItems", "contentSchema":
			m[key] = r.schema(v)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			r.list(v)
		case "items":
			r.list(v)
			m[key] = r.schema(v)
		case "properties", "patternProperties", "definitions", "$defs", "dependencies", "dependentSchemas":
			if named, ok := v.(map[string]any); ok {
				for name, sub := range named {
					named[name] = r.schema(sub)
				}
			}
		}
	}
}

func (r *rewriter) list(v any) {
	for i, sub := range listOf(v) {
		v.([]any)[i] = r.schema(sub)
	}
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// clampInteger lowers a bound that the library would read as a negative number. No value is as long as what is left.
func clampInteger(m map[string]any, key string) {
	n, ok := m[key].(json.Number)
	if !ok {
		return
	}
	r, ok := new(big.Rat).SetString(n.String())
	if ok && r.IsInt() && r.Num().IsInt64() && r.Num().Int64() > maxInteger {
		m[key] = json.Number("9007199254740992")
	}
}
