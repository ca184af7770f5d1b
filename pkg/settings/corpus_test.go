package settings_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// corpus returns the recorded platform; the test is skipped where it is absent.
func corpus(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the recorded platform is not here: ", dir)
	}
	return dir
}

func readCorpus(t *testing.T) settings.Input {
	t.Helper()
	repo := os.DirFS(filepath.Join(corpus(t), "values-repo"))
	in := settings.Input{Secrets: &passwords{}, Read: func(path string) ([]byte, bool, error) {
		data, err := fs.ReadFile(repo, path)
		if os.IsNotExist(err) {
			return nil, false, nil
		}
		return data, err == nil, err
	}}
	names, err := fs.Glob(repo, layout.AppsDir+"/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(repo, name)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, settings.File{Path: name, Data: data})
	}
	return in
}

type recorded struct {
	Name, Namespace    string
	Enabled, Installed bool
}

func recordedReleases(t *testing.T) map[app.ID]bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus(t), "releases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []recorded
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	out := map[app.ID]bool{}
	for _, r := range list {
		if !strings.HasPrefix(r.Namespace, "team-") {
			out[app.ID{Namespace: r.Namespace, Release: r.Name}] = r.Enabled && r.Installed
		}
	}
	return out
}

// TestCorpusGates walks every gate: it reads the same from env/apps before as from apps.yaml after, and what it reads is what
// the platform's helmfile has installed. Where the settings are silent the platform's default decides, which the values repo
// does not hold: those are listed here, with what the helmfile made of them.
func TestCorpusGates(t *testing.T) {
	in := readCorpus(t)
	releases := recordedReleases(t)
	plan, err := settings.NewPlan(in, settings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Refused() {
		in.Exceptions = []settings.Exception{{Path: "apps.redis-shared.password", Rule: "password", Reason: "the test says so"}}
		if plan, err = settings.NewPlan(in, settings.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	changes := plan.Changes()
	if len(changes) != 1 || changes[0].Path != layout.AppsFile {
		t.Fatalf("want one file, got %v; %v", changes, plan.Findings)
	}
	before, findings := settings.FromEnvApps(in.Files)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	beforeAll := settings.New(before)
	for _, path := range []string{layout.SettingsFile, layout.AlertsFile, layout.DNSFile} {
		data, _, err := in.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := beforeAll.Add(path, data); err != nil {
			t.Fatal(err)
		}
	}
	afterAll, err := settings.Read(func(path string) ([]byte, bool, error) {
		if path == layout.AppsFile {
			return changes[0].Data, true, nil
		}
		return in.Read(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !values.Equal(before.Tree(), afterAll.Apps.Tree()) {
		t.Error("apps.yaml says something else than env/apps, _rawValues apart")
	}
	flag := func(apps *settings.Apps, name, key string) string {
		value, stated := apps.Lookup(name, values.Path{}.Key(key))
		return fmt.Sprintf("%v, stated: %t", value, stated)
	}
	for _, f := range []struct{ name, key, want string }{
		{"cnpg", "useBackupPlugin", "true, stated: true"}, {"git-server", "createHttpRoute", "<nil>, stated: false"}, // flags, and no gates
	} {
		if was, is := flag(before, f.name, f.key), flag(afterAll.Apps, f.name, f.key); was != f.want || is != f.want {
			t.Errorf("%s.%s was %s, and is %s", f.name, f.key, was, is)
		}
	}
	silent := map[string]bool{}
	for _, gate := range settings.Gates() {
		was, _ := beforeAll.Evaluate(gate.ID)
		is, ok := afterAll.Evaluate(gate.ID)
		if !ok || was.State != is.State || was.Gate != is.Gate {
			t.Errorf("%s: %s before and %s after", gate.ID, was.State, is.State)
		}
		installed, known := releases[gate.ID]
		switch {
		case !known:
			t.Errorf("%s is no release of the recorded platform", gate.ID)
		case is.State == settings.Unknown:
			silent[gate.ID.String()+": "+gate.String()] = installed
		case installed != (is.State == settings.On):
			t.Errorf("%s is %s: %s; installed: %v", gate.ID, is.State, is.Why(), installed)
		}
	}
	want := map[string]bool{
		"git-server/git-server: apps.git-server.enabled":          true,
		"kube-system/metrics-server: apps.metrics-server.enabled": true,
		"kube-system/linode-cfw: apps.linode-cfw.enabled":         false,
		"istio-system/istio-cni: apps.istio.ambient":              false,
		"istio-system/ztunnel: apps.istio.ambient":                false,
	}
	if diff := cmp.Diff(want, silent); diff != "" {
		t.Errorf("gates that env/apps is silent of (-want +got):\n%s", diff)
	}
	for id := range releases {
		if _, ok := settings.GateOf(id); !ok {
			t.Errorf("release %s has no gate in the table", id)
		}
	}
}
