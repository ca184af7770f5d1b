package values

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPathString(t *testing.T) {
	cases := map[string]struct {
		reason string
		path   Path
		want   string
	}{
		"Root":    {"the root is a dot", nil, "."},
		"Keys":    {"keys are joined by dots", Path{}.Key("controller").Key("env"), "controller.env"},
		"Items":   {"list items are in brackets", Path{}.Key("env").Index(2).Key("value"), "env[2].value"},
		"Dots":    {"keys that hold a dot are quoted", Path{}.Key("podAnnotations").Key("prometheus.io/scrape"), `podAnnotations["prometheus.io/scrape"]`},
		"Leading": {"also the first", Path{}.Key("a.b").Key("c"), `["a.b"].c`},
		"Empty":   {"an empty key is a key", Path{}.Key("").Key("x"), `[""].x`},
		"Number":  {"a key that is a number is no index", Path{}.Key("tcp").Key("8080"), "tcp.8080"},
		"Hostile": {"what a terminal would act on is escaped", Path{}.Key("a\x1b[2J\n"), `["a\x1b[2J\n"]`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.path.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPathsDoNotShare(t *testing.T) {
	base := Path{}.Key("a").Key("b").Key("c")
	x, y := base.Key("x"), base.Key("y")
	if x.String() != "a.b.c.x" || y.String() != "a.b.c.y" || base.String() != "a.b.c" {
		t.Errorf("one path's key overwrote another's: %s, %s, %s", base, x, y)
	}
}

func TestPathCompareIsAnOrder(t *testing.T) {
	step := rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "10", "9"}), func(k string) Step { return Step{Key: k} }),
		rapid.Map(rapid.IntRange(0, 12), func(i int) Step { return Step{Index: i, IsIndex: true} }))
	path := rapid.Map(rapid.SliceOfN(step, 0, 3), func(s []Step) Path { return s })
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := path.Draw(t, "a"), path.Draw(t, "b"), path.Draw(t, "c")
		switch {
		case a.Compare(b) != -b.Compare(a):
			t.Fatalf("Compare of %s and %s has no sign", a, b)
		case a.Compare(b) <= 0 && b.Compare(c) <= 0 && a.Compare(c) > 0:
			t.Fatalf("Compare is not transitive over %s, %s, %s", a, b, c)
		case (a.Compare(b) == 0) != slices.Equal(a, b):
			t.Fatalf("Compare takes %#v and %#v for one path, or one for two", a, b)
		case a.HasPrefix(b) != (len(b) <= len(a) && slices.Equal(a[:min(len(a), len(b))], b)):
			t.Fatalf("HasPrefix of %s and %s", a, b)
		}
	})
}

func TestPosition(t *testing.T) {
	doc := mustParse(t, text(
		"# head", "a:", "  b: &x", "    c: 1", "  \"d e\": [p, {q: r}]", "l:", "- - x", "  - y", "- z: 1", "m: *x", "o:", "  <<: *x", "8080: v", "dup: 1", "dup: 2", "é: {ü: 1}"))
	cases := map[string]struct {
		reason       string
		path         Path
		line, column int
	}{
		"Root":       {"the root is where its first key stands", nil, 2, 1},
		"Key":        {"a key is where it begins", Path{}.Key("a").Key("b"), 3, 3},
		"Deep":       {"at any depth", Path{}.Key("a").Key("b").Key("c"), 4, 5},
		"Quoted":     {"quotes begin a key", Path{}.Key("a").Key("d e"), 5, 3},
		"Flow":       {"in flow style too", Path{}.Key("a").Key("d e").Index(1).Key("q"), 5, 15},
		"Item":       {"a list item is where its value begins", Path{}.Key("l").Index(0).Index(1), 8, 5},
		"MapItem":    {"and its key there", Path{}.Key("l").Index(1).Key("z"), 9, 3},
		"Alias":      {"through an alias one comes to the anchor's text", Path{}.Key("m").Key("c"), 4, 5},
		"MergeKey":   {"through a merge key too", Path{}.Key("o").Key("c"), 4, 5},
		"Number":     {"keys are as Helm reads them", Path{}.Key("8080"), 13, 1},
		"Duplicate":  {"of duplicates it is the one that counts", Path{}.Key("dup"), 15, 1},
		"Missing":    {"a key that is missing is where its map is", Path{}.Key("a").Key("b").Key("z").Key("y"), 3, 3},
		"OutOfRange": {"so is an item that is missing", Path{}.Key("l").Index(7), 6, 1},
		"Negative":   {"no index is below 0", Path{}.Key("l").Index(-1), 6, 1},
		"WrongKind":  {"a list has no keys", Path{}.Key("l").Key("x"), 6, 1},
		"Wide":       {"columns count characters", Path{}.Key("é").Key("ü"), 16, 5},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			line, column := doc.Position(tc.path)
			if line != tc.line || column != tc.column {
				t.Errorf("%s: Position(%s) is %d:%d, want %d:%d", tc.reason, tc.path, line, column, tc.line, tc.column)
			}
		})
	}
	if line, column := mustFromTree(t, map[string]any{"a": 1}).Position(Path{}.Key("a")); line != 0 || column != 0 {
		t.Errorf("values from a tree have no places: %d:%d", line, column)
	}
}

