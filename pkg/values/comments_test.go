package values

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestComments(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Everywhere": {
			"secrets hide in comments: each is given with its line",
			text("# head", "x: 1", "# above a", "# more", "a: # of a", "  # in a", "  b: 1 # of b", "  # foot", "y: 1", "c: [1, # in flow", "  2]", "", "# the end"),
			[]string{"1 # head", "3 # above a|# more|# of a|  # in a|# of b|  # foot", "10 # in flow", "13 # the end"},
		},
		"Block": {
			"what is commented out line by line is one, empty lines and all",
			text("a: 1", "# kind: Secret", "", "# stringData:", " ", "#   x: 1", "", "b: 2", "# other"),
			[]string{"2 # kind: Secret||# stringData:||#   x: 1", "9 # other"},
		},
		"Nodes": {
			"wherever the parser puts its lines",
			text("a:", "  b: 1", "  # auth:", "", "#   password: |", "  #     x", "c: 2"),
			[]string{"3   # auth:||#   password: ||  #     x"},
		},
		"Quotes":     {"what only looks like one is text", text("a: 'x # y'", "b: \"", "  # z \\\" # z", "  \"", "c: x#y", "'d # e': 'it''s # f", "", "  # g' # h"), []string{"8 # h"}},
		"Apostrophe": {"a quote inside of text opens none", text("a: it's # x", "b: don't # y"), []string{"1 # x|# y"}},
		"Scalars": {
			"a block scalar ends with its indentation",
			text("b: | # head", "", "  # z", "   # z", "# one", "c: |2- # two", "    # z", "  # z", " # three", "d: >", "    # z", "", "    z", "  # four"),
			[]string{"1 # head", "5 # one|# two", "9  # three", "14   # four"},
		},
		"EmptyScalar": {"one without text has no lines", text("a: |", "", "# x", "b: |1", "   ", "# y", "c: ''"), []string{"3 # x", "6 # y"}},
		"Items":       {"in lists too", text("- |", " # z", " z", "# x", "- - 'a # b' # c", "  # y"), nil},
		"Properties": {
			"an anchor and a tag can stand before a text",
			text("a: &x !!str 'b # c' # d", "e: &y # f", "  # g", "  'h # i'", "j: !!str &z |", "  # k", "l: *x # m"),
			[]string{"1 # d|# f|  # g", "7 # m"},
		},
		"Close":      {"a comment can follow right behind quotes and commas", text("{a: 'b'#c", ",#d", "'e # f': g}"), []string{"1 #c|#d"}},
		"Directives": {"directives have some", text("%YAML 1.1 # one", "%TAG ! tag:x,2000: # two", "--- # three", "a: 1"), []string{"1 # one|# two|# three"}},
		"Only":       {"a text of comments alone has them too", text("# one", "  # two"), []string{"1 # one|  # two"}},
		"Below":      {"so has what stands below the first document", text("a: 1", "... # one", "---", "b: 2 # two"), []string{"2 # one", "4 # two"}},
		"Twice":      {"the same comment twice is two", text("# x", "a: 'b # x' # x"), []string{"1 # x|# x"}},
		"Nothing":    {"and nothing has none", "", nil},
		"NullRoot":   {"null can have some", text("--- # one", "null # two"), []string{"1 # one|# two"}},
		"Wide":       {"columns count characters", text("'\u00e9\u20ac\U0001F511 # x': 'y # z' # one"), []string{"1 # one"}},
		"Breaks":     {"lines end where YAML ends them", "a: 'x # y' # one\u2028b: 'z\u0085# z' # two\r# three", []string{"1 # one", "3 # two|# three"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			body := tc.text
			if name == "Items" {
				body = "items:\n" + body
				tc.want = []string{"5 # x|# c|  # y"}
			}
			var got []string
			mustParse(t, body).Comments(func(line int, comment string) {
				got = append(got, fmt.Sprint(line, " ", strings.ReplaceAll(comment, "\n", "|")))
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestCommentsAreThoseOfTheParser compares with the comments that the parser keeps, of texts of which it keeps them all.
func TestCommentsAreThoseOfTheParser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkComments(t, drawText(t, hostileSpec().drawMap(t, 0)))
	})
}

func TestCommentsOfCharts(t *testing.T) {
	charts := filepath.Join("..", "..", "..", "shared", "corpus", "charts")
	if _, err := os.Stat(charts); err != nil {
		t.Skipf("no recorded platform beside the checkout: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(charts, "*", "values.yaml"))
	if err != nil || len(files) < 40 {
		t.Fatalf("only %d charts have values: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkComments(t, string(text))
	}
}

// dropped is a comment that stands apart from all keys in generated texts. The parser loses it at times.
const dropped = "# old: value"

// checkComments holds that each line of comment that the parser keeps is found, with its line, and nothing else.
func checkComments(t fataler, text string) {
	t.Helper()
	doc, err := Parse("v", []byte(text))
	if err != nil || doc.document == nil {
		return
	}
	got := map[string]int{}
	lines := yamlLines(doc.text)
	doc.Comments(func(line int, comment string) {
		for i, c := range strings.Split(comment, "\n") {
			if at := line - 1 + i; at >= len(lines) || !strings.HasSuffix(lines[at], c) {
				t.Fatalf("line %d does not hold the comment that it should hold:\n%s", at+1, text)
			}
			if c = strings.TrimSpace(c); c != "" {
				got[c]++
			}
		}
	})
	for _, c := range keptComments(doc.document, nil) {
		if got[c]--; got[c] < 0 {
			t.Fatalf("the parser has a comment %q that was not found in:\n%s", c, text)
		}
	}
	for c, n := range got {
		if n > 0 && c != dropped && !doc.MoreDocuments {
			t.Fatalf("the parser takes %q for no comment in:\n%s", c, text)
		}
	}
}

func keptComments(n *yamlv3.Node, out []string) []string {
	for _, comment := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.SplitSeq(comment, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	for _, c := range n.Content {
		out = keptComments(c, out)
	}
	return out
}

// TestCommentsTakeLinearTime reads a text of one line with very many quotes.
func TestCommentsTakeLinearTime(t *testing.T) {
	doc := mustParse(t, `{"list": [`+strings.Repeat(`"x # y", `, 100_000)+`"z"]} # end`+"\n")
	began := time.Now()
	var got []string
	doc.Comments(func(_ int, comment string) { got = append(got, comment) })
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if diff := cmp.Diff([]string{"# end"}, got); diff != "" {
		t.Errorf("quoted text holds no comment (-want +got):\n%s", diff)
	}
}
