package schema

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Steps of a path that are no keys and no places in a list: pathText writes them.
const (
	anyItem = -1 // []
	anyKey  = -2 // *
)

func someItem(path values.Path) values.Path { return path.Index(anyItem) }
func someKey(path values.Path) values.Path  { return path.Index(anyKey) }

// pathText writes a path as values.Path does, with [] for items and * for keys without a name.
func pathText(path values.Path) string {
	var b strings.Builder
	for i := 0; i < len(path); {
		if path[i].IsIndex && path[i].Index < 0 {
			switch {
			case path[i].Index == anyItem:
				b.WriteString("[]")
			case b.Len() > 0:
				b.WriteString(".*")
			default:
				b.WriteString("*")
			}
			i++
			continue
		}
		end := i + 1
		for end < len(path) && (!path[end].IsIndex || path[end].Index >= 0) {
			end++
		}
		part := path[i:end].String()
		if b.Len() > 0 && !strings.HasPrefix(part, "[") {
			b.WriteByte('.')
		}
		b.WriteString(part)
		i = end
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}
