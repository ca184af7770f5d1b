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
