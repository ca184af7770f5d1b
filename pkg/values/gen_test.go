package values

import (
	"encoding/json"
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// spelled is a YAML scalar that Helm reads as a number (or, some of them, as text that only looks like one), in one of
// its many spellings. Trees for text hold it in place of a number.
type spelled string

// treeSpec says which keys and scalars a drawn tree is made of. A small alphabet makes the two sides of a merge meet.
type treeSpec struct {
	keys     []string
	scalars  []any
	depth    int
	width    int
	tables   []string // keys that always hold a map
	switches []string // keys that hold a boolean mostly
}

// plainSpec draws what Helm's templates can see: numbers are json.Number.
func plainSpec() treeSpec {
	return treeSpec{keys: []string{"a", "b", "c", "d"}, depth: 3, width: 4, scalars: []any{
		nil, nil, true, false, "", "x", "1", "true", "null", json.Number("0"), json.Number("1"), json.Number("1.5"),
	}}
}

// hostileSpec draws what breaks writers: keys and texts that look like something else, numbers in many spellings.
func hostileSpec() treeSpec {
	scalars := []any{nil, true, false}
	for _, s := range hostileStrings() {
		scalars = append(scalars, s)
	}
	for _, n := range spellings() {
		scalars = append(scalars, spelled(n))
	}
	return treeSpec{depth: 4, width: 5, scalars: scalars, keys: []string{
		"a", "b", "c", "d", "image", "8080", "1.5", "true", "y", "null", "~", "", " ", "a b", "a: b", "a #b", "#c", "- d",
		"<<", "*e", "&f", "!g", "[h]", "{i}", "prometheus.io/scrape", "é", "'q'", `"r"`, "k:", "-", "?", "0x10",
	}}
}

func hostileStrings() []string {
	return []string{
		"", " ", "x", "a b c d", " lead", "trail ", "\ttab", "tab\t", "true", "yes", "Off", "null", "~", "1", "0755", "1e3", "1_000",
		".5", ".inf", ".NaN", "0x1F", "08", "1e400", "12:30:45", "2024-01-02", "40213e2", "=", "<<", "-", "- a", "? a", "a: b", "a:",
		":a", "a #b", "#", "# not a comment", "*alias", "&anchor", "!tag", "%dir", "@at", "`tick`", "'q'", `"dq"`, "it's", `back\slash`,
		"{", "}", "[a", "a, b", "{{ .Values.x }}", "{{- tpl . }}: {}", "https://u:80/#f", "---", "--- a", "...", "|", ">-",
		"one\ntwo\n", "one\ntwo", "one\n\n\ntwo\n\n", "\n", "\n\nlate\n", "  two\n one\n", "# not a comment\nkey: value\n--- x\n",
		"key: value\n  # deeper\nother: 1", "tab\there\n\tand there\n", "spaces\n   \nend\n", "trail \nnext\n", "a\r\nb", "cr\rx",
		"nul\x00", "bell\a", "del\x7f", "nel\u0085x", "ls\u2028x", "ps\u2029x", "bom\ufeffx", "é", "日本", "😀", "\u00a0nbsp", "\ufffd",
	}
}

func spellings() []string {
	return []string{
		"0", "1", "-1", "+1", "01", "0755", "493", "0o17", "15", "0x1F", "0X1f", "31", "-0x1F", "0b101", "-0b101", "5", "1_000", "1000", "1__0",
		"1.0", "1.", "1.10", "1.1", ".5", "0.50", "-.5", "1e3", "1E+3", "1e-3", "0.001", "012345678", "08", "09.5", "-0", "-0.0", "0.0", "0e5",
		"9007199254740992", "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808", "18446744073709551615",
		"18446744073709551616", "123456789012345678901", "123456789012345678902", "12345678901234567890123", "1e22", "1e21", "1e20",
		"1e308", "5e-324", "1e-400", "1e-7", "0.1", "0.10000000000000000001", "3.14159265358979323846",
	}
}

// chance is true in one of n draws.
func chance(t *rapid.T, n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == n }

func (spec treeSpec) drawMap(t *rapid.T, depth int) map[string]any {
	least := 0
	if depth == 0 {
		least = 2
	}
	n := rapid.IntRange(least, spec.width).Draw(t, "width")
	out := make(map[string]any, n)
	for range n {
		key := rapid.SampledFrom(spec.keys).Draw(t, "key")
		out[key] = spec.drawFor(t, key, depth+1)
	}
	return out
}

func (spec treeSpec) drawFor(t *rapid.T, key string, depth int) any {
	switch {
	case slices.Contains(spec.tables, key):
		if depth >= spec.depth {
			return map[string]any{}
		}
		return spec.drawMap(t, depth)
	case slices.Contains(spec.switches, key) && !chance(t, 6, "no switch"):
		return rapid.Bool().Draw(t, "switch")
	}
	return spec.drawValue(t, depth)
}

func (spec treeSpec) drawValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	switch {
	case depth >= spec.depth, kind < 5:
		return rapid.SampledFrom(spec.scalars).Draw(t, "scalar")
	case kind < 8:
		return spec.drawMap(t, depth)
	}
	n := rapid.IntRange(0, 3).Draw(t, "items")
	out := make([]any, n)
	for i := range out {
		out[i] = spec.drawValue(t, depth+1)
	}
	return out
}

