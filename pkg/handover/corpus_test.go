package handover_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// testCorpus takes the Applications of a real platform, whose objects are not there: all of its own -artifacts Applications go,
// and no other, a team's least of all.
func testCorpus(t *testing.T, p *platform) {
	corpus := filepath.Join("..", "..", "..", "shared", "corpus")
	releases, err := os.ReadFile(filepath.Join(corpus, "releases.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a real platform cannot be loaded")
	}
	if err != nil {
		t.Fatal(err)
	}
	p.fresh(t, false)
	p.server.DeleteAll(t, testcluster.Applications())
	p.server.Load(t, "apl-operator", filepath.Join(corpus, "live", "applications.yaml"), filepath.Join(corpus, "live", "applications-other.yaml"))
	p.repo = memoryRepo{}
	in := p.input(t, p.client)
	if in.Registry, err = release.ParseRegistry("releases.json", releases); err != nil {
		t.Fatal(err)
	}
	before := len(in.Applications)
	made, err := handover.New(t.Context(), in, options(nil))
	if err != nil || made.Refused() {
		t.Fatalf("%v %+v", err, made)
	}
	const platform = 25 // the corpus README counts 25 releases of artifacts, less those of teams
	if made.Pending() != platform {
		t.Errorf("%d Applications are to be handed over", made.Pending())
	}
	if err := made.Carry(t.Context(), cluster.DryRunNone, func(*handover.App, handover.Step) {}); err != nil {
		t.Fatal(err)
	}
	left, err := p.client.Applications(t.Context(), cluster.ListOptions{Namespace: "argocd"})
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != before-platform {
		t.Errorf("%d of %d Applications are left", len(left), before)
	}
	for _, a := range left {
		if slices.ContainsFunc(made.Apps, func(gone handover.App) bool { return gone.Application == a.Name() }) {
			t.Errorf("%s is still there", a.Name())
		}
	}
}
