package values

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/strvals"
)

// Assignment is one --set or --set-string of Helm: Name in strvals' path syntax, and the text of the value.
type Assignment struct {
	Name   string
	Value  string
	String bool // --set-string: the value is text whatever it looks like
}

// Set returns the document with assignments folded in by Helm's strvals, in the order given. Keys that no assignment
// touches keep their text. It returns an error that names the assignment, and quotes no value, for one that strvals
// refuses.
func (d *Document) Set(assignments []Assignment) (*Document, error) {
	if len(assignments) == 0 {
		return d, nil
	}
	tree := deepCopy(d.Values)
	for _, a := range assignments {
		parse := strvals.ParseInto
		if a.String {
			parse = strvals.ParseIntoString
		}
		if err := parse(a.Name+"="+a.Value, tree); err != nil {
			name, _, _ := strings.Cut(a.Name, "=") // what follows would be a value
			return nil, &Error{Name: d.Name, Message: fmt.Sprintf("parameter %q cannot be set over these values", name)}
		}
	}
	out := *d
	out.Values = deepCopy(tree)
	return &out, nil
}

func deepCopy(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = copyOf(v)
	}
	return out
}

func copyOf(v any) any {
	switch x := v.(type) {
	case map[string]any:
		return deepCopy(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = copyOf(x[i])
		}
		return out
	case int64: // the numbers of strvals
		return json.Number(strconv.FormatInt(x, 10))
	}
	return v
}
