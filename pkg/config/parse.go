package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// The keys of the file, and of the entries of its lists.
const (
	keyExclude = "exclude"
	keySecrets = "secrets"
	keyApp     = "app"
	keyPath    = "path"
	keyRule    = "rule"
	keyReason  = "reason"
)

type parser struct {
	config   Config
	problems []Problem
}

func (p *parser) problem(n *yaml.Node, format string, args ...any) {
	p.problems = append(p.problems, Problem{Line: max(n.Line, 1), Column: max(n.Column, 1), Message: fmt.Sprintf(format, args...)})
}

// root returns the mapping that the text holds, nil when it holds nothing or is not to be read.
func (p *parser) root(text []byte) *yaml.Node {
	start := &yaml.Node{Line: 1, Column: 1}
	switch {
	case len(text) > MaxSize:
		p.problem(start, "the file is larger than %d KiB", MaxSize>>10)
		return nil
	case !utf8.Valid(text):
		p.problem(start, "the file is not UTF-8; save it as UTF-8")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, further yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		p.unreadable(err)
		return nil
	}
	switch err := decoder.Decode(&further); {
	case errors.Is(err, io.EOF):
	case err != nil:
		p.unreadable(err)
		return nil
	default:
		p.problem(&further, "a second document starts here; put everything into one")
	}
	if len(document.Content) == 0 {
		return nil
	}
	root := document.Content[0]
	if root.Tag == "!!null" {
		return nil
	}
	return root
}

// unreadable records an error of the parser. It has a line at most.
func (p *parser) unreadable(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	n := &yaml.Node{Line: 1, Column: 1}
	if _, scanErr := fmt.Sscanf(message, "line %d: ", &n.Line); scanErr == nil {
		_, message, _ = strings.Cut(message, ": ")
	}
	p.problem(n, "%s", message)
}

// fields returns the values of a mapping by key, and records what is none, keys that are not known, and keys that
// stand twice. It returns false for what is no mapping.
func (p *parser) fields(n *yaml.Node, what string, known ...string) (map[string]*yaml.Node, bool) {
	if n.Kind != yaml.MappingNode {
		p.problem(n, "%s is not a map; it takes the keys %s", what, strings.Join(known, ", "))
		return nil, false
	}
	out := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		isKnown := false
		for _, k := range known {
			isKnown = isKnown || key.Kind == yaml.ScalarNode && key.Value == k
		}
		switch {
		case !isKnown:
			p.problem(key, "%s has the unknown key %q; it takes %s", what, key.Value, strings.Join(known, ", "))
		case out[key.Value] != nil:
			p.problem(key, "key %q stands twice", key.Value)
		default:
			out[key.Value] = n.Content[i+1]
		}
	}
	return out, true
}

func (p *parser) file(root *yaml.Node) {
	fields, ok := p.fields(root, "the file", keyExclude, keySecrets)
	if !ok {
		return
	}
	for _, entry := range p.list(fields[keyExclude], keyExclude) {
		p.exclusion(entry)
	}
	for _, entry := range p.list(fields[keySecrets], keySecrets) {
		p.exception(entry)
	}
}

// list returns the items of a list; an absent or empty one has none.
func (p *parser) list(n *yaml.Node, key string) []*yaml.Node {
	switch {
	case n == nil, n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return nil
	case n.Kind != yaml.SequenceNode:
		p.problem(n, "%s is not a list", key)
		return nil
	}
	return n.Content
}

func (p *parser) exclusion(n *yaml.Node) {
	fields, ok := p.fields(n, "an entry of "+keyExclude, keyApp, keyReason)
	if !ok {
		return
	}
	id, okApp := p.app(n, fields)
	reason, okReason := p.text(n, fields, keyReason)
	if !okApp || !okReason {
		return
	}
	if _, twice := p.config.Excluded(id); twice {
		p.problem(n, "app %s is excluded twice", id)
		return
	}
	p.config.Exclude = append(p.config.Exclude, Exclusion{App: id, Reason: reason})
}

func (p *parser) exception(n *yaml.Node) {
	fields, ok := p.fields(n, "an entry of "+keySecrets, keyApp, keyPath, keyRule, keyReason)
	if !ok {
		return
	}
	e := Exception{Line: n.Line}
	var parts [4]bool
	e.App, parts[0] = p.app(n, fields)
	e.Path, parts[1] = p.text(n, fields, keyPath)
	e.Rule, parts[2] = p.text(n, fields, keyRule)
	e.Reason, parts[3] = p.text(n, fields, keyReason)
	if parts == [4]bool{true, true, true, true} {
		p.config.Secrets = append(p.config.Secrets, e)
	}
}

func (p *parser) app(entry *yaml.Node, fields map[string]*yaml.Node) (app.ID, bool) {
	text, ok := p.text(entry, fields, keyApp)
	if !ok {
		return app.ID{}, false
	}
	id, err := app.Parse(text)
	if err != nil {
		p.problem(fields[keyApp], "%v", err)
		return app.ID{}, false
	}
	return id, true
}

// text returns a part of an entry that must be there and hold text.
func (p *parser) text(entry *yaml.Node, fields map[string]*yaml.Node, key string) (string, bool) {
	n := fields[key]
	switch {
	case n == nil:
		p.problem(entry, "the entry has no %s", key)
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str" && n.Tag != "!!null":
		p.problem(n, "%s is not text", key)
	case strings.TrimSpace(n.Value) == "" || n.Tag == "!!null":
		p.problem(n, "%s is empty", key)
	default:
		return strings.TrimSpace(n.Value), true
	}
	return "", false
}
