package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// told is what a test looks at of a violation.
type told struct {
	Path, Keyword, Message, Next string
}

func tell(r schema.Report) []told {
	var list []told
	for _, v := range r.Violations {
		list = append(list, told{v.Path.String(), v.Keyword, v.Message, v.Next})
	}
	return list
}

const globalNext = `Helm puts "global" into the values of each subchart, so that a schema which forbids it works for a chart on its own only`

func TestViolations(t *testing.T) {
	quietHelm(t)
	const d7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for name, c := range map[string]struct {
		reason   string
		schema   string
		values   string
		want     []told
		warnings int
	}{
		"closed, alone": {
			reason: "nobody injects global into a chart on its own",
			schema: `{` + d7 + `"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer"}}}`, values: "a: 1",
		},
		"closed, as a subchart": {
			reason: "Helm refuses its own global, and nobody finds it in a file",
			schema: `{` + d7 + `"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer"}}}`, values: "{a: 1, global: {}}",
			want: []told{{"global", "additionalProperties", "the schema knows no such key", globalNext}},
		},
		"urn": {
			reason: "Helm lets it pass", schema: `{` + d7 + `"properties":{"a":{"$ref":"urn:acme:x"}}}`, values: "a: {anything: 1}", warnings: 1,
		},
		"integers": {
			reason: "1.0, 1e6, 2^64 and octal are integers",
			schema: `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"},"port":{"type":"integer","maximum":65535},"e":{"enum":[1,2]}}}`,
			values: "a: 1.0\nb: 1e6\nc: 18446744073709551616\nport: 0177777\ne: 1.0",
		},
		"no integers": {
			reason: "text and fractions are none", schema: `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`, values: "a: '1'\nb: 1.5",
			want: []told{{"a", "type", "expected integer, but got string", ""}, {"b", "type", "expected integer, but got number", ""}},
		},
		"unevaluatedProperties": {
			reason: "allOf's keys are known, others and global are not",
			schema: `{"$schema":"https://json-schema.org/draft/2019-09/schema","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`,
			values: "{a: 1, l: [1], global: {}}",
			want:   []told{{"global", "false", "this is not allowed here", globalNext}, {"l", "false", "this is not allowed here", ""}},
		},
		"prefixItems": {
			reason: "a list is held item by item",
			schema: `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"l":{"prefixItems":[{"type":"string"}]}}}`, values: "l: [1]",
			want: []told{{"l[0]", "type", "expected string, but got number", ""}},
		},
		"nullable": {
			reason: "it is OpenAPI's", schema: `{"properties":{"a":{"type":"string","nullable":true}}}`, values: "a: null",
			want: []told{{"a", "type", "expected string, but got null", `"nullable" is a word of OpenAPI, not of JSON schema: Helm refuses null here; leave the key out`}},
		},
		"a key mistyped": {
			reason: "the key that was meant is named", schema: `{"properties":{"c":{"additionalProperties":false,"properties":{"replicaCount":{},"image":{}},"patternProperties":{"^x-":{}}}}}`,
			values: "c: {replicacount: 1, imagee: 2, zzzzzz: 3, x-a: 4}",
			want: []told{
				{"c.imagee", "additionalProperties", "the schema knows no such key", `did you mean "image"?`},
				{"c.replicacount", "additionalProperties", "the schema knows no such key", `did you mean "replicaCount"?`},
				{"c.zzzzzz", "additionalProperties", "the schema knows no such key", ""},
			},
		},
		"no type of several": {
			reason: "all types that would do are told at once", schema: `{"properties":{"a":{"oneOf":[{"type":"string"},{"type":["integer","null"]}]}}}`, values: "a: {}",
			want: []told{{"a", "type", "expected integer or null or string, but got object", ""}},
		},
		"the nearest of several": {
			reason: "the branch of another kind is no help",
			schema: `{"properties":{"a":{"oneOf":[{"properties":{"kind":{"const":"x"},"num":{"type":"string"}}},{"properties":{"kind":{"const":"two"},"num":{"type":"integer"}}},{"type":"string"}]}}}`,
			values: "a: {kind: two, num: secret}",
			want:   []told{{"a.num", "type", "expected integer, but got string", "this is about the nearest of the 3 alternatives that the schema gives for a"}},
		},
		"no type of several, below others": {
			reason: "what else is wrong with a branch of another type is no help",
			schema: `{"properties":{"a":{"anyOf":[{"allOf":[{"type":"string"},{"enum":["x"]}]},{"type":"null"}]}}}`, values: "a: 1",
			want: []told{{"a", "type", "expected null or string, but got number", ""}},
		},
		"more than one": {
			reason: "too many fit", schema: `{"properties":{"a":{"oneOf":[{"type":"integer"},{"minimum":0}]}}}`, values: "a: 1",
			want: []told{{"a", "oneOf", "fits more than one of the alternatives, of which only one may fit: indexes 0 and 1", ""}},
		},
		"secrets": {
			reason: "no value is quoted",
			schema: `{` + d7 + `"properties":{"a":{"format":"ipv4"},"b":{"pattern":"^x"},"c":{"minLength":99},"d":{"maximum":1},"e":{"multipleOf":7},"f":{"enum":["x",1,null]},"g":{"const":true},"h":{"not":{}}}}`,
			values: "a: hunter2\nb: hunter2\nc: hunter2\nd: 271828\ne: 271828\nf: hunter2\ng: hunter2\nh: hunter2",
			want: []told{
				{"a", "format", `this is no "ipv4"`, ""}, {"b", "pattern", `does not match the pattern "^x"`, ""}, {"c", "minLength", "length must be >= 99", ""},
				{"d", "maximum", "must be <= 1", ""}, {"e", "multipleOf", "must be a multiple of 7", ""}, {"f", "enum", `must be one of "x", 1, null`, ""},
				{"g", "const", "the only value allowed is true", ""}, {"h", "not", `is what the schema's "not" forbids`, ""},
			},
		},
		"secrets below": {
			reason: "nor in the depth of a schema",
			schema: `{` + d7 + `"patternProperties":{"^a":{"allOf":[{"format":"ipv4"},{"$ref":"#/definitions/n"}]}},"definitions":{"n":{"if":{},"then":{"anyOf":[{"format":"date"}]}}},"dependencies":{"a":["b"]}}`,
			values: "a: hunter2",
			want: []told{
				{".", "dependencies", "property 'b' is required, if 'a' property exists", ""},
				{"a", "format", `this is no "date"`, ""}, {"a", "format", `this is no "ipv4"`, ""},
			},
		},
		"odd keys": {
			reason: "slashes, percents and tildes of keys come back", schema: `{"properties":{"a/b~c%d":{"type":"string"}}}`, values: "a/b~c%d: 1",
			want: []told{{`["a/b~c%d"]`, "type", "expected string, but got number", ""}},
		},
		"required": {
			reason: "the map is told, and the key", schema: `{"properties":{"a":{"required":["b"]}}}`, values: "a: {}",
			want: []told{{"a", "required", `the key "b" is missing`, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile("chart", []byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			tree := parse(t, c.values)
			report, err := s.Validate(tree)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, tell(report)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", c.reason, diff)
			}
			if len(s.Warnings()) != c.warnings {
				t.Errorf("%s: warnings %q, want %d", c.reason, s.Warnings(), c.warnings)
			}
			if shown := fmt.Sprintf("%+v", report); strings.Contains(shown, "hunter2") || strings.Contains(shown, "271828") {
				t.Errorf("%s: a value is quoted: %s", c.reason, shown)
			}
			agree(t, []byte(c.schema), s, nil, tree)
		})
	}
}

func TestSchemasThatDoNotCompile(t *testing.T) {
	for name, c := range map[string]struct {
		reason  string
		schema  string
		kind    error
		place   string
		next    string // part of it
		message string // part of it
	}{
		"draft-4 exclusiveMinimum": {
			reason: "Helm takes it for 2020-12", kind: schema.ErrInvalid, place: "/properties/n/exclusiveMinimum", next: "as draft-04 it would compile",
			schema: `{"properties":{"n":{"type":"number","minimum":1,"exclusiveMinimum":true}}}`,
		},
		"draft-7 items": {
			reason: "Helm takes it for 2020-12", kind: schema.ErrInvalid, place: "/properties/l/items", next: "as draft-07 it would compile",
			schema: `{"properties":{"l":{"type":"array","items":[{"type":"string"}],"additionalItems":false}}}`,
		},
		"remote": {
			reason: "nothing is fetched, set or not", kind: schema.ErrReference, message: "https://schemas.example.test/pod.json",
			schema: `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"podSpec":{"$ref":"https://schemas.example.test/pod.json#/definitions/x"}}}`,
		},
		"file":             {reason: "nothing is read", kind: schema.ErrReference, message: "file:///etc/passwd", schema: `{"properties":{"a":{"$ref":"file:///etc/passwd"}}}`},
		"relative":         {reason: "nothing is read", kind: schema.ErrReference, message: "other.json", schema: `{"properties":{"a":{"$ref":"other.json"}}}`},
		"draft-3 required": {reason: "a list is wanted", kind: schema.ErrInvalid, place: "/properties/a/required", schema: `{"properties":{"a":{"type":"string","required":true}}}`},
		"type int":         {reason: "there is no such type", kind: schema.ErrInvalid, place: "/properties/a/type", schema: `{"properties":{"a":{"type":"int"}}}`},
		"lookahead": {
			reason: "RE2 has none, nor has Helm", kind: schema.ErrRegexp, place: "/properties/a/pattern", next: "lookahead",
			schema: `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"pattern":"^(?!x)"}}}`,
		},
		"lookahead in a key": {
			reason: "RE2 has none, nor has Helm", kind: schema.ErrRegexp,
			schema: `{"$schema":"http://json-schema.org/draft-07/schema#","patternProperties":{"^(?!x)":{}}}`,
		},
		"lookahead, no draft": {reason: "RE2 has none, nor has Helm", kind: schema.ErrRegexp, schema: `{"properties":{"a":{"pattern":"^(?!x)"}}}`},
		"loop":                {reason: "no value ends it", kind: schema.ErrLoop, schema: `{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}`},
		"nowhere":             {reason: "nothing is there", kind: schema.ErrInvalid, message: "#/definitions/x not found", schema: `{"$ref":"#/definitions/x"}`},
		"no JSON":             {reason: "a template is none", kind: schema.ErrInvalid, schema: `{{ .Values }}`},
		"deep":                {reason: "depth costs by its square", kind: schema.ErrLimit, schema: strings.Repeat(`{"not":`, 2000) + `{}` + strings.Repeat(`}`, 2000)},
		"large":               {reason: "there is an end", kind: schema.ErrLimit, schema: `{"description":"` + strings.Repeat("x", schema.MaxSize) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schema.Compile("chart", []byte(c.schema))
			var e *schema.Error
			if !errors.As(err, &e) || !errors.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want %v", c.reason, err, c.kind)
			}
			if c.place != "" && e.Place != c.place {
				t.Errorf("%s: at %q, want %q: %v", c.reason, e.Place, c.place, err)
			}
			if !strings.Contains(e.Message, c.message) || !strings.Contains(e.Next, c.next) || e.Next == "" || len(e.Error()) > 1000 {
				t.Errorf("%s: %v; next: %s", c.reason, err, e.Next)
			}
		})
	}
}
