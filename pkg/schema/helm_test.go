package schema_test

import (
	"encoding/json"
	"io"
	"log"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// quietHelm keeps Helm's warnings about URNs out of the test's output.
func quietHelm(t testing.TB) {
	t.Helper()
	before := log.Writer()
	log.SetOutput(io.Discard)
	t.Cleanup(func() { log.SetOutput(before) })
}

// parse reads values as Helm does.
func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	d, err := values.Parse("values.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d.Values
}

// helm tells whether Helm takes values, and what it says.
func helm(text []byte, tree map[string]any) (bool, error) {
	err := chartutil.ValidateAgainstSingleSchema(tree, text)
	return err == nil, err
}

// ours tells whether we take values, and what we say.
func ours(s *schema.Schema, compileErr error, tree map[string]any) (bool, any) {
	if compileErr != nil {
		return false, compileErr
	}
	report, err := s.Validate(tree)
	if err != nil {
		return false, err
	}
	return len(report.Violations) == 0 && report.More == 0, report
}

// agree holds our verdict to Helm's.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, text []byte, s *schema.Schema, compileErr error, tree map[string]any) {
	t.Helper()
	theirs, said := helm(text, tree)
	mine, report := ours(s, compileErr, tree)
	if theirs != mine {
		shown, _ := json.Marshal(tree)
		t.Fatalf("Helm takes it: %v (%v); we: %v (%v)\nvalues: %.3000s", theirs, said, mine, report, shown)
	}
}

