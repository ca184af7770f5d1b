package artifact

import (
	"bytes"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// plain tells that the lines of a text that begin with a key are those of its tree's top-level keys, and that nothing but
// comments and list items begins a line besides. The tree's keys then are exactly there: they all stand in one column, and a line
// within a quoted text that looks like a key would be one too many. So what stands between two of those lines is one
// key and its value, which can be read and changed alone.
func plain(text []byte, tree map[string]any) bool {
	for _, other := range []string{"\r", "\u0085", "\u2028", "\u2029"} { // which end lines too, for YAML
		if bytes.Contains(text, []byte(other)) {
			return false
		}
	}
	seen := 0
	for line := range bytes.Lines(text) {
		switch key, ok := lineKey(line); {
		case ok:
			if _, has := tree[key]; !has {
				return false
			}
			seen++
		case seen > 0 && (line[0] == ' ' || bytes.HasPrefix(line, []byte("- "))):
		case line[0] != '#' && len(bytes.TrimSpace(line)) > 0:
			return false
		}
	}
	if seen != len(tree) {
		return false
	}
	// As many lines as keys, each of which is one: none stands twice.
	unique := make(map[string]bool, seen)
	for line := range bytes.Lines(text) {
		if key, ok := lineKey(line); ok {
			unique[key] = true
		}
	}
	return len(unique) == seen
}

// parted tells whether a line of a text begins with three dashes. kubectl and Argo CD part documents there whatever stands behind
// them, as in a certificate that a quoted text has at the line's start; one file that Argo CD cannot read stops all of its folder.
func parted(text []byte) bool {
	return bytes.HasPrefix(text, []byte("---")) || bytes.Contains(text, []byte("\n---"))
}

// lineKey returns the key that a line begins with, at its first column.
func lineKey(line []byte) (key string, ok bool) {
	end := bytes.IndexByte(line, ':')
	if end <= 0 || end+1 < len(line) && !strings.ContainsRune(" \n", rune(line[end+1])) {
		return "", false
	}
	for _, c := range line[:end] {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return "", false
		}
	}
	return string(line[:end]), true
}

// section returns where a top-level key and its value stand in a plain text.
func section(text []byte, key string) (from, to int) {
	at, found := 0, false
	for line := range bytes.Lines(text) {
		k, ok := lineKey(line)
		switch {
		case ok && found:
			return from, at
		case ok && k == key:
			from, found = at, true
		}
		at += len(line)
	}
	if !found {
		return 0, 0
	}
	return from, len(text)
}

// metadata reads the object's metadata; alone, where its text lets it.
func (o Object) metadata() (map[string]any, error) {
	if o.plain {
		from, to := section(o.Text, "metadata")
		if tree, err := values.DecodeObject("", o.Text[from:to]); err == nil {
			metadata, _ := tree["metadata"].(map[string]any)
			return metadata, nil
		} // else it has an alias whose anchor stands elsewhere
	}
	tree, err := values.DecodeObject("", o.Text)
	metadata, _ := tree["metadata"].(map[string]any)
	return metadata, err
}

// lineOf returns the line of the stream at which a line of the object's text stands, both from 1.
func (o Object) lineOf(line int) int {
	if o.rewritten || line <= 0 {
		return o.Line
	}
	first := 1
	for text := range bytes.Lines(o.Text) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			break
		}
		first++
	}
	return o.Line + line - first
}
