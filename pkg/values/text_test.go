package values

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text joins lines, so that tables can show what stands in which column.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestTextKeepsComments(t *testing.T) {
	cases := map[string]textCase{
		"Head": {
			reason:  "a comment at the top that stands apart stays, whatever the first key is",
			live:    text("# About all of it.", "", "# about a", "a: 1", "b: 2 # two"),
			managed: "a: 1",
			custom:  text("# About all of it.", "", "b: 2 # two"),
		},
		"Above": {
			reason:  "comments right above a key go with it",
			live:    text("# about a", "a: 1", "# about b,", "# more", "b: 2", "# about c", "c: 3"),
			managed: "a: 1\nc: 3",
			custom:  text("# about b,", "# more", "b: 2"),
		},
		"Maps": {
			reason:  "so do those above the maps that it stands in",
			live:    text("# outer", "a: # on it", "  # inner", "  b:", "    # cut", "    c: 1", "    # kept", "    d: 2", "  e: 3"),
			managed: "a: {b: {c: 1}, e: 3}",
			custom:  text("# outer", "a: # on it", "  # inner", "  b:", "    # kept", "    d: 2"),
		},
		"CommentedOut": {
			reason:  "keys that are commented out below a key stay with it",
			live:    text("a:", "  b: 1", "  # c: 2", "  # d:", "  #   e: 3", "", "f: 4"),
			managed: "f: 4",
			custom:  text("a:", "  b: 1", "  # c: 2", "  # d:", "  #   e: 3"),
		},
		"CommentedOutFirst": {
			reason:  "above the first key of a map they belong to the map",
			live:    text("a:", "    # old: 1", "", "  # about b", "  b: 2", "  c: 3"),
			managed: "a: {c: 3}",
			custom:  text("a:", "    # old: 1", "", "  # about b", "  b: 2"),
		},
		"Apart": {
			reason:  "a comment between two keys, with an empty line below it, belongs to the key above",
			live:    text("a: 1", "# section", "", "b: 2", "c: 3", "# end", ""),
			managed: "b: 2",
			custom:  text("a: 1", "# section", "", "c: 3", "# end"),
		},
		"Foot": {
			reason:  "a comment at the end belongs to the last key",
			live:    text("a: 1", "b: 2", "", "# the end"),
			managed: "a: 1",
			custom:  text("b: 2", "", "# the end"),
		},
		"Lists": {
			reason:  "lists are kept whole with their comments",
			live:    text("l:", "# first", "- a # one", "", "# second", "- b:", "  # deep", "  - c"),
			managed: "l: []",
			custom:  text("l:", "# first", "- a # one", "", "# second", "- b:", "  # deep", "  - c"),
		},
		"InBlock": {
			reason:  "lines of a block that look like comments, keys or separators are text, beside keys that are cut",
			live:    text("a:", "  b: |", "    # not a comment", "    key: value", "    ---", "  # about c", "  c: 1", "d: |", " # neither", " e: 5", "e: 6"),
			managed: "a: {c: 1}\ne: 6",
			custom:  text("a:", "  b: |", "    # not a comment", "    key: value", "    ---", "d: |", " # neither", " e: 5"),
		},
		"InBlockOfCut": {
			reason:  "and go with their block when that is cut",
			live:    text("a:", "  b: |", "    x", "    # not a comment", "  # about c", "  c: 1"),
			managed: "a: {b: \"x\\n# not a comment\\n\"}",
			custom:  text("a:", "  # about c", "  c: 1"),
		},
		"InQuotesAtTheMargin": {
			reason:  "a line of quoted text can begin with # at the margin, and go with its text",
			live:    text("a: \"x", "# not a comment\"", "b: 'y", "# it''s none", "  either'", "# one", "c: 1"),
			managed: text("a: \"x # not a comment\"", "b: \"y # it's none either\""),
			custom:  text("# one", "c: 1"),
		},
		"InQuotesAtTheMarginKept": {
			reason:  "and stay with it",
			live:    text("a: \"x \\\"", "# not a comment\"", "# cut", "b: 2"),
			managed: "b: 2",
			custom:  text("a: \"x \\\"", "# not a comment\""),
		},
		"OfDuplicate": {
			reason:  "of duplicate keys the lines of the one that counts stay",
			live:    text("# first", "a: 1", "b: 2", "# last", "a: 3"),
			managed: "b: 2",
			custom:  text("# last", "a: 3"),
		},
	}
	runTextCases(t, cases)
}

