package schema

import "maps"

// besideRef keeps what counts beside a $ref in drafts 6 and 7. All of it is to be ignored, but Helm's library holds values
// to const, and compiles some subschemas: what these refer to has to be there.
func (r *rewriter) besideRef(m map[string]any) any {
	never := map[string]any{} // by keys that no values have, since YAML has no NUL
	keys := []string{"contains", "propertyNames"}
	if _, ok := m["if"]; ok && r.draft == 7 {
		keys = append(keys, "if", "then", "else")
	}
	rest := maps.Clone(m) // for the metaschema to look at
	for _, key := range keys {
		if v, ok := m[key]; ok {
			never["\x00"+key] = v
			delete(rest, key)
		}
	}
	want, ok := m["const"]
	if !ok && len(never) == 0 {
		return m
	}
	both := map[string]any{}
	for _, key := range []string{"$schema", "definitions"} {
		if v, ok := m[key]; ok {
			both[key] = v
			delete(rest, key)
		}
	}
	never["\x00$ref"] = rest
	parts := []any{map[string]any{"$ref": m["$ref"]}, map[string]any{"properties": never}}
	if ok {
		constant := map[string]any{"const": want}
		r.constants(constant)
		parts = append(parts, constant)
	}
	both["allOf"] = parts
	return both
}
