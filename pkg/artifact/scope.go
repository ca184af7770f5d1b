package artifact

import "strings"

// GroupKind is a kind of objects, whatever its version. Group is "" for the core group.
type GroupKind struct{ Group, Kind string }

// String writes the kind as kubectl does: Kind.group, Kind alone for the core group.
func (k GroupKind) String() string {
	if k.Group == "" {
		return k.Kind
	}
	return k.Kind + "." + k.Group
}

// Scopes tells of kinds whether their objects live in namespaces. Who is asked, in this order: what the cluster serves, the
// CustomResourceDefinitions that were given, Kubernetes' own API, and the kinds that the platform brings. What none of them
// knows is unknown: a kind of the same name in another group says nothing about it.
type Scopes struct {
	served, defined, own map[GroupKind]bool
}

// NewScopes returns the scopes of Kubernetes' own kinds and of the platform's. served is what a cluster serves, true for a kind
// whose objects live in namespaces; nil where no cluster was asked.
func NewScopes(served map[GroupKind]bool) *Scopes {
	s := &Scopes{served: served, defined: map[GroupKind]bool{}, own: map[GroupKind]bool{}}
	for kind, namespaced := range known() {
		s.own[kind] = namespaced
	}
	for kind, namespaced := range BuiltIn() {
		s.own[kind] = namespaced
	}
	return s
}

// Namespaced tells whether objects of a kind live in namespaces; ok is false for a kind that nobody knows.
func (s *Scopes) Namespaced(kind GroupKind) (namespaced, ok bool) {
	for _, from := range []map[GroupKind]bool{s.served, s.defined, s.own} {
		if namespaced, ok := from[kind]; ok {
			return namespaced, true
		}
	}
	return false, false
}

// row is a group in a table of kinds; names are separated by spaces.
type row struct{ group, namespaced, cluster string }

func table(rows []row) map[GroupKind]bool {
	out := map[GroupKind]bool{}
	for _, r := range rows {
		for kind := range strings.FieldsSeq(r.namespaced) {
			out[GroupKind{r.group, kind}] = true
		}
		for kind := range strings.FieldsSeq(r.cluster) {
			out[GroupKind{r.group, kind}] = false
		}
	}
	return out
}
