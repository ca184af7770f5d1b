package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// TestPlace holds which keys a schema is said to know, wherever in it they stand.
func TestPlace(t *testing.T) {
	s, err := schema.Compile("chart", []byte(`{"$schema":"http://json-schema.org/draft-07/schema#",
		"properties":{"a":{"$ref":"#/definitions/a"},"free":{"type":"object"},"open":{"additionalProperties":true},"closed":{"additionalProperties":false},
			"map":{"additionalProperties":{"properties":{"x":{}}}},"self":{"$ref":"#"},
			"one":{"oneOf":[{"properties":{"p":{}}},{"properties":{"q":{}}}]},
			"if":{"if":{"properties":{"i":{"const":1}}},"then":{"properties":{"t":{}}},"else":{"properties":{"e":{}}}}},
		"patternProperties":{"^x-":{"type":"string"}},
		"allOf":[{"properties":{"b":{}}}],"dependencies":{"a":{"properties":{"c":{}}}},
		"definitions":{"a":{"properties":{"deep":{}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason string
		path   []string
		known  bool
		free   bool
	}{
		"Named":      {"by name", []string{"a"}, true, false},
		"Ref":        {"through a reference", []string{"a", "deep"}, true, true},
		"Pattern":    {"by a pattern", []string{"x-y"}, true, true},
		"AllOf":      {"of all", []string{"b"}, true, true},
		"OneOf":      {"of any branch", []string{"one", "q"}, true, true},
		"Else":       {"of either side of an if", []string{"if", "e"}, true, true},
		"Dependency": {"that another key brings", []string{"c"}, true, true},
		"Map":        {"any, of a map", []string{"map", "any", "x"}, true, true},
		"Loop":       {"a schema that has itself", []string{"self", "self", "a", "deep"}, true, true},
		"Free":       {"nothing is said below", []string{"free"}, true, true},
		"Open":       {"anything is allowed below", []string{"open"}, true, true},
		"Closed":     {"nothing is allowed below", []string{"closed"}, true, false},
		"Unknown":    {"no", []string{"z"}, false, false},
		"UnknownMap": {"not of a map's entries", []string{"map", "any", "z"}, false, false},
		"OpenBelow":  {"what is allowed is not known", []string{"open", "z"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			at, known := s.Root(), true
			for _, key := range tc.path {
				at, known = at.Key(key)
			}
			if known != tc.known || at.Free() != tc.free {
				t.Errorf("%s: known %v, free %v", tc.reason, known, at.Free())
			}
		})
	}
	one, _ := s.Root().Key("one")
	both, _ := s.Root().Key("a")
	if diff := cmp.Diff([]string{"deep", "p", "q"}, one.Join(both).Names()); diff != "" {
		t.Errorf("names: (-want +got)\n%s", diff)
	}
	if (schema.Place{}).Free() {
		t.Error("nothing is said of the zero place")
	}
}

// TestNear holds where a violation says that its fault can be, besides its path.
func TestNear(t *testing.T) {
	const d7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for name, tc := range map[string]struct {
		reason, schema, values string
		want                   [][]string
		choices                int
	}{
		"Required":  {reason: "each key that is missing, by itself", schema: `{"properties":{"m":{"required":["a","b","c"]}}}`, values: "m: {b: 1}", want: [][]string{{"m.a"}, {"m.c"}}},
		"Draft7":    {reason: "the key that is missing, and the one that asks for it", schema: `{` + d7 + `"dependencies":{"a/b":["c","d"]}}`, values: "{a/b: 1, c: 1}", want: [][]string{{"d", "a/b"}}},
		"Dependent": {reason: "in the later drafts too", schema: `{"properties":{"m":{"dependentRequired":{"a":["b"]}}}}`, values: "m: {a: 1}", want: [][]string{{"m.b", "m.a"}}},
		"Choice":    {reason: "a choice has a name, whatever branch is told", schema: `{"properties":{"m":{"anyOf":[{"required":["a"]},{"required":["b","c"]}]}}}`, values: "m: {c: 1}", want: [][]string{{"m.a"}}, choices: 1},
		"Type":      {reason: "the path says it", schema: `{"properties":{"a":{"type":"string"}}}`, values: "a: 1", want: [][]string{nil}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile("chart", []byte(tc.schema))
			if err != nil {
				t.Fatal(err)
			}
			report, err := s.Validate(parse(t, tc.values))
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			choices := 0
			for _, v := range report.Violations {
				var near []string
				for _, p := range v.Near {
					near = append(near, p.String())
				}
				got = append(got, near)
				if v.Choice != "" {
					choices++
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || choices != tc.choices {
				t.Errorf("%s: %d choices (-want +got)\n%s", tc.reason, choices, diff)
			}
		})
	}
}
