package values

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestSplitOfTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live, managed := plainSpec().drawPair(t)
		checkSplit(t, mustFromTree(t, live), mustFromTree(t, managed))
	})
}

func TestSplitOfTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live, managed := drawTexts(t, hostileSpec())
		checkSplit(t, mustParse(t, live), mustParse(t, managed))
	})
}

// TestSplitWithoutIntroducedKeys is the first part of the theorem of DESIGN 4 on user-supplied values: where they are
// equal, every chart's effective values are.
func TestSplitWithoutIntroducedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := hostileSpec().drawOverlay(t)
		live, managed := mustParse(t, drawText(t, a)), mustParse(t, drawText(t, b))
		d := Split(live, managed)
		if len(d.Introduced) > 0 {
			return // only what aliases and merge keys of the text brought
		}
		text, err := d.Text()
		if err != nil {
			t.Fatalf("Text: %v", err)
		}
		want, got := Plain(live.Values), Plain(Merge(managed.Values, text.Values))
		if diff := treeDiff(want, got); diff != "" {
			t.Fatalf("merge(managed, custom) is not live (-live +merged):\n%s", diff)
		}
	})
}

// checkSplit holds what is true of every split, of any two documents.
func checkSplit(t fataler, live, managed *Document) {
	t.Helper()
	d := Split(live, managed)
	custom := d.Custom()
	merged := Merge(managed.Values, custom)

	rest := merged
	for _, leaf := range d.Introduced {
		if v, ok := Lookup(managed.Values, leaf.Path); !ok || !Equal(v, leaf.Value) {
			t.Fatalf("introduced %s is not what managed has", leaf.Path)
		}
		if _, ok := Lookup(live.Values, leaf.Path); ok {
			t.Fatalf("introduced %s stands in live", leaf.Path)
		}
		rest = without(rest, leaf.Path, live.Values)
	}
	if !Equal(rest, live.Values) {
		t.Fatalf("merge(managed, custom) less the introduced keys is not live: %s", treeDiff(live.Values, rest))
	}
	checkMinimal(t, live, managed, custom)
	checkText(t, d, managed)
}

// checkMinimal holds that no leaf of custom can go.
func checkMinimal(t fataler, live, managed *Document, custom map[string]any) {
	t.Helper()
	merged := Merge(managed.Values, custom)
	for _, leaf := range leavesOf(custom) {
		less := without(custom, leaf.Path, nil)
		if !Equal(Merge(managed.Values, less), merged) {
			continue
		}
		if live.digitsAt(leaf.Path) == managed.digitsAt(leaf.Path) {
			t.Fatalf("custom holds %s, which managed brings as it is", leaf.Path)
		}
	}
}

// checkText holds that splitting what was written changes nothing.
func checkText(t fataler, d *Diff, managed *Document) {
	t.Helper()
	again := checkReadsBack(t, d)
	first, second := again.text, textOf(t, Split(again, managed))
	if diff := cmp.Diff(first, second); diff != "" {
		t.Fatalf("splitting what was written changes it (-first +second):\n%s\nlive:\n%s\nmanaged:\n%s", diff, d.live.text, managed.text)
	}
}

// checkReadsBack holds that what is written is custom, to the digit.
func checkReadsBack(t fataler, d *Diff) *Document {
	t.Helper()
	text, err := d.Text()
	if err != nil {
		t.Fatalf("Text: %v", err)
	}
	read, err := helmReads(text.Bytes)
	if err != nil {
		t.Fatalf("Helm does not read what was written: %v\n%s", err, text.Bytes)
	}
	if diff := treeDiff(Plain(d.Custom()), read); diff != "" {
		t.Fatalf("what was written is not custom (-custom +read):\n%s\n%s", diff, text.Bytes)
	}
	again := mustParse(t, string(text.Bytes))
	for _, leaf := range leavesOf(again.Values) {
		if _, ok := Lookup(d.live.Values, leaf.Path); !ok {
			continue // pinned
		}
		if got, want := again.digitsAt(leaf.Path), d.live.digitsAt(leaf.Path); got != want && !strings.Contains(d.live.text, "*") {
			t.Fatalf("%s has other digits in custom, %q, than in live, %q", leaf.Path, got, want)
		}
	}
	return again
}

// digitsAt lists the digits of all numbers in the value at path, in the text's spelling.
func (d *Document) digitsAt(path Path) string {
	v, _ := Lookup(d.Values, path)
	return strings.Join(d.digitsOf(v, path, nil), " ")
}

func (d *Document) digitsOf(v any, path Path, out []string) []string {
	switch x := v.(type) {
	case map[string]any:
		for _, leaf := range leavesOf(x) {
			out = d.digitsOf(leaf.Value, append(path[:len(path):len(path)], leaf.Path...), out)
		}
	case []any:
		for i, item := range x {
			out = d.digitsOf(item, path.Index(i), out)
		}
	default:
		if _, ok := digits(v); ok {
			if n := d.nodeAt(path); n != nil && n.Style == 0 {
				return append(out, canonical(n.Value))
			}
			own, _ := digits(v)
			return append(out, own)
		}
	}
	return out
}

func mustFromTree(t fataler, tree map[string]any) *Document {
	t.Helper()
	doc, err := FromTree("values", tree)
	if err != nil {
		t.Fatalf("FromTree: %v", err)
	}
	return doc
}

// nodeAt returns the node that stands at path, or nil.
func (d *Document) nodeAt(path Path) *yamlv3.Node {
	n := followed(d.root)
	for _, step := range path {
		if n == nil {
			return nil
		}
		next := d.child(n, step)
		if next == nil {
			return nil
		}
		n = followed(next.value)
	}
	return n
}
