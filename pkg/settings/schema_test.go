package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chartutil"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestSchemaIsCurrent holds docs/schema to the code; make generate writes it.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := settings.Schema()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", "apps.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/schema/apps.schema.json is not current; run go generate ./hack/schema (-want +got)\n%s", diff)
	}
}

// anything draws a tree of few keys, which are those that mean something.
func anything(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
		case kind < 3 && depth > 0:
			out := map[string]any{}
			for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"enabled", "ambient", "egressGateway", "useBackupPlugin", "createHttpRoute", "_rawValues", "x"}), 0, 3).Draw(t, "keys") {
				out[key] = anything(depth-1).Draw(t, key)
			}
			return out
		case kind == 3:
			return rapid.SampledFrom([]any{"true", "", "a"}).Draw(t, "text")
		case kind == 4:
			return nil
		case kind == 5:
			return []any{true}
		default:
			return rapid.Bool().Draw(t, "bool")
		}
	})
}

// TestSchemaAcceptsWhatParseAccepts holds that CI, which goes by the schema, and the tool, which goes by Parse, agree.
func TestSchemaAcceptsWhatParseAccepts(t *testing.T) {
	schema, err := settings.Schema()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		apps := map[string]any{}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"gitea", "istio", "cnpg", "git-server", "other", "Upper", "-x"}), 0, 3).Draw(t, "apps") {
			apps[name] = anything(3).Draw(t, name)
		}
		tree := map[string]any{"apps": apps}
		if rapid.IntRange(0, 9).Draw(t, "more") == 0 {
			tree["more"] = true
		}
		text, err := values.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		_, parse := settings.Parse("apps.yaml", text)
		valid := chartutil.ValidateAgainstSingleSchema(tree, schema)
		if (parse == nil) != (valid == nil) {
			t.Fatalf("Parse says %v, the schema says %v of\n%s", parse, valid, text)
		}
	})
}