// perturb draws a tree that has much in common with one: keys kept, dropped, changed, changed in type, added.
func (spec treeSpec) perturb(t *rapid.T, tree map[string]any, depth int) map[string]any {
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		what := rapid.IntRange(0, 9).Draw(t, "what")
		inner, isMap := tree[key].(map[string]any)
		switch {
		case what < 7 && isMap:
			out[key] = spec.perturb(t, inner, depth+1)
		case what < 7:
			out[key] = tree[key]
		case what < 8: // dropped
		default:
			out[key] = spec.drawFor(t, key, depth+1)
		}
	}
	if chance(t, 2, "add") {
		key := rapid.SampledFrom(spec.keys).Draw(t, "key")
		out[key] = spec.drawFor(t, key, depth+1)
	}
	return out
}

// drawPair draws live and managed values that share a base.
func (spec treeSpec) drawPair(t *rapid.T) (live, managed map[string]any) {
	base := spec.drawMap(t, 0)
	return spec.perturb(t, base, 0), spec.perturb(t, base, 0)
}

// drawOverlay draws live and managed values where managed introduces nothing: managed is a part of live, some of
// it changed.
func (spec treeSpec) drawOverlay(t *rapid.T) (live, managed map[string]any) {
	live = spec.drawMap(t, 0)
	return live, spec.part(t, live, 0)
}

func (spec treeSpec) part(t *rapid.T, tree map[string]any, depth int) map[string]any {
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		inner, isMap := tree[key].(map[string]any)
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
		case what < 2: // live only
		case isMap && (what < 8 || slices.Contains(spec.tables, key)):
			out[key] = spec.part(t, inner, depth+1)
		case isMap:
			out[key] = rapid.SampledFrom(spec.scalars).Draw(t, "scalar")
		case what < 7:
			out[key] = tree[key]
		default:
			out[key] = spec.drawFor(t, key, depth+1)
		}
	}
	return out
}

// drawTexts draws two texts in varied styles whose trees share a base.
func drawTexts(t *rapid.T, spec treeSpec) (live, managed string) {
	a, b := spec.drawPair(t)
	return drawText(t, a), drawText(t, b)
}

// leavesOf lists the leaves of a tree; the root, when it is empty, is none.
func leavesOf(tree map[string]any) []Leaf {
	if len(tree) == 0 {
		return nil
	}
	return Leaves(tree, nil)
}

// without returns tree less the value at path, a path of map keys, and less the maps above it that become empty
// and that keep does not have.
func without(tree map[string]any, path Path, keep map[string]any) map[string]any {
	out := maps.Clone(tree)
	key := path[0].Key
	if len(path) == 1 {
		delete(out, key)
		return out
	}
	inner, ok := out[key].(map[string]any)
	if !ok {
		return out
	}
	kept, has := keep[key]
	keptMap, _ := kept.(map[string]any)
	inner = without(inner, path[1:], keptMap)
	if len(inner) == 0 && !has {
		delete(out, key)
	} else {
		out[key] = inner
	}
	return out
}
