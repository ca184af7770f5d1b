package plugin_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// publish runs kubectl apl schema publish.
func publish(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	code = plugin.Main(context.Background(), append([]string{"schema", "publish"}, args...),
		plugin.Streams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut},
		plugin.Env{Lookup: os.LookupEnv, Now: time.Now, Version: "v0.0.0-test"})
	return code, errOut.String()
}

// TestSchemaPublish publishes the recorded platform's charts to a real API server, and reads them back as the webhook does.
func TestSchemaPublish(t *testing.T) {
	dir := corpus(t)
	server := testcluster.Start(t)
	client, err := cluster.New(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	// What docs/guide/schemas.md says that publishing needs, and no more.
	publisher := server.UserKubeconfig(t, "publisher", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list", "create", "patch", "delete"}})
	base := []string{"--kubeconfig", publisher, "-f", filepath.Join(dir, "live", "applications.yaml"), "--charts", dir}
	if code, stderr := publish(t, base...); code != plugin.ExitFailed || !strings.Contains(stderr, "make the namespace of apl-webhook first") {
		t.Fatalf("without the namespace: got %d: %s", code, stderr)
	}
	server.Namespace(t, catalog.Namespace)
	objects := func() (store *catalog.Store, names map[string]string) {
		list, err := client.ConfigMaps(t.Context(), catalog.Namespace, catalog.Label)
		if err != nil {
			t.Fatal(err)
		}
		store, names = &catalog.Store{}, map[string]string{}
		for i := range list {
			store.Put(&list[i])
			names[list[i].Name] = list[i].ResourceVersion
		}
		if problems := store.Problems(); len(problems) > 0 {
			t.Errorf("got %v", problems)
		}
		return store, names
	}
	if code, stderr := publish(t, append(base, "--dry-run=server")...); code != plugin.ExitDone || !strings.Contains(stderr, "Dry run") {
		t.Fatalf("dry run: got %d: %s", code, stderr)
	}
	if _, names := objects(); len(names) != 0 {
		t.Fatalf("a dry run wrote %v", names)
	}
	code, stderr := publish(t, base...)
	if code != plugin.ExitDone {
		t.Fatalf("got %d: %s", code, stderr)
	}
	store, first := objects()
	if n := store.Catalog().Len(); n < 20 {
		t.Errorf("got %d charts", n)
	}
	t.Log(store.Catalog().Len(), "charts:", stderr)

	code, stderr = publish(t, base...)
	if _, second := objects(); code != plugin.ExitDone || !strings.Contains(stderr, "Nothing to do") || cmp.Diff(first, second) != "" {
		t.Errorf("a second run: got %d: %s\n%s", code, stderr, cmp.Diff(first, second))
	}

	one := filepath.Join(t.TempDir(), "one.yaml")
	const text = `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: gitea-gitea, namespace: argocd, labels: {otomi.io/app: managed}},
  spec: {destination: {namespace: gitea}, source: {repoURL: "https://git.example.test/core.git", path: charts/gitea, targetRevision: v9.9.9, helm: {releaseName: gitea}}}}`
	if err := os.WriteFile(one, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	base[3] = one
	if code, stderr := publish(t, append(base, "--prune=false")...); code != plugin.ExitDone {
		t.Errorf("got %d: %s", code, stderr)
	}
	if _, names := objects(); len(names) <= len(first) {
		t.Errorf("--prune=false keeps what was there: %d before, %d now", len(first), len(names))
	}
	missing := append(append([]string{}, base[:4]...), "--charts", t.TempDir())
	if code, stderr := publish(t, missing...); code != plugin.ExitFinding {
		t.Errorf("no chart at all: got %d: %s", code, stderr)
	}
	if _, names := objects(); len(names) <= len(first) {
		t.Error("without any chart, nothing is deleted")
	}
	if code, stderr := publish(t, base...); code != plugin.ExitDone || !strings.Contains(stderr, "deleted") {
		t.Errorf("got %d: %s", code, stderr)
	}
	store, _ = objects()
	found, ok := store.Catalog().Chart(chart.Source{RepoURL: "https://git.example.test/core.git", Path: "charts/gitea", Revision: "v9.9.9"})
	if store.Catalog().Len() != 1 || !ok || !found.Exact {
		t.Errorf("got %d charts, %+v", store.Catalog().Len(), found)
	}
}

// TestPublishedChartsJudgeAlike holds, for all charts of the recorded platform, that the chart which comes back from the catalog puts the
// same values to the same schemas as the chart itself: without values, and for those of each app in the corpus.
func TestPublishedChartsJudgeAlike(t *testing.T) {
	dir := corpus(t)
	entries, err := os.ReadDir(filepath.Join(dir, "charts"))
	if err != nil {
		t.Fatal(err)
	}
	supplied := corpusValues(t, dir)
	var store catalog.Store
	own := map[string]*chart.Chart{}
	for _, e := range entries {
		loaded, err := chart.NewFolder(dir).Load("charts/" + e.Name())
		if err != nil {
			continue // no chart: it is counted below
		}
		own[e.Name()] = loaded
		objects, err := catalog.Encode(catalog.Input{Charts: []catalog.Chart{{Source: chart.Source{Path: "charts/" + e.Name()}, Interface: loaded.Interface()}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			store.Put(o)
		}
	}
	if len(own) != 51 {
		t.Errorf("got %d charts", len(own))
	}
	compared := 0
	for name, loaded := range own {
		found, ok := store.Catalog().Chart(chart.Source{Path: "charts/" + name})
		if !ok {
			t.Errorf("%s is lost", name)
			continue
		}
		for _, user := range append(supplied[name], nil) {
			want, wantParts, wantErr := loaded.Judged(user)
			got, gotParts, err := found.Chart.Judged(user)
			if (wantErr == nil) != (err == nil) || !values.Equal(want, got) || cmp.Diff(wantParts, gotParts) != "" {
				t.Errorf("%s: it judges otherwise: %v, %v", name, wantErr, err)
			}
			compared++
		}
	}
	t.Log("compared:", compared)
	if compared < 51+20 {
		t.Errorf("compared %d times only", compared)
	}
}

// corpusValues returns the managed values of the recorded apps, by the folder of their chart.
func corpusValues(t *testing.T, dir string) map[string][]map[string]any {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "live", "applications.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // read only
	out := map[string][]map[string]any{}
	_, err = argocd.Read("applications", file, func(a *argocd.Application) error {
		source, err := a.ChartSource()
		if err != nil {
			return nil //nolint:nilerr // it renders no chart
		}
		text, err := os.ReadFile(filepath.Join(dir, "managed", a.Name()+".yaml"))
		if err != nil {
			return nil //nolint:nilerr // nothing of it was recorded
		}
		doc, err := values.Parse(a.Name(), text)
		if err == nil {
			name := filepath.Base(source.Path)
			out[name] = append(out[name], doc.Values)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
