package migrate_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const (
	valuesRepoURL = "https://git.example.test/values.git"
	madeUpSecret  = "hunter" // stands in the inputs of cases
)

// publicCase is a public failure as a platform of one app, web/web, and what its move must come to. Names begin with the
// id of the case, which is the folder that its files are read from.
type publicCase struct {
	reason string
	live   string // the case's file of inline values
	inline string // or the inline values
	app    string // or the case's file of an Application
	change func(t *testing.T, dir string, application map[string]any)

	files     map[string]string // more of the checkout that --charts names
	committed map[string]string // what the values repo holds

	managed, chart, sub string // values of the platform, the chart and its subchart s, where the case has no such file
	config              string // .apl.yaml
	options             migrate.Options

	blocked    bool
	rules      []string // the findings
	said       string   // part of their messages
	introduced []string // with their effects

	kept   [2]int   // first and last line of live that custom holds, as they are
	custom string   // or what it holds else
	means  *string  // the values that Argo CD gives to Helm, if others than helm.values
	differ []string // the effective values that change
	sees   string   // part of the effective values, as JSON
}

func given(text string) *string { return &text }

var caseID = regexp.MustCompile(`^[AB][0-9]+`)

func runPublicCases(t *testing.T, cases map[string]publicCase) {
	t.Helper()
	shared := filepath.Join("..", "..", "..", "shared", "cases")
	if _, err := os.Stat(shared); errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/cases is not here: the inputs of public failures cannot be read")
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t, filepath.Join(shared, caseID.FindString(name))) })
	}
}

// optional reads a file of a case, or returns instead where the case has no folder or no such file.
func optional(t *testing.T, instead, dir, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file))
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		return instead
	} else if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (tc publicCase) world(t *testing.T, dir string) *world {
	t.Helper()
	w := newWorld()
	w.config = tc.config
	chart := map[string]string{
		"charts/web/Chart.yaml":  "apiVersion: v2\nname: web\nversion: 1.0.0\n",
		"charts/web/values.yaml": optional(t, tc.chart, dir, "chart-values.yaml"),
	}
	if sub := optional(t, tc.sub, dir, "subchart-s-values.yaml"); sub != "" {
		chart["charts/web/Chart.yaml"] += "dependencies: [{name: s, version: 1.0.0}]\n"
		chart["charts/web/charts/s/Chart.yaml"] = "apiVersion: v2\nname: s\nversion: 1.0.0\n"
		chart["charts/web/charts/s/values.yaml"] = sub
	}
	maps.Copy(chart, tc.files)
	w.files(t, t.TempDir(), chart)
	live, managed := tc.inline, tc.managed
	if tc.live != "" {
		live = string(readFile(t, filepath.Join(dir, tc.live)))
	}
	if managed == "" {
		managed = optional(t, "{}\n", dir, "values.managed.yaml")
	}
	application := w.add(t, "web/web", "web", live, managed)
	if tc.app != "" {
		tc.adopt(t, application, filepath.Join(dir, tc.app))
	}
	if tc.change != nil {
		tc.change(t, dir, application)
	}
	return w
}

// adopt gives an Application of the world what the one of a case has, less its identity: a platform app has the
// platform's label, and a name made of its namespace and release.
func (tc publicCase) adopt(t *testing.T, application map[string]any, file string) {
	t.Helper()
	var other map[string]any
	readYAML(t, readFile(t, file), &other)
	metadata, spec := at(other, "metadata"), at(other, "spec")
	metadata["name"], metadata["labels"] = application["metadata"].(map[string]any)["name"], at(application, "metadata", "labels")
	at(spec, "destination")["namespace"] = "web"
	sources, _ := spec["sources"].([]any)
	for _, source := range append(slices.Clone(sources), spec["source"]) {
		source := source.(map[string]any)
		if source["helm"] == nil {
			source["helm"] = map[string]any{}
		}
		at(source, "helm")["releaseName"] = "web"
	}
	application["metadata"], application["spec"] = metadata, spec
}

// newRepo makes a git repo with one commit and returns its folder.
func newRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "The platform as it was")
	return dir
}

// move plans the move of the world into a git repo, and carries it out when nothing blocks.
func (w *world) move(t *testing.T, repo string, options migrate.Options) *migrate.Plan {
	t.Helper()
	in, files := w.input(t), openRepo(t, repo)
	in.Repo = files
	options.ValuesRepoURL, options.ValuesRevision = valuesRepoURL, "main"
	plan := newPlan(t, in, options)
	checkPlan(t, plan)
	if plan.Summary.Blocked == 0 {
		if err := plan.Carry(t.Context(), files, false); err != nil {
			t.Fatal(err)
		}
	}
	return plan
}

