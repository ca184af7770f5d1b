package values

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	type tree = map[string]any
	cases := map[string]struct {
		reason   string
		text     string
		want     tree
		warnings []Warning
	}{
		"Empty":            {reason: "a file without text holds no values", text: ""},
		"Comments":         {reason: "nor does one of comments", text: "# nothing\n\n# here\n"},
		"Null":             {reason: "nor does null, which Helm takes for a file", text: "null\n"},
		"EmptyMap":         {reason: "nor does {}", text: "{}"},
		"Tilde":            {reason: "nor does ~ below a separator", text: "---\n~\n"},
		"SeparatorOnly":    {reason: "nor does a separator alone", text: "---\n"},
		"Separator":        {reason: "a document can begin with ---", text: "---\na: 1\n", want: tree{"a": json.Number("1")}},
		"SeparatorRemark":  {reason: "and with a remark on it", text: "--- # first\na: x\n", want: tree{"a": "x"}},
		"Directive":        {reason: "a %YAML directive changes nothing", text: "%YAML 1.1\n---\na: yes\n", want: tree{"a": true}},
		"BOM":              {reason: "editors on Windows write a byte order mark", text: "\ufeffa: 1\n", want: tree{"a": json.Number("1")}},
		"CRLF":             {reason: "and CR LF, which blocks read as LF", text: "a: 1\r\ns: |\r\n  l1\r\n  l2\r\n", want: tree{"a": json.Number("1"), "s": "l1\nl2\n"}},
		"LoneCR":           {reason: "a lone CR is a line break of YAML", text: "a: 1\rb: 2\r", want: tree{"a": json.Number("1"), "b": json.Number("2")}},
		"OtherBreaks":      {reason: "so are U+0085, U+2028 and U+2029 in YAML 1.1", text: "a: 1\u2028b: 2\u0085c: 3\u2029", want: tree{"a": json.Number("1"), "b": json.Number("2"), "c": json.Number("3")}},
		"Words":            {reason: "YAML 1.1's words for booleans are booleans to Helm", text: "a: yes\nb: off\nc: Y\nd: \"yes\"\n", want: tree{"a": true, "b": false, "c": true, "d": "yes"}},
		"WordsAsKeys":      {reason: "as keys too", text: "y: 1\nno: 2\n", want: tree{"true": json.Number("1"), "false": json.Number("2")}},
		"NumberKeys":       {reason: "keys that are numbers become text, floats with 32 bits", text: "8080: a\n1.5: b\n0x10: c\n1.23456789: d\n", want: tree{"8080": "a", "1.5": "b", "16": "c", "1.2345679": "d"}},
		"Dates":            {reason: "dates and times stay text", text: "a: 2024-01-02\nb: 12:30:45\n", want: tree{"a": "2024-01-02", "b": "12:30:45"}},
		"Octal":            {reason: "0777 is octal, 08 is not", text: "a: 0777\nb: 08\nc: 0o17\n", want: tree{"a": json.Number("511"), "b": json.Number("8"), "c": json.Number("15")}},
		"LongNumbers":      {reason: "whole numbers of 64 bits keep their digits", text: "a: 9007199254740993\nb: 18446744073709551615\n", want: tree{"a": json.Number("9007199254740993"), "b": json.Number("18446744073709551615")}},
		"Unquoted":         {reason: "a number out of range is text", text: "a: 1e400\n", want: tree{"a": "1e400"}},
		"ExplicitKey":      {reason: "? writes a key on a line of its own", text: "? a\n: 1\n? b\n", want: tree{"a": json.Number("1"), "b": nil}},
		"Tags":             {reason: "tags that Helm does not know are passed over", text: "a: !secret x\nb: !!str 1\nc: !!int \"7\"\n!<tag:x,2000:y> k: v\n", want: tree{"a": "x", "b": "1", "c": json.Number("7"), "k": "v"}},
		"NonSpecificTag":   {reason: "a lone ! makes text, of a key too", text: "! yes: 1\n! : 2\n", want: tree{"yes": json.Number("1"), "": json.Number("2")}},
		"Alias":            {reason: "an alias is what its anchor is", text: "a: &x {b: 1}\nc: *x\n", want: tree{"a": tree{"b": json.Number("1")}, "c": tree{"b": json.Number("1")}}},
		"AliasAsKey":       {reason: "as a key too", text: "a: &x k\n*x : v\n", want: tree{"a": "k", "k": "v"}},
		"MergeKey":         {reason: "a merge key brings what its own keys below it do not say", text: "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", want: tree{"a": tree{"b": json.Number("1"), "c": json.Number("2")}, "d": tree{"b": json.Number("1"), "c": json.Number("3")}}},
		"MergeKeyBelow":    {reason: "Helm's parser merges where the merge key stands: it wins over keys above it", text: "a: &x {c: 2}\nd:\n  c: 3\n  <<: *x\n", want: tree{"a": tree{"c": json.Number("2")}, "d": tree{"c": json.Number("2")}}},
		"QuotedMergeKey":   {reason: "in quotes << is a key like any other", text: "\"<<\": {a: 1}\n", want: tree{"<<": tree{"a": json.Number("1")}}},
		"SecondDocument":   {reason: "Helm 3 reads the first document", text: "a: 1\n---\nb: 2\n", want: tree{"a": json.Number("1")}, warnings: []Warning{{3, 1, "a further document starts here; Helm 3 reads the first one only"}}},
		"DocumentEnd":      {reason: "... ends it", text: "a: 1\n...\n# done\n", want: tree{"a": json.Number("1")}},
		"EmptySecond":      {reason: "a separator at the end starts nothing", text: "a: 1\n---\n# nothing\n", want: tree{"a": json.Number("1")}},
		"IndentedDashes":   {reason: "--- inside a block is text", text: "a: |\n  ---\n  b: 1\n", want: tree{"a": "---\nb: 1\n"}},
		"DuplicateKeys":    {reason: "of duplicate keys the last counts, whole", text: "a: {b: 1}\nc: 0\na: {d: 2}\n", want: tree{"a": tree{"d": json.Number("2")}, "c": json.Number("0")}, warnings: []Warning{{3, 1, `this key stands on line 1 and again on line 3; Helm takes the last one whole`}}},
		"DuplicateBelow":   {reason: "at any depth", text: "l:\n- x:\n    k: 1\n    k: 2\n", want: tree{"l": []any{tree{"x": tree{"k": json.Number("2")}}}}, warnings: []Warning{{4, 5, `this key stands on line 3 and again on line 4; Helm takes the last one whole`}}},
		"DuplicateSpelled": {reason: "in another spelling too", text: "16: a\n0x10: b\n", want: tree{"16": "b"}, warnings: []Warning{{2, 1, `this key stands on line 1 and again on line 2; Helm takes the last one whole`}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc, err := Parse("values.yaml", []byte(tc.text))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			want := tc.want
			if want == nil {
				want = tree{}
			}
			if diff := cmp.Diff(want, doc.Values); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.warnings, doc.Warnings); diff != "" {
				t.Errorf("%s: warnings (-want +got):\n%s", tc.reason, diff)
			}
			if doc.MoreDocuments != (name == "SecondDocument") {
				t.Errorf("%s: MoreDocuments is %v", tc.reason, doc.MoreDocuments)
			}
			helm, err := helmReads([]byte(tc.text))
			if err != nil {
				t.Fatalf("Helm refuses it: %v", err)
			}
			if diff := cmp.Diff(Plain(helm), Plain(doc.Values)); diff != "" {
				t.Errorf("Helm reads another tree (-helm +ours):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	cases := map[string]struct {
		reason string
		text   string
		want   string
	}{
		"Tab":             {"a tab does not indent", "a:\n\tb: 1\n", "v:2:1: a tab stands where YAML wants spaces"},
		"TabOnFirstLine":  {"the parser names no line for its first", "\ta: 1\n", "v:1:1: a tab stands where YAML wants spaces"},
		"TabInsideLine":   {"the tab is pointed at, not the line's beginning", "a:\n  b:\n  \t- c\n", "v:3:3: a tab stands where YAML wants spaces"},
		"UTF8":            {"a replacement character would be another value", "a: x\nb: \"\xff\"\n", "v:2:5: the text is not UTF-8; save it as UTF-8"},
		"UTF16":           {"Helm would read UTF-16; nothing in a cluster holds it", "\xff\xfea\x00", "v:1:1: the text is not UTF-8; save it as UTF-8"},
		"Control":         {"control characters need escapes", "a: x\nb: \"\x00\"\n", "v:1:1: control characters are not allowed"},
		"NullKey":         {"a null is no key", "a: 1\n~: x\n", "v:2:1: a map has a null key; Helm takes text, numbers and booleans as keys"},
		"EmptyKey":        {"nor is nothing", "a:\n  ? \n  : x\n", "v:2:4: a map has a null key; Helm takes text, numbers and booleans as keys"},
		"ListKey":         {"a list is no key", "a:\n  [x, y]: z\n", "v:2:3: a map has a list or a map as a key; Helm takes text, numbers and booleans"},
		"MapKey":          {"nor is a map; it is what {{ }} without quotes is", "a: {{ .Values.x }}\n", "v:1:5: a map has a list or a map as a key; Helm takes text, numbers and booleans"},
		"LongKey":         {"numbers beyond 63 bits are keys to YAML only", "18446744073709551615: x\n", "v:1:1: a map has a key of a kind that Helm does not take; it takes text, numbers up to 63 bits and booleans"},
		"TypesOfOneKey":   {"Helm would take one of them at random", "tcp:\n  8080: a\n  \"8080\": b\n", "v:3:3: this key stands on line 2 and, with another type, on line 3; Helm takes one of them at random: remove one"},
		"TypesOfOneWord":  {"booleans too", "yes: a\n\"true\": b\n", "v:2:1: this key stands on line 1 and, with another type, on line 2; Helm takes one of them at random: remove one"},
		"TypesByTag":      {"a lone ! makes text of a number", "0: a\n! 0: b\n", "v:2:1: this key stands on line 1 and, with another type, on line 2; Helm takes one of them at random: remove one"},
		"FloatAndInt":     {"1.0 and 1 are two keys to YAML and one to JSON", "1: a\n1.0: b\n", "v:2:1: this key stands on line 1 and, with another type, on line 2; Helm takes one of them at random: remove one"},
		"NotANumberTwice": {"NaN is not even itself", ".nan: a\n.NaN: b\n", "v:2:1: this key stands on line 1 and, with another type, on line 2; Helm takes one of them at random: remove one"},
		"List":            {"values are a map", "- a\n- b\n", "v:1:1: the text is no map of keys"},
		"Text":            {"not text", "# head\nhello\n", "v:2:1: the text is no map of keys"},
		"Infinite":        {"JSON has no infinity", "a: 1\nb: .inf\n", "v:2:4: a number is infinite or not a number; Helm cannot hold it"},
		"NotANumber":      {"nor NaN", "a: [1, -.nan, .NaN]\n", "v:1:15: a number is infinite or not a number; Helm cannot hold it"},
		"Indentation":     {"keys of one map stand in one column", "a: 1\n b: 2\n", "v:2:2: mapping values are not allowed in this context"},
		"AtTheEnd":        {"no line is told behind the last one", "a: \nb", "v:2:1: could not find expected ':'"},
		"Unclosed":        {"brackets close", "a: [1, 2\nb: 3\n", "v:1:1: did not find expected ',' or ']'"},
		"LongSimpleKey":   {"a colon stands within 1,024 characters of its key", strings.Repeat("k", 1025) + ": 1\n", "v:1:1: mapping values are not allowed in this context"},
		"UnknownAlias":    {"a password that begins with * looks like an alias: its text is not shown", "a: 1\nb: *hunter2\n", "v:2:4: unknown anchor referenced; text that begins with \"*\" needs quotes"},
		"AliasOfItself":   {"a tree has an end", "a: &x\n  b: *x\n", "v:2:6: anchor value contains itself; text that begins with \"*\" needs quotes"},
		"MergeOfText":     {"only maps merge", "a: &x text\nb:\n  <<: *x\n", "v:1:1: map merge requires map or sequence of maps as the value"},
		"WrongTag":        {"a tag that does not fit is refused; the value is not shown", "a: 1\nb: !!int s3cr3t`x\n", "v:2:4: cannot decode !!str (a value) as a !!int"},
		"Base64":          {"binary is base64", "b: !!binary \"%\"\n", "v:1:4: !!binary value contains invalid base64 data"},
		"NewerVersion":    {"YAML 1.2 is refused by Helm's parser", "%YAML 1.2\n---\na: 1\n", "v:1:1: found incompatible YAML document"},
		"Deep":            {"10,001 levels are an error, not a crash", "a: " + deep, "v:1:1: exceeded max depth of 10000"},
		"DeepBlocks":      {"of blocks too", "a:\n" + strings.Repeat("- ", 10_001) + "b\n", "v:2:1: exceeded max depth of 10000"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("v", []byte(tc.text))
			if err == nil {
				t.Fatalf("%s: Parse took it", tc.reason)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			var at *Error
			if !errors.As(err, &at) {
				t.Errorf("the error is a %T, not an *Error", err)
			}
		})
	}
}
