package check_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
)

// draft7 begins a schema.
const draft7 = `{"$schema":"http://json-schema.org/draft-07/schema#",`

// subchart adds a subchart to a repo's chart.
func (r repo) subchart(name, defaults, schema, condition string) repo {
	r.charts = maps.Clone(r.charts)
	at := "charts/web/charts/" + name + "/"
	r.charts[at+"Chart.yaml"] = "apiVersion: v2\nname: " + name[strings.LastIndexByte(name, '/')+1:] + "\nversion: 1.0.0\n"
	r.charts[at+"values.yaml"] = defaults
	if schema != "" {
		r.charts[at+"values.schema.json"] = schema
	}
	if condition != "" {
		r.charts["charts/web/Chart.yaml"] += "dependencies:\n- {name: " + name + ", version: 1.0.0, condition: " + condition + "}\n"
	}
	return r
}

// TestAttribution holds in which file and line a violation is told.
func TestAttribution(t *testing.T) {
	custom := func(line, column int, path string) where {
		return where{check.RuleSchema, customFile, line, column, path}
	}
	managed := func(line, column int, path string) where {
		return where{check.RuleSchema, managedFile, headLines + line, column, path}
	}
	chart := func(path string) where { return where{check.RuleSchema, appFile, chartLine, 5, path} }
	const text = `{"type":"string"}`
	for name, tc := range map[string]struct {
		reason string
		repo   repo
		want   []where
	}{
		"Custom": {
			reason: "what goes when custom goes is custom's",
			repo:   web("m: {x: ok}", "m:\n  k: 1\n", "m: {k: a}", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{custom(2, 3, "m.k")},
		},
		"Managed": {
			reason: "what stays without custom is not custom's",
			repo:   web("m:\n  k: 1\n", "m:\n  x: 1\n", "m: {k: a}", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{managed(2, 3, "m.k")},
		},
		"ManagedOverridden": {
			reason: "it stays without custom, though custom says the same",
			repo:   web("m:\n  k: 1\n", "m:\n  k: 2\n", "m: {k: a}", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{managed(2, 3, "m.k")},
		},
		"ManagedRepaired": {
			reason: "custom makes it good",
			repo:   web("m:\n  k: 1\n", "m:\n  k: a\n", "m: {k: a}", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
		},
		"Chart": {
			reason: "the chart's own defaults",
			repo:   web("a: 1\n", "b: 1\n", "m: {k: 1}", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{chart("m.k")},
		},
		"Both": {
			reason: "what both bring about together is the user's",
			repo:   web("m: {one: 1}\n", "x: 0\nm:\n  two: 2\n", "", draft7+`"properties":{"m":{"maxProperties":1}}}`),
			want:   []where{custom(2, 1, "m")},
		},
		"Each": {
			reason: "each of several has its own place",
			repo:   web("a: 1\n", "b: 1\n", "c: 1", draft7+`"properties":{"a":`+text+`,"b":`+text+`,"c":`+text+`}}`),
			want:   []where{chart("c"), custom(1, 1, "b"), managed(1, 1, "a")},
		},
		"Required": {
			reason: "the map that lacks a key",
			repo:   web("", "x: 0\nm:\n  b: 1\n", "", draft7+`"properties":{"m":{"required":["a","b"]}}}`),
			want:   []where{custom(2, 1, "m")},
		},
		"RequiredPartly": {
			reason: "custom adds one of two keys that managed lacks; the other one is still managed's",
			repo:   web("m: {x: 1}\n", "m: {b: 1}\n", "", draft7+`"properties":{"m":{"required":["a","b"]}}}`),
			want:   []where{managed(1, 1, "m")},
		},
		"RequiredNowhere": {
			reason: "nobody sets it, not even the chart",
			repo:   web("x: 1\n", "y: 1\n", "", draft7+`"required":["cluster"]}`),
			want:   []where{chart(".")},
		},
		"NullDeletes": {
			reason: "the null that deletes the default, and not its map",
			repo:   web("", "m:\n  x: 1\n  k: null\n", "m: {k: a}", draft7+`"properties":{"m":{"required":["k"]}}}`),
			want:   []where{custom(3, 3, "m")},
		},
		"NullDeletesMap": {
			reason: "a null over a whole map",
			repo:   web("", "x: 1\nm: null\n", "m: {k: a}", draft7+`"required":["m"]}`),
			want:   []where{custom(2, 1, ".")},
		},
		"NullStays": {
			reason: "a null over nothing stays",
			repo:   web("", "k: null\n", "", draft7+`"properties":{"k":`+text+`}}`),
			want:   []where{custom(1, 1, "k")},
		},
		"Dependency": {
			reason: "the key that asks for another one",
			repo:   web("", "x: 1\na: 1\n", "", draft7+`"dependencies":{"a":["b"]}}`),
			want:   []where{custom(2, 1, ".")},
		},
		"Closed": {
			reason: "the key that is not known",
			repo:   web("", "m:\n  a: 1\n  x-y: 1\n  zz: 1\n", "", draft7+`"properties":{"m":{"additionalProperties":false,"properties":{"a":{}},"patternProperties":{"^x-":{}}}}}`),
			want:   []where{custom(4, 3, "m.zz")},
		},
		"List": {
			reason: "the item of the list that custom puts in place of managed's",
			repo:   web("l: [a, b]\n", "l:\n- a\n- name: 1\n", "", draft7+`"properties":{"l":{"items":{"type":["string","object"],"properties":{"name":`+text+`}}}}}`),
			want:   []where{custom(3, 3, "l[1].name")},
		},
		"Alias": {
			reason: "where the text stands that an alias repeats",
			repo:   web("", "base: &b\n  k: 1\nm: *b\n", "", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{custom(2, 3, "m.k")},
		},
		"MergeKey": {
			reason: "where the text stands that a merge key brings",
			repo:   web("", "base: &b\n  k: 1\nm:\n  <<: *b\n  x: 1\n", "", draft7+`"properties":{"m":{"properties":{"k":`+text+`}}}}`),
			want:   []where{custom(2, 3, "m.k")},
		},
		"NumberKey": {
			reason: "keys are as Helm reads them",
			repo:   web("", "tcp:\n  0x1F90: 1\n", "", draft7+`"properties":{"tcp":{"additionalProperties":`+text+`}}}`),
			want:   []where{custom(2, 3, "tcp.8080")},
		},
		"ScalarOverMap": {
			reason: "Helm lets a scalar replace a map",
			repo:   web("m: {k: a}\n", "m: 5\n", "m: {k: a}", draft7+`"properties":{"m":{"type":"object"}}}`),
			want:   []where{custom(1, 1, "m")},
		},
		"Choice": {
			reason: "none of several; without custom another one is nearest, and still none fits",
			repo: web("m: {kind: a}\n", "m: {kind: b}\n", "", draft7+`"properties":{"m":{"oneOf":[`+
				`{"properties":{"kind":{"const":"a"}},"required":["a"]},{"properties":{"kind":{"const":"b"}},"required":["b"]}]}}}`),
			want: []where{managed(1, 1, "m")},
		},
		"ChoiceOfCustom": {
			reason: "none of several, since custom says so",
			repo: web("m: {kind: a, a: 1}\n", "x: 1\nm: {kind: b}\n", "", draft7+`"properties":{"m":{"oneOf":[`+
				`{"properties":{"kind":{"const":"a"}},"required":["a"]},{"properties":{"kind":{"const":"b"}},"required":["b"]}]}}}`),
			want: []where{custom(2, 1, "m")},
		},
		"If": {
			reason: "custom makes another key necessary",
			repo:   web("tls: {enabled: false}\n", "x: 1\ntls:\n  enabled: true\n", "", draft7+`"properties":{"tls":{"if":{"properties":{"enabled":{"const":true}}},"then":{"required":["secretName"]}}}}`),
			want:   []where{custom(2, 1, "tls")},
		},
		"Subchart": {
			reason: "a subchart's schema, below its key",
			repo:   web("", "x: 1\ndb:\n  size: big\n", "", "").subchart("db", "size: 1", draft7+`"properties":{"size":{"type":"integer"}}}`, ""),
			want:   []where{custom(3, 3, "db.size")},
		},
		"SubchartOff": {
			reason: "a subchart that is off is not asked",
			repo:   web("db: {enabled: false}\n", "db:\n  size: big\n", "", "").subchart("db", "size: 1", draft7+`"properties":{"size":{"type":"integer"}}}`, "db.enabled"),
			want:   nil,
		},
		"SubchartOn": {
			reason: "custom switches a subchart on that managed gave bad values",
			repo:   web("db: {enabled: false, size: big}\n", "x: 1\ndb:\n  enabled: true\n", "", "").subchart("db", "size: 1", draft7+`"properties":{"size":{"type":"integer"}}}`, "db.enabled"),
			want:   []where{custom(2, 1, "db.size")},
		},
		"Global": {
			reason: "a global of a subchart stands at the top",
			repo:   web("", "x: 1\nglobal:\n  zone: 1\n", "", "").subchart("db", "", draft7+`"properties":{"global":{"properties":{"zone":`+text+`}}}}`, ""),
			want:   []where{custom(3, 3, "db.global.zone")},
		},
		"GlobalBelow": {
			reason: "or below its own key",
			repo:   web("", "global: {x: 1}\ndb:\n  global:\n    zone: 1\n", "", "").subchart("db", "", draft7+`"properties":{"global":{"properties":{"zone":`+text+`}}}}`, ""),
			want:   []where{custom(4, 5, "db.global.zone")},
		},
		"GlobalTwice": {
			reason: "of both the top one wins",
			repo:   web("", "db:\n  global:\n    zone: a\nglobal:\n  zone: 1\n", "", "").subchart("db", "", draft7+`"properties":{"global":{"properties":{"zone":`+text+`}}}}`, ""),
			want:   []where{custom(5, 3, "db.global.zone")},
		},
		"GlobalDeep": {
			reason: "of a subchart's subchart too",
			repo: web("", "db:\n  global:\n    zone: 1\n", "", "").subchart("db", "", "", "").
				subchart("db/charts/disk", "", draft7+`"properties":{"global":{"properties":{"zone":`+text+`}}}}`, ""),
			want: []where{custom(3, 5, "db.disk.global.zone")},
		},
		"GlobalNoSubchart": {
			reason: "a key named global below no subchart is a key",
			repo:   web("", "global: {zone: a}\nm:\n  global:\n    zone: 1\n", "", draft7+`"properties":{"m":{"properties":{"global":{"properties":{"zone":`+text+`}}}}}}`),
			want:   []where{custom(4, 5, "m.global.zone")},
		},
		"ClosedSubchart": {
			reason: "D1: Helm injects global, which nobody wrote",
			repo:   web("", "", "", "").subchart("db", "a: 1", draft7+`"additionalProperties":false,"properties":{"a":{"type":"integer"}}}`, ""),
			want:   []where{chart("db.global")},
		},
		"SubchartNoMap": {
			reason: "Helm refuses it before it comes to schemas",
			repo:   web("", "x: 1\ndb: 5\n", "", "").subchart("db", "a: 1", "", ""),
			want:   []where{custom(2, 1, "db")},
		},
		"SubchartNoMapDeep": {
			reason: "at any depth",
			repo:   web("db:\n  disk: 5\n", "", "", "").subchart("db", "", "", "").subchart("db/charts/disk", "", "", ""),
			want:   []where{managed(2, 3, "db.disk")},
		},
		"SubchartNoMapChart": {
			reason: "by the chart's own defaults",
			repo:   web("", "", "db: 5", "").subchart("db", "", "", ""),
			want:   []where{chart("db")},
		},
		"Imported": {
			reason: "what a chart imports from its subchart comes from the subchart's defaults",
			repo: func() repo {
				r := web("", "x: 1\n", "", draft7+`"properties":{"port":`+text+`}}`).subchart("db", "exports: {data: {port: 1}}", "", "")
				r.charts["charts/web/Chart.yaml"] += "dependencies:\n- {name: db, version: 1.0.0, import-values: [data]}\n"
				return r
			}(),
			want: []where{chart("port")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := places(t, tc.repo.run(t, check.Options{}, check.RuleSchema, check.RuleSchemaUnusable, check.RuleParse, check.RuleEdited, check.RuleChart))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestMany holds that a list is cut, and says so.
func TestMany(t *testing.T) {
	var text strings.Builder
	for range 300 {
		text.WriteString("- 1\n")
	}
	r := web("", "l:\n"+text.String(), "", draft7+`"properties":{"l":{"items":{"type":"string"}}}}`)
	list := r.run(t, check.Options{}, check.RuleSchema)
	if len(list) != 101 || list[0].Message != "the chart's schema refuses at least 200 more places" {
		t.Errorf("%d findings, first %+v", len(list), list[0])
	}
	r.files[managedFile], r.files[customFile] = managedOf("l:\n"+text.String()), "x: 1\n"
	for _, f := range r.run(t, check.Options{}, check.RuleSchema)[1:] {
		if f.File != managedFile {
			t.Fatalf("a cut list does not make custom guilty: %+v", f)
		}
	}
}
