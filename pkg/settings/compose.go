package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// kept returns what of an app's spec goes to apps.yaml: all but _rawValues, or, with flagsOnly, its flags alone.
func (e *envelope) kept(flagsOnly bool) map[string]any {
	if flagsOnly {
		return flagsIn(e.name, e.spec)
	}
	out := maps.Clone(e.spec)
	if out == nil {
		out = map[string]any{}
	}
	delete(out, rawKey)
	return out
}

// flagsIn returns the flags of an app: what gates read, and each boolean that is called enabled, at any depth of maps.
func flagsIn(name string, spec map[string]any) map[string]any {
	out := enabledIn(spec)
	for _, path := range flagsOf(name) {
		if v, ok := values.Lookup(spec, path); ok {
			for _, step := range slices.Backward(path) {
				v = map[string]any{step.Key: v}
			}
			out = values.Merge(out, v.(map[string]any))
		}
	}
	return out
}

func enabledIn(tree map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range tree {
		switch x := value.(type) {
		case map[string]any:
			if inner := enabledIn(x); len(inner) > 0 && key != rawKey {
				out[key] = inner
			}
		case bool:
			if key == enabledKey {
				out[key] = x
			}
		}
	}
	return out
}

// without returns what tree has and kept, a part of it, has not.
func without(tree, kept map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range tree {
		other, both := kept[key]
		inner, isMap := value.(map[string]any)
		innerKept, keptMap := other.(map[string]any)
		switch {
		case !both:
			out[key] = value
		case isMap && keptMap:
			if rest := without(inner, innerKept); len(rest) > 0 {
				out[key] = rest
			}
		}
	}
	return out
}

// composed is the text of apps.yaml, and what of the envelopes' comments it could not keep.
type composed struct {
	body []byte
	tree map[string]any // of the apps
	lost []lostComment
}

// lostComment is a comment of an envelope that has no place in the text.
type lostComment struct {
	file string
	line int
}

// compose writes the settings of all apps as one text, each app's as people wrote it: comments, quotes, order. What does
// not read back as it was is written anew, without its comments. An app without settings stays, with none.
func compose(list []*envelope, flagsOnly bool) (*composed, error) {
	c := &composed{tree: map[string]any{}}
	indent := indentation(list)
	var b strings.Builder
	for _, e := range list {
		kept := e.kept(flagsOnly)
		if flagsOnly && len(kept) == 0 {
			continue
		}
		text, lost, err := e.block(kept, indent)
		if err != nil {
			return nil, fmt.Errorf("write app %s: %w", e.name, err)
		}
		b.WriteString(text)
		c.tree[e.name] = kept
		c.lost = append(c.lost, lost...)
	}
	head := appsKey + ":\n"
	if len(c.tree) == 0 {
		head = appsKey + ": {}\n"
	}
	c.body = []byte(head + b.String())
	doc, err := values.Parse(layout.AppsFile, c.body)
	if err == nil && len(doc.Warnings) == 0 && values.Equal(doc.Values, map[string]any{appsKey: c.tree}) {
		return c, nil
	}
	// The texts do not stand together as they stand alone, or an anchor has come apart.
	if c.body, err = values.Marshal(map[string]any{appsKey: c.tree}); err != nil {
		return nil, fmt.Errorf("write %s: %w", layout.AppsFile, err)
	}
	c.lost = nil
	for _, e := range list {
		_, lost := e.comments("")
		c.lost = append(c.lost, lost...)
	}
	return c, nil
}

// block writes one app as an entry of apps, and tells which comments of the envelope it lacks.
func (e *envelope) block(kept map[string]any, indent string) (string, []lostComment, error) {
	text, ok := e.cut(kept, indent)
	if !ok {
		written, err := values.Marshal(map[string]any{e.name: kept})
		if err != nil {
			return "", nil, err
		}
		text = indented(string(written), indent)
	}
	above, lost := e.comments(text)
	var b strings.Builder
	for _, comment := range above {
		b.WriteString(indent + comment + "\n")
	}
	return b.String() + text, lost, nil
}

// cut takes the app's settings out of the envelope's own text. It returns false where they do not read back.
func (e *envelope) cut(kept map[string]any, indent string) (string, bool) {
	reads := func(text string) bool {
		doc, err := values.Parse(e.file, []byte(text))
		return err == nil && values.Equal(doc.Values, map[string]any{e.name: kept})
	}
	if len(kept) == 0 {
		text := indent + e.name + ": {}\n"
		return text, reads(text)
	}
	rest := without(e.doc.Values, map[string]any{"spec": kept})
	other, err := values.FromTree(e.file, rest)
	if err != nil {
		return "", false
	}
	custom, err := values.Split(e.doc, other).Text()
	if err != nil {
		return "", false
	}
	lines := strings.Split(strings.TrimSuffix(string(custom.Bytes), "\n"), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "spec:") })
	if at < 0 {
		return "", false
	}
	lines = lines[at:]
	lines[0] = e.name + strings.TrimPrefix(lines[0], "spec")
	text := indented(strings.Join(lines, "\n")+"\n", indent)
	return text, reads(text)
}

// indentation returns that of the first app that has one: moved as a whole, all lines then stand as in the envelopes.
func indentation(list []*envelope) string {
	for _, e := range list {
		for _, key := range slices.Sorted(maps.Keys(e.spec)) {
			if _, column := e.doc.Position(values.Path{}.Key("spec").Key(key)); column == 3 || column == 5 {
				return strings.Repeat(" ", column-1)
			}
		}
	}
	return "  "
}

// indented moves lines to the right, empty ones apart. All lines move alike, so that block scalars keep their content.
func indented(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(indent)
		}
		b.WriteString(line)
	}
	return b.String()
}
