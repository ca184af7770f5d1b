package chart_test

import (
	"encoding/json"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestNulls are the cases by which versions of Helm were told apart, with what HelmVersion makes of them. A new version
// of the library that fails here needs NullsOf to be measured anew.
func TestNulls(t *testing.T) {
	for name, tc := range map[string]struct{ top, sub, user, want string }{
		"A3":              {"tls: {enabled: true}", "", "tls: {enabled: null, extra: null}", `{"tls":{"extra":null}}`}, // 3.19.5, 3.20.0: {"tls":{}}
		"Scalar":          {"a: 1", "", "a: null", `{}`},
		"Map":             {"a: {b: 1}", "", "a: null", `{}`},
		"DefaultNull":     {"a: null", "", "a: 1", `{"a":1}`},
		"NullOverNull":    {"a: {b: null}", "", "a: {b: null}", `{"a":{"b":null}}`}, // before 3.20.1: {"a":{}}
		"DefaultNullKept": {"a: {b: null}", "", "a: {c: 1}", `{"a":{"b":null,"c":1}}`},
		"Unknown":         {"x: 1", "", "a: null", `{"a":null,"x":1}`},
		"UnknownDeep":     {"x: 1", "", "a: {b: null}", `{"a":{"b":null},"x":1}`},
		"SubOfBoth":       {"sub: {a: 1}", "a: 2\nb: 3", "sub: {a: null}", `{"sub":{"b":3,"global":{}}}`}, // before 3.17: a is 2
		"SubByParent":     {"sub: {b: null}", "a: 2\nb: 3", "", `{"sub":{"a":2,"global":{}}}`},
		"SubMap":          {"x: 1", "a: 2\nb: {c: 1}", "sub: {b: null}", `{"sub":{"a":2,"global":{}},"x":1}`},
		"SubDeep":         {"x: 1", "a: 2\nb: {c: 1}", "sub: {b: {c: null}}", `{"sub":{"a":2,"b":{},"global":{}},"x":1}`},
		"SubUnknown":      {"x: 1", "a: 2\nb: {c: 1}", "sub: {zz: null}", `{"sub":{"a":2,"b":{"c":1},"global":{},"zz":null},"x":1}`},
		"Global":          {"global: {g: 1}", "global: {g: 2, h: 3}", "global: {g: null}", `{"global":{},"sub":{"global":{"g":2,"h":3}}}`},
		"GlobalOfSub":     {"global: {g: 1}", "global: {g: 2, h: 3}", "global: {h: null}", `{"global":{"g":1,"h":null},"sub":{"global":{"g":1}}}`}, // 3.19.5, 3.20.0: no null, h is 3
		"List":            {"a: [1]", "", "a: null", `{}`},
		"KnownAndUnknown": {"a: {b: {c: 1}}", "", "a: {b: {c: null, d: null}}", `{"a":{"b":{"d":null}}}`}, // 3.19.5, 3.20.0: {"a":{"b":{}}}
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"top/Chart.yaml": "apiVersion: v2\nname: top\nversion: 0.1.0\n", "top/values.yaml": tc.top + "\n"}
			if tc.sub != "" {
				files["top/charts/sub/Chart.yaml"], files["top/charts/sub/values.yaml"] = "apiVersion: v2\nname: sub\nversion: 0.1.0\n", tc.sub+"\n"
			}
			c, err := chart.NewFolder(write(t, files)).Load("top")
			if err != nil {
				t.Fatal(err)
			}
			user, err := values.Parse("user", []byte(tc.user))
			if err != nil {
				t.Fatal(err)
			}
			effective, err := c.Effective(user.Values)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(effective)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("Helm %s makes %s of it, not %s: measure NullsOf anew", chart.HelmVersion, got, tc.want)
			}
		})
	}
}

func TestNullsOf(t *testing.T) {
	for version, want := range map[string]struct{ differs, charts bool }{
		"v3.10.3": {true, false}, "v3.16.3": {true, false}, "v3.17.1": {true, false}, "v3.18.4": {true, false}, "v3.19.4": {true, false},
		"v3.19.5": {true, false}, "v3.20.0": {true, false}, "v3.20.1": {}, "v3.20.2": {}, chart.HelmVersion: {}, "v3.22.0": {},
		"v4.2.1": {true, true}, "v4.3.1": {true, true}, "v4.9.0": {true, true}, "v5.0.0": {true, true}, "": {}, "new": {},
	} {
		if differs, charts := chart.NullsOf(version); (differs != "") != want.differs || charts != want.charts {
			t.Errorf("of %s it says %q, %v", version, differs, charts)
		}
	}
	// 3.18.4 and 3.19.4 coalesce by the same code, which 3.19.5 changed.
	a, _ := chart.NullsOf("v3.18.4")
	b, _ := chart.NullsOf("v3.19.4")
	if c, _ := chart.NullsOf("v3.19.5"); a != b || b == c {
		t.Errorf("3.18.4: %q, 3.19.4: %q, 3.19.5: %q", a, b, c)
	}
}
