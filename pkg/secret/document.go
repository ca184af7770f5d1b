package secret

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxDocument bounds the text that is parsed as YAML or JSON; etcd takes no larger object. Beyond it the text rules,
// which read line by line, still apply.
const maxDocument = 2 << 20

var errTooLarge = errors.New("document too deep, or too large once its aliases are written out")

// documents searches s as the YAML or JSON documents that it may hold: a manifest in extraObjects, a docker config, a
// file of a ConfigMap. ok is false when s is none; then s is plain text for the text rules.
func (w *walker) documents(s string) (worst verdict, ok bool) {
	if w.level >= maxLevel || len(s) > maxDocument || !looksLikeDocument(s) {
		return clean, false
	}
	trees, comments, err := parseDocuments(s)
	switch {
	case errors.Is(err, errTooLarge):
		w.report(RuleUnscanned, literal)
		return literal, true
	case err != nil || !slices.ContainsFunc(trees, isContainer):
		return clean, false
	}
	inner := w.within()
	for i, tree := range trees {
		if len(trees) > 1 {
			inner.push(values.Step{Index: i, IsIndex: true})
		}
		inner.walk(tree, 0)
		if len(trees) > 1 {
			inner.pop()
		}
	}
	for _, h := range inner.hits {
		worst = max(worst, verdictOf(h))
	}
	w.hits = append(w.hits, inner.hits...)
	// What the tree has lost: the comments. They stand at the string itself.
	w.label = label{}
	comments = uncomment(comments)
	for _, folded := range foldings(comments) {
		worst = max(worst, w.search(folded, func(seen reporter) { findProse(folded, seen) }, false))
	}
	// Of what stands on several lines the parser's comments have lost the order and the indentation.
	for _, block := range foldings(commentLines(s)) {
		for _, find := range []textRule{findObjects, findBelow, findPrivateKeys} {
			find(block, func(rule string, _ int, v verdict) {
				worst = max(worst, v)
				w.report(rule, v)
			})
		}
	}
	return worst, true
}

// commentLines returns the lines of a text that are comments as a whole, without their signs and as many as they were.
// What stands between them is an end of document.
func commentLines(text string) string {
	if !strings.Contains(text, "#") {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch body := strings.TrimLeft(line, " \t\r\n"); {
		case body == "":
			b.WriteByte('\n')
		case body[0] == '#':
			b.WriteString(line)
		default:
			b.WriteString("---\n")
		}
	}
	return uncomment(b.String())
}

// within returns a walker for a document that the string at w.path holds. A document in a document keeps the outermost
// string as its place, which is the one that has a line in a file, and Inside goes on into it.
func (w *walker) within() *walker {
	inner := &walker{rules: w.rules, leaks: w.leaks, tiers: w.tiers, keys: w.keys, embedded: true, level: w.level + 1}
	if w.embedded {
		inner.document = w.document
		inner.path = slices.Clone(w.path)
	} else {
		inner.document = slices.Clone(w.path)
	}
	return inner
}

func verdictOf(h Hit) verdict {
	switch rank(h.Severity) {
	case 2:
		return literal
	case 1:
		return wellKnown
	default:
		return placeholder
	}
}

func isContainer(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// looksLikeDocument keeps the parser away from text in which it could find nothing.
func looksLikeDocument(s string) bool {
	isBlock := strings.Contains(s, "\n")
	s = strings.TrimSpace(s)
	if s == "" || !strings.Contains(s, ":") || !mentions(s) && !strings.Contains(s, "://") && !strings.Contains(s, "PRIVATE KEY") {
		return false
	}
	return s[0] == '{' || s[0] == '[' || isBlock
}

// parseDocuments returns the documents of a YAML or JSON text as trees, and the text of the YAML's comments.
func parseDocuments(text string) (trees []any, comments string, err error) {
	trees, comments, err = parseYAML(text)
	if err == nil || errors.Is(err, errTooLarge) {
		return trees, comments, err
	}
	// JSON may be indented with tabs, which YAML refuses.
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var tree any
	if jsonErr := decoder.Decode(&tree); jsonErr != nil || decoder.More() {
		return nil, "", err
	}
	return []any{tree}, "", nil
}

func parseYAML(text string) ([]any, string, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	c := converter{budget: len(text) + 1000}
	var trees []any
	for {
		var node yaml.Node
		if err := decoder.Decode(&node); errors.Is(err, io.EOF) {
			return trees, c.comments.String(), nil
		} else if err != nil {
			return nil, "", err
		}
		tree, err := c.tree(&node, 0)
		if err != nil {
			return nil, "", err
		}
		trees = append(trees, tree)
	}
}

// converter makes a plain tree of YAML nodes. Text without aliases has fewer nodes than bytes, so the budget stops only
// aliases that multiply (or hold themselves).
type converter struct {
	budget   int
	comments strings.Builder
}

func (c *converter) tree(n *yaml.Node, depth int) (any, error) {
	if c.budget--; c.budget < 0 || depth > maxDepth {
		return nil, errTooLarge
	}
	for _, comment := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		if comment != "" {
			c.comments.WriteString(comment)
			c.comments.WriteByte('\n')
		}
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) != 1 {
			return nil, nil
		}
		return c.tree(n.Content[0], depth+1)
	case yaml.AliasNode:
		return c.tree(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			v, err := c.tree(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		return c.mapping(n, depth)
	}
	switch n.ShortTag() {
	case "!!bool", "!!null":
		return nil, nil
	case "!!int", "!!float":
		return json.Number(n.Value), nil
	}
	return n.Value, nil
}

func (c *converter) mapping(n *yaml.Node, depth int) (any, error) {
	m := make(map[string]any, len(n.Content)/2)
	times := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := c.tree(n.Content[i], depth+1)
		if err != nil {
			return nil, err
		}
		value, err := c.tree(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		name := n.Content[i].Value
		merged, isMap := value.(map[string]any)
		if isMap && n.Content[i].ShortTag() == "!!merge" {
			for k, v := range merged {
				if _, ok := m[k]; !ok {
					m[k] = v
				}
			}
			continue
		}
		if isContainer(key) {
			value = []any{key, value} // a key that is no scalar: searched, though without a name
		}
		switch times[name]++; times[name] {
		case 1:
			m[name] = value
		case 2:
			m[name] = []any{m[name], value} // whichever one a reader takes, both are written
		default:
			m[name] = append(m[name].([]any), value)
		}
	}
	return m, nil
}
