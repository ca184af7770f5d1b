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
	n = followed(n)
	if n == nil || n.Kind != yamlv3.ScalarNode {
		return "", "", fmt.Errorf("a key is a list or a map")
	}
	tag := coreTag(n)
	if tag == "" && (n.Style != 0 || plainText(n.Value)) {
		return n.Value, "text", nil
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

// coreTag returns a scalar's tag, and a space, where it can change what the scalar means to Helm's parser, which reads
// what has any other tag as text.
func coreTag(n *yamlv3.Node) string {
	if n.Style&yamlv3.TaggedStyle == 0 {
		return ""
	}
	switch n.Tag {
	case "!!str", "!!bool", "!!int", "!!float", "!!null", "!!timestamp", "!!binary":
		return n.Tag + " "
	}
	return ""
}

// restoreTag gives a scalar after a lone "!", which makes text of it, the tag that says so: the nodes do not.
func (d *Document) restoreTag(n *yamlv3.Node) {
	if n.Kind == yamlv3.ScalarNode && n.Style == 0 && strings.HasPrefix(d.from(n.Line, n.Column), "!") {
		n.Tag, n.Style = "!!str", yamlv3.TaggedStyle
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

// inspect warns of duplicate keys, and refuses keys that Helm would pick among at random: sigs.k8s.io/yaml turns
// 8080 and "8080" into one JSON key while it walks a Go map. It also sees whether numbers have lost digits.
func (d *Document) inspect(n *yamlv3.Node, depth int) error {
	if n == nil || depth > maxDepth {
		return nil
	}
	for _, child := range n.Content {
		d.restoreTag(child)
	}
	if n.Kind == yamlv3.MappingNode {
		if err := d.checkMapping(n); err != nil {
			return err
		}
	}
	d.lossy = d.lossy || n.Kind == yamlv3.ScalarNode && n.Style == 0 && lossyNumber(n.Value)
	for _, child := range n.Content {
		if err := d.inspect(child, depth+1); err != nil {
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
			continue // Helm has read it, so that only its text cannot be told
		}
		before, twice := seen[text]
		seen[text] = first{line: key.Line, identity: identity}
		switch {
		case !twice:
		case before.identity == identity && identity != "float NaN": // which is no key twice, to a Go map
			d.Warnings = append(d.Warnings, Warning{Line: key.Line, Column: key.Column, Message: fmt.Sprintf(
				"this key stands on line %d and again on line %d; Helm takes the last one whole", before.line, key.Line)})
		default:
			return errorAt(d.Name, key.Line, key.Column,
				"this key stands on line %d and, with another type, on line %d; Helm takes one of them at random: remove one", before.line, key.Line)
		}
	}
	return nil
}

// valueNodes returns the nodes of a mapping's values by key, nil for what is none (aliases are followed).
func valueNodes(n *yamlv3.Node) map[string]*yamlv3.Node {
	list := entries(followed(n))
	if list == nil {
		return nil
	}
	out := make(map[string]*yamlv3.Node, len(list))
	for _, e := range list {
		out[e.key] = e.value
	}
	return out
}

// itemNode returns the i-th node of a sequence, or nil.
func itemNode(n *yamlv3.Node, i int) *yamlv3.Node {
	n = followed(n)
	if n == nil || n.Kind != yamlv3.SequenceNode || i < 0 || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}

// followed returns what a node is an alias of, or the node itself.
func followed(n *yamlv3.Node) *yamlv3.Node {
	for n != nil && n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	return n
}
