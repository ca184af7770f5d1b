package schema_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// doubling is a schema whose keys are twice as many at each level, all by references.
func doubling(levels int, leaf string) []byte {
	var b strings.Builder
	b.WriteString(`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/d0","definitions":{`)
	for i := range levels {
		fmt.Fprintf(&b, `"d%d":{"properties":{"a":{"$ref":"#/definitions/d%d"},"b":{"$ref":"#/definitions/d%d"}}},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":%q}}}`, levels, leaf)
	return []byte(b.String())
}

// branching is a schema of choices in choices.
func branching(levels int, word string) []byte {
	text := `{"type":"string"}`
	for i := range levels {
		text = fmt.Sprintf(`{%q:[{"properties":{"a":%s},"minProperties":%d},{"properties":{"b":%s}}]}`, word, text, i, text)
	}
	return []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":` + text + `}}`)
}

// TestComparisonsAreBounded compares what would take more than a machine has. What is not compared to the end counts as breaking.
func TestComparisonsAreBounded(t *testing.T) {
	large := wide("http://json-schema.org/draft-07/schema#", 3000)
	for name, c := range map[string]struct {
		reason        string
		before, after []byte
		breaking      bool
	}{
		"large and equal":    {"six megabytes that are equal", large, append(bytes.Clone(large), ' '), false},
		"large and other":    {"six megabytes that are other in each place", large, bytes.ReplaceAll(large, []byte(`["string","null"]`), []byte(`["null","integer"]`)), true},
		"large and wider":    {"as above, and none of it breaks", large, bytes.ReplaceAll(large, []byte(`["string","null"]`), []byte(`["null","string","integer"]`)), false},
		"doubling and equal": {"very many keys by few words", doubling(40, "string"), append(doubling(40, "string"), ' '), false},
		"doubling and other": {"as above, and each is other", doubling(40, "string"), doubling(40, "integer"), true},
		"branching":          {"choices in choices", branching(9, "oneOf"), branching(9, "anyOf"), true},
		"branching and less": {"choices in choices, of other depth", branching(9, "anyOf"), branching(8, "anyOf"), true},
		"long enums":         {"a hundred thousand values", longEnum(100_000, "x"), longEnum(100_000, "y"), true},
	} {
		t.Run(name, func(t *testing.T) {
			within(t, time.Minute)
			a, err := schema.Compile("before", c.before)
			if err != nil {
				t.Fatal(err)
			}
			b, err := schema.Compile("after", c.after)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			d := schema.Compare(a, b, nil)
			t.Logf("%d changes, cut: %v, %s", len(d.Changes), d.Cut, time.Since(start))
			size := 0
			for _, change := range d.Changes {
				size += len(change.Path) + len(change.Text()) + len(change.Old) + len(change.New)
			}
			if d.Breaking() != c.breaking || len(d.Changes) > 5_000 || size > 10<<20 {
				t.Errorf("%s: breaking %v, %d changes of %d bytes", c.reason, d.Breaking(), len(d.Changes), size)
			}
			start = time.Now()
			keys, more := a.Keys()
			t.Logf("%d keys, more: %v, %s", len(keys), more, time.Since(start))
		})
	}
}

func longEnum(n int, word string) []byte {
	var b strings.Builder
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"enum":[`)
	for i := range n {
		fmt.Fprintf(&b, `"%s%d",`, word, i)
	}
	return []byte(strings.TrimSuffix(b.String(), ",") + `]}}}`)
}
