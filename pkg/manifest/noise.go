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

func noiseOf(first, second []Text) ([]Difference, error) {
	all, err := Compare(first, second)
	if err != nil {
		return nil, err
	}
	var fields, renamed []Difference
	for _, d := range all {
		if d.Change == Changed {
			fields = append(fields, d)
			continue
		}
		object := d.Object
		object.Name = "*"
		renamed = append(renamed, Difference{Object: object, Source: d.Source, Change: Renamed, Path: values.Path{}.Key("metadata").Key("name")})
	}
	if len(renamed) == 0 {
		return fields, nil
	}
	// What these objects hold is compared by their place, now that it is known that their names are random.
	if all, err = Compare(first, second, renamed...); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d Difference) bool { return d.Change != Changed })
	return append(all, renamed...), nil
}

// pairRenamed pairs, by their order, what is left over of templates and kinds whose objects have another name each time.
func pairRenamed(a, b []object, noise []Difference) (pairs []couple, restA, restB []object) {
	random := func(o object) bool {
		return slices.ContainsFunc(noise, func(n Difference) bool {
			return n.Change == Renamed && n.Source == o.source && n.Object.Kind == o.id.Kind && n.Object.Group == o.id.Group
		})
	}
	seen := map[string]int{}
	for _, old := range a {
		i := slices.IndexFunc(b, func(o object) bool {
			return o.source == old.source && o.id.Kind == old.id.Kind && o.id.Group == old.id.Group && o.id.Namespace == old.id.Namespace
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
