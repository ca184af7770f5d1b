package values

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// decode reads the first document of a YAML or JSON text into out with Helm's parser; numbers in untyped places become json.Number, so
// that their digits survive. The error can quote what it read: do not show it.
func decode(text []byte, out any) error {
	if tree, ok := out.(*map[string]any); ok {
		if quick, ok := decodeMap(text); ok {
			*tree = quick
			return nil
		}
	}
	return yaml.Unmarshal(text, out, func(d *json.Decoder) *json.Decoder {
		d.UseNumber()
		return d
	})
}

// decodeMap does for ordinary maps what sigs.k8s.io/yaml does, by the parser that this uses, without writing the values as JSON and reading
// them again. It tells of what is not ordinary, which is left to sigs.k8s.io/yaml: errors, keys that are no text, text that is not UTF-8,
// numbers that JSON has not. TestDecodeMap and FuzzDecode compare the two.
func decodeMap(text []byte) (map[string]any, bool) {
	var root any
	if err := yamlv2.Unmarshal(text, &root); err != nil {
		return nil, false
	}
	out, ok := plainJSON(root)
	tree, isMap := out.(map[string]any)
	return tree, ok && isMap
}

func plainJSON(v any) (any, bool) {
	switch x := v.(type) {
	case nil, bool:
		return v, true
	case string:
		return x, utf8.ValidString(x)
	case int:
		return json.Number(strconv.Itoa(x)), true
	case int64:
		return json.Number(strconv.FormatInt(x, 10)), true
	case uint64:
		return json.Number(strconv.FormatUint(x, 10)), true
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, false
		}
		digits, err := json.Marshal(x)
		return json.Number(digits), err == nil
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			var ok bool
			if out[i], ok = plainJSON(item); !ok {
				return nil, false
			}
		}
		return out, true
	case map[any]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			key, isText := k.(string)
			value, ok := plainJSON(item)
			if !isText || !utf8.ValidString(key) || !ok {
				return nil, false
			}
			out[key] = value
		}
		return out, true
	}
	return nil, false
}
