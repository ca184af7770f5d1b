package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// drawPair draws two schemas that are near to each other: the second is the first with some changes.
func drawPair(t *rapid.T) (before, after []byte) {
	draft := rapid.SampledFrom([]string{"", "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
		"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"})
	root := drawSubschema(t, 3)
	root["definitions"] = map[string]any{"x": drawSubschema(t, 2), "y": drawSubschema(t, 1)}
	if d := draft.Draw(t, "draft"); d != "" {
		root["$schema"] = d
	}
	before = marshal(t, root)
	var again map[string]any
	if err := json.Unmarshal(before, &again); err != nil {
		t.Fatal(err)
	}
	for range rapid.SampledFrom([]int{1, 1, 2, 3, 0}).Draw(t, "changes") {
		changeSchema(t, again, 3)
	}
	if rapid.IntRange(0, 9).Draw(t, "redraft") == 0 {
		again["$schema"] = draft.Filter(func(d string) bool { return d != "" }).Draw(t, "draft")
	}
	return before, marshal(t, again)
}

func marshal(t *rapid.T, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// changeSchema goes down to a subschema, and sets or drops a keyword of it.
func changeSchema(t *rapid.T, m map[string]any, depth int) {
	var subs []map[string]any
	for _, key := range sortedKeys(m) {
		switch v := m[key].(type) {
		case map[string]any:
			if key == "properties" || key == "patternProperties" || key == "definitions" || key == "dependencies" {
				for _, name := range sortedKeys(v) {
					if sub, ok := v[name].(map[string]any); ok {
						subs = append(subs, sub)
					}
				}
				continue
			}
			subs = append(subs, v)
		case []any:
			for _, item := range v {
				if sub, ok := item.(map[string]any); ok && key != "enum" {
					subs = append(subs, sub)
				}
			}
		}
	}
	if len(subs) > 0 && rapid.IntRange(0, 3).Draw(t, "enter") > 0 {
		changeSchema(t, rapid.SampledFrom(subs).Draw(t, "sub"), depth-1)
		return
	}
	keys := sortedKeys(m)
	if len(keys) > 0 && rapid.Bool().Draw(t, "drop") {
		delete(m, rapid.SampledFrom(keys).Draw(t, "key"))
		return
	}
	some := rapid.Custom(func(t *rapid.T) map[string]any { return drawSubschema(t, max(0, min(depth, 2))) })
	maps.Copy(m, some.Filter(func(m map[string]any) bool { return len(m) > 0 }).Draw(t, "keywords"))
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		if key != "$schema" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestNoBreakingChangeBreaksNoValue is what Compare promises: of two schemas without a breaking change, the second takes every value that the
// first takes. It is tried without the exception for keys that came.
func TestNoBreakingChangeBreaksNoValue(t *testing.T) {
	compatible, changed, taken := 0, 0, 0
	// Most pairs differ, and of those that are compatible many take more than before.
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawPair(t)
		a, errA := schema.Compile("before", before)
		b, errB := schema.Compile("after", after)
		if errA != nil || errB != nil {
			t.Skip("no schemas")
		}
		c := schema.CompareStrictly(a, b)
		if string(before) == string(after) && len(c.Changes) > 0 {
			t.Fatalf("a schema differs from itself: %+v\n%s", c.Changes, before)
		}
		if len(c.Changes) > 0 {
			changed++
		}
		if c.Breaking() {
			return
		}
		if len(c.Changes) > 0 {
			compatible++
		}
		for range 12 {
			tree := drawMap(t, 3)
			if ok, _ := ours(a, nil, tree); !ok {
				continue
			}
			taken++
			if ok, report := ours(b, nil, tree); !ok {
				shown, _ := json.Marshal(tree)
				t.Fatalf("no change is breaking (%+v), and the values are refused: %v\nbefore: %s\nafter: %s\nvalues: %s", c.Changes, report, before, after, shown)
			}
		}
	})
	t.Logf("%d pairs differ, %d of them are compatible; %d values were taken by both", changed, compatible, taken)
}

