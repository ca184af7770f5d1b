package publish_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// raw is an object as the chart raw renders it for a release.
func raw(instance, apiVersion, kind, name string) string {
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  labels:\n    app.kubernetes.io/instance: %s\n    app.kubernetes.io/managed-by: Helm\n    helm.sh/chart: raw-0.2.3\n  name: %s\n", apiVersion, kind, instance, name)
}

// placed is the same in a namespace.
func placed(text, namespace string) string { return text + "  namespace: " + namespace + "\n" }

// sourceOf is a release that rendered documents.
func sourceOf(t *testing.T, id string, documents ...string) publish.Source {
	t.Helper()
	parsed, err := app.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := artifact.Read(strings.NewReader(strings.Join(documents, "---\n")))
	if err != nil {
		t.Fatal(err)
	}
	return publish.Source{Source: artifact.Source{Release: parsed, Name: id, Stream: stream}}
}

func registryOf(t *testing.T, ids ...string) *release.Registry {
	t.Helper()
	var entries []string
	for _, id := range ids {
		namespace, name, _ := strings.Cut(id, "/")
		entries = append(entries, fmt.Sprintf(`{"name": %q, "namespace": %q, "enabled": true, "installed": true, "chart": "../charts/raw"}`, name, namespace))
	}
	registry, err := release.ParseRegistry("releases.json", []byte("["+strings.Join(entries, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// told writes each object of a plan in a line, and each finding as its rule.
func told(p *publish.Plan) []string {
	out := []string{}
	for _, r := range p.Releases {
		for _, o := range r.Objects {
			out = append(out, strings.TrimSuffix(fmt.Sprintf("%s %s %s", o.Action, o.Object, strings.TrimPrefix(o.File, "env/manifests/")), " "))
		}
		for _, f := range r.Findings {
			out = append(out, fmt.Sprintf("%s: %s", f.Severity, f.Rule))
		}
	}
	for _, f := range p.Findings {
		out = append(out, fmt.Sprintf("%s: %s", f.Severity, f.Rule))
	}
	return out
}

const (
	namespaces = "env/manifests/namespaces/"
	global     = "env/manifests/global/"
)

func TestNew(t *testing.T) {
	const knative = "serving.knative.dev/v1"
	core, grouped := raw("web-artifacts", "v1", "Service", "main"), raw("web-artifacts", knative, "Service", "main")
	for name, tc := range map[string]struct {
		reason  string
		objects []string
		repo    memory
		prune   bool
		config  string
		want    []string
		after   memory // nil: the repo stays as it is
	}{
		"Add":       {"a file for a new object, with its namespace", []string{core}, memory{}, false, "", []string{"add Service/web/main namespaces/web/service/main.yaml"}, memory{namespaces + "web/service/main.yaml": placed(core, "web")}},
		"Unchanged": {"one that is there", []string{core}, memory{namespaces + "web/service/main.yaml": placed(core, "web")}, true, "", []string{"unchanged Service/web/main namespaces/web/service/main.yaml"}, nil},
		"Change":    {"one that says something else, and so somebody has edited it", []string{core}, memory{namespaces + "web/service/main.yaml": placed(core, "web") + "spec: {}\n"}, true, "", []string{"change Service/web/main namespaces/web/service/main.yaml"}, memory{namespaces + "web/service/main.yaml": placed(core, "web")}},
		"Other":     {"a file with another object is not overwritten", []string{core}, memory{namespaces + "web/service/main.yaml": placed(raw("web-artifacts", "v1", "Service", "other"), "web")}, true, "", []string{"refused Service/web/main namespaces/web/service/main.yaml", "error: artifact-file-taken"}, nil},
		"Several":   {"nor one with several, nor one that does not parse", []string{core}, memory{namespaces + "web/service/main.yaml": placed(core, "web") + "---\n" + core}, false, "", []string{"refused Service/web/main namespaces/web/service/main.yaml", "error: artifact-file-taken"}, nil},
		"Foreign":   {"nor one that a person made by hand", []string{core}, memory{namespaces + "web/service/main.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: main, namespace: web}\n"}, false, "", []string{"refused Service/web/main namespaces/web/service/main.yaml", "error: artifact-file-foreign"}, nil},
		"Release":   {"nor one of another release", []string{core}, memory{namespaces + "web/service/main.yaml": placed(raw("api-artifacts", "v1", "Service", "main"), "web")}, false, "", []string{"refused Service/web/main namespaces/web/service/main.yaml", "error: artifact-file-foreign"}, nil},
		"Both":      {"C7: two groups in one run", []string{core, grouped}, memory{}, false, "", []string{"add Service/web/main namespaces/web/service/main.yaml", "add Service.serving.knative.dev/web/main namespaces/web/service.serving.knative.dev/main.yaml"}, memory{namespaces + "web/service/main.yaml": placed(core, "web"), namespaces + "web/service.serving.knative.dev/main.yaml": placed(grouped, "web")}},
		"Later":     {"the same when the other one is there from an earlier run", []string{grouped}, memory{namespaces + "web/service/main.yaml": placed(core, "web")}, false, "", []string{"add Service.serving.knative.dev/web/main namespaces/web/service.serving.knative.dev/main.yaml"}, memory{namespaces + "web/service/main.yaml": placed(core, "web"), namespaces + "web/service.serving.knative.dev/main.yaml": placed(grouped, "web")}},
		"Stays":     {"and where the file is, it stays", []string{grouped}, memory{namespaces + "web/service.serving.knative.dev/main.yaml": placed(grouped, "web")}, true, "", []string{"unchanged Service.serving.knative.dev/web/main namespaces/web/service.serving.knative.dev/main.yaml"}, nil},
		"Moves":     {"it makes room when the core group's comes", []string{core, grouped}, memory{namespaces + "web/service/main.yaml": placed(grouped, "web")}, true, "", []string{"change Service/web/main namespaces/web/service/main.yaml", "add Service.serving.knative.dev/web/main namespaces/web/service.serving.knative.dev/main.yaml"}, memory{namespaces + "web/service/main.yaml": placed(core, "web"), namespaces + "web/service.serving.knative.dev/main.yaml": placed(grouped, "web")}},
		"NoRoom":    {"one that somebody made by hand does not move", []string{core, grouped}, memory{namespaces + "web/service/main.yaml": "apiVersion: " + knative + "\nkind: Service\nmetadata: {name: main}\n"}, true, "", []string{"refused Service/web/main namespaces/web/service/main.yaml", "add Service.serving.knative.dev/web/main namespaces/web/service.serving.knative.dev/main.yaml", "error: artifact-file-taken"}, nil},
		"AllOrNone": {"one that is refused hides no other, and nothing is written", []string{core, "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n", "apiVersion: acme.test/v1\nkind: T\nmetadata: {name: t}\n"}, memory{}, false, "", []string{"add Service/web/main namespaces/web/service/main.yaml", "refused Secret/web/s", "refused T.acme.test/t", "error: artifact-secret", "error: artifact-unknown-kind"}, nil},
		"Prune": {"what is rendered no more goes; never what is of another release, made by hand, a team's, or in a place that is not its own", []string{core}, memory{
			namespaces + "web/service/main.yaml":          placed(core, "web"),
			namespaces + "web/service/old.yaml":           placed(raw("web-artifacts", "v1", "Service", "old"), "web"),
			namespaces + "other/configmap/old.yaml":       placed(raw("web-artifacts", "v1", "ConfigMap", "old"), "other"),
			global + "clusterrole/old.yaml":               raw("web-artifacts", "rbac.authorization.k8s.io/v1", "ClusterRole", "old"),
			namespaces + "web/service/api.yaml":           placed(raw("api-artifacts", "v1", "Service", "api"), "web"),
			namespaces + "web/service/hand.yaml":          "apiVersion: v1\nkind: Service\nmetadata: {name: hand, namespace: web, labels: {app.kubernetes.io/instance: web-artifacts}}\n",
			namespaces + "web/service/copy.yaml":          placed(raw("web-artifacts", "v1", "Service", "old"), "web"),
			namespaces + "web/service/two.yaml":           placed(raw("web-artifacts", "v1", "Service", "two"), "web") + "---\n" + core,
			namespaces + "team-red/service/old.yaml":      placed(raw("web-artifacts", "v1", "Service", "old"), "team-red"),
			namespaces + "argocd/applications/web-x.yaml": raw("web-artifacts", "argoproj.io/v1alpha1", "Application", "web-x"),
			namespaces + "web/notes.txt":                  placed(core, "web"),
		}, true, "", []string{"unchanged Service/web/main namespaces/web/service/main.yaml", "remove ClusterRole.rbac.authorization.k8s.io/old global/clusterrole/old.yaml", "remove ConfigMap/other/old namespaces/other/configmap/old.yaml", "remove Service/web/old namespaces/web/service/old.yaml", "warning: artifact-file-twice"}, memory{
			namespaces + "web/service/main.yaml":          placed(core, "web"),
			namespaces + "web/service/api.yaml":           placed(raw("api-artifacts", "v1", "Service", "api"), "web"),
			namespaces + "web/service/hand.yaml":          "apiVersion: v1\nkind: Service\nmetadata: {name: hand, namespace: web, labels: {app.kubernetes.io/instance: web-artifacts}}\n",
			namespaces + "web/service/copy.yaml":          placed(raw("web-artifacts", "v1", "Service", "old"), "web"),
			namespaces + "web/service/two.yaml":           placed(raw("web-artifacts", "v1", "Service", "two"), "web") + "---\n" + core,
			namespaces + "team-red/service/old.yaml":      placed(raw("web-artifacts", "v1", "Service", "old"), "team-red"),
			namespaces + "argocd/applications/web-x.yaml": raw("web-artifacts", "argoproj.io/v1alpha1", "Application", "web-x"),
			namespaces + "web/notes.txt":                  placed(core, "web"),
		}},
		"Elsewhere": {"an object that stands in another file of the folder too, whatever that is called", []string{core}, memory{namespaces + "web/all.yaml": "kind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x}\n- apiVersion: v1\n  kind: Service\n  metadata: {name: main}\n", namespaces + "other/all.yaml": core, namespaces + "web/notes.txt": core}, false, "",
			[]string{"add Service/web/main namespaces/web/service/main.yaml", "warning: artifact-file-twice"}, memory{namespaces + "web/all.yaml": "kind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x}\n- apiVersion: v1\n  kind: Service\n  metadata: {name: main}\n", namespaces + "other/all.yaml": core, namespaces + "web/notes.txt": core, namespaces + "web/service/main.yaml": placed(core, "web")}},
		"Keep":       {"without --prune nothing goes", []string{core}, memory{namespaces + "web/service/main.yaml": placed(core, "web"), namespaces + "web/service/old.yaml": placed(raw("web-artifacts", "v1", "Service", "old"), "web")}, false, "", []string{"unchanged Service/web/main namespaces/web/service/main.yaml"}, nil},
		"Outlives":   {"the file of a protected object goes, and the object is told to stay", nil, memory{namespaces + "web/configmap/a.yaml": placed(raw("web-artifacts", "v1", "ConfigMap", "a"), "web") + "  annotations: {argocd.argoproj.io/sync-options: \"Prune=false,Delete=false\"}\n"}, true, "", []string{"remove ConfigMap/web/a namespaces/web/configmap/a.yaml", "info: artifact-outlives-file"}, memory{}},
		"Unlabelled": {"objects that no run will know as its own", []string{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"}, memory{}, true, "", []string{"add ConfigMap/b/a namespaces/b/configmap/a.yaml", "info: artifact-unlabelled"}, memory{namespaces + "b/configmap/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"}},
		"Excluded":   {"an excluded release is left alone, files and all, although it does not render", []string{core}, memory{namespaces + "web/service/old.yaml": placed(raw("web-artifacts", "v1", "Service", "old"), "web")}, true, "exclude: [{app: web/web-artifacts, reason: later}]", []string{}, nil},
		"LeftOut":    {"a Secret that .apl.yaml leaves out", []string{raw("web-artifacts", "v1", "Secret", "s") + "data: {a: Yg==}\n"}, memory{}, true, "secrets: [{app: web/web-artifacts, path: Secret/web/s, rule: artifact-secret, reason: later}]", []string{"left out Secret/web/s", "info: artifact-secret"}, nil},
		"LeftInGit":  {"a Secret that is left out and stands in git is rendered, so that its file is none to prune", []string{raw("web-artifacts", "v1", "Secret", "s") + "data: {a: Yg==}\n"}, memory{namespaces + "web/secret/s.yaml": placed(raw("web-artifacts", "v1", "Secret", "s"), "web")}, true, "secrets: [{app: web/web-artifacts, path: Secret/web/s, rule: artifact-secret, reason: later}]", []string{"left out Secret/web/s", "info: artifact-secret", "warning: artifact-left-file"}, nil},
		"NotGone":    {"nor is the file of an object that is refused, or may be one that does not parse", []string{raw("web-artifacts", "v1", "Secret", "s") + "data: {a: Yg==}\n"}, memory{namespaces + "web/secret/s.yaml": placed(raw("web-artifacts", "v1", "Secret", "s"), "web"), namespaces + "web/service/old.yaml": placed(raw("web-artifacts", "v1", "Service", "old"), "web")}, true, "", []string{"refused Secret/web/s", "remove Service/web/old namespaces/web/service/old.yaml", "error: artifact-secret"}, nil},
		"Unread":     {"of a release with a document that does not parse nobody knows what it renders no more", []string{"a: [\n"}, memory{namespaces + "web/service/old.yaml": placed(raw("web-artifacts", "v1", "Service", "old"), "web")}, true, "", []string{"error: artifact-document"}, nil},
		"Accepted":   {"what looks like a secret in another object, and is accepted, is written; an exception that accepts nothing is told", []string{raw("web-artifacts", "v1", "ConfigMap", "a") + "data: {password: warm-kettle-19}\n"}, memory{}, true, "secrets:\n- {app: web/web-artifacts, path: 'ConfigMap/web/a:data.password', rule: secret-named-key, reason: it opens nothing}\n- {app: web/web-artifacts, path: 'ConfigMap/web/b:data.password', rule: secret-named-key, reason: gone}\n- {app: x/y, path: a, rule: secret-named-key, reason: of another run}\n", []string{"add ConfigMap/web/a namespaces/web/configmap/a.yaml", "info: secret-named-key", "warning: exception-unused"}, memory{namespaces + "web/configmap/a.yaml": placed(raw("web-artifacts", "v1", "ConfigMap", "a"), "web") + "data: {password: warm-kettle-19}\n"}},
		"Hidden":     {"a Secret whose data a second key hides from parsers, and one that an annotation repeats", []string{raw("web-artifacts", "v1", "Secret", "a") + "data: {a: d2FybS1rZXR0bGUtMTk=}\ndata: {}\n", raw("web-artifacts", "v1", "Secret", "b") + "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{\"kind\": \"Secret\", \"apiVersion\": \"v1\", \"data\": {\"a\": \"d2FybS1rZXR0bGUtMTk=\"}}'\n"}, memory{}, true, "", []string{"refused Secret/web/a", "refused Secret/web/b", "error: secret-object", "error: secret-object"}, nil},
		"Literal":    {"what looks like a secret stands against the plan, in a comment too", []string{raw("web-artifacts", "v1", "ConfigMap", "a") + "data:\n  password: warm-kettle-19\n", raw("web-artifacts", "v1", "ConfigMap", "b") + "# password: warm-kettle-19\n"}, memory{}, true, "", []string{"refused ConfigMap/web/a", "refused ConfigMap/web/b", "error: secret-named-key", "error: secret-assignment"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := config.Parse(".apl.yaml", []byte(tc.config))
			if err != nil {
				t.Fatal(err)
			}
			source := sourceOf(t, "web/web-artifacts", tc.objects...)
			if name == "Excluded" {
				source.Findings = []finding.Finding{{Rule: "artifact-render", Severity: finding.Error}}
			}
			plan, err := publish.New(t.Context(), publish.Input{
				Sources: []publish.Source{source}, Registry: registryOf(t, "web/web-artifacts", "web/api-artifacts"),
				Repo: tc.repo, Config: parsed, Scopes: artifact.NewScopes(nil),
			}, publish.Options{Prune: tc.prune})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, told(plan)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if strings.Contains(fmt.Sprintf("%+v", plan.Releases), "warm-kettle") {
				t.Error("the plan shows a secret")
			}
			after := tc.after
			if after == nil {
				after = tc.repo
			}
			got := maps.Clone(tc.repo)
			got.take(plan)
			if diff := cmp.Diff(after, got); diff != "" {
				t.Errorf("%s: the repo (-want +got)\n%s", tc.reason, diff)
			}
			if len(plan.Changes()) > 0 {
				if message := plan.Message(); !strings.Contains(message, "* web/web-artifacts: ") {
					t.Errorf("the commit's message: %s", message)
				}
			}
		})
	}
}

// checkout is a values repo whose work tree has other files than HEAD.
type checkout struct{ memory }

func (c checkout) ReadFile(path string) ([]byte, bool, error) {
	data, found, err := c.memory.ReadFile(path)
	return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), found, err
}

// TestLineEnds holds that a file is unchanged where git checks it out with other line ends, and is changed where it was committed so.
func TestLineEnds(t *testing.T) {
	path, text := namespaces+"web/configmap/a.yaml", raw("web-artifacts", "v1", "ConfigMap", "a")
	for _, keep := range []bool{false, true} {
		for name, tc := range map[string]struct {
			repo publish.Files
			want string
		}{
			"CheckedOut": {checkout{memory{path: placed(text, "web")}}, "unchanged ConfigMap/web/a namespaces/web/configmap/a.yaml"},
			"Committed":  {memory{path: strings.ReplaceAll(placed(text, "web"), "\n", "\r\n")}, "change ConfigMap/web/a namespaces/web/configmap/a.yaml"},
		} {
			plan, err := publish.New(t.Context(), publish.Input{Sources: []publish.Source{sourceOf(t, "web/web-artifacts", text)}, Repo: tc.repo, Scopes: artifact.NewScopes(nil)}, publish.Options{WorkTree: keep})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tc.want}, told(plan)); diff != "" {
				t.Errorf("%s, without a commit %t (-want +got)\n%s", name, keep, diff)
			}
		}
	}
}

// TestPruneNames holds that labels are believed only where one release has the name.
func TestPruneNames(t *testing.T) {
	repo := memory{namespaces + "web/service/old.yaml": placed(raw("web-artifacts", "v1", "Service", "old"), "web")}
	in := publish.Input{Sources: []publish.Source{sourceOf(t, "web/web-artifacts")}, Registry: registryOf(t, "web/web-artifacts", "other/web-artifacts"), Repo: repo, Scopes: artifact.NewScopes(nil)}
	plan, err := publish.New(t.Context(), in, publish.Options{Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"warning: artifact-release-name"}, told(plan)); diff != "" || len(plan.Changes()) > 0 {
		t.Errorf("(-want +got)\n%s", diff)
	}
	in.Registry = registryOf(t, "other/web-artifacts")
	if _, err := publish.New(t.Context(), in, publish.Options{Prune: true}); err == nil || !strings.Contains(err.Error(), "release web/web-artifacts is not in the registry") {
		t.Errorf("the files are those of another release: %v", err)
	}
	in.Registry = nil
	if _, err := publish.New(t.Context(), in, publish.Options{Prune: true}); !errors.Is(err, publish.ErrNoRegistry) {
		t.Errorf("without a registry: %v", err)
	}
	in.Config = &config.Config{Secrets: []config.Exception{{App: app.ID{Namespace: "a", Release: "b"}, Rule: "no-such-rule", Line: 3, Column: 4}}}
	if _, err := publish.New(t.Context(), in, publish.Options{}); err == nil || !strings.Contains(err.Error(), `.apl.yaml:3:4: there is no rule "no-such-rule"`) {
		t.Errorf("a rule that does not exist: %v", err)
	}
}

// TestSelectShared holds that two releases whose files would have one name are not read.
func TestSelectShared(t *testing.T) {
	registry := registryOf(t, "a-b/c-artifacts", "a/b-c-artifacts", "x/y-artifacts")
	if _, _, err := publish.Select(registry, nil); err == nil || !strings.Contains(err.Error(), "releases a/b-c-artifacts and a-b/c-artifacts have the same app name, a-b-c-artifacts") {
		t.Errorf("%v", err)
	}
	if selected, _, err := publish.Select(registry, []string{"x/y-artifacts"}); err != nil || len(selected) != 1 {
		t.Errorf("another one is fine: %v, %v", selected, err)
	}
}

func TestSelect(t *testing.T) {
	registry, err := release.ParseRegistry("r", []byte(`[
		{"name": "a-artifacts", "namespace": "a", "enabled": true, "installed": true, "chart": "../charts/raw"},
		{"name": "b-artifacts", "namespace": "b", "enabled": true, "installed": false, "chart": "../charts/raw"},
		{"name": "c", "namespace": "c", "enabled": true, "installed": true, "chart": "../charts/c"},
		{"name": "d-artifacts", "namespace": "team-d", "enabled": true, "installed": true, "chart": "../charts/raw"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason        string
		names         []string
		want, skipped []string
		err           string
	}{
		"All":     {"those of teams are passed over", nil, []string{"a/a-artifacts", "b/b-artifacts"}, []string{"team-d/d-artifacts"}, ""},
		"Named":   {"one by its name", []string{"b/b-artifacts"}, []string{"b/b-artifacts"}, nil, ""},
		"Unknown": {"a name that nobody knows", []string{"x/y"}, nil, nil, "release x/y is not in the registry"},
		"App":     {"an app has its own command", []string{"c/c"}, nil, nil, "is no -artifacts release"},
		"Team":    {"a team's is refused", []string{"team-d/d-artifacts"}, nil, nil, "is a team's"},
		"Form":    {"what is no name", []string{"a"}, nil, nil, "namespace/releaseName"},
	} {
		t.Run(name, func(t *testing.T) {
			got, skipped, err := publish.Select(registry, tc.names)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				return
			}
			var names, passed []string
			for _, r := range got {
				names = append(names, r.ID.String())
			}
			for _, s := range skipped {
				passed = append(passed, s.Release.String())
			}
			if !slices.Equal(names, tc.want) || !slices.Equal(passed, tc.skipped) || err != nil {
				t.Errorf("%s: %v, %v, %v", tc.reason, names, passed, err)
			}
		})
	}
}
