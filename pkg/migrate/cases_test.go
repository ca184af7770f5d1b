package migrate_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// publicCase is a public failure as a platform of one app, web/web, and what its move must come to. Names begin with the
// id of the case, which is the folder that its files are read from.
type publicCase struct {
	reason string
	live   string // the case's file of inline values
	app    string // or its file of an Application
	change func(t *testing.T, dir string, application map[string]any)

	managed, chart string // where the case has no such file
	config         string // .apl.yaml
	options        migrate.Options

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

func values(text string) *string { return &text }

// TestPublicCasesValues holds what is expected of area A: how Helm merges values. A1 and A7 want managed keys undone, which
// is --exact's.
func TestPublicCasesValues(t *testing.T) {
	exact, accept := migrate.Options{Exact: true}, migrate.Options{AcceptAll: true}
	const existing = "existing.yaml"
	runPublicCases(t, map[string]publicCase{
		"A1": {
			reason: "what managed alone has would change what runs, so that somebody has to decide",
			live:   existing, blocked: true, rules: []string{"error introduced-keys"}, introduced: []string{"probe.httpGet.path blocks"},
		},
		"A1Exact": {
			reason: "a null would take the chart's default along: the default is pinned",
			live:   existing, options: exact, introduced: []string{"probe.httpGet.path pinned"},
			custom: "probe:\n  httpGet:\n    path: /ok\n", sees: `"probe":{"httpGet":{"path":"/ok"},"period":5}`,
		},
		"A1Accept": {
			reason: "an accepted key changes itself only",
			live:   existing, options: accept, introduced: []string{"probe.httpGet.path accepted"}, differ: []string{"probe.httpGet.path"},
		},
		"A3": {
			reason: "nulls stay as they are; which of them templates see is Helm's to say, here that of this module",
			live:   existing, managed: "{}\n", kept: [2]int{1, 1}, sees: `{"tls":{"extra":null}}`,
		},
		"A5": {reason: "a list is replaced whole, in live's order", live: existing, kept: [2]int{1, 4}},
		"A5Same": {
			reason: "an identical list is no override",
			live:   "values.managed.yaml",
		},
		"A7": {
			reason: "an empty map clears nothing, so that the key below it is introduced",
			live:   existing, blocked: true, rules: []string{"error introduced-keys"}, introduced: []string{"e.k blocks"},
		},
		"A7Exact": {
			reason: "a null for a key without a chart default would be there for templates, as null",
			live:   existing, options: exact, blocked: true, rules: []string{"error introduced-inexpressible"}, introduced: []string{"e.k inexpressible"},
		},
		"A7ExactDefault": {
			reason: "with a chart default it can be pinned",
			live:   existing, options: exact, chart: "e: {k: 3}\n", introduced: []string{"e.k pinned"},
			custom: "a: false\nb: 0\nc: \"\"\nd: []\ne:\n  k: 3\n", sees: `"e":{"k":3}`,
		},
		"A7Accept": {
			reason: "false, 0, empty text and an empty list are overrides",
			live:   existing, options: accept, introduced: []string{"e.k accepted"}, kept: [2]int{1, 4}, differ: []string{"e.k"},
		},
		"A9":  {reason: "a value of another type replaces the whole, in both directions", live: existing, custom: "auth:\n  existingSecret:\n    name: pg\n    key: pw\nprobe: false\n"},
		"A11": {reason: "0755 is 493; all else is written so that Helm reads it back", live: existing, kept: [2]int{2, 9}},
		"A13": {reason: "a port is one key, with quotes or without", live: existing, custom: "tcp:\n  9090: \"c/d:90\"\n"},
		"A13Bad": {
			reason: "Helm takes no null as a key",
			live:   "bad.yaml", blocked: true, rules: []string{"error values-parse"}, said: "a map has a null key",
		},
		"A15": {
			reason: "of duplicate keys the last counts, whole, and people are told of both lines",
			live:   existing, rules: []string{"warning values-parse"}, said: `"image" stands on line 1 and again on line 2`, custom: "image:\n  tag: b\n",
		},
		"A17CRLF": {reason: "line ends are no difference", live: "existing-crlf.yaml"},
		"A17BOM":  {reason: "nor is a byte order mark", live: "existing-bom.yaml"},
		"A17CRLFWritten": {
			reason: "what is kept of such a text has neither",
			live:   "existing-crlf.yaml", managed: "a: 0\n", change: prefix("\ufeff"), custom: "a: 1\ns: |\n  l1\n  l2\n",
		},
		"A17Tab": {
			reason: "what does not parse is named by Application, field and line",
			live:   "existing-tab.yaml", blocked: true, rules: []string{"error values-parse"}, said: "Application web-web spec.source.helm.values:2:1: ",
		},
		"A19": {reason: "line ends and spaces at the end of a text are data", live: existing, kept: [2]int{1, 6}},
		"A21": {
			reason: "a null in global is an override, and no global is copied to a subchart",
			live:   existing, custom: "global:\n  region: null\n", sees: `"s":{"global":{"domain":"d.test","region":null}}`,
		},
		"A23": {reason: "template expressions are text, and keep their quotes", live: existing, kept: [2]int{2, 2}},
	})
}

// TestPublicCasesArgoCD holds what is expected of area B, as far as a move from recorded Applications goes: B7's rule against
// other Applications is validate's, B13's release Secrets and B15's live object are a cluster's.
func TestPublicCasesArgoCD(t *testing.T) {
	const app = "app.yaml"
	const helm = "spec.source.helm"
	runPublicCases(t, map[string]publicCase{
		"B1": {
			reason: "an empty valuesObject hides values whole",
			app:    app, rules: []string{"warning application-dead-values " + helm + ".values"}, said: "dead text", means: values(""),
		},
		"B1Null": {
			reason: "one that is null does not",
			app:    app, change: setHelm("valuesObject", nil), custom: "replicas: 3\n",
		},
		"B3": {
			reason: "Argo CD replaces $ in parameters, not in values; the host is that of the Application's name here",
			app:    app, config: "secrets: [{app: web/web, path: pw, rule: secret-named-key, reason: a made-up one}]\n",
			rules: []string{"warning application-substitution " + helm + ".parameters[0]", "warning application-substitution " + helm + ".parameters[1]"},
			said:  `parameter "pw" holds a $ that Argo CD replaces by nothing`,
			means: values("{inline: pa$sword, pw: pa, host: web-web.example.test, lit: p$w}"), custom: "inline: pa$sword\nhost: web-web.example.test\nlit: p$w\npw: pa\n",
		},
		"B3Revision": {
			reason: "what changes with every commit is not frozen into git",
			app:    app, change: setHelm("parameters", []any{map[string]any{"name": "rev", "value": "x-${ARGOCD_APP_REVISION}"}}),
			blocked: true, rules: []string{"error application-substitution " + helm + ".parameters[0]"},
		},
		"B5": {
			reason: "Argo CD applies parameters in random order, so that those which overlap say nothing",
			app:    app, blocked: true, rules: []string{"error application-parameter " + helm + ".parameters[1]"}, said: `"hosts" and "hosts[0]" overlap`,
		},
		"B5Tag": {
			reason: "the last of a kind counts, and --set-string comes after --set",
			app:    app, change: func(_ *testing.T, _ string, a map[string]any) {
				helm := at(a, "spec", "source", "helm")
				helm["parameters"] = helm["parameters"].([]any)[2:]
			},
			means: values("tag: v2"), custom: "tag: v2\n",
		},
		"B7Glob":     {reason: "a glob puts custom first, or is a missing file", change: valueFilesOf("case1"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles"}},
		"B7Repeated": {reason: "a repeated file counts where it stands first, or last", change: valueFilesOf("case2"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles"}},
		"B7Both":     {reason: "and both together are no better", change: valueFilesOf("case3"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles"}},
		"B7Ignoring": {
			reason: "with it a missing file would sync the chart's defaults: it is not carried over",
			change: setHelm("ignoreMissingValueFiles", true), rules: []string{"warning application-value-files " + helm + ".ignoreMissingValueFiles"},
		},
		"B9": {
			reason: "sources win over source, chart version and all",
			app:    app, rules: []string{"warning application-dead-source spec.source"}, means: values("a: 2"), custom: "a: 2\n",
		},
		"B9Hydrator": {
			reason: "a hydrator wins over both",
			app:    app, change: func(_ *testing.T, _ string, a map[string]any) { at(a, "spec")["sourceHydrator"] = map[string]any{} },
			blocked: true, rules: []string{"error application-source spec.sourceHydrator", "warning application-dead-source spec.source"},
		},
		"B11": {
			reason: "an ApplicationSet puts its own form back",
			app:    app, blocked: true, rules: []string{"error application-owned"}, said: "ApplicationSet apps owns the Application",
		},
		"B11Unowned": {
			reason: "without an owner it moves, and keeps its finalizers",
			app:    app, change: func(t *testing.T, dir string, a map[string]any) {
				delete(at(a, "metadata"), "ownerReferences")
				setHelm("values", "")(t, dir, a)
			},
		},
		"B13": {
			reason: "without any values the source of them is not known, which is not the same as none",
			app:    "../B11/app.yaml", change: func(_ *testing.T, _ string, a map[string]any) { delete(at(a, "metadata"), "ownerReferences") },
			blocked: true, rules: []string{"error no-live-values"},
		},
		"B15": {
			reason: "an old secret is not carried from the cluster to git",
			app:    "before.yaml", blocked: true, rules: []string{"error secret-named-key secret"},
		},
		"B15LastApplied": {
			reason: "nor is one in the annotation in which kubectl keeps what it applied last",
			app:    "before.yaml", change: func(t *testing.T, dir string, a map[string]any) {
				applied := encode(t, at(a, "spec"))
				at(a, "metadata")["annotations"] = map[string]any{"kubectl.kubernetes.io/last-applied-configuration": applied}
				setHelm("values", "a: 1\n")(t, dir, a)
			},
			custom: "a: 1\n",
		},
	})
}

// prefix puts text before the inline values.
func prefix(text string) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, a map[string]any) {
		setHelm("values", text+at(a, "spec", "source", "helm")["values"].(string))(t, dir, a)
	}
}

func setHelm(key string, value any) func(*testing.T, string, map[string]any) {
	return func(_ *testing.T, _ string, a map[string]any) { at(a, "spec", "source", "helm")[key] = value }
}

// valueFilesOf lets the Application read the value files that case B7 names, from a source of their own.
func valueFilesOf(name string) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, a map[string]any) {
		var lists map[string][]any
		readYAML(t, readFile(t, filepath.Join(dir, "valueFiles.yaml")), &lists)
		spec := at(a, "spec")
		setHelm("valueFiles", lists[name])(t, dir, a)
		spec["sources"] = []any{spec["source"], map[string]any{"repoURL": "https://git.example.test/values.git", "targetRevision": "main", "ref": "values"}}
		delete(spec, "source")
	}
}

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

// optional reads a file of a case, or returns instead where the case has none.
func optional(t *testing.T, instead string, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if errors.Is(err, fs.ErrNotExist) {
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
	if sub := optional(t, "", dir, "subchart-s-values.yaml"); sub != "" {
		chart["charts/web/Chart.yaml"] += "dependencies: [{name: s, version: 1.0.0}]\n"
		chart["charts/web/charts/s/Chart.yaml"] = "apiVersion: v2\nname: s\nversion: 1.0.0\n"
		chart["charts/web/charts/s/values.yaml"] = sub
	}
	w.files(t, t.TempDir(), chart)
	live, managed := "", tc.managed
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
	options.ValuesRepoURL, options.ValuesRevision = "https://git.example.test/values.git", "main"
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
	plan := w.move(t, repo, tc.options)
	a := appOf(t, plan, "web/web")
	if diff := cmp.Diff(tc.rules, rulesOf(a)); diff != "" {
		t.Errorf("%s: findings (-want +got)\n%s", tc.reason, diff)
	}
	said := a.Reason
	for _, f := range a.Findings {
		said += "\n" + f.Message
	}
	if !strings.Contains(said, tc.said) || strings.Contains(encode(t, plan), "hunter") {
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
	tc.checkCustom(t, repo, filepath.Join(dir, tc.live))
	tc.checkHelm(t, w, repo)
	checkWritten(t, repo, w.applications[0])
	if again := w.move(t, repo, tc.options); appOf(t, again, "web/web").Action != migrate.Unchanged || again.Commit != "" {
		t.Errorf("%s: a second run has nothing to do: %+v", tc.reason, again.Summary)
	}
}

func (tc publicCase) checkCustom(t *testing.T, repo, live string) {
	t.Helper()
	want := tc.custom
	if first, last := tc.kept[0], tc.kept[1]; last > 0 {
		want = strings.Join(slices.Collect(strings.Lines(string(readFile(t, live))))[first-1:last], "")
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
		user = values(at(w.applications[0], "spec", "source", "helm")["values"].(string))
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
	text := readFile(t, filepath.Join(repo, "env/manifests/namespaces/argocd/applications/web-web.yaml"))
	var got map[string]any
	readYAML(t, text, &got)
	source := at(live, "spec")["source"]
	if sources, ok := at(live, "spec")["sources"].([]any); ok {
		source = sources[0]
	}
	want := wantApplication(map[string]any{
		"metadata": map[string]any{
			"name": "web-web", "namespace": "argocd", "labels": at(live, "metadata")["labels"], "finalizers": at(live, "metadata")["finalizers"],
		},
		"spec": map[string]any{"project": at(live, "spec")["project"], "destination": at(live, "spec")["destination"], "source": cloneOf(t, source)},
	}, "web/web", migrate.ValuesRepo{URL: "https://git.example.test/values.git", Revision: "main"})
	if want["metadata"].(map[string]any)["finalizers"] == nil {
		delete(at(want, "metadata"), "finalizers")
	}
	delete(at(want, "spec")["sources"].([]any)[0].(map[string]any)["helm"].(map[string]any), "ignoreMissingValueFiles")
	if diff := cmp.Diff(want, got); diff != "" || strings.Contains(string(text), "hunter") {
		t.Errorf("the written Application (-want +got)\n%s", diff)
	}
}
