package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// duplicates reports objects that two files hold, or two documents, and returns the ones to go: those that are not at their own path, or else
// all but the first. An object has one version in a cluster, so that two versions are one object, and so are kinds that differ in case alone.
// Two Applications of one name are for the rules about Applications.
func (p *placer) duplicates(files []*manifest) (again map[*object]bool) {
	again = map[*object]bool{}
	groups := map[layout.ObjectID][]*object{}
	var order []layout.ObjectID
	for _, m := range files {
		for _, o := range m.objects {
			if !m.applied || o.Generated || o.groupKind() == applicationKind() {
				continue
			}
			id := p.identity(o)
			if groups[id] == nil {
				order = append(order, id)
			}
			groups[id] = append(groups[id], o)
		}
	}
	for _, id := range order {
		list := groups[id]
		slices.SortStableFunc(list, func(a, b *object) int { return strings.Compare(a.path, b.path) })
		keep := max(slices.IndexFunc(list, func(o *object) bool { _, wrong := p.misplaced(o); return !wrong }), 0)
		for i, o := range list {
			if i == keep {
				continue
			}
			again[o] = true
			if first := list[keep]; p.selected.touches(o.path, first.path) {
				p.found = append(p.found, finding.Finding{Rule: RuleDuplicate, Severity: finding.Error, App: appOf(o.release), File: o.path, Line: o.name.line, Column: o.name.column,
					Path: "metadata.name", Message: fmt.Sprintf("%s stands here too; it is at %s:%d", o.place(), first.path, first.begin.line),
					Next: "remove one of the two: Argo CD applies both, and which of them stays is chance"})
			}
		}
	}
	return again
}

// identity is what an object is in a cluster.
func (p *placer) identity(o *object) layout.ObjectID {
	id := o.ID
	id.Kind = strings.ToLower(id.Kind)
	id.Namespace = o.home()
	if namespaced, known := p.scopes.Namespaced(o.groupKind()); known && !namespaced {
		id.Namespace = ""
	}
	return id
}
