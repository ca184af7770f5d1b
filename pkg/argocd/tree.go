package argocd

import (
	"encoding/json"
	"fmt"
)

// field returns the value under key and whether it is there. A null is absent, as it is to Argo CD. A value of another
// type is an error that names the types and never the value.
func field[T any](m map[string]any, key string) (value T, present bool, err error) {
	raw, ok := m[key]
	if !ok || raw == nil {
		return value, false, nil
	}
	value, ok = raw.(T)
	if !ok {
		return value, false, fmt.Errorf("%s is %s; it must be %s", key, typeName(raw), typeName(any(value)))
	}
	return value, true, nil
}

// text returns the text under key, or "". It is for what never decides alone: a wrong type reads as absent.
func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// child returns the map under key, or nil.
func child(m map[string]any, key string) map[string]any {
	c, _ := m[key].(map[string]any)
	return c
}

func typeName(v any) string {
	switch v.(type) {
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case string:
		return "text"
	case bool:
		return "true or false"
	case json.Number, float64, int64, int:
		return "a number"
	}
	return "something else"
}

// zero reports whether v says nothing: null, "", false, or a map or list of nothing else.
func zero(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case bool:
		return !x
	case map[string]any:
		for _, value := range x {
			if !zero(value) {
				return false
			}
		}
		return true
	case []any:
		return len(x) == 0
	}
	return false
}

// clone copies maps and lists all the way down, so that what is built never shares with what was read. Keys that hold null
// are left out: they declare nothing, and whoever applies one owns a null, which makes the next apply fail (DESIGN 10).
func clone(v any) any {
	switch x := v.(type) {
	case map[string]any:
		return cloneMap(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = clone(x[i])
		}
		return out
	}
	return v
}

func cloneMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for key, value := range m {
		if value != nil {
			out[key] = clone(value)
		}
	}
	return out
}
