package values

import (
	"maps"
	"slices"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Position returns the line and column, from 1, of the key or list item that path names in the text. Where the text
// does not go that deep (aliases and merge keys followed) it returns the deepest place that it has; 0, 0 when it has none.
func (d *Document) Position(path Path) (line, column int) {
	line, column, _ = d.Locate(path)
	return line, column
}

// Locate is Position, and tells how many steps of the path the text has.
func (d *Document) Locate(path Path) (line, column, depth int) {
	n := d.root
	if n == nil {
		return 0, 0, 0
	}
	line, column = n.Line, n.Column
	for i, step := range path {
		next := d.child(followed(n), step)
		if next == nil {
			return line, column, i
		}
		line, column, n = next.keyNode.Line, next.keyNode.Column, next.value
	}
	return line, column, len(path)
}

// keyIndex finds the entries of mappings by key.
type keyIndex map[*yamlv3.Node]map[string]entry

// wide is how many keys a mapping has for which an index pays.
const wide = 64

// child finds a step's entry; for a list item key and value are the item. Whoever asks for the place of every key of a wide
// mapping has it read once.
func (d *Document) child(n *yamlv3.Node, step Step) *entry {
	if step.IsIndex {
		if item := itemNode(n, step.Index); item != nil {
			return &entry{keyNode: item, value: item}
		}
		return nil
	}
	if n == nil || n.Kind != yamlv3.MappingNode {
		return nil
	}
	if len(n.Content) >= 2*wide || merges(n) {
		if e, ok := d.index(n)[step.Key]; ok {
			return &e
		}
		return nil
	}
	for _, e := range entries(n) {
		if e.key == step.Key {
			return &e
		}
	}
	return nil
}

// index returns a mapping's entries by key, those that it merges too, each as Helm's parser has it: of a key that comes twice, by
// its own or out of a merge, the last, and of merged mappings in one list the first.
func (d *Document) index(n *yamlv3.Node) map[string]entry {
	index, ok := d.keys[n]
	if ok {
		return index
	}
	index = make(map[string]entry, len(n.Content)/2)
	if d.keys == nil {
		d.keys = keyIndex{}
	}
	d.keys[n] = index // now, so that a mapping within itself ends
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			for _, other := range merged(value) {
				maps.Copy(index, d.index(other))
			}
			continue
		}
		if text, _, err := readKey(key); err == nil {
			index[text] = entry{key: text, keyNode: key, value: value, at: i / 2}
		}
	}
	return index
}

// merges tells whether a mapping has a merge key.
func merges(n *yamlv3.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			return true
		}
	}
	return false
}

// merged returns the mappings that the value of a merge key names, those that win last.
func merged(n *yamlv3.Node) (out []*yamlv3.Node) {
	n = followed(n)
	list := []*yamlv3.Node{n}
	if n != nil && n.Kind == yamlv3.SequenceNode {
		list = slices.Clone(n.Content)
		slices.Reverse(list)
	}
	for _, one := range list {
		if one = followed(one); one != nil && one.Kind == yamlv3.MappingNode {
			out = append(out, one)
		}
	}
	return out
}
