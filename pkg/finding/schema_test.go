package finding_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// TestSchemaIsCurrent holds docs/schema to the code; make generate writes it.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := finding.ReportSchema()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", "validation-report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/schema/validation-report.schema.json is not current; run go generate ./hack/schema (-want +got)\n%s", diff)
	}
}

// jsonSchema is what the test reads of a schema.
type jsonSchema struct {
	Properties map[string]jsonSchema
	Items      *jsonSchema
	Required   []string
}

// TestSchemaIsOfTheType holds the schema to the type: the same fields, and those required that are never left out.
func TestSchemaIsOfTheType(t *testing.T) {
	text, err := finding.ReportSchema()
	if err != nil {
		t.Fatal(err)
	}
	var root jsonSchema
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	compareFields(t, root, reflect.TypeFor[finding.Report]())
	compareFields(t, root.Properties["summary"], reflect.TypeFor[finding.Summary]())
	compareFields(t, *root.Properties["findings"].Items, reflect.TypeFor[finding.Finding]())
}

func compareFields(t *testing.T, s jsonSchema, of reflect.Type) {
	t.Helper()
	var fields, required []string
	for f := range of.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		fields = append(fields, name)
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	slices.Sort(fields)
	if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(s.Properties))); diff != "" {
		t.Errorf("%s has other fields than its schema (-type +schema):\n%s", of, diff)
	}
	if diff := cmp.Diff(required, s.Required); diff != "" {
		t.Errorf("%s always has other fields than its schema asks for (-type +schema):\n%s", of, diff)
	}
}
