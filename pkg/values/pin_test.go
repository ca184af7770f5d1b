package values

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPin(t *testing.T) {
	cases := map[string]struct {
		reason        string
		chart         string
		live, managed string
		custom        string
		inexpressible []string
	}{
		"CaseA1": {
			reason:  "a managed key that live lacks falls through to the chart default, so that the default is pinned; null would delete it too",
			chart:   "probe: {httpGet: {path: /ok}, period: 5}",
			live:    "uid: 5",
			managed: "probe: {httpGet: {path: /managed}}\nuid: 5",
			custom:  "probe:\n  httpGet:\n    path: /ok\n",
		},
		"CaseA7Default": {
			reason:  "{} clears nothing in Helm, so that a map that live has empty needs each managed key pinned",
			chart:   "e: {k: 0}",
			live:    "e: {}",
			managed: "e: {k: 1}",
			custom:  "e:\n  k: 0\n",
		},
		"CaseA7NoDefault": {
			reason:        "no override gives absence: a null where the chart has no default stays visible as null",
			chart:         "e: {}",
			live:          "e: {}",
			managed:       "e: {k: 1}",
			inexpressible: []string{"e.k"},
		},
		"SameAsDefault": {
			reason:  "what managed repeats of the chart defaults changes nothing",
			chart:   "a: {b: 1, c: [x]}",
			managed: "a: {b: 1.0, c: [x]}",
		},
		"NullOverDefault": {
			reason:  "a managed null deletes the default; the pinned default comes back",
			chart:   "a: {b: 1}",
			live:    "a: {}",
			managed: "a: {b: null}",
			custom:  "a:\n  b: 1\n",
		},
		"DefaultOfNull": {
			reason:        "a null over a default of null deletes it, so that such a default cannot be pinned",
			chart:         "a: null",
			managed:       "a: 1",
			inexpressible: []string{"a"},
		},
		"NullOverNullAtTheTop": {
			reason:        "Helm deletes a null over a null at the top of a chart's values, and no override brings it back",
			chart:         "a: null",
			managed:       "a: null",
			inexpressible: []string{"a"},
		},
		"NullOverNullBelow": {
			reason:  "deeper, a null over a null stays: nothing changes",
			chart:   "a: {b: null}",
			live:    "a: {}",
			managed: "a: {b: null}",
		},
		"ListOverList": {
			reason:  "lists are pinned whole",
			chart:   "a: [1, {b: 2}]",
			managed: "a: [3]",
			custom:  "a:\n- 1\n- b: 2\n",
		},
		"ScalarOverMap": {
			reason:  "where managed puts a scalar in the place of the chart's map, the map is pinned; its nulls still come from the chart",
			chart:   "a: {b: 1, n: null, c: {d: x, m: null}}",
			managed: "a: off",
			custom:  "a:\n  b: 1\n  c:\n    d: x\n",
		},
		"MapOverScalar": {
			reason:  "where managed puts a map in the place of the chart's scalar, the scalar replaces all of it",
			chart:   "a: x",
			managed: "a: {b: 1, c: 2}",
			custom:  "a: x\n",
		},
		"PartlyExpressible": {
			reason:        "what can be pinned is, and what cannot is listed leaf by leaf",
			chart:         "a: {b: 1}",
			managed:       "a: {b: 2, c: {d: 3, e: 4}}",
			custom:        "a:\n  b: 1\n",
			inexpressible: []string{"a.c.d", "a.c.e"},
		},
		"BesideOverrides": {
			reason:  "pins stand below what live has in the same map",
			chart:   "a: {b: 1}",
			live:    "# mine\na:\n  z: 9 # nine\n",
			managed: "a: {b: 2}",
			custom:  "# mine\na:\n  z: 9 # nine\n  b: 1\n",
		},
		"NothingIntroduced": {
			reason:  "without introduced keys there is nothing to pin",
			chart:   "a: 1",
			live:    "a: 2",
			managed: "a: 3",
			custom:  "a: 2\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := chartSpec{name: "top", defaults: mustParse(t, tc.chart).Values}
			live, managed := mustParse(t, tc.live), mustParse(t, tc.managed)
			before, err := c.effective(live.Values)
			if err != nil {
				t.Fatal(err)
			}
			d := Split(live, managed)
			got := pathNames(d.Pin(managed.Values, before))
			if diff := cmp.Diff(tc.inexpressible, got); diff != "" {
				t.Errorf("%s: Pin (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.custom, textOf(t, d)); diff != "" {
				t.Errorf("%s: custom (-want +got):\n%s", tc.reason, diff)
			}
			if len(tc.inexpressible) > 0 {
				return
			}
			after, err := c.effective(Merge(managed.Values, d.Custom()))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("%s: templates see other values (-live +merged):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEffectiveValuesWithoutIntroducedKeys is the first part of the theorem of DESIGN 4, measured with Helm's library.
func TestEffectiveValuesWithoutIntroducedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := chartValues()
		a, b := spec.drawOverlay(t)
		c := drawChart(t, a)
		live, managed := mustFromTree(t, a), mustFromTree(t, b)
		d := Split(live, managed)
		if len(d.Introduced) > 0 {
			return
		}
		before, err := c.effective(live.Values)
		if err != nil {
			return // a scalar in a subchart's place
		}
		after, err := c.effective(Merge(managed.Values, d.Custom()))
		if err != nil {
			t.Fatalf("Helm refuses what it took from live: %v", err)
		}
		if diff := treeDiff(before, after); diff != "" {
			t.Fatalf("templates see other values: %s", diff)
		}
	})
}

// TestPinKeepsEffectiveValues is the second part of the theorem of DESIGN 4, measured with Helm's library on charts
// with subcharts. One way for it to break is known, and paths alone cannot tell it: Helm deletes a null over a
// default of null at the top of a subchart's values too. So pkg/migrate compares what templates see.
func TestPinKeepsEffectiveValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := chartValues()
		base := spec.drawMap(t, 0)
		c := drawChart(t, base)
		live, managed := mustParse(t, drawText(t, spec.part(t, base, 0))), mustFromTree(t, spec.part(t, base, 0))
		d := Split(live, managed)
		before, err := c.effective(live.Values)
		if err != nil {
			return // a scalar in a subchart's place
		}
		if len(d.Pin(managed.Values, before)) > 0 {
			return
		}
		checkReadsBack(t, d)
		after, err := c.effective(Merge(managed.Values, d.Custom()))
		if err != nil {
			t.Fatalf("Helm refuses what it took from live: %v", err)
		}
		for _, path := range Differences(before, after, 100) {
			brought, introduced := Lookup(managed.Values, path)
			if there, ok := Lookup(before, path); introduced && brought == nil && ok && there == nil && len(path) > 1 {
				continue
			}
			t.Fatalf("%s differs: templates saw\n%v\nand now see\n%v", path, before, after)
		}
	})
}