// drawInterface draws a schema as charts have them, over names that tell where they stand: a, b and c at the root, aa, ab and ac below a.
func drawInterface(t *rapid.T, at string, depth int) map[string]any {
	m := map[string]any{}
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		m["type"] = rapid.SampledFrom([]any{"string", "integer", "boolean", []any{"string", "null"}, "object"}).Draw(t, "type")
		return m
	}
	m["properties"] = drawProperties(t, at, depth)
	if rapid.IntRange(0, 3).Draw(t, "typed") > 0 {
		m["type"] = "object"
	}
	if rapid.IntRange(0, 3).Draw(t, "closed") == 0 {
		m["additionalProperties"] = rapid.SampledFrom([]any{false, true, map[string]any{"type": "string"}}).Draw(t, "others")
	}
	if rapid.IntRange(0, 3).Draw(t, "choice") == 0 {
		m["anyOf"] = []any{map[string]any{"properties": drawProperties(t, at, depth)}, map[string]any{"required": []any{at + "a"}}}
	}
	if rapid.IntRange(0, 3).Draw(t, "requires") == 0 {
		m["required"] = []any{at + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "required")}
	}
	return m
}

func drawProperties(t *rapid.T, at string, depth int) map[string]any {
	m := map[string]any{}
	for _, key := range []string{at + "a", at + "b", at + "c"} {
		if rapid.Bool().Draw(t, key) {
			m[key] = drawInterface(t, key, depth-1)
		}
	}
	return m
}

// drawKnown draws a value with keys alone that a schema names.
func drawKnown(t *rapid.T, m map[string]any, depth int) any {
	places := []map[string]any{m}
	branches, _ := m["anyOf"].([]any)
	for _, branch := range branches {
		places = append(places, branch.(map[string]any))
	}
	out := map[string]any{}
	for _, place := range places {
		named, _ := place["properties"].(map[string]any)
		for _, key := range sortedKeys(named) {
			if depth > 0 && rapid.Bool().Draw(t, key) {
				out[key] = drawKnown(t, named[key].(map[string]any), depth-1)
			}
		}
	}
	if depth < 3 && len(out) == 0 {
		return rapid.SampledFrom([]any{nil, "x", json.Number("1"), true, map[string]any{}}).Draw(t, "scalar")
	}
	return out
}

// TestKeysThatCame is what Compare promises of values that hold no key which the first schema does not know.
func TestKeysThatCame(t *testing.T) {
	compatible, taken, came := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		first := drawInterface(t, "", 3)
		before := marshal(t, first)
		var again map[string]any
		if err := json.Unmarshal(before, &again); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			named, ok := again["properties"].(map[string]any)
			if !ok {
				break
			}
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			if rapid.IntRange(0, 3).Draw(t, "drop") == 0 {
				delete(named, key)
				continue
			}
			named[key] = drawInterface(t, key, 2)
		}
		after := marshal(t, again)
		a, errA := schema.Compile("before", before)
		b, errB := schema.Compile("after", after)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		c := schema.Compare(a, b, nil)
		if c.Breaking() {
			return
		}
		compatible++
		if len(c.Changes) > 0 && c.Changes[0].Kind == schema.Came {
			came++
		}
		for range 6 {
			tree, ok := drawKnown(t, first, 3).(map[string]any)
			if !ok {
				continue
			}
			if ok, _ := ours(a, nil, tree); !ok {
				continue
			}
			taken++
			if ok, report := ours(b, nil, tree); !ok {
				shown, _ := json.Marshal(tree)
				t.Fatalf("no change is breaking (%+v), and the values are refused: %v\nbefore: %s\nafter: %s\nvalues: %s", c.Changes, report, before, after, shown)
			}
		}
	})
	t.Logf("%d pairs are compatible, in %d a key came; %d values were taken by both", compatible, came, taken)
}
