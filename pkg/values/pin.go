package values

import (
	"maps"
	"slices"
)

// Pin makes custom neutralise the introduced keys, so that they change nothing (--exact, DESIGN 4). effective is
// what templates see of live, Helm's effective values of the chart: where it has a value for an introduced path
// that is not what managed brings, custom pins that value. It returns the paths, as leaves of managed, that no
// override can undo: where effective has nothing (a null stays visible to templates as null) or has a null (a null
// over a chart default of null deletes it, in Helm's 3.21 at the top of a chart's values only).
//
// Helm has more ways for a key to have an effect elsewhere, which paths do not tell: nulls at the top of a subchart's
// values, globals, conditions, tags. The caller compares what templates see before and after.
func (d *Diff) Pin(managed, effective map[string]any) (inexpressible []Path) {
	p := pinner{}
	children := p.level(d.live.Values, managed, effective, nil)
	d.custom.children = graft(d.custom.children, children)
	return p.inexpressible
}

// Null makes custom hold a null at each of the paths, which Pin found no override for: the nearest to absence that there is,
// and absence itself to templates that do not tell the two apart.
func (d *Diff) Null(paths []Path) {
	for _, path := range paths {
		if len(path) == 0 {
			continue
		}
		b := &branch{key: path[len(path)-1].Key}
		for _, step := range slices.Backward(path[:len(path)-1]) {
			b = &branch{key: step.Key, children: []*branch{b}}
		}
		d.custom.children = graft(d.custom.children, []*branch{b})
	}
}

type pinner struct {
	inexpressible []Path
}

// level finds the introduced keys of one map of managed, and returns the branches that pin them.
func (p *pinner) level(live, managed, effective map[string]any, path Path) []*branch {
	var out []*branch
	for _, key := range slices.Sorted(maps.Keys(managed)) {
		at := path.Key(key)
		there, has := effective[key]
		have, inLive := live[key]
		if !inLive {
			if b := p.key(key, managed[key], there, has, at); b != nil {
				out = append(out, b)
			}
			continue
		}
		liveMap, a := have.(map[string]any)
		managedMap, b := managed[key].(map[string]any)
		if !a || !b {
			continue
		}
		effectiveMap, _ := there.(map[string]any)
		if children := p.level(liveMap, managedMap, effectiveMap, at); len(children) > 0 {
			out = append(out, &branch{key: key, children: children})
		}
	}
	return out
}

// key pins one key that live has not: managed brings brought, without it templates see there.
func (p *pinner) key(key string, brought, there any, has bool, path Path) *branch {
	broughtMap, broughtIsMap := brought.(map[string]any)
	thereMap, thereIsMap := there.(map[string]any)
	switch {
	case !has, there == nil && (brought != nil || len(path) == 1):
		for _, leaf := range Leaves(brought, path) {
			p.inexpressible = append(p.inexpressible, leaf.Path)
		}
		return nil
	case broughtIsMap && thereIsMap:
		children := p.level(nil, broughtMap, thereMap, path)
		if len(children) == 0 {
			return nil
		}
		return &branch{key: key, children: children}
	case Equal(brought, there):
		return nil
	case thereIsMap:
		return &branch{key: key, value: withoutNulls(thereMap)}
	}
	return &branch{key: key, value: there}
}

// withoutNulls drops nulls from a map of chart defaults that is pinned whole: in custom they would delete, left out
// they come from the chart.
func withoutNulls(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		switch x := v.(type) {
		case nil:
		case map[string]any:
			out[k] = withoutNulls(x)
		default:
			out[k] = v
		}
	}
	return out
}

// graft joins pinned branches to those of live. They can meet only where both go deeper.
func graft(branches, pinned []*branch) []*branch {
	for _, p := range pinned {
		i := slices.IndexFunc(branches, func(b *branch) bool { return b.key == p.key })
		if i < 0 {
			branches = append(branches, p)
			continue
		}
		branches[i].children = graft(branches[i].children, p.children)
	}
	return branches
}