// TestIntroducedKeysAreAllThatDiffers is the third part: of a chart without subcharts only what is listed differs.
func TestIntroducedKeysAreAllThatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := chartValues()
		base := spec.drawMap(t, 0)
		c := chartSpec{name: "top", defaults: spec.perturb(t, base, 0)}
		live, managed := mustFromTree(t, spec.perturb(t, base, 0)), mustFromTree(t, spec.perturb(t, base, 0))
		d := Split(live, managed)
		before, err := c.effective(live.Values)
		if err != nil {
			t.Fatal(err)
		}
		after, err := c.effective(Merge(managed.Values, d.Custom()))
		if err != nil {
			t.Fatal(err)
		}
	paths:
		for _, path := range Differences(before, after, 100) {
			for _, leaf := range d.Introduced {
				if path.HasPrefix(leaf.Path) || leaf.Path.HasPrefix(path) {
					continue paths
				}
			}
			t.Fatalf("%s differs and is not listed as introduced", path)
		}
	})
}

func pathNames(paths []Path) []string {
	var out []string
	for _, p := range paths {
		out = append(out, p.String())
	}
	return out
}

func textOf(t fataler, d *Diff) string {
	t.Helper()
	text, err := d.Text()
	if err != nil {
		t.Fatalf("Text: %v", err)
	}
	return string(text.Bytes)
}
