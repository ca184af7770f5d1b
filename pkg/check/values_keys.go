package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// unknownKeys warns of keys of custom that nothing in the chart knows: no default, of no subchart, and no schema. Below a default that is
// an empty map or none, and where a schema leaves the keys open, anything goes.
func (c *valueCheck) unknownKeys(loaded *chart.Chart, custom *values.Document) {
	u := unknown{check: c, custom: custom}
	u.maps(custom.Values, c.run.knownOf(loaded), nil)
	if u.more > 0 {
		c.add(RuleUnknownKey, finding.Warning, finding.Finding{File: custom.Name,
			Message: fmt.Sprintf("the chart does not know %d more keys", u.more), Next: "correct those that are named, and look again"})
	}
}

// unknown is one search.
type unknown struct {
	check      *valueCheck
	custom     *values.Document
	told, more int
}

func (u *unknown) maps(tree map[string]any, at known, path values.Path) {
	if at.free() {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		below, ok := at.key(key)
		if !ok {
			u.tell(path.Key(key), at.names())
			continue
		}
		if m, isMap := tree[key].(map[string]any); isMap {
			u.maps(m, below, path.Key(key))
		}
	}
}

// wrongKey is what to do about a key that nobody knows.
const wrongKey = "see the chart's values.yaml for its name, or remove it"

func (u *unknown) tell(path values.Path, names []string) {
	if len(u.check.refused) > 0 && u.check.refused[path.String()] {
		return // the schema has said it
	}
	if u.told++; u.told > maxTold {
		u.more++
		return
	}
	f := finding.Finding{File: u.custom.Name, Path: u.check.run.shown(path), Message: "neither the chart's defaults nor its schema have this key",
		Next: wrongKey}
	f.Line, f.Column = u.custom.Position(path)
	if near := schema.Nearest(path[len(path)-1].Key, names); near != "" {
		f.Next = fmt.Sprintf("did you mean %q?", near)
	}
	u.check.add(RuleUnknownKey, finding.Warning, f)
}
