package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// maxShown bounds what a message quotes of the file.
const maxShown = 64

// mapping returns the values of a map by key, and nil when n is no map. keys lists those that it may have.
func (r *reader) mapping(n *yaml.Node, what, keys string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.problem(n, fmt.Sprintf("%s is %s, not a map", what, kindOf(n)), "write it as a map with the keys "+keys)
		return nil
	}
	known := map[string]bool{}
	for _, key := range strings.Split(keys, ", ") {
		known[key] = true
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		before, again := values[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str" || !known[key.Value]:
			r.problem(key, fmt.Sprintf("%s has an unknown key %s", what, shown(key)), "the known keys are "+keys)
		case again:
			r.problem(key, fmt.Sprintf("the key %s stands here again, after line %d", key.Value, before.Line), "keep one of the two")
		default:
			values[key.Value] = n.Content[i+1]
		}
	}
	return values
}

// list returns the items of a list. A key with nothing under it is an empty list: its entries may be commented out.
func (r *reader) list(n *yaml.Node, key string) []*yaml.Node {
	switch {
	case n == nil || isNull(n):
		return nil
	case n.Kind != yaml.SequenceNode:
		r.problem(n, fmt.Sprintf("%s is %s, not a list", key, kindOf(n)), `write its entries as a list, each with "- "`)
		return nil
	}
	return n.Content
}

// text returns the text under a key of an entry. A missing or blank one is a problem.
func (r *reader) text(entry *yaml.Node, fields map[string]*yaml.Node, key, next string) string {
	n := fields[key]
	switch {
	case n == nil:
		r.problem(entry, "the entry has no "+key, next)
	case isNull(n), n.Kind == yaml.ScalarNode && strings.TrimSpace(n.Value) == "":
		r.problem(n, key+" is empty", next)
	case n.Kind != yaml.ScalarNode:
		r.problem(n, fmt.Sprintf("%s is %s, not text", key, kindOf(n)), next)
	case n.Tag != "!!str":
		r.problem(n, fmt.Sprintf("%s is %s, not text", key, kindOf(n)), "put it in quotes")
	default:
		return strings.TrimSpace(n.Value)
	}
	return ""
}

// app returns the identity under the key app, the zero ID when there is none to read.
func (r *reader) app(entry *yaml.Node, fields map[string]*yaml.Node) app.ID {
	const next = "write it as namespace/releaseName, such as gitea/gitea-valkey"
	text := r.text(entry, fields, "app", next)
	if text == "" {
		return app.ID{}
	}
	id, err := app.Parse(text)
	switch {
	case err != nil && len(text) > maxShown:
		r.problem(fields["app"], "app: "+app.ErrInvalid.Error(), next)
	case err != nil:
		r.problem(fields["app"], "app: "+err.Error(), next)
	default:
		return id
	}
	return app.ID{}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias (which is not followed here)"
	}
	switch n.Tag {
	case "!!str":
		return "text"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	case "!!null":
		return "empty"
	}
	return "a value with the tag " + shorten(n.Tag)
}

// shown quotes a key for a message.
func shown(key *yaml.Node) string {
	if key.Kind != yaml.ScalarNode {
		return "that is " + kindOf(key)
	}
	return shorten(key.Value)
}

func shorten(s string) string {
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}
