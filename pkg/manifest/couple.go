package manifest

import (
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

// couple is two forms of one object.
type couple struct {
	id            ID
	before, after object
	renamed       bool // the name is another each time
}

// compare returns where the forms differ, less the noise.
func (c couple) compare(noise []Difference) ([]Difference, error) {
	before, after := c.before.tree, c.after.tree
	forward, backward, err := c.normalise(before, after)
	if err != nil {
		return nil, err
	}
	random := c.random(noise)
	if len(random) > 0 && (forward.modified || backward.modified) {
		for _, path := range random {
			blank(forward.live, path)
			blank(backward.live, path)
		}
		before, after = &unstructured.Unstructured{Object: forward.live}, &unstructured.Unstructured{Object: backward.live}
		if forward, backward, err = c.normalise(before, after); err != nil {
			return nil, err
		}
	}
	if !forward.modified && !backward.modified && before.GetAPIVersion() == after.GetAPIVersion() {
		return nil, nil
	}
	secret := c.id.Group == "" && c.id.Kind == "Secret"
	var out []Difference
	for _, path := range values.Differences(forward.live, backward.live, maxPaths) {
		d := Difference{Object: c.id, Source: c.before.source, Change: Changed, Path: path, Secret: secret}
		if !secret {
			d.Before, _ = values.Lookup(forward.live, path)
			d.After, _ = values.Lookup(backward.live, path)
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		// gitops-engine says that it is modified, and the normalised forms do not show where.
		out = append(out, Difference{Object: c.id, Source: c.before.source, Change: Changed, Secret: secret})
	}
	out[0].Breaking = brokenCRD(c.before, c.after)
	return out, nil
}

// random returns the fields of the object that differ from one rendering to the next.
func (c couple) random(noise []Difference) []values.Path {
	var out []values.Path
	if c.renamed {
		for _, key := range []string{"name", "generateName"} {
			out = append(out, values.Path{}.Key("metadata").Key(key))
		}
	}
	for _, n := range noise {
		if n.Change == Changed && n.Object == c.id && len(n.Path) > 0 {
			out = append(out, n.Path)
		}
	}
	return out
}

// normalise runs gitops-engine's diff in both directions.
func (c couple) normalise(before, after *unstructured.Unstructured) (forward, backward normal, err error) {
	if forward, err = normalised(after, before); err == nil {
		backward, err = normalised(before, after)
	}
	if err != nil {
		return forward, backward, fmt.Errorf("%s: compare %s: %w", c.before.source, c.id, err)
	}
	return forward, backward, nil
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
	tree := &unstructured.Unstructured{}
	if err := json.Unmarshal(result.NormalizedLive, &tree.Object); err != nil {
		return normal{}, errNotComparable
	}
	return normal{live: tree.Object, modified: result.Modified}, nil
}

// errNotComparable replaces errors that can quote what an object holds.
var errNotComparable = fmt.Errorf("%w: its fields have types that Kubernetes refuses", ErrObject)

// blank takes a field away, from a list by the zero value of its type, so that no other item gets another place. Where
// there is no such field nothing happens.
func blank(tree map[string]any, path values.Path) {
	parent, ok := any(tree), true
	if len(path) > 1 {
		parent, ok = values.Lookup(tree, path[:len(path)-1])
	}
	last := path[len(path)-1]
	switch p := parent.(type) {
	case map[string]any:
		if ok && !last.IsIndex {
			delete(p, last.Key)
		}
	case []any:
		if ok && last.IsIndex && last.Index < len(p) {
			p[last.Index] = zero(p[last.Index])
		}
	}
}

func zero(v any) any {
	switch v.(type) {
	case string:
		return ""
	case map[string]any:
		return map[string]any{}
	case []any:
		return []any{}
	case bool:
		return false
	}
	return float64(0)
}

// sortedUnique returns differences without those at one place twice.
func sortedUnique(list []Difference) []Difference {
	sortDifferences(list)
	return slices.CompactFunc(list, func(a, b Difference) bool {
		return a.Object == b.Object && a.Change == b.Change && a.Source == b.Source && a.Path.Compare(b.Path) == 0
	})
}
