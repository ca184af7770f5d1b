package values

import (
	"maps"
	"slices"
)

// Differences lists the paths at which two trees differ, sorted by key, at most limit of them: leaves that only one
// has, and leaves of both with other values. Lists of maps that
// are equally long are entered; other lists are compared whole.
func Differences(a, b map[string]any, limit int) []Path {
	d := differ{limit: limit}
	d.maps(a, b, nil)
	return d.paths
}

type differ struct {
	limit int
	paths []Path
}

func (d *differ) maps(a, b map[string]any, path Path) {
	keys := slices.Collect(maps.Keys(a))
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if len(d.paths) >= d.limit {
			return
		}
		at := path.Key(key)
		x, inA := a[key]
		y, inB := b[key]
		xMap, isMapA := x.(map[string]any)
		yMap, isMapB := y.(map[string]any)
		switch {
		case isMapA && isMapB:
			d.maps(xMap, yMap, at)
		case listsOfMaps(x, y):
			d.lists(x.([]any), y.([]any), at)
		case !inA:
			d.leaves(y, at)
		case !inB:
			d.leaves(x, at)
		case !Equal(x, y):
			d.paths = append(d.paths, at)
		}
	}
}

// lists compares two lists of maps that are equally long, item by item.
func (d *differ) lists(a, b []any, path Path) {
	for i := range a {
		d.maps(a[i].(map[string]any), b[i].(map[string]any), path.Index(i))
	}
}

func listsOfMaps(a, b any) bool {
	x, okX := a.([]any)
	y, okY := b.([]any)
	isScalar := func(v any) bool {
		_, ok := v.(map[string]any)
		return !ok
	}
	return okX && okY && len(x) == len(y) && !slices.ContainsFunc(x, isScalar) && !slices.ContainsFunc(y, isScalar)
}

func (d *differ) leaves(v any, path Path) {
	for _, leaf := range Leaves(v, path) {
		if len(d.paths) >= d.limit {
			return
		}
		d.paths = append(d.paths, leaf.Path)
	}
}

// HasPrefix tells whether path stands at or below prefix.
func (p Path) HasPrefix(prefix Path) bool {
	return len(p) >= len(prefix) && slices.Equal(p[:len(prefix)], prefix)
}
