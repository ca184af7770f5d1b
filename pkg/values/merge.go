package values

import (
	"encoding/json"
	"maps"
	"strconv"
)

// Merge returns base overlaid with over as `helm -f base -f over` has it (helm.sh/helm/v3/pkg/cli/values, mergeMaps,
// which is not exported): where both hold a map the maps merge key by key; everything else, lists and null too, is
// replaced whole. Neither input is changed; the result shares their subtrees.
func Merge(base, over map[string]any) map[string]any {
	out := make(map[string]any, len(base)+len(over))
	maps.Copy(out, base)
	for k, v := range over {
		if overMap, ok := v.(map[string]any); ok {
			if baseMap, ok := out[k].(map[string]any); ok {
				out[k] = Merge(baseMap, overMap)
				continue
			}
		}
		out[k] = v
	}
	return out
}

// Plain returns a deep copy of values with numbers as the float64 that Helm's templates see. It is what may be given
// to Helm's library, which changes the maps that it is given.
func Plain(values map[string]any) map[string]any {
	out := make(map[string]any, len(values))
	for k, v := range values {
		out[k] = plain(v)
	}
	return out
}

func plain(v any) any {
	switch x := v.(type) {
	case map[string]any:
		return Plain(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = plain(x[i])
		}
		return out
	case json.Number:
		// Out of range cannot be: Helm's parser has read it as a float64 already.
		f, err := strconv.ParseFloat(string(x), 64)
		if err != nil {
			return string(x)
		}
		return f
	}
	return v
}
