package artifact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// change sets the text at a path of an object, or takes away what is there. The path begins with metadata.
type change struct {
	path   []string
	value  string
	remove bool
}

// edit makes changes in the object's text. It changes lines where it can, and shows by reading the result that nothing else has
// changed; else the object is written anew, without its comments.
func (o Object) edit(changes ...change) (Object, error) {
	if o.plain {
		from, to := section(o.Text, "metadata")
		anchored := bytes.IndexByte(o.Text[from:to], '&') >= 0 // what refers to it would change too
		if text, ok := edited(o.Text[from:to], changes); ok && !anchored {
			o.Text = slices.Concat(o.Text[:from], text, o.Text[to:])
			return o, nil
		}
	}
	if text, ok := edited(o.Text, changes); ok {
		o.Text = text
		return o, nil
	}
	tree, err := values.DecodeObject("", o.Text)
	if err != nil {
		return o, err
	}
	for _, c := range changes {
		c.apply(tree)
	}
	if o.Text, err = values.Marshal(tree); err != nil {
		return o, err
	}
	o.rewritten, o.plain = true, plain(o.Text, tree)
	return o, nil
}

// edited returns a text with the changes, and whether it says what they come to, and nothing else.
func edited(text []byte, changes []change) ([]byte, bool) {
	want, err := values.DecodeObject("", text)
	if err != nil || want == nil {
		return nil, false
	}
	for _, c := range changes {
		c.apply(want)
	}
	for _, quoted := range []bool{false, true} { // what is to be text can be something else without quotes
		out := string(text)
		for _, c := range changes {
			var ok bool
			if out, ok = c.write(out, quoted); !ok {
				return nil, false
			}
		}
		if got, err := values.DecodeObject("", []byte(out)); err == nil && values.Equal(got, want) {
			return []byte(out), true
		}
	}
	return nil, false
}

// apply makes the change in a tree.
func (c change) apply(tree map[string]any) {
	for _, key := range c.path[:len(c.path)-1] {
		child, ok := tree[key].(map[string]any)
		if !ok {
			child = map[string]any{}
			tree[key] = child
		}
		tree = child
	}
	last := c.path[len(c.path)-1]
	if c.remove {
		delete(tree, last)
		return
	}
	tree[last] = c.value
}

// write makes the change in a text: in the block that the keys of the path lead to, or in braces, where the last of them has
// its map in such. It knows indentation and nothing of YAML besides: whether the result is right is for edited to see.
func (c change) write(text string, quoted bool) (string, bool) {
	scalar := c.value
	if quoted {
		encoded, err := json.Marshal(c.value)
		if err != nil {
			return "", false
		}
		scalar = string(encoded)
	}
	lines := strings.SplitAfter(text, "\n")
	if end := len(lines) - 1; lines[end] != "" {
		lines[end] += "\n"
	}
	from, to, indent := 0, len(lines), 0
	for i, key := range c.path[:len(c.path)-1] {
		at := keyAt(lines[from:to], indent, key)
		switch {
		case at < 0 && (i == 0 || c.remove):
			return "", false
		case at < 0:
			return insert(lines, from, to, indent, c.path[i:], scalar), true
		}
		at += from
		behind := strings.TrimSpace(lines[at][indent+len(key)+1:])
		if strings.HasPrefix(behind, "{") && !c.remove {
			lines[at] = inBraces(lines[at], c.path[i+1:], scalar)
			return strings.Join(lines, ""), true
		}
		if behind != "" && behind[0] != '#' {
			return "", false
		}
		if from, to, indent = block(lines, at+1, to, indent); indent < 0 {
			return "", false
		}
	}
	last := c.path[len(c.path)-1]
	at := keyAt(lines[from:to], indent, last)
	switch {
	case at < 0 && c.remove:
		return "", false
	case c.remove:
		lines[from+at] = ""
	case at >= 0:
		lines[from+at] = lines[from+at][:indent+len(last)] + ": " + scalar + "\n"
	default:
		return insert(lines, from, to, indent, c.path[len(c.path)-1:], scalar), true
	}
	return strings.Join(lines, ""), true
}
