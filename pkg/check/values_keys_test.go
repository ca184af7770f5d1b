package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// TestUnknownKeys holds which keys of custom a chart is said to know.
func TestUnknownKeys(t *testing.T) {
	unknown := func(line, column int, path, next string) finding.Finding {
		if next == "" {
			next = "see the chart's values.yaml for its name, or remove it"
		}
		return finding.Finding{Rule: check.RuleUnknownKey, Severity: finding.Warning, App: "shop/web", File: customFile, Line: line, Column: column, Path: path,
			Message: "neither the chart's defaults nor its schema have this key", Next: next}
	}
	for name, tc := range map[string]struct {
		reason string
		repo   repo
		want   []finding.Finding
	}{
		"Known":   {reason: "keys of the defaults", repo: web("", "a: 1\nm: {k: 2}\n", "a: 0\nm: {k: 0}\n", "")},
		"Unknown": {reason: "a key and one below", repo: web("", "m:\n  q: 1\nzzzz: 1\n", "a: 0\nm: {kind: 0}\n", ""), want: []finding.Finding{unknown(2, 3, "m.q", ""), unknown(3, 1, "zzzz", "")}},
		"Whole":   {reason: "what is below an unknown key is not told as well", repo: web("", "zzzz: {a: {b: 1}, c: 2}\n", "a: 0\n", ""), want: []finding.Finding{unknown(1, 1, "zzzz", "")}},
		"Meant":   {reason: "a key that is near", repo: web("", "m: {replicacount: 1, imagee: x}\n", "m: {replicaCount: 1, image: y}\n", ""), want: []finding.Finding{unknown(1, 5, "m.replicacount", `did you mean "replicaCount"?`), unknown(1, 22, "m.imagee", `did you mean "image"?`)}},
		"Empty":   {reason: "below an empty map, null, a list or a scalar anything goes", repo: web("", "m: {a: 1}\nn: {a: 1}\nl: {a: 1}\ns: {a: 1}\n", "m: {}\nn: null\nl: [x]\ns: 1\n", "")},
		"None":    {reason: "a chart without defaults takes anything", repo: web("", "a: 1\n", "", "")},
		"Schema":  {reason: "the schema can know more than the defaults", repo: web("", "a: 1\nm: {s: 1, t: 1}\nxs: {any: {p: 1}}\n", "b: 0\nm: {k: 1}\n", `{"properties":{"a":{},"m":{"properties":{"s":{}}},"xs":{"additionalProperties":{"properties":{"p":{}}}}}}`), want: []finding.Finding{unknown(2, 11, "m.t", "")}},
		"Refused": {reason: "what the schema refuses is told once", repo: web("", "zzzz: 1\n", "a: 0\n", `{"properties":{"a":{}},"additionalProperties":false}`), want: []finding.Finding{{Rule: check.RuleSchema,
			Severity: finding.Error, App: "shop/web", File: customFile, Line: 1, Column: 1, Path: "zzzz", Message: "the schema knows no such key", Next: "see the chart's values.yaml for its name, or remove it"}}},
		"Free":     {reason: "a map of which the schema says no keys", repo: web("", "m: {t: 1}\n", "m: {k: 1}\n", `{"properties":{"m":{"type":"object"}}}`)},
		"Managed":  {reason: "managed is the platform's business", repo: web("zzzz: 1\n", "a: 1\n", "a: 0\n", "")},
		"Null":     {reason: "a null over nothing does nothing", repo: web("", "zzzz: null\n", "a: 0\n", ""), want: []finding.Finding{unknown(1, 1, "zzzz", "")}},
		"Subchart": {reason: "keys of subcharts", repo: web("", "db: {size: 1, zzzz: 1}\n", "a: 0\n", "").subchart("db", "size: 1\n", "", ""), want: []finding.Finding{unknown(1, 15, "db.zzzz", "")}},
		"Off":      {reason: "a subchart that is off is known, and what switches it", repo: web("db: {enabled: false}\n", "db: {enabled: false, size: 1}\n", "a: 0\n", "").subchart("db", "size: 1\n", "", "db.enabled,global.db")},
		"Tags": {reason: "tags switch subcharts", repo: func() repo {
			r := web("", "tags: {storage: true, zzzz: true}\n", "a: 0\n", "").subchart("db", "size: 1\n", "", "db.enabled")
			r.charts["charts/web/Chart.yaml"] = strings.Replace(r.charts["charts/web/Chart.yaml"], "condition: db.enabled", "tags: [storage]", 1)
			return r
		}(), want: []finding.Finding{unknown(1, 23, "tags.zzzz", "")}},
		"Aliased": {reason: "a subchart under another name", repo: func() repo {
			r := web("", "primary: {size: 1, zzzz: 1}\n", "a: 0\n", "").subchart("db", "size: 1\n", "", "db.enabled")
			r.charts["charts/web/Chart.yaml"] = strings.Replace(r.charts["charts/web/Chart.yaml"], "condition: db.enabled", "alias: primary", 1)
			return r
		}(), want: []finding.Finding{unknown(1, 20, "primary.zzzz", "")}},
		"Global":         {reason: "a global of any chart, and no other", repo: web("", "global: {zone: a, top: 1, zzzz: 1}\ndb: {global: {zone: a, top: 1, yyyy: 1}}\n", "global: {top: 0}\n", "").subchart("db", "size: 1\nglobal: {zone: x}\n", "", ""), want: []finding.Finding{unknown(1, 27, "global.zzzz", ""), unknown(2, 32, "db.global.yyyy", "")}},
		"GlobalNone":     {reason: "a global that no chart has", repo: web("", "global: {zone: a}\n", "a: 0\n", "").subchart("db", "size: 1\n", "", ""), want: []finding.Finding{unknown(1, 10, "global.zone", "")}},
		"SubchartSchema": {reason: "a subchart's schema", repo: web("", "db: {s: 1, zzzz: 1}\n", "a: 0\n", "").subchart("db", "size: 1\n", `{"properties":{"s":{}}}`, ""), want: []finding.Finding{unknown(1, 12, "db.zzzz", "")}},
		"Imported": {reason: "what a chart imports", repo: func() repo {
			r := web("", "port: 2\n", "a: 0\n", "").subchart("db", "exports: {data: {port: 1}}\n", "", "db.enabled")
			r.charts["charts/web/Chart.yaml"] = strings.Replace(r.charts["charts/web/Chart.yaml"], "condition: db.enabled", "import-values: [data]", 1)
			return r
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.repo.run(t, check.Options{StrictKeys: true}, check.RuleUnknownKey, check.RuleSchema, check.RuleChart)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestShadowed holds what is said of keys that managed and custom both have.
func TestShadowed(t *testing.T) {
	note := func(line, column int, path, message, next string) finding.Finding {
		return finding.Finding{Rule: check.RuleShadowed, Severity: finding.Info, App: "shop/web", File: customFile, Line: line, Column: column, Path: path, Message: message, Next: next}
	}
	at := func(line int) string {
		return fmt.Sprintf(" what the platform sets (values.managed.yaml:%d)", headLines+line)
	}
	for name, tc := range map[string]struct {
		reason, managed, custom string
		want                    []finding.Finding
	}{
		"Other":    {"keys that managed lacks", "a: 1\nm: {x: 1}\n", "b: 1\nm: {y: 1}\n", nil},
		"Override": {"a scalar, and one below", "a: 1\nm:\n  x: 1\n", "a: 2\nm: {x: 2}\n", []finding.Finding{note(1, 1, "a", "overrides"+at(1), ""), note(2, 5, "m.x", "overrides"+at(3), "")}},
		"Repeat":   {"what it says already", "a: 0x10\nl: [1]\n", "a: 16\nl: [1]\n", []finding.Finding{note(1, 1, "a", "repeats"+at(1), repeats), note(2, 1, "l", "repeats"+at(2), repeats)}},
		"List":     {"lists are replaced whole", "l: [1, 2]\n", "l: [1]\n", []finding.Finding{note(1, 1, "l", "overrides"+at(1), "")}},
		"Null":     {"a null takes away", "a: 1\nz: null\n", "a: null\nz: null\n", []finding.Finding{note(1, 1, "a", "takes away"+at(1), ""), note(2, 1, "z", "repeats"+at(2), repeats)}},
		"Empty":    {"an empty map does nothing", "m: {x: 1}\ne: {}\n", "m: {}\ne: {}\n", []finding.Finding{note(1, 1, "m", "an empty map takes away nothing of"+at(1), "remove it, or set the keys to null that are to go"), note(2, 1, "e", "repeats"+at(2), repeats)}},
		"Kinds":    {"a map over a scalar, and the other way round", "a: 1\nm: {x: 1}\n", "a: {x: 1}\nm: 1\n", []finding.Finding{note(1, 1, "a", "overrides"+at(1), ""), note(2, 1, "m", "overrides"+at(2), "")}},
		"EmptyMap": {"keys below an empty map", "m: {}\n", "m: {x: 1}\n", nil},
		"Falsy":    {"false and empty text are values", "a: true\nb: x\n", "a: false\nb: ''\n", []finding.Finding{note(1, 1, "a", "overrides"+at(1), ""), note(2, 1, "b", "overrides"+at(2), "")}},
		"SecretKey": {"a key that is a secret itself is not shown", "https://u:q9Zx8Lm2Tr5Yu7@example.test: 1\n", "https://u:q9Zx8Lm2Tr5Yu7@example.test: 2\n",
			[]finding.Finding{note(1, 1, `["***"]`, "overrides"+at(1), "")}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, web(tc.managed, tc.custom, "", "").run(t, check.Options{}, check.RuleShadowed)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	list := web(text.String(), text.String(), "", "").run(t, check.Options{}, check.RuleShadowed)
	if len(list) != 101 || !strings.HasPrefix(list[0].Message, "200 more keys") {
		t.Errorf("a long list is cut, and says so: %d, %+v", len(list), list[0])
	}
}

const repeats = "remove it: it does nothing until the platform sets something else"
