package drift

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// effects tells which custom values do something else with the new chart, or nothing.
func (u *user) effects() {
	// What templates see without the custom file; where that cannot be computed, nothing is droppable.
	oldBase, _, _ := u.in.Old.Chart.Judged(u.managed.Values)
	newBase, _, _ := u.in.New.Chart.Judged(u.managed.Values)
	told := map[string]bool{}
	for _, leaf := range values.Leaves(u.custom.Values, nil) {
		path := leaf.Path
		if len(path) == 0 || slices.ContainsFunc(u.refused, func(r values.Path) bool { return path.HasPrefix(r) || r.HasPrefix(path) }) {
			continue // there are none, or it is told already
		}
		if leaf.Value == nil && u.null(path) {
			continue
		}
		if u.unknown(path, told) {
			continue
		}
		if was, ok := values.Lookup(newBase, path); ok && leaf.Value != nil && values.Equal(was, leaf.Value) {
			if old, had := values.Lookup(oldBase, path); !had || !values.Equal(old, leaf.Value) {
				u.effect("custom-droppable", finding.Info, path, "the new chart has the same by itself", "remove it, unless it is to stay whatever the chart says")
			}
		}
	}
}

func (u *user) effect(rule string, severity finding.Severity, path values.Path, message, next string) {
	f := finding.Finding{Severity: severity, Message: message, Next: next}
	f.Rule = rule
	u.place(&f, u.custom, path)
	u.add(f)
}

// null tells of a null that has removed a default of the old chart, and is seen by the templates of the new one, which has no such default.
func (u *user) null(path values.Path) bool {
	if u.was.err != nil || u.is.err != nil {
		return false
	}
	_, was := values.Lookup(u.was.tree, path)
	v, is := values.Lookup(u.is.tree, path)
	if was || !is || v != nil {
		return false
	}
	f := finding.Finding{Rule: "null-without-effect", Severity: finding.Warning,
		Message: fmt.Sprintf("null no longer removes anything: the new chart has no default there, and .Values.%s is now null", u.after.shown(path)),
		Next:    u.instead(path, "remove it")}
	u.place(&f, u.custom, path)
	u.add(f)
	return true
}

// unknown tells of a value that one of both charts does not know, once for the highest key that it is about.
func (u *user) unknown(path values.Path, told map[string]bool) bool {
	knew, knows := u.before.knows(path), u.after.knows(path)
	if knew && knows {
		return false
	}
	for n := 1; n < len(path); n++ {
		if above := path[:n]; u.before.knows(above) == knew && u.after.knows(above) == knows {
			path = above
			break
		}
	}
	if told[path.String()] {
		return true
	}
	told[path.String()] = true
	switch {
	case knew:
		u.effect("custom-without-effect", finding.Warning, path, "the new chart does not know this key: it loses its effect", u.instead(path, "remove it, or see what has taken its place"))
	case knows:
		u.effect("custom-takes-effect", finding.Info, path, "the old chart does not know this key, and the new one does: it takes effect", "see that it is still wanted")
	default:
		u.effect("custom-unknown", finding.Info, path, "neither the old chart nor the new one knows this key", u.instead(path, "remove it"))
	}
	return true
}

// instead suggests what is meant by a key that is not known: one of the same name that is new elsewhere, or one nearly of that name beside it.
func (u *user) instead(path values.Path, otherwise string) string {
	last := path[len(path)-1]
	if last.IsIndex {
		return otherwise
	}
	parent := path[:len(path)-1]
	var moved, beside []string
	for _, known := range u.after.all() {
		end := len(known) - 1
		switch {
		case known[:end].Compare(parent) == 0:
			beside = append(beside, known[end].Key)
		case known[end] == last && !u.before.knows(known):
			moved = append(moved, u.after.shown(known))
		}
	}
	slices.Sort(moved)
	slices.Sort(beside)
	if moved = slices.Compact(moved); len(moved) == 1 {
		return fmt.Sprintf("did you mean %s? It is new", moved[0])
	}
	if near := schema.Nearest(last.Key, beside); near != "" {
		return fmt.Sprintf("did you mean %s?", u.after.shown(parent.Key(near)))
	}
	return otherwise
}

// all returns all keys that a chart knows by name: those of its schemas and of its own values.
func (f *face) all() []values.Path {
	if f.paths != nil {
		return f.paths
	}
	var walk func(tree map[string]any, at values.Path)
	walk = func(tree map[string]any, at values.Path) {
		for key, v := range tree {
			path := at.Key(key)
			f.paths = append(f.paths, path)
			if m, ok := v.(map[string]any); ok {
				walk(m, path)
			}
		}
	}
	walk(f.defaults, nil)
	for _, part := range f.places {
		for _, key := range f.keys[part.String()] {
			if key.Keys != nil {
				f.paths = append(f.paths, append(slices.Clip(part), key.Keys...))
			}
		}
	}
	slices.SortFunc(f.paths, values.Path.Compare)
	f.paths = slices.CompactFunc(f.paths, func(a, b values.Path) bool { return a.Compare(b) == 0 })
	return f.paths
}