func TestTextKeepsLooks(t *testing.T) {
	cases := map[string]textCase{
		"Quotes": {
			reason:  "quotes stay as they are, of keys too",
			live:    text("'a': 'it''s'", "\"b\": \"\\u00e9 \\\\\"", "c: plain text", "d: \"1\"", "cut: x"),
			managed: "cut: x",
			custom:  text("'a': 'it''s'", "\"b\": \"\\u00e9 \\\\\"", "c: plain text", "d: \"1\""),
		},
		"Blocks": {
			reason:  "block scalars stay, with all their headers",
			live:    text("a: |", "  x", "b: |-", "  x", "c: |+", "  x", "", "d: >", "  x", "  y", "e: >-", "  x", "f: |2-", "    x", "   y", "g: |+2 # remark", "   x", "", "", "cut: 1"),
			managed: "cut: 1",
			custom:  text("a: |", "  x", "b: |-", "  x", "c: |+", "  x", "", "d: >", "  x", "  y", "e: >-", "  x", "f: |2-", "    x", "   y", "g: |+2 # remark", "   x", "", ""),
		},
		"BlockCutAbove": {
			reason:  "empty lines that a block keeps are its own",
			live:    text("a: |+", "  x", "", "", "b: 1", "c: |+", "", "d: 2"),
			managed: "b: 1\nd: 2",
			custom:  text("a: |+", "  x", "", "", "c: |+", ""),
		},
		"BlockEndsInSpaces": {
			reason:  "a line of spaces can be text",
			live:    "a: |1-\n  x\n   \nb: 2\n",
			managed: "b: 2",
			custom:  "a: |1-\n  x\n   \n",
		},
		"BlockWithoutLineEnd": {
			reason:  "a line end at the end of a text would be content of its last block",
			live:    "cut: 1\na: |\n  # x\n  y",
			managed: "cut: 1",
			custom:  "a: |\n  # x\n  y",
		},
		"WithoutLineEnd": {
			reason:  "elsewhere it is put there",
			live:    "cut: 1\na: 2 # two",
			managed: "cut: 1",
			custom:  "a: 2 # two\n",
		},
		"Indentation": {
			reason:  "each map keeps its own indentation",
			live:    text("a:", "    b:", "     c: 1", "     x: 0", "d:", " e:", "         f: 2", " x: 0", "l:", "    -   m: 1", "        n: 2"),
			managed: text("a: {b: {x: 0}}", "d: {x: 0}"),
			custom:  text("a:", "    b:", "     c: 1", "d:", " e:", "         f: 2", "l:", "    -   m: 1", "        n: 2"),
		},
		"Order": {
			reason:  "keys stay in the order of the text",
			live:    text("z: 1", "m: 2", "a:", "  y: 1", "  b: 2"),
			managed: "m: 2",
			custom:  text("z: 1", "a:", "  y: 1", "  b: 2"),
		},
		"EmptyLines": {
			reason:  "empty lines inside an entry stay; those between entries go with what is cut",
			live:    text("", "", "a:", "", "  b: 1", "", "  c: 2", "", "", "d: 3", "", "e: 4", ""),
			managed: "d: 3",
			custom:  text("a:", "", "  b: 1", "", "  c: 2", "e: 4"),
		},
		"Numbers": {
			reason:  "numbers keep their digits and spelling",
			live:    text("a: 9007199254740993", "b: 1.10", "c: 0x1F", "d: 1_000", "e: 12345678901234567890123", "f: 0755", "g: 1e3", "h: .5", "cut: 1"),
			managed: "cut: 1",
			custom:  text("a: 9007199254740993", "b: 1.10", "c: 0x1F", "d: 1_000", "e: 12345678901234567890123", "f: 0755", "g: 1e3", "h: .5"),
		},
		"NumbersByDigit": {
			reason:  "digits that a float64 has no room for are a difference",
			live:    text("a: 12345678901234567890123", "b: 123456789012345678901", "c: 9007199254740993.0", "d: [0.10000000000000000001]", "e: {f: 1e-400}", "same: 1.10"),
			managed: text("a: 12345678901234567890124", "b: 123456789012345678902", "c: 9007199254740992", "d: [0.1]", "e: {f: 0}", "same: 11e-1"),
			custom:  text("a: 12345678901234567890123", "b: 123456789012345678901", "c: 9007199254740993.0", "d: [0.10000000000000000001]", "e:", "  f: 1e-400"),
		},
		"NegativeZero": {
			reason:  "a float's zero has a sign that templates print; an integer's has none",
			live:    text("a: -0.0", "b: -0"),
			managed: text("a: 0", "b: 0"),
			custom:  text("a: -0.0"),
		},
		"FlowPartly": {
			reason:  "of a flow map in parts the parts are written anew, with their own quotes and numbers",
			live:    text("# why", "a: {cut: 1, b: 'x', c: 0x10, d: {e: [\"y\", 1_0]}, \"f\": \"l1\\nl2\"}", "g: {h: 1} # whole"),
			managed: "a: {cut: 1}",
			custom:  text("# why", "a:", "  b: 'x'", "  c: 0x10", "  d:", "    e:", "    - \"y\"", "    - 1_0", "  \"f\": \"l1\\nl2\"", "g: {h: 1} # whole"),
		},
		"FlowColon": {
			reason:  "text that is plain in flow style only gets quotes",
			live:    text("a: {cut: 1, b: x:}"),
			managed: "a: {cut: 1}",
			custom:  text("a:", "  b: \"x:\""),
		},
		"FlowPartlyFoot": {
			reason:  "comments below it stay",
			live:    text("a: {cut: 1, b: '#', c: \"x", "# no\"}", "# below", "", "# more", "", "d: 2"),
			managed: "a: {cut: 1}",
			custom:  text("a:", "  b: '#'", "  c: \"x # no\"", "# below", "", "# more", "", "d: 2"),
		},
		"FlowOverLines": {
			reason:  "flow collections over several lines, at the margin too, stay when they are whole",
			live:    text("a: {b: 1,", "# in it", "c: 2", "}", "d: [x,", "  y]", "cut: 1"),
			managed: "cut: 1",
			custom:  text("a: {b: 1,", "# in it", "c: 2", "}", "d: [x,", "  y]"),
		},
		"OverLines": {
			reason:  "plain and quoted text over several lines stays, at the margin too",
			live:    text("a: x", "  y", "b: \"x", "y: z\"", "c: 'p", "", " q'", "cut: 1"),
			managed: "cut: 1",
			custom:  text("a: x", "  y", "b: \"x", "y: z\"", "c: 'p", "", " q'"),
		},
		"Templates": {
			reason:  "template expressions are text",
			live:    text("a: '{{ .Values.x }}'", "b: |", "  {{- if .x }}", "  y", "  {{- end }}", "c: x{{ .y }}"),
			managed: "",
			custom:  text("a: '{{ .Values.x }}'", "b: |", "  {{- if .x }}", "  y", "  {{- end }}", "c: x{{ .y }}"),
		},
		"Separator": {
			reason:  "separators, directives and further documents go",
			live:    text("%YAML 1.1", "# head", "---", "a: 1 # one", "---", "b: 2"),
			managed: "",
			custom:  text("# head", "a: 1 # one"),
		},
		"TagsAndAnchors": {
			reason:  "tags and anchors in kept lines stay",
			live:    text("a: !!str 1", "b: &x [1]", "c: !local y", "d: !!map &m", "  e: 1", "  cut: 1"),
			managed: "d: {cut: 1}",
			custom:  text("a: !!str 1", "b: &x [1]", "c: !local y", "d: !!map &m", "  e: 1"),
		},
		"WideCharacters": {
			reason:  "columns count characters, not bytes",
			live:    text("é: {cut: 1, ü: 'ö', 日本: \"😀\"}"),
			managed: "é: {cut: 1}",
			custom:  text("é:", "  ü: 'ö'", "  日本: \"😀\""),
		},
		"ExplicitKeys": {
			reason:  "keys after a question mark keep it",
			live:    text("? a", ": 1", "# two", "? b", ": 2 # two"),
			managed: "a: 1",
			custom:  text("# two", "? b", ": 2 # two"),
		},
		"LongKey": {
			reason:  "one too long for a colon needs it",
			live:    text("? "+strings.Repeat("k", 1100), ": 1", "cut: 1"),
			managed: "cut: 1",
			custom:  text("? "+strings.Repeat("k", 1100), ": 1"),
		},
		"TypeChanged": {
			reason:  "a whole map in the place of a scalar stays as it is",
			live:    text("a:", "  b: 1 # one", "  c: {}"),
			managed: "a: off",
			custom:  text("a:", "  b: 1 # one", "  c: {}"),
		},
	}
	runTextCases(t, cases)
}

