package bootstrap

import (
	"maps"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// differences returns the paths at which a live object is not as it is declared. What is not declared may be anything: it
// is other people's.
func differences(want, live map[string]any) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if key == "apiVersion" || key == "kind" {
			continue // the server may answer in another version of them
		}
		out = append(out, differ(want[key], live[key], values.Path{}.Key(key))...)
	}
	return out
}

// finalizers is a set: others may have added some.
const finalizers = "metadata.finalizers"

func differ(want, live any, at values.Path) []string {
	switch w := want.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok && (len(w) > 0 || at[0].Key != "metadata") { // an empty map says something, but of labels and annotations
			return []string{at.String()}
		}
		var out []string
		for _, key := range slices.Sorted(maps.Keys(w)) {
			out = append(out, differ(w[key], l[key], at.Key(key))...)
		}
		return out
	case []any:
		l, ok := live.([]any)
		if at.String() != finalizers {
			return differInOrder(w, l, ok, at)
		}
		for _, item := range w {
			if !slices.ContainsFunc(l, func(other any) bool { return values.Equal(item, other) }) {
				return []string{at.String()}
			}
		}
		return nil
	}
	if !values.Equal(want, live) {
		return []string{at.String()}
	}
	return nil
}

// differInOrder compares lists item by item: a server adds defaults to items, too.
func differInOrder(want, live []any, isList bool, at values.Path) []string {
	if !isList || len(want) != len(live) {
		return []string{at.String()}
	}
	var out []string
	for i := range want {
		out = append(out, differ(want[i], live[i], at.Index(i))...)
	}
	return out
}
