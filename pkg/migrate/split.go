package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxEffects bounds how many further effects of introduced keys are listed for an app.
const maxEffects = 20

// split divides the live values, and sees to the keys that managed introduces.
func (d *decision) split(ctx context.Context) {
	d.diff = values.Split(d.live, d.managed)
	if len(d.diff.Introduced) == 0 {
		// Merge(managed, custom) is live to the digit, so that whatever a chart makes of it is the same: the theorem of
		// DESIGN 4 needs no chart here.
		return
	}
	accepted := d.options.AcceptAll || slices.Contains(d.options.Accept, d.id)
	switch {
	case accepted:
		d.introduce(Accepted, nil)
		d.showEffects(ctx)
	case d.options.Exact:
		d.pin(ctx)
	default:
		d.introduce(Blocks, nil)
		d.block("introduced-keys", fmt.Sprintf("managed introduces %s", finding.Count(len(d.diff.Introduced), "key")),
			"accept with --accept-introduced="+d.id.String()+", or keep what runs with --exact")
	}
}

// introduce lists the introduced keys. Those in other have the effect Inexpressible.
func (d *decision) introduce(effect Effect, other []values.Path) {
	secrets := d.detector.Scan(d.managed.Values)
	for _, leaf := range d.diff.Introduced {
		path := d.shown(leaf.Path)
		i := Introduced{Path: path.String(), Value: shorten(leaf.Value), Effect: effect}
		for _, hit := range secrets {
			if hit.Severity != finding.Info && (hit.Path.HasPrefix(path) || path.HasPrefix(hit.Path)) {
				i.Value = masked
			}
		}
		if slices.ContainsFunc(other, func(p values.Path) bool { return p.Compare(leaf.Path) == 0 }) {
			i.Effect = Inexpressible
		}
		d.Introduced = append(d.Introduced, i)
	}
}

// shorten writes a value as JSON on one line, cut off where it is long.
func shorten(v any) string { return cutOff(onLine(v)) }

func cutOff(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// onLine writes a value as JSON on one line.
func onLine(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(v) != nil {
		return ""
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// pin neutralises the introduced keys in custom, and blocks where that cannot be: what templates see of the two files
// must be what they see of live (DESIGN 4).
func (d *decision) pin(ctx context.Context) {
	c := d.chart(ctx)
	if c == nil {
		d.introduce(Blocks, nil)
		return
	}
	before := d.effective(c, d.live.Values, "the live values")
	if before == nil {
		d.introduce(Blocks, nil)
		return
	}
	inexpressible := d.diff.Pin(d.managed.Values, before)
	d.introduce(Pinned, inexpressible)
	if d.options.Verify == VerifyManifests {
		d.diff.Null(inexpressible) // whether that is good enough, the objects will show
		return
	}
	if len(inexpressible) > 0 {
		d.block("introduced-inexpressible", fmt.Sprintf("no override can undo %s that managed introduces: %s",
			finding.Count(len(inexpressible), "key"), d.join(inexpressible)), "accept with --accept-introduced="+d.id.String()+" instead of --exact")
		return
	}
	after := d.effective(c, values.Merge(d.managed.Values, d.diff.Custom()), "managed and custom")
	if after == nil {
		return
	}
	if differs := values.Differences(before, after, maxEffects); len(differs) > 0 {
		d.block("introduced-inexpressible", "pinned as far as Helm allows, templates would still see other values at "+d.join(differs),
			"accept with --accept-introduced="+d.id.String()+" instead of --exact")
	}
}

// effective returns what the chart's templates see of values. It blocks the app, and returns nil, where Helm refuses them.
func (d *decision) effective(c *chart.Chart, user map[string]any, whose string) map[string]any {
	out, err := c.Effective(user)
	if err != nil {
		d.block("values-unproven", "Helm cannot tell what templates see of "+whose+": "+err.Error(), "correct the values, or the chart")
		return nil
	}
	return out
}

// showEffects warns where accepted keys change more than themselves: conditions and tags of subcharts, globals, and
// values that a chart imports.
func (d *decision) showEffects(ctx context.Context) {
	if why := d.chartNotAtHand(ctx); why != "" {
		d.add(finding.Finding{Rule: "introduced-effects", Severity: finding.Warning,
			Message: "what else the introduced keys change was not looked for: " + why, Next: "say where charts are with --charts"})
		return
	}
	c := d.chart(ctx)
	if c == nil {
		return
	}
	before := d.effective(c, d.live.Values, "the live values")
	if before == nil {
		return
	}
	after := d.effective(c, values.Merge(d.managed.Values, d.diff.Custom()), "managed and custom")
	if after == nil {
		return
	}
	var further []values.Path
	// All differences are looked at: an introduced null can delete more defaults than are listed.
	for _, path := range values.Differences(before, after, math.MaxInt) {
		known := slices.ContainsFunc(d.diff.Introduced, func(leaf values.Leaf) bool {
			return path.HasPrefix(leaf.Path) || leaf.Path.HasPrefix(path)
		})
		if !known {
			further = append(further, path)
		}
	}
	if len(further) > 0 {
		list := d.join(further[:min(len(further), maxEffects)])
		if more := len(further) - maxEffects; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		d.add(finding.Finding{Rule: "introduced-effects", Severity: finding.Warning,
			Message: "the introduced keys change more of what templates see: " + list})
	}
}

// masked stands for what is secret; pkg/secret writes it in the paths of hits.
const masked = "***"

// shown returns a path in which keys that hold a secret themselves are masked, as they are in hits.
func (p *planner) shown(path values.Path) values.Path {
	out := slices.Clone(path)
	for i, step := range out {
		if len(p.detector.ScanText(step.Key)) > 0 {
			out[i].Key = masked
		}
	}
	return out
}

func (p *planner) join(paths []values.Path) string {
	var b bytes.Buffer
	for i, path := range paths {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.shown(path).String())
	}
	return b.String()
}

func (d *decision) blockedBy(rule string) bool {
	return slices.ContainsFunc(d.Findings, func(f finding.Finding) bool { return f.Rule == rule })
}
