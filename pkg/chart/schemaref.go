package chart

import (
	"encoding/json"
	"net/url"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// outsideRef returns a reference of a values.schema.json, the chart's or a subchart's, to something that is in none of them,
// and "" where there is none. Helm's validation would fetch it from the network, or read it from this machine, whatever
// --offline says. References by urn: are no such: Helm lets them pass.
func outsideRef(c *chart.Chart) string {
	if len(c.Schema) > 0 {
		var schema any
		if json.Unmarshal(c.Schema, &schema) == nil { // what does not parse is Helm's to say
			s := schemaRefs{known: map[string]bool{schemaRoot: true}}
			s.walk(schema, schemaRoot, s.id)
			s.walk(schema, schemaRoot, s.ref)
			if s.outside != "" {
				return s.outside
			}
		}
	}
	for _, sub := range c.Dependencies() {
		if ref := outsideRef(sub); ref != "" {
			return ref
		}
	}
	return ""
}

// schemaRoot is by what name Helm compiles a schema: relative references are resolved against it.
const schemaRoot = "file:///values.schema.json"

// schemaRefs goes through a schema: first for what it names itself, then for what it refers to.
type schemaRefs struct {
	known   map[string]bool
	outside string
}

// walk visits every object of a schema, less those that are data, with the base that its references are resolved against.
func (s *schemaRefs) walk(node any, base string, visit func(object map[string]any, base string)) {
	switch x := node.(type) {
	case map[string]any:
		for _, key := range []string{"$id", "id"} {
			if id, ok := x[key].(string); ok {
				base = resolveRef(base, id)
			}
		}
		visit(x, base)
		for key, child := range x {
			switch key {
			case "const", "default", "enum", "examples":
			default:
				s.walk(child, base, visit)
			}
		}
	case []any:
		for _, child := range x {
			s.walk(child, base, visit)
		}
	}
}

func (s *schemaRefs) id(_ map[string]any, base string) { s.known[base] = true }

func (s *schemaRefs) ref(object map[string]any, base string) {
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef", "$schema"} {
		ref, ok := object[key].(string)
		if !ok {
			continue
		}
		target := resolveRef(base, ref)
		if s.known[target] || strings.HasPrefix(target, "urn:") || isMetaschema(target) {
			continue
		}
		s.outside = ref
	}
}

// isMetaschema tells whether it is one of those that the validator brings.
func isMetaschema(target string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(target, "https://"), "http://"), "json-schema.org/")
	return ok && (rest == "schema" || strings.HasPrefix(rest, "draft"))
}

// resolveRef resolves a reference against a base, and leaves the fragment out.
func resolveRef(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}
