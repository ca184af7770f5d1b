package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// said is what the cases expect of a finding: its place is as in line:column, and parts of what it says.
type said struct {
	rule     string
	severity finding.Severity
	at       string
	path     string
	parts    []string
}

// hold compares findings with those that a case expects.
func hold(t *testing.T, reason string, want []said, got []finding.Finding) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d findings, and not %d: %+v", reason, len(got), len(want), got)
	}
	for i, w := range want {
		f := got[i]
		at := fmt.Sprintf("%d:%d", f.Line, f.Column)
		if f.Rule != w.rule || f.Severity != w.severity || at != w.at || f.Path != w.path {
			t.Errorf("%s: want %+v, got %+v", reason, w, f)
		}
		for _, part := range w.parts {
			if !strings.Contains(f.Message+"; "+f.Next, part) {
				t.Errorf("%s: %q says nothing of %q", reason, f.Message+"; "+f.Next, part)
			}
		}
	}
}

// TestSchemaCases are public failures of schemas, from a values repo to the finding.
func TestSchemaCases(t *testing.T) {
	const e, w = finding.Error, finding.Warning
	chartAt := fmt.Sprintf("%d:5", chartLine)
	const chartPath = "spec.sources[0].path"
	closed := draft7 + `"type":"object","additionalProperties":false,"properties":{"size":{"type":"integer"}}}`
	for name, tc := range map[string]struct {
		reason string
		repo   repo
		want   []said
	}{
		"D1Alone":    {"nobody injects global into a chart on its own", web("", "size: 1\n", "size: 0", closed), nil},
		"D1Subchart": {"as a subchart it is refused, as by Helm, with the reason", web("", "db: {size: 1}\n", "x: 1", "").subchart("db", "size: 0", closed, ""), []said{{check.RuleSchema, e, chartAt, "db.global", []string{"no such key", `Helm puts "global" into`}}}},
		"D3Switch":   {"a keyword of draft 4 in a schema that says no draft", web("", "n: 2\n", "", `{"properties":{"n":{"maximum":9,"exclusiveMaximum":true}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"web#/properties/n/exclusiveMaximum: ", "draft 2020-12", "draft-04", "maintainers"}}}},
		"D3Tuple":    {"a tuple of draft 7 in one", web("", "l: [x]\n", "", `{"properties":{"l":{"items":[{"type":"string"}],"additionalItems":false}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"web#/properties/l/items: ", "draft-07"}}}},
		"D3Said":     {"with the draft said both are fine", web("", "l: [x]\n", "", draft7+`"properties":{"l":{"items":[{"type":"string"}],"additionalItems":false}}}`), nil},
		"D5":         {"nothing is fetched, though nobody sets the key", web("", "replicas: 1\n", "", draft7+`"properties":{"pod":{"$ref":"https://schemas.example.test/pod.json#/definitions/y"}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"https://schemas.example.test/pod.json", "not fetched"}}}},
		"D7":         {"valid, with a warning", web("", "a: {any: 1}\n", "", draft7+`"properties":{"a":{"$ref":"urn:example:thing"}}}`), []said{{check.RuleSchemaUnchecked, w, chartAt, chartPath, []string{"was not checked", "urn:example:thing"}}}},
		"D9Fine": {"1.0, 1e6, 2^64 and octal are integers", web("", "a: 2.0\nb: 1e6\nc: 18446744073709551616\nport: 0177777\ne: 2.0\n", "", `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"},"port":{"type":"integer","maximum":65535},"e":{"enum":[1,2]}}}`),
			nil},
		"D9Bad": {"text and fractions are none, each in its line", web("", "# mine\na: \"2\"\nb: 2.5\n", "", `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`),
			[]said{{check.RuleSchema, e, "2:1", "a", []string{"expected integer, but got string"}}, {check.RuleSchema, e, "3:1", "b", []string{"expected integer, but got number"}}}},
		"D11Unevaluated": {"newly enforced keywords are, in words of ours", web("", "a: 1\nglobal: {}\nl: [1]\n", "", `{"$schema":"https://json-schema.org/draft/2019-09/schema","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`),
			[]said{{check.RuleSchema, e, "2:1", "global", []string{"not allowed here"}}, {check.RuleSchema, e, "3:1", "l", []string{"not allowed here"}}}},
		"D11Prefix":   {"item by item", web("", "l:\n- 1\n", "", `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"l":{"prefixItems":[{"type":"string"}]}}}`), []said{{check.RuleSchema, e, "2:3", "l[0]", []string{"expected string, but got number"}}}},
		"D15Nullable": {"a word of OpenAPI", web("", "a: null\n", "", `{"properties":{"a":{"type":"string","nullable":true}}}`), []said{{check.RuleSchema, e, "1:1", "a", []string{"got null", `"nullable" is a word of OpenAPI`}}}},
		"D15Required": {"draft 3", web("", "a: x\n", "", `{"properties":{"a":{"type":"string","required":true}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"web#/properties/a/required: ", "not the values"}}}},
		"D15Type":     {"no such type", web("", "a: 1\n", "", `{"properties":{"a":{"type":"int"}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"web#/properties/a/type: ", "not the values"}}}},
		"Regexp":      {"a regular expression that Go has not", web("", "a: x\n", "", draft7+`"properties":{"a":{"pattern":"^(?!x)"}}}`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"regular expression", "lookahead"}}}},
		"NoJSON":      {"no schema at all", web("", "a: x\n", "", `{`), []said{{check.RuleSchemaUnusable, e, chartAt, chartPath, []string{"web: ", "no JSON"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			hold(t, tc.reason, tc.want, tc.repo.run(t, check.Options{}, check.RuleSchema, check.RuleSchemaUnusable, check.RuleSchemaUnchecked))
		})
	}
}

