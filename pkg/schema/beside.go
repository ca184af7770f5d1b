package schema

// besideRef keeps what counts beside a $ref in drafts 6 and 7. All of it is to be ignored, but Helm's library holds values
// to const, and compiles some subschemas: what these refer to has to be there.
func besideRef(m map[string]any) any {
	never := map[string]any{} // by keys that no values have, since YAML has no NUL
	for _, key := range []string{"contains", "propertyNames", "if"} {
		if v, ok := m[key]; ok {
			never["\x00"+key] = v
		}
	}
	if _, ok := m["if"]; ok {
		for _, key := range []string{"then", "else"} {
			if v, ok := m[key]; ok {
				never["\x00"+key] = v
			}
		}
	}
	want, ok := m["const"]
	if !ok && len(never) == 0 {
		return m
	}
	parts := []any{map[string]any{"$ref": m["$ref"]}, map[string]any{"properties": never}}
	if ok {
		constant := map[string]any{"const": want}
		(&rewriter{draft: 7}).constants(constant)
		parts = append(parts, constant)
	}
	both := map[string]any{"allOf": parts}
	for _, key := range []string{"$schema", "definitions"} {
		if v, ok := m[key]; ok {
			both[key] = v
		}
	}
	return both
}
