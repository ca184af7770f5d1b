package drift

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// interfaces compares the schemas and the own values of both charts, and of their subcharts.
func (c *comparison) interfaces() {
	for _, f := range slices.Concat(c.before.findings, c.after.findings) {
		c.add(f)
	}
	c.parts(c.before.part, c.after.part, nil)
	c.itself()
}

// itself tells where the new chart's schema refuses the chart's own values, as the old one's does not. What is missing is for others to set.
func (c *comparison) itself() {
	before, after := c.by(c.before, nil), c.by(c.after, nil)
	for _, e := range after.report.Errors {
		c.add(c.after.unusable(e.Name, e))
	}
	for _, v := range after.report.Violations {
		if v.Keyword == "required" || has(before.report.Violations, v) {
			continue
		}
		c.add(finding.Finding{Rule: "chart-refuses-itself", Severity: finding.Error, File: c.in.New.Origin, Path: c.after.shown(v.Path),
			Message: "the new chart's schema refuses the chart's own values: " + v.Message, Next: "tell the chart's maintainers, or set the value"})
	}
}

// parts compares two parts whose values stand at one path.
func (c *comparison) parts(before, after chart.Part, at values.Path) {
	c.schemas(before, after, at)
	d := defaults{comparison: c, part: at, skip: map[string]bool{}}
	if len(at) > 0 {
		d.skip["global"] = true // every chart gets it
	}
	olds, news := byName(before.Parts), byName(after.Parts)
	for _, name := range slices.Sorted(maps.Keys(merged(olds, news))) {
		d.skip[name] = true
		old, had := olds[name]
		now, has := news[name]
		path := at.Key(name)
		switch {
		case had && has:
			c.parts(old, now, path)
		case had:
			c.change(Change{Path: path.String(), Kind: Went, Old: old.Version, Text: "the subchart is gone: its values lose their effect"})
		default:
			c.change(Change{Path: path.String(), Kind: Came, New: now.Version, Text: "new, a subchart"})
		}
	}
	d.maps(mapAt(c.before.defaults, at), mapAt(c.after.defaults, at), at)
}

func byName(parts []chart.Part) map[string]chart.Part {
	out := map[string]chart.Part{}
	for _, p := range parts {
		out[p.Name] = p
	}
	return out
}

func merged[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func mapAt(tree map[string]any, at values.Path) map[string]any {
	v, _ := values.Lookup(tree, at)
	m, _ := v.(map[string]any)
	return m
}

func (c *comparison) change(change Change) { c.report.Changes = append(c.report.Changes, change) }

// schemas compares the schemas of two parts, where both have one that can be used.
func (c *comparison) schemas(before, after chart.Part, at values.Path) {
	old, now := c.before.schemas[at.String()], c.after.schemas[at.String()]
	switch {
	case old != nil && now != nil:
		found := schema.Compare(old, now, mapAt(c.after.defaults, at))
		c.report.Cut = c.report.Cut || found.Cut
		for _, d := range found.Changes {
			c.change(Change{Path: under(at, d.Path), Kind: Kind(d.Kind), Keyword: d.Keyword, Old: d.Old, New: d.New, Breaking: d.Breaking, Unknown: d.Unknown, Text: d.Text()})
		}
	case before.Schema == nil && now != nil:
		c.change(Change{Path: at.String(), Kind: Checked, Breaking: true, Unknown: true,
			Text: "the chart has a values.schema.json now, and had none: it cannot be told which values it refuses, but for those of the files that are looked at"})
	case old != nil && after.Schema == nil:
		c.change(Change{Path: at.String(), Kind: Checked, Text: "the chart has no values.schema.json any more: mistakes in values are no longer found"})
	}
}

// under puts a path as it is written below a part's.
func under(at values.Path, path string) string {
	switch {
	case len(at) == 0:
		return path
	case path == ".":
		return at.String()
	case strings.HasPrefix(path, "["):
		return at.String() + path
	}
	return at.String() + "." + path
}

// defaults compares the own values of two parts. What a schema says of keys is told by schemas, and not again.
type defaults struct {
	*comparison
	part values.Path
	skip map[string]bool // keys of the part that are no values of its own
}

// maxDefaults bounds how many changes of defaults are listed.
const maxDefaults = 5_000

func (d *defaults) maps(before, after map[string]any, at values.Path) {
	for _, key := range slices.Sorted(maps.Keys(merged(before, after))) {
		if len(at) == len(d.part) && d.skip[key] {
			continue
		}
		if len(d.report.Changes) > maxDefaults {
			d.report.Cut = true
			return
		}
		path := at.Key(key)
		old, had := before[key]
		now, has := after[key]
		oldMap, wasMap := old.(map[string]any)
		nowMap, isMap := now.(map[string]any)
		switch {
		case wasMap && isMap:
			d.maps(oldMap, nowMap, path)
		case !has:
			d.went(path, old)
		case !had:
			d.came(path, now)
		case values.Equal(old, now):
		default:
			d.turned(path, old, now)
		}
	}
}

func (d *defaults) went(path values.Path, old any) {
	c := Change{Path: d.before.shown(path), Kind: Went, Old: d.show(path, old), Text: "gone from the chart's own values: it loses its effect"}
	switch {
	case d.after.knows(path): // it may still be set, and stands for nothing where it is not
		c.Kind, c.Text = Default, "default was "+c.Old+", is none"
	case d.told(d.before, path):
		return
	}
	d.change(c)
}

func (d *defaults) came(path values.Path, now any) {
	c := Change{Path: d.before.shown(path), Kind: Came, New: d.show(path, now), Text: "new in the chart's own values, " + kindOf(now)}
	switch {
	case d.before.knows(path):
		c.Kind, c.Text = Default, "default was none, is "+c.New
	case d.told(d.after, path):
		return
	}
	d.change(c)
}

// told tells whether the schema of the part speaks of a path, so that the comparison of schemas has told what became of it.
func (d *defaults) told(f *face, path values.Path) bool {
	if d.before.schemas[d.part.String()] == nil || d.after.schemas[d.part.String()] == nil {
		return false
	}
	return f.schemas[d.part.String()].Knows(path[len(d.part):]) == schema.Known
}

// turned notes another default. Where it is of another type, and there is no schema, nobody says what the templates take now.
func (d *defaults) turned(path values.Path, old, now any) {
	c := Change{Path: d.before.shown(path), Kind: Default, Old: d.show(path, old), New: d.show(path, now)}
	c.Text = fmt.Sprintf("default was %s, is %s", c.Old, c.New)
	if c.Old == masked {
		c.Text = "another default, which is not shown since it can be secret"
	}
	if is, was := kindOf(now), kindOf(old); is != was && old != nil && now != nil && d.after.schemas[d.part.String()] == nil {
		c.Kind, c.Breaking, c.Unknown = Retyped, true, true
		c.Text += fmt.Sprintf(", a %s and no longer a %s; it cannot be told whether values break", is, was)
	}
	d.change(c)
}

// show writes a default, shortened, and masked where it is secret in either chart.
func (d *defaults) show(path values.Path, v any) string {
	if d.before.secretAt(path) || d.after.secretAt(path) {
		return masked
	}
	if text, ok := v.(string); ok && len(d.before.secrets.ScanText(text)) > 0 {
		return masked
	}
	return shorten(v)
}

// shorten writes a value as JSON on one line, cut off where it is long.
func shorten(v any) string {
	const most = 80
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "something"
	}
	text := []rune(strings.TrimSuffix(b.String(), "\n"))
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "list"
	case map[string]any:
		return "map"
	}
	return "number"
}
