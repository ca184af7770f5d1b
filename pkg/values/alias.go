package values

import (
	"fmt"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// checkAliases refuses a text whose aliases make much of little. Helm's parser counts the nodes that aliases add, not
// their size, so that a long text with an anchor, and aliases of it by the thousand, would fill the memory.
// document is the text's first document, nil when it could not be read into nodes.
func checkAliases(name, text string, document *yamlv3.Node) error {
	if !mayHold(text, '&') || !mayHold(text, '*') {
		return nil
	}
	var size int
	if document != nil {
		size = (&expansion{sizes: map[*yamlv3.Node]int{}}).of(document, 0)
	} else {
		size = len(text) * strings.Count(text, "*")
	}
	if size > MaxSize+len(text) {
		return &Error{Name: name, Message: fmt.Sprintf("with its aliases the text is larger than %d MiB", MaxSize>>20)}
	}
	return nil
}

// mayHold tells whether text can hold an anchor (&) or an alias (*): the mark before a name, and not in or after a
// word. It keeps cron lines, && and query strings from costing a second reading.
func mayHold(text string, mark byte) bool {
	for i := 0; i+1 < len(text); i++ {
		next := strings.IndexByte(text[i:], mark)
		if next < 0 {
			return false
		}
		i += next
		if i+1 < len(text) && nameByte(text[i+1]) && (i == 0 || text[i-1] != mark && !nameByte(text[i-1])) {
			return true
		}
	}
	return false
}

func nameByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
}

// expansion adds up the size of a document with its aliases written out. An anchor stands before its aliases, so that
// its size is known when they come; one that an alias inside it asks for is refused by Helm's parser.
type expansion struct {
	sizes map[*yamlv3.Node]int
}

func (e *expansion) of(n *yamlv3.Node, depth int) int {
	if n.Kind == yamlv3.AliasNode {
		return e.sizes[n.Alias]
	}
	size := len(n.Value) + 1
	if depth <= maxDepth {
		for _, child := range n.Content {
			size = min(size+e.of(child, depth+1), 2*MaxSize) // no further: sums of sums overflow
		}
	}
	if n.Anchor != "" {
		e.sizes[n] = size
	}
	return size
}
