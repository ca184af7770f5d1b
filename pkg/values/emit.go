package values

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// maxSimpleKey is the length up to which "key:" may be written; YAML gives up looking for the colon after 1,024
// characters.
const maxSimpleKey = 1000

// Marshal writes a JSON-like tree (map[string]any, []any, strings, booleans, null, json.Number, float64, integers)
// as block YAML with sorted keys, two spaces a level, and lists that start in their key's column, as kubectl and
// Helm write. What it returns was read back by Helm's parser and is equal to v; otherwise it returns an error: for what
// is no JSON, text that is not UTF-8, and numbers with more digits than Helm keeps.
func Marshal(v any) ([]byte, error) {
	e := emitter{}
	e.value(v, nil, 0)
	text := e.out.String()
	var back any
	if err := decode([]byte(text), &back); err != nil || !Equal(v, back) {
		return nil, fmt.Errorf("write YAML: what was written does not read back the same")
	}
	return []byte(text), nil
}

// emitter writes trees as YAML text. Where a tree has nodes in source's text, scalars keep their look.
type emitter struct {
	out     strings.Builder
	source  *Document
	midLine bool // the line has been begun up to the next column to be indented to
}

func (e *emitter) indent(column int) {
	if e.midLine {
		e.midLine = false
		return
	}
	for range column {
		e.out.WriteByte(' ')
	}
}

// value writes v, beginning at the start of a line, every line indented by column.
func (e *emitter) value(v any, n *yamlv3.Node, column int) {
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 {
			e.mapping(x, n, column)
			return
		}
	case []any:
		if len(x) > 0 {
			e.list(x, n, column)
			return
		}
	}
	e.indent(column)
	e.inline(v, n, column)
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// mapping writes the keys of a map that is not empty: those of the text in its order, then the rest sorted.
func (e *emitter) mapping(m map[string]any, n *yamlv3.Node, column int) {
	written := make(map[string]bool, len(m))
	for _, entry := range entries(n) {
		if v, ok := m[entry.key]; ok {
			written[entry.key] = true
			e.entry(entry.key, v, &entry, column)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !written[key] {
			e.entry(key, m[key], nil, column)
		}
	}
}

func (e *emitter) entry(key string, v any, source *entry, column int) {
	var node *yamlv3.Node
	text := scalarText(key)
	if source != nil {
		node = source.value
		if own, ok := e.sourceScalar(source.keyNode); ok {
			text = own
		}
	}
	e.indent(column)
	if len(text) > maxSimpleKey {
		e.out.WriteString("? " + text + "\n")
		e.indent(column)
	} else {
		e.out.WriteString(text)
	}
	e.out.WriteByte(':')
	switch {
	case !collection(v):
		e.out.WriteByte(' ')
		e.inline(v, node, column)
	case isList(v):
		e.out.WriteByte('\n')
		e.value(v, node, column) // lists go to the key's own column
	default:
		e.out.WriteByte('\n')
		e.value(v, node, column+2)
	}
}

func (e *emitter) sourceScalar(n *yamlv3.Node) (string, bool) {
	if e.source == nil {
		return "", false
	}
	return e.source.sourceText(n)
}

func (e *emitter) list(items []any, n *yamlv3.Node, column int) {
	for i, item := range items {
		node := itemNode(n, i)
		e.indent(column)
		e.out.WriteString("- ")
		if collection(item) {
			e.midLine = true // its first line begins right after the dash, in the column of its others
			e.value(item, node, column+2)
		} else {
			e.inline(item, node, column)
		}
	}
}

// collection tells whether v is a map or list with something in it.
func collection(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		return len(x) > 0
	case []any:
		return len(x) > 0
	}
	return false
}

// inline writes a scalar or an empty map or list at the place where the line stands, and ends the line. Block
// scalars are indented deeper than column.
func (e *emitter) inline(v any, n *yamlv3.Node, column int) {
	switch x := v.(type) {
	case map[string]any:
		e.out.WriteString("{}\n")
	case []any:
		e.out.WriteString("[]\n")
	default:
		if own, ok := e.sourceScalar(n); ok && readsAs(own, v) {
			e.out.WriteString(own + "\n")
			return
		}
		text, isText := x.(string)
		header, lines, block := blockText(text)
		switch {
		case isText && block:
			e.out.WriteString(header + "\n")
			for _, line := range lines {
				if line != "" {
					e.indent(column + 2)
				}
				e.out.WriteString(line + "\n")
			}
		case isText:
			e.out.WriteString(scalarText(text) + "\n")
		default:
			e.out.WriteString(otherScalar(v) + "\n")
		}
	}
}

// readsAs tells whether a scalar taken from a text means v to Helm's parser. It guards a text whose tree has been
// changed since, and text that meant something else where it stood.
func readsAs(text string, v any) bool {
	if s, ok := v.(string); ok && s == text && plainText(text) && text[len(text)-1] != ':' {
		return true // what ends in a colon is plain in flow style only
	}
	var item []any
	if err := decode([]byte("- "+text), &item); err != nil || len(item) != 1 {
		return false
	}
	return Equal(item[0], v)
}

func otherScalar(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(x)
	case json.Number:
		if x == "-0" {
			return "-0.0"
		}
		return string(x)
	case float64:
		switch {
		case x == 0 && math.Signbit(x):
			return "-0.0"
		case x == math.Trunc(x) && math.Abs(x) < 1<<53:
			return strconv.FormatInt(int64(x), 10)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
