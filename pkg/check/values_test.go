package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// intSchema wants a to be an integer.
const intSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"integer"},"m":{"required":["k"],"properties":{"k":{"type":"string"}}}}}`

// TestValues breaks each rule about values by one edit of a repo that is clean, and expects that finding at its place, and no other.
func TestValues(t *testing.T) {
	const managed, custom, defaults = "a: 1\nb: x\n", "# mine\nc: 2\n", "a: 0\nb: y\nc: 0\nm: {k: v}\n"
	for name, tc := range map[string]struct {
		reason string
		edit   func(r *repo)
		strict bool
		want   []where
	}{
		"Clean": {reason: "nothing is wrong", edit: func(*repo) {}},
		"NoCharts": {
			reason: "without charts nothing is said of them",
			edit:   func(r *repo) { r.charts, r.files[customFile] = nil, "a: x\n" },
			want:   []where{{check.RuleShadowed, customFile, 1, 1, "a"}},
		},
		"Broken": {
			reason: "what Helm cannot read",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd: [\n" },
			want:   []where{{check.RuleParse, customFile, 2, 1, ""}},
		},
		"BrokenManaged": {
			reason: "lines are those of the file, not of its body",
			edit:   func(r *repo) { r.files[managedFile] = managedOf("a: 1\nb:\n\tc: 1\n") },
			want:   []where{{check.RuleParse, managedFile, headLines + 3, 1, ""}},
		},
		"List": {
			reason: "values are a map",
			edit:   func(r *repo) { r.files[customFile] = "# mine\n- a\n" },
			want:   []where{{check.RuleParse, customFile, 2, 1, ""}},
		},
		"NotUTF8": {
			reason: "Helm would take it as other text",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd: \xff\n" },
			want:   []where{{check.RuleParse, customFile, 2, 4, ""}},
		},
		"DuplicateKey": {
			reason: "the last one wins, whole",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd: 1\nc: 3\n" },
			want:   []where{{check.RuleParse, customFile, 3, 1, ""}},
		},
		"SecondDocument": {
			reason: "Helm 3 ignores it, Helm 4 merges it",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\n---\nd: 1\n" },
			want:   []where{{check.RuleParse, customFile, 3, 1, ""}},
		},
		"Secret": {
			reason: "a literal secret",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd:\n  password: warm-kettle-19\n" },
			want:   []where{{check.RuleSecret, customFile, 3, 3, "d.password"}},
		},
		"SecretManaged": {
			reason: "in what the platform computes too",
			edit:   func(r *repo) { r.files[managedFile] = managedOf("a: 1\nb: x\nd:\n  password: warm-kettle-19\n") },
			want:   []where{{check.RuleSecret, managedFile, headLines + 4, 3, "d.password"}},
		},
		"SecretComment": {
			reason: "a comment is in git too",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\n# password: warm-kettle-19\n" },
			want:   []where{{check.RuleSecret, customFile, 2, 1, ""}},
		},
		"SecretAccepted": {
			reason: "an exception says why, and is told as a note",
			edit: func(r *repo) {
				r.files[customFile] = "c: 2\nd:\n  password: warm-kettle-19\n"
				r.config = "secrets:\n- {app: shop/web, path: d.password, rule: secret-named-key, reason: a test}\n"
			},
			want: []where{{check.RuleSecret, ".apl.yaml", 2, 3, "d.password"}},
		},
		"ExceptionUnused": {
			reason: "an exception that accepts nothing",
			edit: func(r *repo) {
				r.config = "secrets:\n- {app: shop/web, path: d.password, rule: secret-named-key, reason: a test}\n"
			},
			want: []where{{check.RuleException, ".apl.yaml", 2, 3, "d.password"}},
		},
		"ExceptionElsewhere": {
			reason: "exceptions about objects and about other apps are not judged here",
			edit: func(r *repo) {
				r.config = "secrets:\n- {app: shop/other, path: a, rule: secret-named-key, reason: a test}\n- {app: shop/web, path: Secret/shop/x, rule: artifact-secret, reason: a test}\n" +
					"- {app: shop/web, path: 'ConfigMap/shop/x:data.a', rule: secret-named-key, reason: a test}\n"
			},
		},
		"Edited": {
			reason: "somebody edited what the tool writes",
			edit:   func(r *repo) { r.files[managedFile] = strings.Replace(r.files[managedFile], "a: 1", "a: 2", 1) },
			want:   []where{{check.RuleEdited, managedFile, headLines, 1, ""}},
		},
		"NoDigest": {
			reason: "a file that the tool did not write",
			edit:   func(r *repo) { r.files[managedFile] = "a: 1\n" },
			want:   []where{{check.RuleEdited, managedFile, 1, 1, ""}},
		},
		"CheckoutCRLF": {
			reason: "the line ends of a checkout on Windows are no edit",
			edit: func(r *repo) {
				r.files[managedFile], r.files[customFile] = strings.ReplaceAll(r.files[managedFile], "\n", "\r\n"), "# mine\r\nc: 2\r\n"
			},
		},
		"Shadowed": {
			reason: "custom overrides what the platform sets",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\na: 3\n" },
			want:   []where{{check.RuleShadowed, customFile, 2, 1, "a"}},
		},
		"ChartMissing": {
			reason: "no chart, no verdict",
			edit:   func(r *repo) { r.files[appFile] = strings.Replace(application, "charts/web", "charts/none", 1) },
			want:   []where{{check.RuleChart, appFile, chartLine, 5, "spec.sources[0].path"}},
		},
		"NoSchema": {
			reason: "a note, no gate",
			edit:   func(r *repo) { delete(r.charts, "charts/web/values.schema.json"); r.files[customFile] = "c: {}\n" },
			want:   []where{{check.RuleSchemaMissing, appFile, chartLine, 5, ""}},
		},
		"SchemaUnusable": {
			reason: "what cannot judge takes nothing",
			edit:   func(r *repo) { r.charts["charts/web/values.schema.json"] = `{"type":"int"}` },
			want:   []where{{check.RuleSchemaUnusable, appFile, chartLine, 5, "spec.sources[0].path"}},
		},
		"SchemaUnchecked": {
			reason: "Helm lets a URN pass",
			edit: func(r *repo) {
				r.charts["charts/web/values.schema.json"] = `{"properties":{"zz":{"$ref":"urn:acme:x"}}}`
			},
			want: []where{{check.RuleSchemaUnchecked, appFile, chartLine, 5, "spec.sources[0].path"}},
		},
		"SchemaSkipped": {
			reason: "the Application says so, and no gate is left",
			edit: func(r *repo) {
				r.files[appFile] = strings.Replace(application, "      releaseName: web\n", "      releaseName: web\n      skipSchemaValidation: true\n", 1)
				r.files[customFile] = "c: 2\nm: {k: 1}\n"
			},
			want: []where{{check.RuleSchemaUnchecked, appFile, 17, 7, "spec.sources[0].helm.skipSchemaValidation"}},
		},
		"Schema": {
			reason: "the vendor wants text",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nm:\n  k: 1\n" },
			want:   []where{{check.RuleSchema, customFile, 3, 3, "m.k"}},
		},
		"UnknownKey": {
			reason: "a key that the chart does not know, when asked for",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd: 1\n" },
			strict: true,
			want:   []where{{check.RuleUnknownKey, customFile, 2, 1, "d"}},
		},
		"UnknownKeyNotAsked": {
			reason: "nobody asked",
			edit:   func(r *repo) { r.files[customFile] = "c: 2\nd: 1\n" },
		},
		"Orphan": {
			reason: "without an Application there is no chart",
			edit:   func(r *repo) { delete(r.files, appFile) },
		},
		"OneFile": {
			reason: "a missing file is another rule's, and its values are not missed",
			edit: func(r *repo) {
				delete(r.files, managedFile)
				r.charts["charts/web/values.schema.json"] = `{"required":["only-managed-has-it"]}`
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := web(managed, custom, defaults, intSchema)
			tc.edit(&r)
			if diff := cmp.Diff(tc.want, places(t, r.run(t, check.Options{StrictKeys: tc.strict}))); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSecretSays holds what a finding about a secret says: pkg/secret's rule, and the exception that would accept it.
func TestSecretSays(t *testing.T) {
	r := web("", "db:\n  \"pass word\":\n    password: Zq8-plain-2024\n", "", "")
	list := r.run(t, check.Options{}, check.RuleSecret)
	want := []finding.Finding{{
		Rule: check.RuleSecret, Severity: finding.Error, App: "shop/web", File: customFile, Line: 3, Column: 5, Path: `db["pass word"].password`,
		Message: "secret-named-key: a key whose name says secret holds a literal value",
		Next: "use a reference, such as existingSecret or valueFrom.secretKeyRef, or accept the place under secrets: in .apl.yaml, with a reason: " +
			`- {app: shop/web, path: "db[\"pass word\"].password", rule: secret-named-key, reason: "..."}`,
	}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// What it says to write is taken.
	_, entry, _ := strings.Cut(list[0].Next, "reason: ")
	r.config = "secrets:\n" + entry + "\n"
	if list := r.run(t, check.Options{}, check.RuleSecret); len(list) != 1 || list[0].Severity != finding.Info {
		t.Errorf("the entry accepts it: %+v", list)
	}
}
