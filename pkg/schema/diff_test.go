package schema_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// differences writes changes a line each: the kind, ! for a breaking one, ? for one that is unknown, the path, and the sentence.
func differences(c schema.Comparison) []string {
	var list []string
	for _, d := range c.Changes {
		mark := " "
		switch {
		case d.Unknown:
			mark = "?"
		case d.Breaking:
			mark = "!"
		}
		list = append(list, fmt.Sprintf("%s %s %s: %s", mark, d.Kind, d.Path, d.Text()))
	}
	return list
}

func TestCompare(t *testing.T) {
	const d7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for name, c := range map[string]struct {
		reason        string
		before, after string
		defaults      string
		want          []string
	}{
		"descriptions": {
			reason: "words for people are no change",
			before: `{"description":"x","properties":{"a":{"type":"string","title":"A","default":1,"examples":[1]}}}`,
			after:  `{"$comment":"y","properties":{"a":{"type":"string","description":"B","deprecated":true}}}`,
		},
		"type": {
			reason: "a type that is no longer taken breaks, one that is taken too does not",
			before: `{"properties":{"a":{"type":["string","null"]},"b":{"type":"string"},"c":{"type":"integer"},"d":{"type":"number"},"e":{}}}`,
			after:  `{"properties":{"a":{"type":"string"},"b":{"type":["string","null"]},"c":{"type":"number"},"d":{"type":"string"},"e":{"type":"object"}}}`,
			want: []string{
				`! narrowed a: type was string or null, is string`, `  widened b: type was string, is string or null`, `  widened c: type was integer, is number`,
				`! retyped d: type was number, is string`, `! narrowed e: type was anything, is object`,
			},
		},
		"keys": {
			reason: "a key that went breaks where the schema refuses what it does not name",
			before: `{"properties":{"a":{"properties":{"x":{},"y":{"type":"string"}}},"b":{"properties":{"x":{}}}}}`,
			after:  `{"properties":{"a":{"additionalProperties":false,"properties":{"x":{}}},"b":{"properties":{"y":{"type":"integer"}}}}}`,
			want: []string{
				`! narrowed a.*: keys that the schema does not name are refused now`, `! went a.y: gone, and refused where it is set`,
				`  went b.x: gone: it loses its effect`, `  came b.y: new, integer`,
			},
		},
		"required": {
			reason:   "what the chart's own values have is never missing",
			before:   `{"properties":{"a":{"properties":{"x":{},"y":{},"z":{}},"required":["z"]}}}`,
			after:    `{"properties":{"a":{"properties":{"x":{},"y":{},"z":{}},"required":["x","y"]}}}`,
			defaults: `a: {x: 1, y: null}`,
			want:     []string{`  narrowed a.x: required now; the chart's own values have it`, `! narrowed a.y: required now`, `  widened a.z: no longer required`},
		},
		"enum": {
			reason: "values that went break", before: `{"properties":{"a":{"enum":["x","y"]},"b":{"const":1},"c":{"enum":["x"]},"d":{"enum":["x"]},"e":{"type":"boolean"}}}`,
			after: `{"properties":{"a":{"enum":["y","z"]},"b":{"enum":[1,2]},"c":{"type":"string"},"d":{"type":"string","minLength":2},"e":{"const":true}}}`,
			want: []string{
				`! changed a: values are no longer taken: "x"; what is taken: "y", "z"`, `  widened b: more values are taken: 1`, `  widened c: any value is taken now, and not only "x"`,
				`! changed d: values are no longer taken: "x"`, `! narrowed e: values are no longer taken: false; what is taken: true`,
			},
		},
		"bounds": {
			reason: "tighter bounds break, looser do not",
			before: `{"properties":{"a":{"minimum":1,"maximum":5},"b":{"minLength":1,"maxLength":3},"c":{"exclusiveMinimum":1},"d":{"multipleOf":4},"e":{"type":"integer"},"f":{"type":"string"}}}`,
			after:  `{"properties":{"a":{"minimum":2,"maximum":9},"b":{"maxLength":2},"c":{"minimum":1},"d":{"multipleOf":2},"e":{"type":"integer","multipleOf":1},"f":{"type":"string","minimum":3}}}`,
			want: []string{
				`  widened a: maximum was <= 5, is <= 9`, `! narrowed a: minimum was >= 1, is >= 2`, `! narrowed b: maxLength was 3, is 2`, `  widened b: minLength was 1, is none`,
				`  widened c: minimum was > 1, is >= 1`, `  widened d: multipleOf was 4, is none`,
			},
		},
		"pattern": {
			reason: "one pattern is not put to another", before: `{"properties":{"a":{"pattern":"^x"},"b":{},"c":{"pattern":"^x"}}}`, after: `{"properties":{"a":{"pattern":"^y"},"b":{"pattern":"^x"},"c":{}}}`,
			want: []string{`! changed a: pattern was "^x", is "^y"`, `! narrowed b: pattern was none, is "^x"`, `  widened c: pattern was "^x", is none`},
		},
		"format": {
			reason: "drafts to 7 hold texts to formats, later ones do not", before: `{` + d7 + `"properties":{"a":{},"b":{"format":"uri"}}}`, after: `{` + d7 + `"properties":{"a":{"format":"ipv4"},"b":{"format":"unheard-of"}}}`,
			want: []string{`! narrowed a: format was none, is "ipv4"`, `  widened b: format was "uri", is none`},
		},
		"late format": {reason: "as above", before: `{"properties":{"a":{}}}`, after: `{"properties":{"a":{"format":"ipv4"}}}`},
		"references": {
			reason: "what is referred to is what counts", before: `{"properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"string"}}}`,
			after: `{"properties":{"a":{"allOf":[{"type":"string"},{"$ref":"#/$defs/y"}]}},"$defs":{"y":{"maxLength":3}}}`,
			want:  []string{`! narrowed a: maxLength was none, is 3`},
		},
		"recursive": {
			reason: "a schema that refers to itself is told of once", before: `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"v":{"type":"string"}}}}}`,
			after: `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"v":{"type":"integer"}}}}}`,
			want:  []string{`! retyped v: type was string, is integer`},
		},
		"choices": {
			reason: "branches are put to branches", before: `{"properties":{"a":{"type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]},"c":{"oneOf":[{"type":"string"},{"type":"integer"}]},"d":{"anyOf":[{"minLength":1},{"maxLength":9}]}}}`,
			after: `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"type":["null","string"]},"c":{"oneOf":[{"type":"string"},{"type":"boolean"}]},"d":{"anyOf":[{"minLength":1},{"maxLength":3}]}}}`,
			want: []string{
				`  widened a: type was string, is string or null`, `! retyped c: type was string or integer, is string or boolean`,
				`? narrowed d: the alternatives that the schema gives (anyOf) are others; it cannot be told whether values break`,
			},
		},
		"lists": {
			reason: "items have their own path", before: `{` + d7 + `"properties":{"a":{"items":{"properties":{"x":{"type":"string"}}}},"b":{"items":[{},{}]}}}`,
			after: `{` + d7 + `"properties":{"a":{"items":{"properties":{"x":{"type":"integer"}}},"maxItems":3,"uniqueItems":true},"b":{"items":[{},{"type":"null"}],"additionalItems":false}}}`,
			want: []string{
				`! narrowed a: maxItems was none, is 3`, `! narrowed a: items may no longer be equal`, `! retyped a[].x: type was string, is integer`,
				`! narrowed b[]: no longer allowed`, `! narrowed b[1]: type was anything, is null`,
			},
		},
		"maps": {
			reason: "keys without a name have a star", before: `{"properties":{"a":{"additionalProperties":{"type":"string"}},"b":{"type":"object"},"c":{"patternProperties":{"^x":{"type":"string"}}}}}`,
			after: `{"properties":{"a":{"additionalProperties":{"type":"integer"}},"b":{"additionalProperties":false},"c":{"patternProperties":{"^x":{"type":"integer"},"^y":{"type":"string"}}}}}`,
			want: []string{
				`! retyped a.*: type was string, is integer`, `  widened b: type was object, is anything`, `! narrowed b.*: keys that the schema does not name are refused now`, `! retyped c.*: type was string, is integer`,
			},
		},
		"a map gets names": {
			reason: "keys of a map without names are known, whatever they are", before: `{"properties":{"labels":{"type":"object"}}}`, after: `{"properties":{"labels":{"type":"object","properties":{"tier":{"type":"string"}}}}}`,
			want: []string{`! narrowed labels.tier: type was anything, is string`},
		},
		"all of it": {reason: "false takes nothing", before: `{"properties":{"a":{}}}`, after: `false`, want: []string{`! narrowed .: no longer allowed`}},
		"conditions": {
			reason: "what is not reasoned about is unknown", before: `{"properties":{"a":{}}}`, after: `{"properties":{"a":{"if":{"type":"string"},"then":{"minLength":1}}},"not":{"required":["b"]}}`,
			want: []string{`? narrowed .: what the schema says by "not" is something else; it cannot be told whether values break`, `? narrowed a: what the schema says by "if" is something else; it cannot be told whether values break`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := schema.Compile("before", []byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			b, err := schema.Compile("after", []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, differences(schema.Compare(a, b, parse(t, c.defaults)))); diff != "" {
				t.Errorf("%s: -want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestCorpusDiffersNotFromItself compares the platform's own schemas with themselves, and with themselves after a change in the depth.
func TestCorpusDiffersNotFromItself(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("../shared/corpus is not here: no real schemas to compare")
	}
	err := filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "values.schema.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		a, err := schema.Compile(path, text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := schema.Compile(path, append(text, ' '))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		c := schema.Compare(a, b, nil)
		keys, more := a.Keys()
		t.Logf("%s: %d keys (more: %v), %s", strings.TrimPrefix(path, corpus), len(keys), more, time.Since(start))
		if len(c.Changes) > 0 || c.Cut || len(keys) == 0 {
			t.Errorf("%s differs from itself: %v", path, differences(c))
		}
		changed, err := schema.Compile(path, []byte(strings.ReplaceAll(string(text), `"boolean"`, `"integer"`)))
		if err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		c = schema.Compare(a, changed, nil)
		t.Logf("%d changes after one of types, %s", len(c.Changes), time.Since(start))
		if !c.Breaking() && strings.Contains(string(text), `"boolean"`) {
			t.Errorf("%s: booleans that are integers break nothing", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
