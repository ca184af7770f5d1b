package values

import (
	"maps"
	"slices"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Leaf is a path and the value that stands there: a scalar, a list, or an empty map.
type Leaf struct {
	Path  Path
	Value any
}

// Diff is what Split found.
type Diff struct {
	// Introduced lists the keys that managed has and live has not, as leaves of managed, sorted by path.
	Introduced []Leaf

	live   *Document
	custom *branch
}

// branch is one key of custom. Either all of its value is custom, or only the branches below it.
type branch struct {
	key      string
	value    any       // when children is nil
	children []*branch // in the order of live's text, pinned ones last
}

// Split divides live values into what managed brings and what is custom, so that Merge(managed, custom) is live,
// plus the keys that managed introduces (DESIGN 4):
//   - a key lands in custom iff managed lacks it or has another value (Equal, and the same digits in both texts);
//   - a map that both have is entered, and custom holds only the branches that differ;
//   - lists are never entered. An explicit null is a value like any other.
//
// Custom is minimal: nothing else lands there. Introduced keys are left to managed; Pin undoes them.
func Split(live, managed *Document) *Diff {
	s := splitter{lossy: live.lossy || managed.lossy}
	d := &Diff{live: live, custom: &branch{}}
	d.custom.children = s.maps(live.Values, managed.Values, nil, live.root, managed.root)
	slices.SortFunc(s.introduced, func(a, b Leaf) int { return a.Path.Compare(b.Path) })
	d.Introduced = s.introduced
	return d
}

type splitter struct {
	lossy      bool // a text has digits that its tree has lost
	introduced []Leaf
}

// maps compares two maps that stand at path, and at a and b in the texts, and returns the branches of the first that
// custom needs.
func (s *splitter) maps(live, managed map[string]any, path Path, a, b *yamlv3.Node) []*branch {
	var out []*branch
	var inA, inB map[string]*yamlv3.Node
	if s.lossy {
		inA, inB = valueNodes(a), valueNodes(b)
	}
	for _, key := range slices.Sorted(maps.Keys(live)) {
		value := live[key]
		other, both := managed[key]
		if !both {
			out = append(out, &branch{key: key, value: value})
			continue
		}
		liveMap, isMap := value.(map[string]any)
		otherMap, otherIsMap := other.(map[string]any)
		if isMap && otherIsMap {
			at := append(path, Step{Key: key}) // shared with the next key's: what is kept is cloned below
			if children := s.maps(liveMap, otherMap, at, inA[key], inB[key]); len(children) > 0 {
				out = append(out, &branch{key: key, children: children})
			}
			continue
		}
		if !Equal(value, other) || s.lossy && !sameDigits(value, inA[key], inB[key]) {
			out = append(out, &branch{key: key, value: value})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(managed)) {
		if _, ok := live[key]; !ok {
			s.introduced = append(s.introduced, Leaves(managed[key], path.Key(key))...)
		}
	}
	return out
}

// Leaves lists the leaves of a value that stands at path, sorted by key: what is no map, and empty maps.
func Leaves(v any, path Path) []Leaf {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return []Leaf{{Path: path, Value: v}}
	}
	var out []Leaf
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Leaves(m[key], path.Key(key))...)
	}
	return out
}

// Custom returns the values that custom holds. They share subtrees with live's.
func (d *Diff) Custom() map[string]any { return d.custom.values() }

func (b *branch) values() map[string]any {
	out := make(map[string]any, len(b.children))
	for _, c := range b.children {
		if c.children != nil {
			out[c.key] = c.values()
		} else {
			out[c.key] = c.value
		}
	}
	return out
}

// Lookup returns the value at a path of keys and places in lists, false when there is none.
func Lookup(tree map[string]any, path Path) (any, bool) {
	var v any = tree
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step.Key]
			if step.IsIndex || !ok {
				return nil, false
			}
			v = next
		case []any:
			if !step.IsIndex || step.Index < 0 || step.Index >= len(x) {
				return nil, false
			}
			v = x[step.Index]
		default:
			return nil, false
		}
	}
	return v, true
}
