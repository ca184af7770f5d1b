package values

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	yamlv3 "go.yaml.in/yaml/v3"
)

// maxDepth bounds recursion into nodes. Helm's parser refuses text nested deeper than 10,000 levels.
const maxDepth = 10_000

// entry is one key of a mapping, as text.
type entry struct {
	key        string // as Helm reads it
	keyNode    *yamlv3.Node
	value      *yamlv3.Node
	at         int // which key of the mapping it is, counting those that do not count
	start, end int // lines of the text, from 0, end excluded: comments above the key, the key, its value
}

// entries lists the keys of a mapping that count (of duplicates the last), in the order of the text. It returns nil
// for everything that is not a mapping, and for a mapping with a merge key (<<), whose entries stand elsewhere.
func entries(n *yamlv3.Node) []entry {
	if n == nil || n.Kind != yamlv3.MappingNode {
		return nil
	}
	out := make([]entry, 0, len(n.Content)/2)
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if isMerge(key) {
			return nil
		}
		text, _, err := readKey(key)
		if err != nil {
			return nil
		}
		if last, ok := seen[text]; ok {
			out[last].keyNode = nil
		}
		seen[text] = len(out)
		out = append(out, entry{key: text, keyNode: key, value: n.Content[i+1], at: i / 2})
	}
	if len(seen) == len(out) {
		return out
	}
	last := out[:0]
	for _, e := range out {
		if e.keyNode != nil {
			last = append(last, e)
		}
	}
	return last
}

func isMerge(key *yamlv3.Node) bool {
	return key.Kind == yamlv3.ScalarNode && key.Value == "<<" && (key.Style == 0 || key.Tag == "!!merge")
}

// readKey returns the key that Helm makes of a key's node, and what tells it apart from a key of another type that
// becomes the same text. Only plain text that can mean something else is put to Helm's parser.
func readKey(n *yamlv3.Node) (text, identity string, err error) {
	for n.Kind == yamlv3.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	if n.Kind != yamlv3.ScalarNode {
		return "", "", fmt.Errorf("a key is a list or a map")
	}
	if n.Style&(yamlv3.SingleQuotedStyle|yamlv3.DoubleQuotedStyle|yamlv3.LiteralStyle|yamlv3.FoldedStyle) != 0 && n.Style&yamlv3.TaggedStyle == 0 {
		return n.Value, "text", nil
	}
	if n.Style&yamlv3.TaggedStyle == 0 && plainText(n.Value) {
		return n.Value, "text", nil
	}
	tag := ""
	if n.Style&yamlv3.TaggedStyle != 0 {
		tag = n.Tag + " "
	}
	var key []any
	if err := yamlv2.Unmarshal([]byte("- "+tag+quoteUnlessPlain(n)), &key); err != nil || len(key) != 1 {
		return "", "", fmt.Errorf("a key cannot be read")
	}
	switch k := key[0].(type) {
	case string:
		return k, "text", nil
	case int:
		return strconv.Itoa(k), "number " + strconv.Itoa(k), nil
	case int64:
		return strconv.FormatInt(k, 10), "number " + strconv.FormatInt(k, 10), nil
	case float64:
		return floatKey(k), "float " + strconv.FormatFloat(k, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(k), "boolean", nil
	default:
		return "", "", fmt.Errorf("a key is of a kind that Helm does not take")
	}
}

// floatKey is how sigs.k8s.io/yaml writes a float that is a key: as a 32-bit number.
func floatKey(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	case math.IsNaN(f):
		return ".nan"
	}
	return strconv.FormatFloat(f, 'g', -1, 32)
}

// plainText tells whether an unquoted scalar is text to Helm's parser without asking it: it starts with a letter or
// an underscore and is none of YAML 1.1's words for booleans and null.
func plainText(s string) bool {
	if s == "" {
		return false
	}
	c := s[0] | 0x20
	return (c >= 'a' && c <= 'z' || s[0] == '_' || s[0] == '/') && !reservedWord(s)
}

func reservedWord(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// checkKeys warns of duplicate keys, and refuses keys that Helm would pick among at random: sigs.k8s.io/yaml turns
// 8080 and "8080" into one JSON key while it walks a Go map.
func (d *Document) checkKeys(n *yamlv3.Node, depth int) error {
	if n == nil || depth > maxDepth {
		return nil
	}
	if n.Kind == yamlv3.MappingNode {
		if err := d.checkMapping(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := d.checkKeys(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) checkMapping(n *yamlv3.Node) error {
	type first struct {
		line     int
		identity string
	}
	seen := make(map[string]first, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if isMerge(key) {
			continue
		}
		text, identity, err := readKey(key)
		if err != nil {
			return errorAt(d.Name, key.Line, key.Column, "%v; Helm takes text, numbers and booleans as keys", err)
		}
		before, twice := seen[text]
		seen[text] = first{line: key.Line, identity: identity}
		switch {
		case !twice:
		case before.identity == identity:
			d.Warnings = append(d.Warnings, Warning{Line: key.Line, Column: key.Column, Message: fmt.Sprintf(
				"key %q stands on line %d and again on line %d; Helm takes the last one whole", text, before.line, key.Line)})
		default:
			return errorAt(d.Name, key.Line, key.Column,
				"key %q stands on line %d and, with another type, on line %d; Helm takes one of them at random: remove one", text, before.line, key.Line)
		}
	}
	return nil
}

// Position returns the line and column, from 1, of the key or list item that path names in the text. Where the text
// does not go that deep (aliases apart) it returns the deepest place that it has; 0, 0 when it has none.
func (d *Document) Position(path Path) (line, column int) {
	n := d.root
	if n == nil {
		return 0, 0
	}
	line, column = n.Line, n.Column
	for _, step := range path {
		for n.Kind == yamlv3.AliasNode && n.Alias != nil {
			n = n.Alias
		}
		next := child(n, step)
		if next == nil {
			return line, column
		}
		line, column, n = next.keyNode.Line, next.keyNode.Column, next.value
	}
	return line, column
}

// child finds a step's entry; for a list item key and value are the item.
func child(n *yamlv3.Node, step Step) *entry {
	if step.IsIndex {
		if n.Kind != yamlv3.SequenceNode || step.Index >= len(n.Content) {
			return nil
		}
		item := n.Content[step.Index]
		return &entry{keyNode: item, value: item}
	}
	for _, e := range entries(n) {
		if e.key == step.Key {
			return &e
		}
	}
	return nil
}

// node returns the node that path names, aliases followed, or nil.
func (d *Document) node(path Path) *yamlv3.Node {
	n := d.root
	for _, step := range path {
		for n != nil && n.Kind == yamlv3.AliasNode {
			n = n.Alias
		}
		if n == nil {
			return nil
		}
		next := child(n, step)
		if next == nil {
			return nil
		}
		n = next.value
	}
	for n != nil && n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	return n
}
