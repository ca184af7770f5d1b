package values

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is one step of a Path: into a map by its key, or into a list by its index.
type Step struct {
	Key     string
	Index   int
	IsIndex bool
}

// Path is where a value stands in a values tree, from the root. The zero Path is the root itself.
type Path []Step

// Key returns the path of the value under key; p itself is left as it is.
func (p Path) Key(key string) Path { return append(slices.Clip(p), Step{Key: key}) }

// Index returns the path of the i-th item; p itself is left as it is.
func (p Path) Index(i int) Path { return append(slices.Clip(p), Step{Index: i, IsIndex: true}) }

// Compare orders paths step by step: list items by number, before keys by their text; a path before what is below it.
func (p Path) Compare(q Path) int {
	return slices.CompareFunc(p, q, func(a, b Step) int {
		switch {
		case a.IsIndex && !b.IsIndex:
			return -1
		case b.IsIndex && !a.IsIndex:
			return 1
		}
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index))
	})
}

// String writes the path as people write it: keys joined by dots, list indexes in brackets, and a key that holds
// anything but letters, digits, "_", "-" and "/" in brackets and quotes: controller.env[2].value,
// podAnnotations["prometheus.io/scrape"]. The root is ".".
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.IsIndex:
			fmt.Fprintf(&b, "[%d]", s.Index)
		case !plainKey(s.Key):
			fmt.Fprintf(&b, "[%s]", strconv.Quote(s.Key))
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Key)
		}
	}
	return b.String()
}

func plainKey(key string) bool {
	for _, r := range key {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '/':
		default:
			return false
		}
	}
	return key != ""
}
