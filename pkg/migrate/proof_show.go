package migrate

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
)

// show makes differences fit to be seen.
func (d *decision) show(differences []manifest.Difference) []ProofDifference {
	secrets := d.secrets()
	var out []ProofDifference
	for i, x := range differences {
		if i == maxDifferences {
			out = append(out, ProofDifference{Change: fmt.Sprintf("and %d more", len(differences)-i)})
			break
		}
		shown := ProofDifference{Object: secrets.hide(x.Object.String()), Source: x.Source, Change: string(x.Change), Path: secrets.hide(d.where(x))}
		if x.Change == manifest.Changed {
			before, after := fromChange(x.Before, x.After)
			shown.Before, shown.After = d.mask(x, x.Before, before, secrets), d.mask(x, x.After, after, secrets)
			if shown.Before == masked || shown.After == masked {
				shown.Before, shown.After = masked, masked // what one side holds tells of the other
			}
		}
		out = append(out, shown)
	}
	return out
}

func (d *decision) where(x manifest.Difference) string {
	if len(x.Path) == 0 {
		return ""
	}
	return d.shown(x.Path).String()
}

// fromChange writes two values as JSON, less what they have in common at their beginnings, but for a little: what is shown
// of long ones is where they differ.
func fromChange(before, after any) (string, string) {
	const long, around = 60, 20
	a, b := onLine(before), onLine(after)
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	if len(x) <= long && len(y) <= long || same <= around {
		return a, b
	}
	return "..." + string(x[same-around:]), "..." + string(y[same-around:])
}

// mask returns what is shown of a field's value, cut off where it is long; "***" where the value is, or may hold, what is
// secret.
func (d *decision) mask(x manifest.Difference, v any, shown string, secrets secretTexts) string {
	if x.Secret {
		return masked
	}
	if v == nil {
		return ""
	}
	tree := v
	for _, step := range slices.Backward(x.Path) {
		if step.IsIndex {
			tree = []any{tree}
			continue
		}
		tree = map[string]any{step.Key: tree}
	}
	if root, ok := tree.(map[string]any); ok && len(d.detector.Scan(root)) > 0 {
		return masked
	}
	if text, ok := v.(string); ok && len(d.detector.ScanText(text)) > 0 {
		return masked
	}
	if secrets.in(v) {
		return masked
	}
	return cutOff(shown)
}

// asJSON writes a value as JSON, and as it stands where it is text.
func asJSON(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}
