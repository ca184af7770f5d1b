package publish_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// TestPlatformRenders renders the recorded platform's artifacts with its real chart, and compares the files with those of what was
// recorded. It takes a checkout of apl-core, of the commit that the recording names.
func TestPlatformRenders(t *testing.T) {
	const aplCore = "APL_CORE"
	checkout := os.Getenv(aplCore)
	if checkout == "" {
		t.Skip(aplCore + " names no checkout of apl-core: the platform's real chart is not here")
	}
	registry, read := corpus(t)
	parsed, err := config.Parse(".apl.yaml", []byte(corpusExceptions))
	if err != nil {
		t.Fatal(err)
	}
	files := func(sources []publish.Source) memory {
		plan, err := publish.New(t.Context(), publish.Input{Sources: sources, Registry: registry, Repo: memory{}, Config: parsed, Scopes: artifact.NewScopes(nil)}, publish.Options{})
		if err != nil || plan.Refused() {
			t.Fatalf("%v, %v", told(plan), err)
		}
		out := memory{}
		out.take(plan)
		return out
	}
	selected, _, err := publish.Select(registry, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := publish.Renderer{Charts: chart.NewFolder(checkout), KubeVersion: "1.34.0",
		Managed: release.NewManaged(os.DirFS(filepath.Join("..", "..", "..", "shared", "corpus", "managed")))}
	rendered, err := r.Sources(t.Context(), selected)
	if err != nil {
		t.Fatal(err)
	}
	recorded, _ := read()
	if diff := cmp.Diff(files(recorded), files(rendered)); diff != "" {
		t.Errorf("(-recorded +rendered)\n%s", diff)
	}
}
