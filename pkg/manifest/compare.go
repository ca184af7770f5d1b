package manifest

import (
	"cmp"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Change is how two renderings differ at a place.
type Change string

// The changes.
const (
	// Added and Removed are of whole objects; Path is empty.
	Added   Change = "added"
	Removed Change = "removed"
	// Changed is of a field.
	Changed Change = "changed"
	// Renamed is of objects that have another name each time they are rendered. Only Noise returns it.
	Renamed Change = "renamed"
)

// Difference is one place at which two renderings differ.
type Difference struct {
	// Object is the object; of one that has another name each time, the name is a star and the object's place.
	Object ID
	// Source is the template.
	Source string
	Change Change
	// Path is the field's.
	Path values.Path
	// Before and After are what the field holds, nil where it is absent. What a Secret holds is never here.
	Before, After any
	// Secret tells that the values are left out since the object is a Secret.
	Secret bool
	// Breaking says what of a CustomResourceDefinition is taken from the objects that exist, "" for all else.
	Breaking string

	lines []int  // of two texts of equally many lines, which of them differ; nil where all of it does
	name  string // of an object that is Renamed, one of its names
}

// Compare compares two renderings. Objects are paired by group, kind, namespace and name, and fields compared after the
// normalisation of gitops-engine's diff, in both directions: it shows only what is in the desired object. Documents
// that are equal to the byte, and in the same order, are not even parsed. The result is sorted by object and path.
//
// What Noise or Shared found is left out, and nothing around it: a field that is random is blanked on both sides, so that
// what stands beside it, in the same list or on other lines of the same text too, is still compared; objects that have
// another name each time are paired by template, kind and order.
//
// The error wraps ErrObject for a document that is none.
func Compare(before, after []Text, noise ...Difference) ([]Difference, error) {
	before, after = withoutEqual(before, after)
	a, err := parseAll(before)
	if err != nil {
		return nil, err
	}
	b, err := parseAll(after)
	if err != nil {
		return nil, err
	}
	settle(a, b)
	settle(b, a)
	pairs, removed, added := pair(a, b)
	more, removed, added := pairRenamed(removed, added, noise)
	var out []Difference
	for _, p := range append(pairs, more...) {
		differences, err := p.compare(noise)
		if err != nil {
			return nil, err
		}
		out = append(out, differences...)
	}
	for _, o := range removed {
		out = append(out, Difference{Object: o.id, Source: o.source, Change: Removed, Breaking: withoutCRD(o)})
	}
	for _, o := range added {
		out = append(out, Difference{Object: o.id, Source: o.source, Change: Added})
	}
	sortDifferences(out)
	return out, nil
}

func sortDifferences(list []Difference) {
	slices.SortStableFunc(list, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(x.Object.String(), y.Object.String()), x.Path.Compare(y.Path), slices.Compare(x.lines, y.lines), cmp.Compare(x.name, y.name))
	})
}

// withoutEqual drops the documents that both have to the byte, unless their order differs: of an object that is there
// twice, Argo CD applies the last.
func withoutEqual(a, b []Text) (restA, restB []Text) {
	have := map[Text]int{}
	for _, t := range b {
		have[t]++
	}
	var equalA, equalB []Text
	for _, t := range a {
		if have[t] > 0 {
			have[t]--
			equalA = append(equalA, t)
			continue
		}
		restA = append(restA, t)
	}
	for _, t := range slices.Backward(b) {
		if have[t] > 0 {
			have[t]--
			restB = append(restB, t)
			continue
		}
		equalB = append(equalB, t)
	}
	slices.Reverse(restB)
	slices.Reverse(equalB)
	if !slices.Equal(equalA, equalB) {
		return a, b
	}
	return restA, restB
}

// settle puts the objects of list that name no namespace where Argo CD does, if the other side names it.
func settle(list, other []object) {
	named := map[ID]bool{}
	for _, o := range other {
		named[o.id] = true
	}
	for i, o := range list {
		id := o.id
		id.Namespace = o.namespace
		if o.id.Namespace == "" && named[id] && !named[o.id] {
			list[i].id = id
			o.tree.SetNamespace(id.Namespace)
		}
	}
}

func parseAll(texts []Text) ([]object, error) {
	var out []object
	for _, t := range texts {
		objects, err := parse(t)
		if err != nil {
			return nil, err
		}
		out = append(out, objects...)
	}
	return out, nil
}

// pair pairs objects by what names them, the same object several times in its order, and returns what is left over.
func pair(a, b []object) (pairs []couple, restA, restB []object) {
	byID := map[ID][]int{}
	for i, o := range b {
		byID[o.id] = append(byID[o.id], i)
	}
	used := make([]bool, len(b))
	for _, old := range a {
		open := byID[old.id]
		if len(open) == 0 {
			restA = append(restA, old)
			continue
		}
		used[open[0]], byID[old.id] = true, open[1:]
		pairs = append(pairs, couple{id: old.id, before: old, after: b[open[0]]})
	}
	for i, o := range b {
		if !used[i] {
			restB = append(restB, o)
		}
	}
	return pairs, restA, restB
}
