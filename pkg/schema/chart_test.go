package schema_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// helmChart builds what Helm validates by.
func helmChart(c schema.Chart) *chart.Chart {
	out := &chart.Chart{Metadata: &chart.Metadata{Name: c.Name}, Schema: c.Schema}
	for _, sub := range c.Subcharts {
		out.AddDependency(helmChart(sub))
	}
	return out
}

func TestForChart(t *testing.T) {
	closed := []byte(`{"additionalProperties":false,"properties":{"a":{"type":"integer"}}}`)
	tree := schema.Chart{Name: "web", Schema: []byte(`{"properties":{"name":{"type":"string"}}}`), Subcharts: []schema.Chart{
		{Name: "db", Schema: closed, Subcharts: []schema.Chart{{Name: "cache", Schema: closed}}},
		{Name: "plain"},
		{Name: "broken", Schema: []byte(`{"type":1}`)},
		{Name: "void", Schema: []byte{}},
	}}
	for name, c := range map[string]struct {
		reason string
		values string
		want   []told
		errors []string
	}{
		"nothing":   {reason: "no values, nothing to look at"},
		"null":      {reason: "null values are none", values: "{db: null, broken: null}"},
		"good":      {reason: "each under its key", values: "{name: x, db: {a: 1}}"},
		"a scalar":  {reason: "a subchart wants a map", values: "db: 1", want: []told{{"db", "type", "the values of a subchart have to be a map", ""}}},
		"no schema": {reason: "plain has none", values: "plain: {x: 1}"},
		"broken":    {reason: "only who has values is asked", values: "broken: {}", errors: []string{"web/broken"}},
		"void":      {reason: "an empty file is no schema", values: "void: {}", errors: []string{"web/void"}},
		"bad below": {
			reason: "paths begin at the root", values: "{name: 1, db: {a: x, global: {}, cache: {b: 1}}}",
			want: []told{
				{"db.a", "type", "expected integer, but got string", ""},
				{"db.cache", "additionalProperties", "the schema knows no such key", ""},
				{"db.cache.b", "additionalProperties", "the schema knows no such key", ""},
				{"db.global", "additionalProperties", "the schema knows no such key", globalNext},
				{"name", "type", "expected string, but got number", ""},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			values := parse(t, c.values)
			var cache schema.Cache
			report := cache.ForChart(tree, values)
			if diff := cmp.Diff(c.want, tell(report.Report)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", c.reason, diff)
			}
			var names []string
			for _, e := range report.Errors {
				names = append(names, e.Name)
			}
			if diff := cmp.Diff(c.errors, names); diff != "" {
				t.Errorf("%s: errors -want +got:\n%s", c.reason, diff)
			}
			theirs := chartutil.ValidateAgainstSchema(helmChart(tree), values)
			if (theirs == nil) != (len(report.Violations)+len(report.Errors) == 0) {
				t.Errorf("%s: Helm says %v", c.reason, theirs)
			}
		})
	}
}

func TestCacheKeepsByContent(t *testing.T) {
	var cache schema.Cache
	var wait sync.WaitGroup
	got := make([]*schema.Schema, 8)
	for i := range got {
		wait.Go(func() { got[i], _ = cache.Compile(fmt.Sprint(i), []byte(`{}`)) })
	}
	wait.Wait()
	for _, s := range got {
		if s == nil || s != got[0] {
			t.Fatal("one content was compiled more than once")
		}
	}
	for i := range 300 { // more than it keeps
		if _, err := cache.Compile("x", fmt.Appendf(nil, `{"minProperties":%d}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cache.Compile("x", []byte(`{"type":1}`)); err == nil {
		t.Fatal("a failure has to stay one")
	}
	if _, err := cache.Compile("x", []byte(`{"type":1}`)); err == nil {
		t.Fatal("a failure has to stay one when it is kept")
	}
}