// TestPositionOfMerges holds that a key which comes twice into a map is where the value stands that Helm's parser takes.
func TestPositionOfMerges(t *testing.T) {
	cases := map[string]struct {
		reason, text string
	}{
		"OwnLast":    {reason: "a key of its own below the merge wins", text: text("a: &a", "  k: 1", "x:", "  <<: *a", "  k: 2")},
		"MergeLast":  {reason: "the merge below it does", text: text("a: &a", "  k: 1", "x:", "  k: 2", "  <<: *a")},
		"List":       {reason: "of merged maps the first wins", text: text("a: &a", "  k: 1", "b: &b", "  k: 2", "x:", "  <<: [*a, *b]")},
		"Nested":     {reason: "a merged map merges itself", text: text("a: &a", "  k: 1", "b: &b", "  <<: *a", "x:", "  <<: *b")},
		"Inline":     {reason: "a map can be merged where it stands", text: text("x:", "  <<: {j: 0,", "    k: 1}")},
		"Overridden": {reason: "a key of the merged map is overridden", text: text("a: &a", "  k: 1", "b: &b", "  <<: *a", "  k: 2", "x:", "  <<: *b")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc := mustParse(t, tc.text)
			want, _ := Lookup(doc.Values, Path{}.Key("x").Key("k"))
			line, _, depth := doc.Locate(Path{}.Key("x").Key("k"))
			if got := strings.Split(tc.text, "\n")[line-1]; depth != 2 || !strings.Contains(got, fmt.Sprintf("k: %v", want)) {
				t.Errorf("%s: %v stands in line %d, %q", tc.reason, want, line, got)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	tree := mustParse(t, "a: {b: [x, {c: null}]}").Values
	cases := map[string]struct {
		reason string
		path   Path
		want   any
		ok     bool
	}{
		"Root":       {"the root is the tree", nil, any(tree), true},
		"Item":       {"through maps and lists", Path{}.Key("a").Key("b").Index(0), "x", true},
		"Null":       {"a null is there", Path{}.Key("a").Key("b").Index(1).Key("c"), nil, true},
		"Missing":    {"a missing key is not", Path{}.Key("a").Key("z"), nil, false},
		"OutOfRange": {"nor is an item past the end", Path{}.Key("a").Key("b").Index(2), nil, false},
		"Negative":   {"or before the first", Path{}.Key("a").Key("b").Index(-1), nil, false},
		"IndexOfMap": {"a map has no items", Path{}.Key("a").Index(0), nil, false},
		"KeyOfList":  {"a list no keys", Path{}.Key("a").Key("b").Key("0"), nil, false},
		"Scalar":     {"and a scalar neither", Path{}.Key("a").Key("b").Index(0).Key("x"), nil, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := Lookup(tree, tc.path)
			if ok != tc.ok || !cmp.Equal(tc.want, got) {
				t.Errorf("%s: Lookup(%s) is %v, %v", tc.reason, tc.path, got, ok)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	cases := map[string]struct {
		reason string
		a, b   string
		limit  int
		want   []string
	}{
		"None":      {"equal trees have none, whatever their spelling", "a: 0x10\nb: {c: [1]}", "b: {c: [1.0]}\na: 16", 9, nil},
		"Leaves":    {"leaves that one has, and leaves with other values, by key", "a: 1\nb: {c: 1, d: 2}\nz: {}", "a: 2\nb: {c: 1}\nq: {p: {q: 1}}", 9, []string{"a", "b.d", "q.p.q", "z"}},
		"Types":     {"a map in the place of a scalar is one difference", "a: {b: 1, c: 2}", "a: 1", 9, []string{"a"}},
		"Null":      {"a null is not a missing key", "a: null", "{}", 9, []string{"a"}},
		"Lists":     {"lists are compared whole", "a: [1, 2]", "a: [1, 3]", 9, []string{"a"}},
		"Limit":     {"no more than asked for", "a: {b: 1, c: 2, d: 3}", "{}", 2, []string{"a.b", "a.c"}},
		"NoneAsked": {"not even one", "a: 1", "a: 2", 0, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := pathNames(Differences(mustParse(t, tc.a).Values, mustParse(t, tc.b).Values, tc.limit))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDifferencesAgreeWithEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := plainSpec().drawPair(t)
		if got := len(Differences(a, b, 1)) == 0; got != Equal(a, b) {
			t.Fatalf("Differences and Equal disagree on %v and %v", a, b)
		}
	})
}

// TestPositionOfManyKeys holds that a wide mapping is read once and not for every key: some 30,000 keys took minutes.
func TestPositionOfManyKeys(t *testing.T) {
	const keys = 30_000
	var text strings.Builder
	for i := range keys {
		fmt.Fprintf(&text, "k%d: %d\n", i, i)
	}
	text.WriteString("k7: again\n") // of two the last counts
	doc, err := Parse("in", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range keys {
		want := i + 1
		if i == 7 {
			want = keys + 1
		}
		if line, column := doc.Position(Path{}.Key(fmt.Sprintf("k%d", i))); line != want || column != 1 {
			t.Fatalf("k%d is at %d:%d", i, line, column)
		}
	}
	if line, column := doc.Position(Path{}.Key("none")); line != 1 || column != 1 {
		t.Errorf("a key that is not there is at %d:%d", line, column)
	}
}
