package manifest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/argoproj/gitops-engine/pkg/diff"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxPaths bounds how many fields of one object are named.
const maxPaths = 100

// Change is how two renderings differ at a place.
type Change string

// The changes.
const (
	// Added and Removed are of whole objects; Path is empty.
	Added   Change = "added"
	Removed Change = "removed"
	// Changed is of a field.
	Changed Change = "changed"
)

// Difference is one place at which two renderings differ.
type Difference struct {
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
}

// Compare compares two renderings. Objects are paired by group, kind, namespace and name, and fields compared after the
// normalisation of gitops-engine's diff, in both directions: it shows only what is in the desired object. Documents
// that are equal to the byte are not even parsed. The result is sorted by object and path.
//
// The error wraps ErrObject for a document that is none.
func Compare(before, after []Text) ([]Difference, error) {
	before, after = withoutEqual(before, after)
	a, err := parseAll(before)
	if err != nil {
		return nil, err
	}
	b, err := parseAll(after)
	if err != nil {
		return nil, err
	}
	var out []Difference
	used := make([]bool, len(b))
	for _, old := range a {
		i := slices.IndexFunc(b, func(o object) bool { return o.id == old.id })
		for i >= 0 && used[i] { // the same object several times: in their order
			next := slices.IndexFunc(b[i+1:], func(o object) bool { return o.id == old.id })
			if next < 0 {
				i = -1
				break
			}
			i += 1 + next
		}
		if i < 0 {
			out = append(out, Difference{Object: old.id, Source: old.source, Change: Removed})
			continue
		}
		used[i] = true
		differences, err := comparePair(old, b[i])
		if err != nil {
			return nil, err
		}
		out = append(out, differences...)
	}
	for i, o := range b {
		if !used[i] {
			out = append(out, Difference{Object: o.id, Source: o.source, Change: Added})
		}
	}
	slices.SortStableFunc(out, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(x.Object.String(), y.Object.String()), x.Path.Compare(y.Path))
	})
	return out, nil
}

// withoutEqual drops the documents that both have to the byte.
func withoutEqual(a, b []Text) (restA, restB []Text) {
	have := map[Text]int{}
	for _, t := range b {
		have[t]++
	}
	for _, t := range a {
		if have[t] > 0 {
			have[t]--
			continue
		}
		restA = append(restA, t)
	}
	for _, t := range slices.Backward(b) {
		if have[t] > 0 {
			have[t]--
			restB = append(restB, t)
		}
	}
	slices.Reverse(restB)
	return restA, restB
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

// comparePair compares two forms of one object.
func comparePair(before, after object) ([]Difference, error) {
	forward, err := normalised(after.tree, before.tree)
	if err != nil {
		return nil, fmt.Errorf("%s: compare %s: %w", before.source, before.id, err)
	}
	backward, err := normalised(before.tree, after.tree)
	if err != nil {
		return nil, fmt.Errorf("%s: compare %s: %w", before.source, before.id, err)
	}
	if !forward.modified && !backward.modified && before.tree.GetAPIVersion() == after.tree.GetAPIVersion() {
		return nil, nil
	}
	secret := before.id.Group == "" && before.id.Kind == "Secret"
	var out []Difference
	for _, path := range values.Differences(forward.live, backward.live, maxPaths) {
		d := Difference{Object: before.id, Source: before.source, Change: Changed, Path: path, Secret: secret}
		if !secret {
			d.Before, _ = values.Lookup(forward.live, path)
			d.After, _ = values.Lookup(backward.live, path)
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		// gitops-engine says that it is modified, and the normalised forms do not show where.
		out = append(out, Difference{Object: before.id, Source: before.source, Change: Changed, Secret: secret})
	}
	return out, nil
}

type normal struct {
	live     map[string]any
	modified bool
}

// normalised runs gitops-engine's diff, and returns the live side as it was normalised.
func normalised(config, live *unstructured.Unstructured) (normal, error) {
	result, err := diff.Diff(config.DeepCopy(), live.DeepCopy(), diff.WithLogr(logr.Discard()))
	if err != nil {
		return normal{}, errNotComparable
	}
	out := normal{modified: result.Modified}
	if err := json.Unmarshal(result.NormalizedLive, &out.live); err != nil {
		return normal{}, errNotComparable
	}
	return out, nil
}

// errNotComparable replaces errors that can quote what an object holds.
var errNotComparable = fmt.Errorf("%w: its fields have types that Kubernetes refuses", ErrObject)

// Without returns the differences that are not noise: those at a place at which two renderings of one and the same
// input differ too, or below or above it. An object that has another name each time is noise as a whole, by its template
// and kind.
func Without(differences, noise []Difference) []Difference {
	return slices.DeleteFunc(slices.Clone(differences), func(d Difference) bool {
		return slices.ContainsFunc(noise, func(n Difference) bool {
			if n.Change != Changed {
				return d.Change != Changed && d.Source == n.Source && d.Object.Kind == n.Object.Kind
			}
			return d.Change == Changed && d.Object == n.Object && (d.Path.HasPrefix(n.Path) || n.Path.HasPrefix(d.Path))
		})
	})
}
