package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// within fails a test that takes longer than a webhook may. Measured, none of them takes a third of it.
func within(t *testing.T, limit time.Duration) {
	t.Helper()
	start := time.Now()
	t.Cleanup(func() {
		if took := time.Since(start); took > limit {
			t.Errorf("took %s, more than %s", took, limit)
		}
	})
}

// wide returns a schema of n maps with 20 properties each: about 2 kB for each.
func wide(draft string, n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"$schema":%q,"properties":{`, draft)
	for i := range n {
		fmt.Fprintf(&b, `"k%d":{"type":"object","additionalProperties":false,"properties":{`, i)
		for j := range 20 {
			fmt.Fprintf(&b, `"p%d":{"type":["string","null"],"description":%q},`, j, strings.Repeat("x", 40))
		}
		b.WriteString(`"q":{}}},`)
	}
	return []byte(strings.TrimSuffix(b.String(), ",") + "}}")
}

func TestLargeSchemas(t *testing.T) {
	text := wide("http://json-schema.org/draft-07/schema#", 3000)
	t.Logf("%d bytes", len(text))
	within(t, 5*time.Minute)
	s, err := schema.Compile("large", text)
	if err != nil {
		t.Fatal(err)
	}
	if ok, report := ours(s, nil, parse(t, "k1: {p1: x}")); !ok {
		t.Errorf("got %v", report)
	}
	if ok, _ := ours(s, nil, parse(t, "k1: {p1: 1}")); ok {
		t.Error("a number is no string")
	}
}

func TestLargeLatestDraft(t *testing.T) {
	within(t, 5*time.Minute)
	if _, err := schema.Compile("large", wide("https://json-schema.org/draft/2020-12/schema", 3000)); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
	if _, err := schema.Compile("less", wide("https://json-schema.org/draft/2020-12/schema", 500)); err != nil {
		t.Error(err)
	}
}

// TestRecursiveBranches is a schema that asks twice as much for each level of the values.
func TestRecursiveBranches(t *testing.T) {
	within(t, 5*time.Minute)
	s, err := schema.Compile("recursive", []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"n":{"oneOf":[
		{"properties":{"a":{"$ref":"#/definitions/n"}}},{"properties":{"a":{"$ref":"#/definitions/n"}}}]}},"$ref":"#/definitions/n"}`))
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]any{}
	for range 60 {
		tree = map[string]any{"a": tree}
	}
	if _, err := s.Validate(tree); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
	if report, err := s.Validate(map[string]any{"a": map[string]any{}}); err != nil || len(report.Violations) == 0 {
		t.Errorf("the next values have their own budget: %v %v", report, err)
	}
}

func TestReportsAreBounded(t *testing.T) {
	within(t, 5*time.Minute)
	s, err := schema.Compile("strict", []byte(`{"additionalProperties":{"type":"integer","pattern":"(a+)+$"},"properties":{"l":{"items":{"anyOf":[
		{"type":"string","pattern":"^(a+)+$"},{"enum":[`+strings.Repeat(`"`+strings.Repeat("y", 100)+`",`, 999)+`1]}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]any{}
	for i := range 20_000 {
		tree[fmt.Sprintf("k%d%s", i, strings.Repeat("x", 50))] = "secret"
	}
	var list []any
	for range 5_000 {
		list = append(list, strings.Repeat("a", 500)+"b")
	}
	tree["l"] = list
	report, err := s.Validate(tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Violations) != schema.MaxViolations || report.More == 0 {
		t.Errorf("%d violations and %d more", len(report.Violations), report.More)
	}
	shown, err := json.Marshal(report)
	if err != nil || len(shown) > 200_000 || strings.Contains(string(shown), "secret") {
		t.Errorf("the report has %d bytes (%v)", len(shown), err)
	}
}

// TestNumbersOutOfBounds are numbers that the library cannot hold; Helm refuses them too.
func TestNumbersOutOfBounds(t *testing.T) {
	text := []byte(`{"properties":{"a":{"type":"integer"},"b":{"maximum":1},"c":{"enum":[1]}}}`)
	s, err := schema.Compile("numbers", text)
	for _, key := range []string{"a", "b", "c"} {
		agree(t, text, s, err, map[string]any{key: json.Number("1e99999999")})
	}
	agree(t, text, s, err, map[string]any{"d": func() {}})
}