// TestVerdicts holds what the two versions of the library read differently to Helm's reading.
func TestVerdicts(t *testing.T) {
	quietHelm(t)
	const d4, d6, d7 = `"$schema":"http://json-schema.org/draft-04/schema#",`, `"$schema":"http://json-schema.org/draft-06/schema#",`,
		`"$schema":"http://json-schema.org/draft-07/schema#",`
	const d19, d20 = `"$schema":"https://json-schema.org/draft/2019-09/schema",`, `"$schema":"https://json-schema.org/draft/2020-12/schema",`
	for name, c := range map[string]struct {
		reason string
		schema string
		values []string // one for each document
	}{
		"no draft":          {"formats are not asserted by the latest draft", `{"properties":{"a":{"format":"ipv4"}}}`, []string{"a: x", "a: 1.2.3.4"}},
		"format 2019":       {"formats are not asserted", `{` + d19 + `"properties":{"a":{"format":"ipv4"}}}`, []string{"a: x"}},
		"format 2020":       {"formats are not asserted", `{` + d20 + `"properties":{"a":{"format":"ipv4"}}}`, []string{"a: x"}},
		"const beside ref":  {"Helm's library minds it", `{` + d7 + `"definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s","const":"x","minLength":9}}}`, []string{"a: x", "a: y", "a: 1"}},
		"const beside ref6": {"Helm's library minds it", `{` + d6 + `"definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s","const":"x"}}}`, []string{"a: x", "a: y"}},
		"const draft 4":     {"draft 4 has no const", `{` + d4 + `"properties":{"a":{"const":"x"}}}`, []string{"a: x", "a: y"}},
		"empty enum 7":      {"the metaschema forbids it", `{` + d7 + `"properties":{"a":{"enum":[]}}}`, []string{"a: x", "b: x"}},
		"empty enum":        {"nothing is in it", `{` + d20 + `"properties":{"a":{"enum":[]}}}`, []string{"a: x", "b: y"}},
		"enum beside ref":   {"the metaschema compares as values are compared", `{` + d6 + `"definitions":{"x":{},"y":{"$ref":"#/definitions/x","enum":["1",1]}}}`, []string{"a: 1"}},
		"enum of both":      {"a number is like a text, not a text like a number", `{"properties":{"a":{"enum":["1",2]},"b":{"const":"1"}}}`, []string{"a: 1", "a: '2'", "a: '1'", "b: 1", "b: 1.0", "b: 2"}},
		"content":           {"content is not asserted", `{` + d7 + `"properties":{"a":{"contentEncoding":"base64","contentMediaType":"application/json"}}}`, []string{"a: '%'", "a: e30="}},
		"content schema":    {"what it refers to is not asked for", `{` + d20 + `"properties":{"a":{"contentMediaType":"application/json","contentSchema":{"$ref":"#/nowhere"}}}}`, []string{"a: x"}},
		"huge bound":        {"9223372036854775807 is a bound, not -1", `{` + d7 + `"properties":{"a":{"maxLength":9223372036854775807,"minLength":0}}}`, []string{"a: x"}},
		"urn dialect":       {"a dialect that nobody knows allows all", `{"$schema":"urn:acme:dialect","properties":{"a":{"type":"string"}}}`, []string{"a: x", "a: 1"}},
		"urn with place":    {"nothing is at that place", `{"properties":{"a":{"$ref":"urn:acme:x#/definitions/y"}}}`, []string{"a: x", "b: 1"}},
		"id":                {"an $id is the base of references", `{` + d7 + `"$id":"https://example.test/s.json","definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s"},"b":{"$ref":"s.json#/definitions/s"}}}`, []string{"a: x", "b: 1"}},
		"own name":          {"a schema can name itself", `{` + d7 + `"definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"values.schema.json#/definitions/s"}}}`, []string{"a: x", "a: 1"}},
		"metaschema":        {"the metaschema is known", `{` + d7 + `"properties":{"a":{"$ref":"http://json-schema.org/draft-07/schema#"}}}`, []string{"a: {type: string}", "a: {type: 1}"}},
		"trailing text":     {"one JSON text is one", `{} x`, []string{"a: x"}},
		"two texts":         {"one JSON text is one", `{} {}`, []string{"a: x"}},
		"empty":             {"no text is no schema", ``, []string{"a: x"}},
		"list":              {"a list is no schema", `[]`, []string{"a: x"}},
		"null":              {"null is no schema", `null`, []string{"a: x"}},
		"true":              {"true takes all", `true`, []string{"a: x", ""}},
		"false":             {"false takes nothing", `false`, []string{"a: x", ""}},
		"draft-4 bounds":    {"exclusiveMinimum is a switch", `{` + d4 + `"properties":{"a":{"minimum":1,"exclusiveMinimum":true}}}`, []string{"a: 1", "a: 1.0", "a: 1.1"}},
		"draft-4 id":        {"a property may be named id", `{` + d4 + `"properties":{"id":{"type":"string"},"$id":{"type":"string"}}}`, []string{"id: x", "id: 1"}},
		"tuple 2019":        {"items and additionalItems", `{` + d19 + `"properties":{"l":{"items":[{"type":"string"}],"additionalItems":false}}}`, []string{"l: [x]", "l: [x, y]", "l: [1]"}},
		"contains":          {"by draft", `{` + d20 + `"properties":{"l":{"contains":{"type":"string"},"minContains":2,"maxContains":2,"unevaluatedItems":false}}}`, []string{"l: [x]", "l: [x, y]", "l: [x, y, 1]", "l: [x, y, z]"}},
		"dependencies":      {"both kinds", `{` + d7 + `"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, []string{"a: 1", "{a: 1, b: 1}", "c: 1", "{c: 1, d: 1}"}},
		"dependent":         {"both kinds", `{` + d20 + `"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}`, []string{"a: 1", "{a: 1, b: 1}", "c: 1", "{c: 1, d: 1}"}},
		"if":                {"then and else", `{` + d7 + `"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, []string{"a: 1", "{a: 1.0, b: 1}", "c: 1", ""}},
		"numbers":           {"by value", `{` + d7 + `"properties":{"a":{"type":"integer","multipleOf":0.5,"maximum":18446744073709551616},"e":{"enum":[1,1e2]}}}`, []string{"a: 1.0", "a: 1.5", "a: 18446744073709551616", "a: 18446744073709551617", "a: 1e6", "e: 100", "e: 1.0", "e: '1'"}},
		"unique":            {"long lists too", `{` + d7 + `"properties":{"l":{"uniqueItems":true}}}`, []string{"l: [1, 1.0]", "l: [1, '1']", "l: [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,5.0]"}},
		"property names":    {"from draft 6", `{` + d6 + `"propertyNames":{"pattern":"^[a-c]$"}}`, []string{"a: 1", "x: 1"}},
		"recursive":         {"$recursiveRef", `{` + d19 + `"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"},"n":{"type":"integer"}},"unevaluatedProperties":false}`, []string{"a: {a: {n: 1}}", "a: {a: {n: x}}", "a: {b: 1}"}},
		"dynamic":           {"$dynamicRef", `{` + d20 + `"$dynamicAnchor":"node","properties":{"a":{"$dynamicRef":"#node"},"n":{"type":"integer"}},"unevaluatedProperties":false}`, []string{"a: {a: {n: 1}}", "a: {a: {n: x}}", "a: {b: 1}"}},
		"loop":              {"no value ends it", `{` + d7 + `"$ref":"#"}`, []string{"a: 1"}},
		"loop in allOf":     {"no value ends it", `{` + d20 + `"allOf":[{"$ref":"#"}]}`, []string{"a: 1"}},
		"unknown draft":     {"no such draft", `{"$schema":"http://json-schema.org/draft-03/schema#"}`, []string{"a: 1"}},
		"relative draft":    {"no such draft", `{"$schema":"draft-07"}`, []string{"a: 1"}},
		"wrong keyword":     {"by the metaschema", `{` + d7 + `"required":"a"}`, []string{"a: 1"}},
		"ref of a number":   {"the metaschema forbids it", `{` + d4 + `"properties":{"a":{"$ref":1,"type":"string"}}}`, []string{"a: x", "a: 1"}},
		"regexProperties":   {"no keyword of Helm's library", `{` + d7 + `"regexProperties":true}`, []string{"'[': 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile(name, []byte(c.schema))
			for _, text := range c.values {
				t.Log(c.reason, text)
				agree(t, []byte(c.schema), s, err, parse(t, text))
			}
		})
	}
}

// TestFormats puts texts that are near to a format to both, in the draft that asserts formats.
func TestFormats(t *testing.T) {
	texts := []string{"", "P", "PT", "P1Y", "P1Y2D", "P1DT", "P1DT2H3S", "P1W", "P1W2D", "PT1M2H", "P-1Y", "1.2.3.4", "01.2.3.4", "00.2.3.4",
		"1.2.3", "1.2.3.4.5", "256.1.1.1", "+1.2.3.4", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1::2::3", "a", "a.b", "a-.b", "-a", "a.-b", "a..b", "a.b.",
		".", "a_b", "é.b", "a@b", "@b", "a@", ".a@b", "a.@b", "a..b@c", "a.b+c@d.e", `"a b"@c`, `"a"b"@c`, `"@c`, `""@c`, "a b@c", "a@[1.2.3.4]",
		"a@[IPv6:::1]", "a@[x]", "a@-b", "<a@b>", "A <a@b>", "1.2.3-rc.1+b", "1.2", "1.2.3-01", "1.2.3-0a", "1.2.3-", "01.2.3", "v1.2.3", "1.2.3+",
		"/a/{b}", "/a/{b", "/a/b}", "/a/{{b}}", "/a/%7b%20", "/a/%7bx%7D", "http://x/{a}{b}", "{a/b}", "a b", "http://[::1]/", "http://::1/", `a\b`, "%",
		"http://[fe80::1%25eth0]/", "x:y", "#/a", "/a~0", "/a~2", "/a~", "0", "0#", "01", "1/a", "00000000-0000-0000-0000-000000000000",
		"0000000-00000-0000-0000-000000000000", "2024-02-30", "2024-02-29", "12:00:00Z", "23:59:60Z", "12:00:60Z", "12:00:00", "12:00:00+01:00",
		"12:00:00.Z", "12:00:00.1z", "2024-01-02T12:00:00Z", "2024-01-02t12:00:00-24:00", "2024-01-02 12:00:00Z", "2024-01-02T12:00:00Z/P1D",
		"P1D/2024-01-02T12:00:00Z", "P1D/P1D", "2024-01-02T12:00:00Z/2024-01-02T12:00:00Z", "/", "[", "(?=a)", "a+"}
	for _, format := range []string{"duration", "period", "ipv4", "ipv6", "ip-address", "hostname", "email", "semver", "uri", "iri", "uri-reference",
		"uriref", "iri-reference", "uri-template", "regex", "json-pointer", "relative-json-pointer", "uuid", "date", "time", "date-time", "unheard-of"} {
		t.Run(format, func(t *testing.T) {
			text, err := json.Marshal(map[string]any{"$schema": "http://json-schema.org/draft-07/schema#",
				"properties": map[string]any{"a": map[string]any{"format": format}}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := schema.Compile(format, text)
			for _, value := range texts {
				agree(t, text, s, err, map[string]any{"a": value})
			}
			agree(t, text, s, err, map[string]any{"a": json.Number("1")})
		})
	}
}