func TestTextWritesAnew(t *testing.T) {
	cases := map[string]textCase{
		"Alias": {
			reason:    "an alias whose anchor can be cut is written out; what has none stays",
			live:      text("base: &b", "  x: '1'", "# kept", "a: *b # of it", "c: 2 # two"),
			managed:   "base: {x: '1'}",
			custom:    text("# kept", "a:", "  x: \"1\"", "c: 2 # two"),
			rewritten: true,
		},
		"AliasBelow": {
			reason:  "with all that it stands in",
			live:    text("base: &b x", "a:", "  l: [*b]", "  k: 'q'", "cut: 1"),
			managed: "base: x\ncut: 1",
			custom:  text("a:", "  l:", "  - x", "  k: 'q'"),
		},
		"FlowPartlyRemark": {
			reason:    "a flow map that is kept in part loses the comments inside",
			live:      text("a: {cut: 1, b: 2} # why", "c: {cut: 1, # why", "  b: 2}", "d: {cut: 1, b: '# no'}"),
			managed:   "a: {cut: 1}\nc: {cut: 1}\nd: {cut: 1}",
			custom:    text("a:", "  b: 2", "c:", "  b: 2", "d:", "  b: '# no'"),
			rewritten: true,
		},
		"MergeKey": {
			reason:    "a map with a merge key is written out, sorted",
			live:      text("base: &b {x: 1, z: 2}", "a:", "  # gone", "  <<: *b", "  z: 3"),
			managed:   "base: {x: 1, z: 2}",
			custom:    text("a:", "  x: 1", "  z: 3"),
			rewritten: true,
		},
		"MergeKeyAtTheRoot": {
			reason:    "at the root that is all of the text",
			live:      text("a: &a {b: 1}", "# lost", "<<: *a", "c: 'x'"),
			managed:   "c: 'x'",
			custom:    text("a:", "  b: 1", "b: 1"),
			rewritten: true,
		},
		"FlowRoot": {
			reason:    "values in flow style, such as JSON, have no lines of their own",
			live:      `{"a": {"b": [1, "x"]}, "cut": 1}`,
			managed:   "cut: 1",
			custom:    text("\"a\":", "  \"b\":", "  - 1", "  - \"x\""),
			rewritten: true,
		},
		"OtherBreaks": {
			reason:    "a text with other line breaks than LF has no lines that can be cut",
			live:      "a: 'x'\u2028b: 2 # two\ncut: 1\n",
			managed:   "cut: 1",
			custom:    text("a: x", "b: 2"),
			rewritten: true,
		},
	}
	runTextCases(t, cases)
}

type textCase struct {
	reason        string
	live, managed string
	custom        string
	rewritten     bool
}

func runTextCases(t *testing.T, cases map[string]textCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			live, managed := mustParse(t, tc.live), mustParse(t, tc.managed)
			got, err := Split(live, managed).Text()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.custom, string(got.Bytes)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got.Rewritten != tc.rewritten {
				t.Errorf("%s: Rewritten is %v", tc.reason, got.Rewritten)
			}
			checkSplit(t, live, managed)
		})
	}
}
