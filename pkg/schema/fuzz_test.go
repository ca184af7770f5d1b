package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// FuzzSchema: no schema and no values may panic or hang, and what is reported is bounded.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"$ref":"#"},"b":{"type":"string"}}}`), []byte("a: {b: 1}"))
	f.Add([]byte(`{"oneOf":[{"type":"string"},{"patternProperties":{"^a":false}}],"unevaluatedProperties":false}`), []byte("{a: 1, b: [x]}"))
	f.Add([]byte(`{"$dynamicAnchor":"n","anyOf":[{"$dynamicRef":"#n"},{"$id":"x","$anchor":"y"}]}`), []byte("a: null"))
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-06/schema#","$ref":"urn:x","const":1,"dependencies":{"a":["b"]}}`), []byte("a: 1e9"))
	f.Fuzz(func(t *testing.T, text, yaml []byte) {
		s, err := schema.Compile("fuzz", text)
		if err != nil {
			return
		}
		d, err := values.Parse("fuzz", yaml)
		if err != nil {
			return
		}
		report, err := s.Validate(d.Values)
		if err != nil {
			return
		}
		shown, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Violations) > schema.MaxViolations || len(shown) > 1<<20+100*len(yaml) {
			t.Fatalf("%d violations in %d bytes", len(report.Violations), len(shown))
		}
	})
}

// FuzzCompare: no two schemas may panic or hang, and what the first takes the second takes, unless it is said that it may not.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"$ref":"#"},"b":{"type":"string"}}}`), []byte(`{"additionalProperties":false}`), []byte("a: {b: x}"))
	f.Add([]byte(`{"oneOf":[{"type":"object"},{"patternProperties":{"^a":false}}],"unevaluatedProperties":false}`), []byte(`{"if":{"required":["a"]},"then":{"minProperties":2}}`), []byte("{a: 1, b: [x]}"))
	f.Add([]byte(`{"$dynamicAnchor":"n","anyOf":[{"$dynamicRef":"#n"},{"$id":"x","$anchor":"y"}]}`), []byte(`{"enum":[{"a":null}],"not":{}}`), []byte("a: null"))
	f.Add([]byte(`{"properties":{"a":{"prefixItems":[{"const":1}],"items":{"multipleOf":0.5}}}}`), []byte(`{"properties":{"a":{"contains":{"maximum":1e9},"uniqueItems":true}}}`), []byte("a: [1, 2.5]"))
	f.Fuzz(func(t *testing.T, before, after, yaml []byte) {
		a, errA := schema.Compile("before", before)
		b, errB := schema.Compile("after", after)
		if errA != nil || errB != nil {
			return
		}
		a.Keys()
		c := schema.CompareStrictly(a, b)
		shown, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(shown) > 1<<20+100*(len(before)+len(after)) {
			t.Fatalf("%d changes in %d bytes", len(c.Changes), len(shown))
		}
		d, err := values.Parse("fuzz", yaml)
		if err != nil || c.Breaking() {
			return
		}
		taken, err := a.Validate(d.Values)
		if err != nil || len(taken.Violations) > 0 {
			return
		}
		if report, err := b.Validate(d.Values); err == nil && len(report.Violations) > 0 {
			t.Fatalf("no change is breaking (%+v), and the values are refused: %+v", c.Changes, report.Violations)
		}
	})
}
