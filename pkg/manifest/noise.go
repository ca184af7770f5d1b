package manifest

import (
	"slices"
	"strconv"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Noise compares renderings of one and the same input, and returns what is another each time: fields, as Changed, and
// objects whose name is another, as Renamed. Compare leaves them out. It looks at all pairs of the renderings: what is
// random in few values can be the same in two of them by chance.
//
// The error wraps ErrObject for a document that is none.
func Noise(renderings ...[]Text) ([]Difference, error) {
	var noise []Difference
	for i, first := range renderings {
		for _, second := range renderings[i+1:] {
			found, err := noiseOf(first, second)
			if err != nil {
				return nil, err
			}
			noise = append(noise, found...)
		}
	}
	return sortedUnique(noise), nil
}

// Shared returns the noise of two inputs, each rendered several times, the renderings that are to be compared first. What is another each
// time with one input alone is noise only where the other input has what some rendering of that one has, as when a clock
// has ticked meanwhile: otherwise something fixed, or nothing, has come in place of what is random, or gone for it.
//
// The error is that of Noise.
func Shared(before, after [][]Text) ([]Difference, error) {
	a, err := Noise(before...)
	if err != nil {
		return nil, err
	}
	b, err := Noise(after...)
	if err != nil {
		return nil, err
	}
	all := sortedUnique(slices.Concat(a, b))
	renamed := slices.DeleteFunc(slices.Clone(all), func(n Difference) bool { return n.Change != Renamed })
	var across [2][][]Difference // of all of one input with the first of the other; made when they are needed
	meets := func(n Difference, side int, x, y [][]Text) (bool, error) {
		if across[side] == nil {
			for _, first := range x {
				for _, second := range y {
					found, err := Compare(first, second, renamed...)
					if err != nil {
						return false, err
					}
					across[side] = append(across[side], found)
				}
			}
		}
		return slices.ContainsFunc(across[side], func(list []Difference) bool { return !slices.ContainsFunc(list, n.within) }), nil
	}
	var out []Difference
	for _, n := range all {
		ok := true
		switch inA, inB := slices.ContainsFunc(a, n.samePlace), slices.ContainsFunc(b, n.samePlace); {
		case n.Change == Renamed:
		case !inB:
			ok, err = meets(n, 0, before, after[:1])
		case !inA:
			ok, err = meets(n, 1, before[:1], after)
		}
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, n)
		}
	}
	return out, nil
}

func noiseOf(first, second []Text) ([]Difference, error) {
	all, err := Compare(first, second)
	if err != nil {
		return nil, err
	}
	var fields, renamed []Difference
	for _, d := range all {
		if d.Change == Changed {
			fields = append(fields, d.places()...)
			continue
		}
		n := Difference{Object: d.Object, Source: d.Source, Change: Renamed, Path: values.Path{}.Key("metadata").Key("name"), name: d.Object.Name}
		n.Object.Name = "*"
		renamed = append(renamed, n)
	}
	if len(renamed) == 0 {
		return fields, nil
	}
	// What these objects hold is compared by their place, now that it is known that their names are random.
	if all, err = Compare(first, second, renamed...); err != nil {
		return nil, err
	}
	fields = nil
	for _, d := range all {
		if d.Change == Changed {
			fields = append(fields, d.places()...)
		}
	}
	return append(fields, renamed...), nil
}

// samePlace tells whether two differences are of one place.
func (d Difference) samePlace(other Difference) bool {
	return d.Object == other.Object && d.Path.Compare(other.Path) == 0 && slices.Equal(d.lines, other.lines)
}

// within tells whether d, which is noise, stands in a difference, or around it.
func (d Difference) within(other Difference) bool {
	if d.Object != other.Object || !d.Path.HasPrefix(other.Path) && !other.Path.HasPrefix(d.Path) {
		return false
	}
	apart := len(d.lines) > 0 && len(other.lines) > 0 && d.Path.Compare(other.Path) == 0
	return !apart || slices.ContainsFunc(d.lines, func(line int) bool { return slices.Contains(other.lines, line) })
}

// pairRenamed pairs, by their order, what is left over of templates and kinds whose objects have another name each time.
func pairRenamed(a, b []object, noise []Difference) (pairs []couple, restA, restB []object) {
	random := func(o object) bool {
		return slices.ContainsFunc(noise, func(n Difference) bool {
			id := n.Object
			id.Name = n.name
			return n.Change == Renamed && n.Source == o.source && id == o.id
		})
	}
	seen := map[string]int{}
	for _, old := range a {
		i := slices.IndexFunc(b, func(o object) bool {
			return o.source == old.source && o.id.Kind == old.id.Kind && o.id.Group == old.id.Group && o.id.Namespace == old.id.Namespace && random(o)
		})
		if i < 0 || !random(old) {
			restA = append(restA, old)
			continue
		}
		// The place of the object within its template and kind names it, in this comparison and in every other.
		id, place := old.id, old.source+"\x00"+old.id.Group+"\x00"+old.id.Kind
		seen[place]++
		id.Name = "*"
		if n := seen[place]; n > 1 {
			id.Name += strconv.Itoa(n)
		}
		pairs = append(pairs, couple{id: id, before: old, after: b[i], renamed: true})
		b = slices.Delete(slices.Clone(b), i, i+1)
	}
	return pairs, restA, b
}
