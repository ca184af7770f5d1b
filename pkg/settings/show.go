package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Secrets finds secret material, and says which rules there are. pkg/secret does, behind a few lines of wiring.
type Secrets interface {
	// Tree searches a tree of values. Paths are from its root; a key that is a secret itself stands in them as "***".
	Tree(tree any) []Hit
	// Text searches text that is no values, such as a comment. The findings have the line of the text, from 1.
	Text(text string) []Hit
	// Knows reports whether there is such a rule.
	Knows(rule string) bool
}

// Hit is secret material that was found: where in a tree, and the finding about it, which lacks file and position.
type Hit struct {
	Path    values.Path
	Finding finding.Finding
}

// masked stands for what is secret.
const masked = "***"

// maxShown bounds what is shown of a value, in characters.
const maxShown = 80

// shower shows places and values of one tree without its secrets.
type shower struct {
	secrets Secrets
	hits    []Hit
}

func (p *planner) shower(tree map[string]any) *shower {
	return &shower{secrets: p.in.Secrets, hits: p.in.Secrets.Tree(tree)}
}

// path masks the keys that are secrets themselves, as hits do.
func (s *shower) path(path values.Path) values.Path {
	out := slices.Clone(path)
	for i, step := range out {
		if !step.IsIndex && len(s.secrets.Text(step.Key)) > 0 {
			out[i].Key = masked
		}
	}
	return out
}

// leaf returns a place and its value as they can be shown. root is the key of the tree that the leaf's path begins below.
func (s *shower) leaf(root string, leaf values.Leaf) (path, value string) {
	at := s.path(leaf.Path)
	full := append(values.Path{}.Key(root), at...)
	value = onLine(leaf.Value)
	for _, hit := range s.hits {
		if hit.Finding.Severity != finding.Info && (hit.Path.HasPrefix(full) || full.HasPrefix(hit.Path)) {
			value = masked
		}
	}
	return at.String(), value
}

// onLine writes a value as JSON on one line, cut off where it is long.
func onLine(v any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprintf("(%T)", v) // a tree of values is always JSON
	}
	text := strings.TrimSpace(b.String())
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "..."
	}
	return text
}

// oneLine quotes text that a terminal or git would not take as a line of text.
func oneLine(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return strconv.Quote(text)
}
