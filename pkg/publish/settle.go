package publish

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// moves reports whether the file is that of an object which moves to another place; nil is none.
func (h *held) moves(i *artifact.Item) bool {
	return i != nil && h.is(i.Object.ID) && h.owner == i.Owner
}

// settle chooses between the two places that the file of an object can have: which one it is must not hang on which releases are
// written together. So an object keeps the file that it has, unless the layout now wants the other place of it, from
// which it then moves. Where an object of another group has the plain place, it takes the one with its group.
func (p *planner) settle(i *artifact.Item, at layout.Object, there *held) (layout.Object, *held, string, error) {
	id := i.Object.ID
	places := id.Files()
	if len(places) == 1 || there.is(id) {
		return at, there, "", nil
	}
	other := places[0]
	if grouped := places[1]; at != grouped {
		other = grouped
	}
	before, err := p.hold(other, i.Object.Text)
	switch {
	case err != nil:
		return at, nil, "", err
	case other == places[1] && (before.is(id) || there.other(at)):
		return other, before, "", nil
	case other == places[0] && before.is(id) && (before.same || before.owner == i.Owner):
		p.gone[other.Path()] = true
		return at, there, other.Path(), nil
	}
	return at, there, "", nil
}

// other reports whether the file at a place holds an object whose place that is.
func (h *held) other(at layout.Object) bool {
	return h != nil && h.object != nil && slices.Contains(h.object.ID.Files(), at)
}
