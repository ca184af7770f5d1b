package values

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDocumentText(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"Same":      {"a text is what was read", "a: 1 # x\n", "a: 1 # x\n"},
		"LineEnd":   {"with a line end at its end", "a: 1", "a: 1\n"},
		"BlockEnd":  {"unless that would be content", "a: |\n  x", "a: |\n  x"},
		"Clean":     {"without BOM and CR", "\ufeffa: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"},
		"Documents": {"all of it", "a: 1\n---\nb: 2\n", "a: 1\n---\nb: 2\n"},
		"Empty":     {"nothing stays nothing", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc := mustParse(t, tc.text)
			if diff := cmp.Diff(tc.want, doc.Text()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if again := mustParse(t, doc.Text()); !Equal(doc.Values, again.Values) {
				t.Errorf("%s: it reads back as %v", tc.reason, again.Values)
			}
		})
	}
}

func TestFromTree(t *testing.T) {
	got := mustFromTree(t, map[string]any{
		"big": json.Number("9007199254740993"), "huge": json.Number("1e400"), "f": 1.5, "i": int64(3), "yes": "yes", "html": "<&>\u2028", "n": nil,
		"empty": map[string]any{}, "list": []any{},
	})
	want := map[string]any{
		"big": json.Number("9007199254740993"), "huge": "1e400", "f": json.Number("1.5"), "i": json.Number("3"), "yes": "yes", "html": "<&>\u2028", "n": nil,
		"empty": map[string]any{}, "list": []any{},
	}
	if diff := cmp.Diff(want, got.Values); diff != "" {
		t.Errorf("a tree goes through Helm's parser, as Argo CD sends it (-want +got):\n%s", diff)
	}
	if got.Text() != "" {
		t.Errorf("a tree has no text: %q", got.Text())
	}
}

func TestDecodeObject(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   map[string]any
		err    string
	}{
		"Object":  {"numbers keep their digits", "a: 9007199254740993\n", map[string]any{"a": json.Number("9007199254740993")}, ""},
		"JSON":    {"JSON is YAML", `{"a": [true]}`, map[string]any{"a": []any{true}}, ""},
		"Empty":   {"a document without content is nil", "# x\n", nil, ""},
		"List":    {"a list is no object", "- a\n", nil, "o:1:1: the text is no map of keys"},
		"Broken":  {"errors have a place", "a: 1\nb: [\n", nil, "o:2:1: did not find expected node content"},
		"UTF8":    {"text is UTF-8", "a: \xff\n", nil, "o:1:4: the text is not UTF-8; save it as UTF-8"},
		"Aliases": {"aliases are bounded", hugeWithAliases(), nil, "o: with its aliases the text is larger than 64 MiB"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeObject("o", []byte(tc.text))
			message := ""
			if err != nil {
				message = err.Error()
			}
			if diff := cmp.Diff(tc.err, message); diff != "" {
				t.Errorf("%s: error (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// hugeWithAliases is 400 KB that mean 20 GB.
func hugeWithAliases() string {
	return "a: &x " + strings.Repeat("s", 200_000) + "\nb: [" + strings.Repeat("*x,", 100_000) + "]\n"
}

func TestAliasesAreBounded(t *testing.T) {
	laughs := "a0: &a0 [" + strings.Repeat("lol, ", 9) + "]\n"
	for i := 1; i < 12; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	cases := map[string]struct{ reason, text, want string }{
		"BillionLaughs": {"nodes by the billion", laughs, "v: with its aliases the text is larger than 64 MiB"},
		"FewBelow":      {"what Helm's parser refuses stays refused", laughs[:strings.Index(laughs, "a6:")] + "z: 1\n", "v:1:1: document contains excessive aliasing"},
		"LongText":      {"one long text a hundred thousand times", hugeWithAliases(), "v: with its aliases the text is larger than 64 MiB"},
		"MergeKeys":     {"by merge keys too", strings.Replace(hugeWithAliases(), "b: [", "b: [{<<: *x, c: *x},", 1), "v: with its aliases the text is larger than 64 MiB"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := Parse("v", []byte(tc.text))
			if err == nil || err.Error() != tc.want {
				t.Errorf("%s: %v, want %s", tc.reason, err, tc.want)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s: it took %v to refuse", tc.reason, took)
			}
		})
	}
}

func TestSet(t *testing.T) {
	cases := map[string]struct {
		reason  string
		text    string
		set     []Assignment
		want    map[string]any
		custom  string
		managed string
	}{
		"Types": {
			reason: "parameters are typed as --set types them; with String they are text",
			set:    []Assignment{{Name: "a", Value: "1"}, {Name: "b", Value: "true"}, {Name: "c", Value: "1", String: true}, {Name: "d", Value: "null"}, {Name: "e", Value: "1.5"}, {Name: "f", Value: "{x,2}"}},
			want:   map[string]any{"a": json.Number("1"), "b": true, "c": "1", "d": nil, "e": "1.5", "f": []any{"x", json.Number("2")}},
			custom: text("a: 1", "b: true", "c: \"1\"", "d: null", "e: \"1.5\"", "f:", "- x", "- 2"),
		},
		"Look": {
			reason:  "keys that none touches keep their text",
			text:    text("# head", "a:", "  b: 'x' # b", "  c: 1 # c", "d: |", "  y"),
			set:     []Assignment{{Name: "a.c", Value: "2"}, {Name: "a.e[1]", Value: "z"}},
			want:    map[string]any{"a": map[string]any{"b": "x", "c": json.Number("2"), "e": []any{nil, "z"}}, "d": "y\n"},
			managed: "a: {}",
			custom:  text("# head", "a:", "  b: 'x' # b", "  c: 2", "  e:", "  - null", "  - z", "d: |", "  y"),
		},
		"Whole": {
			reason: "of a map that changed in part the other lines stay, and its own",
			text:   text("a: # a", "  b: 'x'", "  c: 1", "d: 'y'"),
			set:    []Assignment{{Name: "a.c", Value: "2"}},
			want:   map[string]any{"a": map[string]any{"b": "x", "c": json.Number("2")}, "d": "y"},
			custom: text("a: # a", "  b: 'x'", "  c: 2", "d: 'y'"),
		},
		"Control": {
			reason: "values that only escapes can hold come through",
			text:   "a: \"\\x7f\\u2028\"\n",
			set:    []Assignment{{Name: "b", Value: "x"}},
			want:   map[string]any{"a": "\x7f\u2028", "b": "x"},
			custom: "a: \"\\x7f\\u2028\"\nb: x\n",
		},
		"Digits": {
			reason:  "a number that took the place of another has its own digits",
			text:    "a: 1e0\n",
			set:     []Assignment{{Name: "a", Value: "2"}},
			want:    map[string]any{"a": json.Number("2")},
			managed: "a: 2",
		},
		"None": {reason: "without assignments nothing changes", text: "a: 1 # x\n", want: map[string]any{"a": json.Number("1")}, custom: "a: 1 # x\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc := mustParse(t, tc.text)
			before := deepCopy(doc.Values)
			got, err := doc.Set(tc.set)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got.Values); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, doc.Values); diff != "" {
				t.Errorf("Set changed its document:\n%s", diff)
			}
			if diff := cmp.Diff(tc.custom, textOf(t, Split(got, mustParse(t, tc.managed)))); diff != "" {
				t.Errorf("%s: custom (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
