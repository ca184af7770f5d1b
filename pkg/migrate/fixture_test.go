package migrate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	helmvalues "helm.sh/helm/v3/pkg/cli/values"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// TestMain silences Helm's library, which logs what it skips while it coalesces.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// recording is a recorded platform, a folder: what a cluster and helmfile say, the charts, and the values repo before the
// move.
type recording string

// platform is the project's own recording; its README says what each app shows.
const platform recording = "../../testdata/platform"

// corpusDir holds the recording of a real platform, which is not part of the project.
const corpusDir = "../../../shared/corpus"

func corpus(t testing.TB) recording {
	t.Helper()
	if _, err := os.Stat(corpusDir); errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: the recording of a real platform cannot be read")
	} else if err != nil {
		t.Fatal(err)
	}
	return recording(corpusDir)
}

func (r recording) path(parts ...string) string {
	return filepath.Join(append([]string{string(r)}, parts...)...)
}

// live returns the streams of live Applications, by name.
func (r recording) live(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"applications.yaml", "applications-other.yaml"} {
		out[name] = readFile(t, r.path("live", name))
	}
	return out
}

// applications reads the live Applications as the command does.
func (r recording) applications(t testing.TB) []*argocd.Application {
	t.Helper()
	var out []*argocd.Application
	streams := r.live(t)
	for _, name := range []string{"applications-other.yaml", "applications.yaml"} { // the order of the folder
		out = append(out, readApplications(t, name, streams[name])...)
	}
	return out
}

func readApplications(t testing.TB, name string, stream []byte) []*argocd.Application {
	t.Helper()
	var out []*argocd.Application
	if _, err := argocd.Read(name, bytes.NewReader(stream), func(a *argocd.Application) error {
		out = append(out, a)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// input is what the command hands to the plan. charts is the value of --charts.
func (r recording) input(t testing.TB, repo migrate.Files, charts string) migrate.Input {
	t.Helper()
	registry, err := release.ParseRegistry("releases.json", readFile(t, r.path("releases.json")))
	if err != nil {
		t.Fatal(err)
	}
	return migrate.Input{
		Applications: r.applications(t),
		Registry:     registry,
		Managed:      release.NewManaged(os.DirFS(r.path("managed"))),
		Charts:       chart.NewStore(chart.WithFolder(charts)),
		Repo:         repo,
		Config:       parseConfig(t, ""),
	}
}

// repo makes a git repo of the platform's values repo, with one commit, and returns its folder.
func (r recording) repo(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(r.path("values-repo"))); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "The platform as it was")
	return dir
}

// gitEnv makes git and gitrepo independent of the machine, and their commits of the clock.
func gitEnv() map[string]string {
	return map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.test",
		"GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.test",
		"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	}
}

func openRepo(t testing.TB, dir string) *gitrepo.Repo {
	t.Helper()
	env := gitEnv()
	repo, err := gitrepo.Open(dir,
		func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		gitrepo.WithEnv(func(name string) (string, bool) { v, ok := env[name]; return v, ok }))
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// git runs git in a folder and returns what it prints, trimmed.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	for name, value := range gitEnv() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// memory is a values repo in memory, all of it committed.
type memory map[string][]byte

func (m memory) ReadFile(path string) ([]byte, bool, error) {
	data, ok := m[path]
	return data, ok, nil
}

func (m memory) List(folder string) ([]string, error) {
	var paths []string
	for path := range m {
		if strings.HasPrefix(path, folder+"/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

func (m memory) HeadFile(path string) ([]byte, bool, error) { return m.ReadFile(path) }

// land writes the files of a plan.
func (m memory) land(plan *migrate.Plan) {
	for _, c := range plan.Changes() {
		m[c.Path] = c.Data
	}
}

// valueFiles writes the two value files of an app to disk, for Helm to read.
func (m memory) valueFiles(t testing.TB, id string) helmvalues.Options {
	t.Helper()
	dir, options := t.TempDir(), helmvalues.Options{}
	for _, name := range []string{"values.managed.yaml", "values.custom.yaml"} {
		file := filepath.Join(dir, name)
		data, ok := m["env/values/"+id+"/"+name]
		if !ok {
			t.Fatalf("%s of %s was not written", name, id)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		options.ValueFiles = append(options.ValueFiles, file)
	}
	return options
}

func newPlan(t testing.TB, in migrate.Input, options migrate.Options) *migrate.Plan {
	t.Helper()
	plan, err := migrate.New(context.WithoutCancel(t.Context()), in, options)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// appOf returns the part of a plan that is about one app.
func appOf(t testing.TB, plan *migrate.Plan, id string) migrate.App {
	t.Helper()
	i := slices.IndexFunc(plan.Apps, func(a migrate.App) bool { return a.App == id })
	if i < 0 {
		t.Fatalf("the plan does not name %s", id)
	}
	return plan.Apps[i]
}

// with returns the apps of an action.
func with(plan *migrate.Plan, action migrate.Action) []string {
	var out []string
	for _, a := range plan.Apps {
		if a.Action == action {
			out = append(out, a.App)
		}
	}
	return out
}

// rulesOf lists the findings of an app as "severity rule path".
func rulesOf(a migrate.App) []string {
	var out []string
	for _, f := range a.Findings {
		out = append(out, strings.TrimSpace(string(f.Severity)+" "+f.Rule+" "+f.Path))
	}
	return out
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readYAML reads a YAML text into out with Helm's parser.
func readYAML(t testing.TB, text []byte, out any) {
	t.Helper()
	if err := yaml.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
}

// sortedKeys returns the keys of a map; nil for an empty one.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hashes returns the SHA-256 of every file below a folder, less those of git.
func hashes(t testing.TB, dir string) map[string][sha256.Size]byte {
	t.Helper()
	out := map[string][sha256.Size]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			out[path] = sha256.Sum256(readFile(t, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