// TestSchemaSize is case D13: a schema with a part for each of thousands of keys is compiled once, or refused, in bounded time.
func TestSchemaSize(t *testing.T) {
	var keys, parts strings.Builder
	for i := range 20 {
		fmt.Fprintf(&keys, `"p%d":{"type":["string","null"],"title":"x"},`, i)
	}
	for i := range 1500 {
		fmt.Fprintf(&parts, `"k%d":{"additionalProperties":false,"properties":{%s"q":{}}},`, i, keys.String())
	}
	body := `"properties":{` + parts.String() + `"z":{}}}`
	for name, tc := range map[string]struct {
		reason, schema string
		want           []said
	}{
		"Draft7": {"drafts up to 2019-09 take linear time", draft7 + body, nil},
		"Latest": {"of the latest draft it takes time by the square of the parts", `{` + body, []said{{check.RuleSchemaUnusable, finding.Error, fmt.Sprintf("%d:5", chartLine), "spec.sources[0].path", []string{"parts"}}}},
		"Large":  {"Helm loads no file that large", draft7 + `"description":"` + strings.Repeat("x", 9<<20) + `"}`, []said{{check.RuleChart, finding.Error, fmt.Sprintf("%d:5", chartLine), "spec.sources[0].path", []string{"values.schema.json", "larger"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			hold(t, tc.reason, tc.want, web("", "k1: {p1: x}\n", "", tc.schema).run(t, check.Options{StrictKeys: true}, check.RuleSchema, check.RuleSchemaUnusable, check.RuleChart))
			if took := time.Since(began); took > 5*time.Minute {
				t.Errorf("%s: it took %v", tc.reason, took)
			}
		})
	}
}

// TestSecretCases are public failures of the search for secrets, from a value file to the finding.
func TestSecretCases(t *testing.T) {
	const e, w, i = finding.Error, finding.Warning, finding.Info
	const pem = "-----BEGIN %s-----\n  MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY\n  -----END %s-----\n"
	key, certificate := fmt.Sprintf("  "+pem, "EC PRIVATE KEY", "EC PRIVATE KEY"), fmt.Sprintf("  "+pem, "CERTIFICATE", "CERTIFICATE")
	for name, tc := range map[string]struct {
		reason, custom string
		want           []said
	}{
		"E1": {"names of secrets are none", "auth:\n  existingSecret: db-login\n  passwordSecretKey: password\n  secretName: shop-tls\npullSecrets: [{name: regcred}]\n" +
			"env:\n- name: DB_PASSWORD\n  valueFrom: {secretKeyRef: {name: db, key: password}}\n- {name: TOKEN_URL, value: https://login.example.test/token}\nserviceAccountToken: true\npasswordMinLength: 12\ntokenTTL: 3600s\n", nil},
		"E3": {"a Secret is one in any order and as text", "extra:\n- |\n  stringData: {p: warm}\n  metadata: {name: z}\n  kind: Secret\n  apiVersion: v1\n- data: {a: d2FybS1rZXR0bGU=}\n  kind: Secret\n",
			[]said{{check.RuleSecret, e, "2:3", "extra[0]#stringData.p", []string{"secret-object: ", `path: "extra[0]#stringData.p"`}}, {check.RuleSecret, e, "7:10", "extra[1].data.a", []string{"secret-object: "}}}},
		"E5": {"a private key is one, a certificate none", "ca: |\n" + certificate + "key: |\n" + key, []said{{check.RuleSecret, e, "5:1", "key", []string{"secret-private-key: "}}}},
		"E7": {"arguments, and pairs of name and value", "args: [\"--db-user=app\", \"--db-password=Xw31kjQ0\"]\nextraEnv:\n- {name: REGISTRY_PASSWORD, value: HB064HiIjHGb3CXlMaXZjljENUhJdv}\n- {name: PASSWORD_FILE, value: /run/secrets/db}\njavaOpts: -Djavax.net.ssl.keyStorePassword=changeit\n",
			[]said{{check.RuleSecret, e, "1:25", "args[1]", []string{"secret-argument: "}}, {check.RuleSecret, e, "3:29", "extraEnv[0].value", []string{"secret-named-env: "}},
				{check.RuleSecret, w, "5:1", "javaOpts", []string{"everyone knows", "or accept the place under secrets: in .apl.yaml: - {app: shop/web, "}}}},
		"E9": {"paths, templates and placeholders are none, a weak password is one", "pwFile: /run/secrets/root\npassword: \"{{ .Values.global.pw }}\"\nadminPassword: \"\"\nsecret: CHANGE_ME\napiKey: ${API_KEY}\nvault: ref+vault://kv/web#/pw\ndb: {password: CHANGE_ME_9f3k2}\n",
			[]said{{check.RuleSecret, i, "4:1", "secret", []string{"a placeholder"}}, {check.RuleSecret, e, "7:6", "db.password", []string{"secret-named-key: "}}}},
	} {
		t.Run(name, func(t *testing.T) {
			hold(t, tc.reason, tc.want, web("", tc.custom, "", "").run(t, check.Options{}, check.RuleSecret, check.RuleParse))
		})
	}
}

// TestParseCases are public failures of reading values.
func TestParseCases(t *testing.T) {
	const e, w = finding.Error, finding.Warning
	for name, tc := range map[string]struct {
		reason, custom string
		want           []said
	}{
		"A13Number":   {"a number as a key is text to Helm", "tcp: {8080: a/b:80}\n", nil},
		"A13Twice":    {"8080 and \"8080\" are one key, of which Helm takes either", "tcp:\n  8080: a\n  \"8080\": b\n", []said{{check.RuleParse, e, "3:3", "", []string{"at random"}}}},
		"A13Null":     {"Helm has no null keys", "a: 1\n~: x\n", []said{{check.RuleParse, e, "2:1", "", []string{"null key"}}}},
		"A15":         {"the last one wins whole, and both lines are said", "image: {repository: r}\nb: 1\nimage: {tag: x}\n", []said{{check.RuleParse, w, "3:1", "", []string{"line 1", "line 3", "the last one whole"}}}},
		"A17CRLF":     {"line ends of Windows", "a: 1\r\ns: |\r\n  l1\r\n", nil},
		"A17BOM":      {"a byte order mark", "\ufeffa: 1\n", nil},
		"A17Tab":      {"a tab indents nothing", "a:\n\tb: 1\n", []said{{check.RuleParse, e, "2:1", "", []string{"a tab stands where"}}}},
		"A17Encoding": {"what is no UTF-8 is not guessed", "a: 1\nb: caf\xe9\n", []said{{check.RuleParse, e, "2:7", "", []string{"UTF-8"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			hold(t, tc.reason, tc.want, web("", tc.custom, "", "").run(t, check.Options{}, check.RuleParse))
		})
	}
}

// TestLinesOfManaged holds that what is said of a managed file names the lines of the file, in its message too.
func TestLinesOfManaged(t *testing.T) {
	r := web("a: 1\nb: 1\na: 2\n", "", "", "")
	want := []said{{check.RuleParse, finding.Warning, fmt.Sprintf("%d:1", headLines+3), "", []string{fmt.Sprintf("line %d and again on line %d;", headLines+1, headLines+3)}}}
	hold(t, "a key that stands twice", want, r.run(t, check.Options{}, check.RuleParse))
	if diff := cmp.Diff([]where(nil), places(t, r.run(t, check.Options{}, check.RuleEdited, check.RuleSecret))); diff != "" {
		t.Errorf("the comment above the values is no secret (-want +got)\n%s", diff)
	}
}