func (tc publicCase) run(t *testing.T, dir string) {
	w, repo := tc.world(t, dir), newRepo(t)
	if len(tc.committed) > 0 {
		newWorld().files(t, repo, tc.committed)
		git(t, repo, "add", "-A")
		git(t, repo, "commit", "-q", "--amend", "-m", "The platform as it was")
	}
	plan := w.move(t, repo, tc.options)
	a := appOf(t, plan, "web/web")
	if diff := cmp.Diff(tc.rules, rulesOf(a)); diff != "" {
		t.Errorf("%s: findings (-want +got)\n%s", tc.reason, diff)
	}
	said := a.Reason
	for _, f := range a.Findings {
		said += "\n" + f.Message
	}
	if !strings.Contains(said, tc.said) || strings.Contains(encode(t, plan), madeUpSecret) {
		t.Errorf("%s: %q is not said, or a secret is: %s", tc.reason, tc.said, said)
	}
	var introduced []string
	for _, i := range a.Introduced {
		introduced = append(introduced, i.Path+" "+string(i.Effect))
	}
	if diff := cmp.Diff(tc.introduced, introduced); diff != "" {
		t.Errorf("%s: introduced (-want +got)\n%s", tc.reason, diff)
	}
	commits := git(t, repo, "rev-list", "--count", "HEAD")
	if tc.blocked {
		if a.Action != migrate.Blocked || commits != "1" || git(t, repo, "status", "--porcelain") != "" {
			t.Errorf("%s: the app is %s (%s), and nothing is written: %s commits", tc.reason, a.Action, a.Reason, commits)
		}
		return
	}
	if a.Action != migrate.Migrate || commits != "2" {
		t.Fatalf("%s: the app is %s (%s), and %s commits are there", tc.reason, a.Action, a.Reason, commits)
	}
	tc.checkCustom(t, repo, dir)
	tc.checkHelm(t, w, repo)
	checkWritten(t, repo, w.applications[0])
	if again := w.move(t, repo, tc.options); appOf(t, again, "web/web").Action != migrate.Unchanged || again.Commit != "" {
		t.Errorf("%s: a second run has nothing to do: %+v", tc.reason, again.Summary)
	}
}

func (tc publicCase) checkCustom(t *testing.T, repo, dir string) {
	t.Helper()
	want := tc.custom
	if first, last := tc.kept[0], tc.kept[1]; last > 0 {
		live := tc.inline
		if tc.live != "" {
			live = string(readFile(t, filepath.Join(dir, tc.live)))
		}
		want = strings.Join(slices.Collect(strings.Lines(live))[first-1:last], "")
	}
	intro, custom, _ := strings.Cut(string(readFile(t, valueFiles(repo, "web/web").ValueFiles[1])), "\n")
	if diff := cmp.Diff(want, custom); diff != "" || !strings.HasPrefix(intro, "# ") {
		t.Errorf("%s: custom, below %q (-want +got)\n%s", tc.reason, intro, diff)
	}
}

// checkHelm asks Helm's library what templates see, before and after.
func (tc publicCase) checkHelm(t *testing.T, w *world, repo string) {
	t.Helper()
	user := tc.means
	if user == nil {
		user = given(at(w.applications[0], "spec", "source", "helm")["values"].(string))
	}
	file := filepath.Join(t.TempDir(), "live.yaml")
	if err := os.WriteFile(file, []byte(*user), 0o600); err != nil {
		t.Fatal(err)
	}
	chart := filepath.Join(w.charts, "charts", "web")
	before, err := helmEffective(chart, helmvalues.Options{ValueFiles: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	after, err := helmEffective(chart, valueFiles(repo, "web/web"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tc.differ, differing(before, after)); diff != "" {
		t.Errorf("%s: templates see other values (-want +got)\n%s", tc.reason, diff)
	}
	if got := encode(t, after); !strings.Contains(got, tc.sees) {
		t.Errorf("%s: templates see %s", tc.reason, got)
	}
}

// checkWritten holds what is true of every Application that is written: its values are in the two files and nowhere else,
// whatever was inline; the chart is that of the source that Argo CD reads; and it outlives its file.
func checkWritten(t *testing.T, repo string, live map[string]any) {
	t.Helper()
	var want, got map[string]any
	readYAML(t, []byte(encode(t, live)), &want) // wantApplication changes it
	spec := at(want, "spec")
	if sources, _ := spec["sources"].([]any); len(sources) > 0 {
		spec["source"] = sources[0]
	}
	if helm, ok := at(spec, "source")["helm"].(map[string]any); ok {
		delete(helm, "ignoreMissingValueFiles")
	}
	want = wantApplication(want, "web/web", migrate.ValuesRepo{URL: valuesRepoURL, Revision: "main"})
	text := readFile(t, applicationPath(repo))
	readYAML(t, text, &got)
	if diff := cmp.Diff(want, got); diff != "" || strings.Contains(string(text), madeUpSecret) {
		t.Errorf("the written Application (-want +got)\n%s", diff)
	}
}

func applicationPath(repo string) string {
	return filepath.Join(repo, "env", "manifests", "namespaces", "argocd", "applications", "web-web.yaml")
}
