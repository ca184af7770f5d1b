package schema

import "strings"

// survey looks for words by which a schema means something else than it says in its place.
func (s *Schema) survey(doc any) {
	if m, ok := doc.(map[string]any); ok {
		draft, _ := m["$schema"].(string)
		s.dialect = s.dialect || draft != "" && !strings.Contains(draft, "//json-schema.org/")
	}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, sub := range v {
				s.dynamic = s.dynamic || key == "$dynamicRef" || key == "$recursiveRef"
				look(sub)
			}
		case []any:
			for _, sub := range v {
				look(sub)
			}
		}
	}
	look(doc)
}
