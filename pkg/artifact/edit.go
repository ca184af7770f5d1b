package artifact

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// InNamespace returns the object with metadata.namespace written into its text, which keeps its comments where they can be kept.
// An object that names a namespace already is returned as it is.
func (o Object) InNamespace(namespace string) (Object, error) {
	if o.ID.Namespace != "" || namespace == "" {
		return o, nil
	}
	text, err := set(o.Text, []string{"metadata", "namespace"}, namespace)
	if err != nil {
		return o, fmt.Errorf("write the namespace of %s %s: %w", o.ID.Kind, o.ID.Name, err)
	}
	o.ID.Namespace, o.Text = namespace, text
	return o, nil
}

// set writes a text value at a path into an object's text. It puts a line in where it can, and shows by reading the result that
// nothing else has changed; else the object is written anew, without its comments.
func set(text []byte, path []string, value string) ([]byte, error) {
	tree, err := values.DecodeObject("", text)
	if err != nil {
		return nil, err
	}
	parent := tree
	for _, key := range path[:len(path)-1] {
		child, ok := parent[key].(map[string]any)
		if !ok {
			child = map[string]any{}
			parent[key] = child
		}
		parent = child
	}
	last := path[len(path)-1]
	_, there := parent[last]
	parent[last] = value
	quoted, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	for _, scalar := range []string{value, string(quoted)} {
		edited, ok := insert(string(text), path, scalar)
		if !ok || there {
			continue
		}
		if again, err := values.DecodeObject("", []byte(edited)); err == nil && values.Equal(again, tree) {
			return []byte(edited), nil
		}
	}
	return values.Marshal(tree)
}

// insert puts a line with the last key of a path into the block that the keys before it lead to; into braces, where the last of
// them has its map in such. It knows indentation and nothing of YAML besides: whether the result is right is for set to see.
func insert(text string, path []string, scalar string) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if end := len(lines) - 1; lines[end] != "" {
		lines[end] += "\n"
	}
	from, to, indent := 0, len(lines), 0
	for i, key := range path[:len(path)-1] {
		at := keyAt(lines[from:to], indent, key)
		if at < 0 {
			return "", false
		}
		at += from
		behind := strings.TrimSpace(lines[at][indent+len(key)+1:])
		if rest, flow := strings.CutPrefix(behind, "{"); flow {
			if i != len(path)-2 {
				return "", false
			}
			comma := ", "
			if strings.HasPrefix(strings.TrimSpace(rest), "}") {
				comma = ""
			}
			brace := strings.IndexByte(lines[at], '{') + 1
			lines[at] = lines[at][:brace] + path[i+1] + ": " + scalar + comma + lines[at][brace:]
			return strings.Join(lines, ""), true
		}
		if behind != "" && behind[0] != '#' {
			return "", false
		}
		from = at + 1
		if from, to, indent = block(lines, from, to, indent); indent < 0 {
			return "", false
		}
	}
	// Behind the name, where people look for it.
	if at := keyAt(lines[from:to], indent, "name"); at >= 0 && (from+at+1 == to || indentOf(lines[from+at+1]) <= indent) {
		from += at + 1
	}
	line := strings.Repeat(" ", indent) + path[len(path)-1] + ": " + scalar + "\n"
	return strings.Join(slices.Insert(lines, from, line), ""), true
}

// keyAt returns the line of a key at an indentation, -1 when there is none.
func keyAt(lines []string, indent int, key string) int {
	return slices.IndexFunc(lines, func(line string) bool {
		return indentOf(line) == indent && strings.HasPrefix(line[indent:], key+":")
	})
}

// block returns which lines, between two of them, are indented deeper than indent, and how deep the first is; -1 when there is
// none.
func block(lines []string, from, to, indent int) (first, end, deeper int) {
	deeper = -1
	for first, end = from, from; end < to; end++ {
		at := indentOf(lines[end])
		switch {
		case at < 0:
			continue // blank, or a comment
		case at <= indent:
			return first, end, deeper
		case deeper < 0:
			first, deeper = end, at
		}
	}
	return first, end, deeper
}

// indentOf returns how many spaces a line begins with, -1 for one that is blank or a comment.
func indentOf(line string) int {
	rest := strings.TrimLeft(line, " ")
	if strings.TrimSpace(rest) == "" || rest[0] == '#' {
		return -1
	}
	return len(line) - len(rest)
}
