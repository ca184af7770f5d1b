package manifest

import (
	"fmt"
	"math"
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
	fail := func(err error) ([]Difference, error) {
		return nil, fmt.Errorf("%s: compare %s: %w", c.before.source, c.id, err)
	}
	before, err := canonical(c.before.tree)
	if err != nil {
		return fail(err)
	}
	after, err := canonical(c.after.tree)
	if err != nil {
		return fail(err)
	}
	for _, n := range c.random(noise) {
		n.blank(before.Object)
		n.blank(after.Object)
	}
	forward, err := normalised(after, before)
	if err != nil {
		return fail(err)
	}
	backward, err := normalised(before, after)
	if err != nil {
		return fail(err)
	}
	modified := forward.modified || backward.modified || before.GetAPIVersion() != after.GetAPIVersion()
	a, b := forward.live, backward.live
	var paths []values.Path
	if modified {
		paths = values.Differences(a, b, maxPaths)
	} else {
		a, b = before.Object, after.Object
		if paths = overlooked(a, b); len(paths) == 0 {
			return nil, nil
		}
	}
	var out []Difference
	for _, path := range paths {
		d := Difference{Object: c.id, Source: c.before.source, Change: Changed, Path: path, Secret: c.secret(path)}
		x, _ := values.Lookup(a, path)
		y, _ := values.Lookup(b, path)
		d.lines = changedLines(x, y, d.encoded())
		if !d.Secret {
			d.Before, d.After = x, y
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		// gitops-engine says that it is modified, and the normalised forms do not show where.
		out = append(out, Difference{Object: c.id, Source: c.before.source, Change: Changed, Secret: c.secret(nil)})
	}
	out[0].Breaking = brokenCRD(c.before, c.after)
	return out, nil
}

// secret tells whether what stands at a path is of a Secret: of the object itself, or of one that it holds for somebody to
// make (a policy, a composition).
func (c couple) secret(path values.Path) bool {
	if isSecret(c.id) {
		return true
	}
	for i := range path {
		for _, o := range []object{c.before, c.after} {
			v, _ := values.Lookup(o.tree.Object, path[:i])
			m, _ := v.(map[string]any)
			if i > 0 && m["kind"] == "Secret" && (path[i].Key == "data" || path[i].Key == "stringData") {
				return true
			}
		}
	}
	return false
}

func isSecret(id ID) bool { return id.Group == "" && id.Kind == "Secret" }

// overlooked returns where both forms have something and do not have the same, though gitops-engine finds them alike: it pairs the
// items of some lists by a key that need not be unique, and reads long numbers as float64. What one form alone has is
// what the other has by default, or a null.
func overlooked(before, after map[string]any) []values.Path {
	return slices.DeleteFunc(values.Differences(before, after, math.MaxInt), func(path values.Path) bool {
		x, _ := values.Lookup(before, path)
		y, _ := values.Lookup(after, path)
		return x == nil || y == nil
	})
}

// random returns the noise of the object.
func (c couple) random(noise []Difference) []Difference {
	var out []Difference
	if c.renamed {
		for _, key := range []string{"name", "generateName"} {
			out = append(out, Difference{Object: c.id, Path: values.Path{}.Key("metadata").Key(key)})
		}
	}
	for _, n := range noise {
		if n.Change == Changed && n.Object == c.id && len(n.Path) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// canonical returns an object as gitops-engine reads it: as its type, where it knows that, and a Secret's stringData as data.
// That is what its comparison with nothing gives. No annotation of the object decides how it is compared.
func canonical(object *unstructured.Unstructured) (out *unstructured.Unstructured, err error) {
	defer func() {
		if recover() != nil { // the engine gives up so on what it did not expect
			err = errNotComparable
		}
	}()
	result, err := diff.Diff(object.DeepCopy(), nil, diff.WithLogr(logr.Discard()))
	if err != nil {
		return nil, errNotComparable
	}
	out = &unstructured.Unstructured{}
	if out.UnmarshalJSON(result.PredictedLive) != nil {
		return nil, errNotComparable
	}
	return out, nil
}

type normal struct {
	live     map[string]any
	modified bool
}

// normalised runs gitops-engine's diff on canonical objects, and returns the live side with the defaults of its type.
func normalised(config, live *unstructured.Unstructured) (out normal, err error) {
	defer func() {
		if recover() != nil { // as above
			err = errNotComparable
		}
	}()
	result, err := diff.TwoWayDiff(config.DeepCopy(), live.DeepCopy())
	if err != nil {
		return normal{}, errNotComparable
	}
	tree := &unstructured.Unstructured{}
	if tree.UnmarshalJSON(result.NormalizedLive) != nil { // no number goes through a float64
		return normal{}, errNotComparable
	}
	return normal{live: tree.Object, modified: result.Modified}, nil
}

// errNotComparable replaces errors that can quote what an object holds.
var errNotComparable = fmt.Errorf("%w: its fields have types that Kubernetes refuses", ErrObject)

// blank takes noise away: a line of a text, or a field, from a list by the zero value of its type, so that no other item
// gets another place. Where there is no such field nothing happens.
func (d Difference) blank(tree map[string]any) {
	parent, ok := any(tree), true
	if len(d.Path) > 1 {
		parent, ok = values.Lookup(tree, d.Path[:len(d.Path)-1])
	}
	last := d.Path[len(d.Path)-1]
	switch p := parent.(type) {
	case map[string]any:
		switch v, there := p[last.Key]; {
		case !ok || last.IsIndex || !there:
		case d.lines != nil:
			p[last.Key] = withoutLines(v, d.lines, d.encoded())
		default:
			delete(p, last.Key)
		}
	case []any:
		switch {
		case !ok || !last.IsIndex || last.Index >= len(p):
		case d.lines != nil:
			p[last.Index] = withoutLines(p[last.Index], d.lines, d.encoded())
		default:
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
		return a.Source == b.Source && a.Change == b.Change && a.name == b.name && a.samePlace(b)
	})
}
