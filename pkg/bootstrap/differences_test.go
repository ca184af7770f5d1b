package bootstrap

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDifferences(t *testing.T) {
	cases := map[string]struct {
		reason     string
		want, live string
		paths      []string
	}{
		"Same":       {reason: "nothing differs", want: `{"spec":{"a":1}}`, live: `{"spec":{"a":1}}`},
		"More":       {reason: "what is not declared is other people's", want: `{"spec":{"a":{}}}`, live: `{"spec":{"a":{"b":1},"c":2},"status":{}}`},
		"Version":    {reason: "the server may answer in another version", want: `{"apiVersion":"x/v1","kind":"X"}`, live: `{"apiVersion":"x/v2","kind":"X"}`},
		"Value":      {reason: "a value is another", want: `{"spec":{"a":1,"b":"x"}}`, live: `{"spec":{"a":2,"b":"x"}}`, paths: []string{"spec.a"}},
		"Missing":    {reason: "a map is not there", want: `{"spec":{"a":{"b":1}}}`, live: `{"spec":{}}`, paths: []string{"spec.a"}},
		"EmptyMap":   {reason: "an empty map says something", want: `{"spec":{"selfSigned":{}}}`, live: `{"spec":{}}`, paths: []string{"spec.selfSigned"}},
		"NoLabels":   {reason: "no labels are no labels", want: `{"metadata":{"labels":{}}}`, live: `{"metadata":{}}`},
		"Items":      {reason: "a server adds defaults to items", want: `{"spec":{"a":[{"b":1}]}}`, live: `{"spec":{"a":[{"b":1,"c":2}]}}`},
		"ItemValue":  {reason: "an item differs", want: `{"spec":{"a":[{"b":1},{"b":2}]}}`, live: `{"spec":{"a":[{"b":1},{"b":3}]}}`, paths: []string{"spec.a[1].b"}},
		"Length":     {reason: "a list is as long as it is declared", want: `{"spec":{"a":[1]}}`, live: `{"spec":{"a":[1,2]}}`, paths: []string{"spec.a"}},
		"Empty":      {reason: "an empty list that is not there", want: `{"spec":{"a":[]}}`, live: `{"spec":{}}`, paths: []string{"spec.a"}},
		"Finalizers": {reason: "finalizers are a set", want: `{"metadata":{"finalizers":["a"]}}`, live: `{"metadata":{"finalizers":["b","a"]}}`},
		"Finalizer":  {reason: "one is missing", want: `{"metadata":{"finalizers":["a","c"]}}`, live: `{"metadata":{"finalizers":["b","a"]}}`, paths: []string{"metadata.finalizers"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.paths, differences(read(t, tc.want), read(t, tc.live))); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func read(t *testing.T, text string) (tree map[string]any) {
	t.Helper()
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// trees draws trees of few keys.
func trees(depth int) *rapid.Generator[map[string]any] {
	keys := rapid.StringMatching(`[a-c]`)
	leaf := rapid.OneOf(rapid.Custom(func(t *rapid.T) any { return rapid.IntRange(0, 2).Draw(t, "number") }),
		rapid.Custom(func(t *rapid.T) any { return rapid.StringMatching(`[xy]`).Draw(t, "text") }))
	if depth == 0 {
		return rapid.MapOf(keys, leaf)
	}
	below := rapid.Custom(func(t *rapid.T) any { return trees(depth-1).Draw(t, "map") })
	list := rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(below, 0, 2).Draw(t, "list") })
	return rapid.MapOf(keys, rapid.OneOf(leaf, below, list))
}

// TestAppliedDiffersNoMore holds that what is declared, put over whatever there is, differs in nothing: so an object that was
// applied is not applied again. And what differs in nothing has nothing to gain from it.
func TestAppliedDiffersNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, live := trees(2).Draw(t, "want"), trees(2).Draw(t, "live")
		applied := over(live, want)
		if left := differences(want, applied); len(left) > 0 {
			t.Fatalf("applied, it differs at %v", left)
		}
		if len(differences(want, live)) == 0 {
			if diff := cmp.Diff(live, over(live, want)); diff != "" && !hasLists(want, live) {
				t.Fatalf("nothing differs, and applying it changes: (-live +applied)\n%s", diff)
			}
		}
	})
}

// over is what a server-side apply makes of maps; lists are replaced.
func over(live, want map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range live {
		out[key] = value
	}
	for key, value := range want {
		w, isMap := value.(map[string]any)
		l, _ := out[key].(map[string]any)
		if isMap {
			value = over(l, w)
		}
		out[key] = value
	}
	return out
}

// hasLists tells that two trees have lists: of their items, defaults may differ.
func hasLists(want, live map[string]any) bool {
	text, _ := json.Marshal([]any{want, live})
	return strings.Count(string(text), "[") > 1
}
