package values

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

func TestMarshal(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     any
		want   string
	}{
		"Scalar":     {"a document can be a scalar", "x", "x\n"},
		"Nothing":    {"nil is null", nil, "null\n"},
		"EmptyMap":   {"an empty map has one spelling", map[string]any{}, "{}\n"},
		"EmptyList":  {"so has an empty list", []any{}, "[]\n"},
		"SortedKeys": {"the same tree writes the same bytes", map[string]any{"b": true, "a": nil, "B": false}, "B: false\na: null\nb: true\n"},
		"Lists": {
			"lists start in their key's column and items on their dash, as kubectl writes them",
			map[string]any{"l": []any{"x", map[string]any{"k": "v", "m": []any{json.Number("1")}}, []any{"z", []any{}}, map[string]any{}}},
			"l:\n- x\n- k: v\n  m:\n  - 1\n- - z\n  - []\n- {}\n",
		},
		"LooksLikeSomethingElse": {
			"text that YAML 1.1 or 1.2 reads as something else gets quotes",
			[]any{"yes", "1", "0x1F", "1e3", "null", "~", "", " x", "a: b", "a #b", "2024-01-02", "12:30:45", "40213e2", ".5", "=", "<<", "off:", "-"},
			"- \"yes\"\n- \"1\"\n- \"0x1F\"\n- \"1e3\"\n- \"null\"\n- \"~\"\n- \"\"\n- \" x\"\n- \"a: b\"\n- \"a #b\"\n- \"2024-01-02\"\n" +
				"- \"12:30:45\"\n- \"40213e2\"\n- \".5\"\n- \"=\"\n- \"<<\"\n- \"off:\"\n- \"-\"\n",
		},
		"PlainText": {
			"ordinary text stays without quotes",
			[]any{"nginx", "10.0.0.1", "100m", "app.kubernetes.io/name", "docker.io/x:1.2", "a b, c", "1.27.3-rc1", "/var/run", "user@host"},
			"- nginx\n- 10.0.0.1\n- 100m\n- app.kubernetes.io/name\n- docker.io/x:1.2\n- a b, c\n- 1.27.3-rc1\n- /var/run\n- user@host\n",
		},
		"Blocks": {
			"text of several lines becomes a block, whose header says how it ends",
			map[string]any{"clip": "a\n# b\n", "strip": "a\n\nb", "keep": "a\n\n", "lead": " a\nb\n", "blank": "a\n \nb\n"},
			"blank: \"a\\n \\nb\\n\"\nclip: |\n  a\n  # b\nkeep: \"a\\n\\n\"\nlead: \" a\\nb\\n\"\nstrip: |-\n  a\n\n  b\n",
		},
		"Numbers": {
			"numbers keep their digits",
			[]any{json.Number("9007199254740993"), json.Number("1.10"), json.Number("-0"), 1.0, 1.5, 1e21, -3, int64(7), uint64(math.MaxUint64), 9.223372036854775807e18},
			"- 9007199254740993\n- 1.10\n- -0.0\n- 1\n- 1.5\n- 1e+21\n- -3\n- 7\n- 18446744073709551615\n- 9.223372036854776e+18\n",
		},
		"Escapes": {
			"what cannot stand in YAML text is escaped",
			"nul\x00 del\x7f nel\u0085 ls\u2028 bom\ufeff tab\t cr\r \"q\" \\ 😀",
			"\"nul\\x00 del\\x7f nel\\x85 ls\\u2028 bom\\ufeff tab\\t cr\\r \\\"q\\\" \\\\ 😀\"\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Marshal(tc.in)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMarshalRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     any
	}{
		"Infinite":     {"JSON has no infinity", math.Inf(1)},
		"NotANumber":   {"nor NaN", math.NaN()},
		"OutOfRange":   {"Helm reads a number beyond float64 as text", json.Number("1e400")},
		"InvalidUTF8":  {"a replacement character is not what was there", "a\xffb"},
		"InvalidKey":   {"in keys too", map[string]any{"a\xffb": 1}},
		"UnknownType":  {"only JSON-like trees are values", struct{ A int }{1}},
		"UnknownBelow": {"at any depth", map[string]any{"a": []any{make(chan int)}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, err := Marshal(tc.in); err == nil {
				t.Errorf("%s: Marshal wrote %q", tc.reason, got)
			}
		})
	}
}

func TestMarshalReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMarshal(t, anyTree(rapid.OneOf(rapid.SampledFrom(hostileStrings()), rapid.String())).Draw(t, "tree"))
	})
}

// anyTree draws trees of every type that Marshal takes.
func anyTree(text *rapid.Generator[string]) *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.Int64(), func(i int64) any { return i }),
		rapid.Map(rapid.Uint64(), func(i uint64) any { return i }),
		rapid.Map(rapid.Float64(), func(f float64) any { b, _ := json.Marshal(f); return json.Number(b) }),
		rapid.Just[any](nil),
	)
	tree := scalar
	for range 3 {
		tree = rapid.OneOf(scalar,
			rapid.Map(rapid.MapOfN(text, tree, 0, 4), func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(tree, 0, 4), func(l []any) any { return l }))
	}
	return tree
}

// checkMarshal holds that Helm's parser reads what Marshal writes as the same tree.
func checkMarshal(t fataler, tree any) {
	t.Helper()
	text, err := Marshal(tree)
	if err != nil {
		t.Fatalf("Marshal: %v\n%#v", err, tree)
	}
	var back any
	if err := yaml.Unmarshal(text, &back); err != nil {
		t.Fatalf("Helm does not read what was written: %v\n%s", err, text)
	}
	if !Equal(floats(tree), floats(back)) {
		t.Fatalf("what was written reads back as another tree:\n%s", text)
	}
	again, err := Marshal(back)
	if err != nil {
		t.Fatalf("Marshal of what was read back: %v", err)
	}
	var third any
	if err := yaml.Unmarshal(again, &third); err != nil || !reflect.DeepEqual(back, third) {
		t.Fatalf("writing twice changes the tree: %v", err)
	}
}

// floats returns a tree with all numbers as the float64 that Helm reads.
func floats(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			out[k] = floats(item)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = floats(item)
		}
		return out
	case json.Number:
		f, _ := x.Float64()
		return f
	case int:
		return float64(x)
	case int64:
		return float64(x)
	case uint64:
		return float64(x)
	}
	return v
}
