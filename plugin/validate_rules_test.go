package plugin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// The files of the recorded platform that the table below breaks.
const (
	routerApp     = "env/manifests/namespaces/argocd/applications/edge-router-edge-router.yaml"
	routerCustom  = "env/values/edge-router/edge-router/values.custom.yaml"
	routerManaged = "env/values/edge-router/edge-router/values.managed.yaml"
	wikiApp       = "env/manifests/namespaces/argocd/applications/docs-wiki.yaml"
	wikiCustom    = "env/values/docs/wiki/values.custom.yaml"
	banner        = "env/manifests/namespaces/access/configmap/login-banner.yaml"
	appsFile      = "env/settings/apps.yaml"
)

// edit changes a values repo; find says where a text stands in a file afterwards.
type edit func(t *testing.T, r *platformRepo)

// TestEachRule breaks each rule by one edit of a values repo that is clean, and expects that finding at its place, and no other. The
// notes that the repo has anyway are not looked at.
func TestEachRule(t *testing.T) {
	base := migratedPlatform(t)
	covered := map[string]bool{}
	defer func() {
		for _, r := range check.Rules() {
			if !covered[r.ID] {
				t.Errorf("nothing breaks rule %s", r.ID)
			}
		}
	}()
	for name, tc := range map[string]struct {
		reason string
		edit   edit
		args   []string
		rule   string
		want   finding.Severity
		file   string
		at     string // what stands at the finding's line and column; "" where it has none
	}{
		"values-schema": {
			reason: "the vendor's schema wants another type",
			edit:   put(routerCustom, "# Mine\nautoscaling:\n  maxReplicas: many\n"),
			rule:   check.RuleSchema, want: finding.Error, file: routerCustom, at: "maxReplicas",
		},
		"values-parse": {
			reason: "Helm cannot read the file",
			edit:   put(routerCustom, "a: 1\nb: [\n"),
			rule:   check.RuleParse, want: finding.Error, file: routerCustom, at: "b: [",
		},
		"values-secret": {
			reason: "a literal secret",
			edit:   put(wikiCustom, "image:\n  tag: 2.0.0\n  pullPassword: warm-kettle-19\n"),
			rule:   check.RuleSecret, want: finding.Error, file: wikiCustom, at: "pullPassword",
		},
		"managed-edited": {
			reason: "somebody edited what the tool writes",
			edit:   swap(routerManaged, "maxReplicas: 10", "maxReplicas: 11"),
			rule:   check.RuleEdited, want: finding.Error, file: routerManaged, at: "# sha256",
		},
		"schema-unusable": {
			reason: "the vendor's schema does not compile",
			edit:   swapChart("edge-router", `"type": "integer"`, `"type": "int"`),
			rule:   check.RuleSchemaUnusable, want: finding.Error, file: routerApp, at: "path: charts/edge-router",
		},
		"schema-unchecked": {
			reason: "nobody resolves a URN, and Helm lets it pass",
			edit:   swapChart("edge-router", `"type": "object",`, `"type": "object", "allOf": [{"$ref": "urn:acme:x"}],`),
			rule:   check.RuleSchemaUnchecked, want: finding.Warning, file: routerApp, at: "path: charts/edge-router",
		},
		"chart-missing": {
			reason: "the chart is not where the Application says",
			edit:   swap(wikiApp, "path: charts/wiki", "path: charts/wicki"),
			rule:   check.RuleChart, want: finding.Error, file: wikiApp, at: "path: charts/wicki",
		},
		"unknown-key": {
			reason: "a key that the chart does not know, when asked for",
			edit:   put(wikiCustom, "image:\n  tga: 2.0.0\n"),
			args:   []string{"--strict-keys"},
			rule:   check.RuleUnknownKey, want: finding.Warning, file: wikiCustom, at: "tga",
		},
		"shadowed-managed": {
			reason: "custom overrides what the platform sets",
			edit:   put(routerCustom, "autoscaling:\n  maxReplicas: 4\n"),
			rule:   check.RuleShadowed, want: finding.Info, file: routerCustom, at: "maxReplicas",
		},
		"application-shape": {
			reason: "without the protection a revert deletes the app",
			edit:   swap(routerApp, "    argocd.argoproj.io/sync-options: Prune=false,Delete=false\n", ""),
			rule:   check.RuleShape, want: finding.Error, file: routerApp, at: "annotations:",
		},
		"application-shape/name": {
			reason: "the Application has another name than its file",
			edit:   swap(routerApp, "name: edge-router-edge-router\n", "name: edge-router\n"),
			rule:   check.RuleShape, want: finding.Error, file: routerApp, at: "name: edge-router\n",
		},
		"value-files-order": {
			reason: "managed would win over custom",
			edit: func(t *testing.T, r *platformRepo) {
				swap(routerApp, "edge-router/values.managed.yaml\"", "edge-router/values.tmp.yaml\"")(t, r)
				swap(routerApp, "edge-router/values.custom.yaml\"", "edge-router/values.managed.yaml\"")(t, r)
				swap(routerApp, "edge-router/values.tmp.yaml\"", "edge-router/values.custom.yaml\"")(t, r)
			},
			rule: check.RuleOrder, want: finding.Error, file: routerApp, at: `"$values/env/values/edge-router/edge-router/values.custom.yaml"`,
		},
		"inline-values": {
			reason: "valuesObject hides what the files say",
			edit:   swap(routerApp, "      releaseName: edge-router\n", "      releaseName: edge-router\n      valuesObject: {}\n"),
			rule:   check.RuleInline, want: finding.Error, file: routerApp, at: "valuesObject",
		},
		"value-file-missing": {
			reason: "Argo CD fails on a value file that is not there",
			edit:   remove(routerCustom),
			rule:   check.RuleFileMissing, want: finding.Error, file: routerApp, at: `"$values/env/values/edge-router/edge-router/values.custom.yaml"`,
		},
		"orphan-application": {
			reason: "the platform does not install the release any more",
			edit: func(t *testing.T, r *platformRepo) {
				off := filepath.Join(t.TempDir(), "releases.json")
				data, err := os.ReadFile(r.registry)
				if err != nil {
					t.Fatal(err)
				}
				r.write(t, off, strings.Replace(string(data), `"name":"telemetry","namespace":"observe","enabled":true,"installed":true`, `"name":"telemetry","namespace":"observe","enabled":true,"installed":false`, 1))
				r.registry = off
			},
			args: []string{"--releases", "REGISTRY"},
			rule: check.RuleOrphanApplication, want: finding.Warning, file: "env/manifests/namespaces/argocd/applications/observe-telemetry.yaml", at: "name: observe-telemetry",
		},
		"orphan-values": {
			reason: "nothing reads the values",
			edit:   remove(wikiApp),
			rule:   check.RuleOrphanValues, want: finding.Warning, file: wikiCustom,
		},
		"path-owned-twice": {
			reason: "a second Application applies what gitops-ns-access applies",
			edit: put("env/manifests/namespaces/argocd/application/extra.yaml",
				"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: extra\n  namespace: argocd\nspec:\n  project: default\n  destination: {server: https://kubernetes.default.svc}\n"+
					"  source:\n    repoURL: http://git.platform.svc.cluster.local/platform/values.git\n    targetRevision: main\n    path: env/manifests/namespaces/access\n    directory: {recurse: true}\n"),
			rule: check.RuleOwnedTwice, want: finding.Error, file: "env/manifests/namespaces/argocd/application/extra.yaml", at: "path: env",
		},
		"manifest-parse": {
			reason: "one file that cannot be read blocks its whole folder",
			edit:   put(banner, "apiVersion: v1\nkind: ConfigMap\nmetadata: [\n"),
			rule:   check.RuleManifest, want: finding.Error, file: banner, at: "metadata: [",
		},
		"artifact-path": {
			reason: "the object belongs to another file",
			edit:   swap(banner, "name: login-banner", "name: login-banner-2"),
			rule:   check.RulePath, want: finding.Error, file: banner, at: "name: login-banner-2",
		},
		"artifact-secret": {
			reason: "a Secret with data",
			edit:   put("env/manifests/namespaces/access/secret/pull.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: pull\n  namespace: access\nstringData:\n  a: b\n"),
			rule:   check.RuleArtifactSecret, want: finding.Error, file: "env/manifests/namespaces/access/secret/pull.yaml", at: "stringData",
		},
		"duplicate-object": {
			reason: "the same object in two files flips between them",
			edit: func(t *testing.T, r *platformRepo) {
				text := r.read(t, banner)
				put("env/manifests/namespaces/observe/configmap/login-banner.yaml", strings.Replace(text, "namespace: observe", "namespace: access", 1))(t, r)
			},
			rule: check.RuleDuplicate, want: finding.Error, file: "env/manifests/namespaces/observe/configmap/login-banner.yaml", at: "name: login-banner",
		},
		"file-name-case": {
			reason: "on a file system that ignores case one of the two is lost",
			edit: func(t *testing.T, r *platformRepo) {
				put("env/settings/Cluster.yaml", r.read(t, "env/settings/cluster.yaml"))(t, r)
			},
			rule: check.RuleCase, want: finding.Error,
		},
		"stray-file": {
			reason: "nothing reads a file of another name",
			edit:   put("env/values/docs/wiki/values.yaml", "a: 1\n"),
			rule:   check.RuleStray, want: finding.Warning, file: "env/values/docs/wiki/values.yaml",
		},
		"apps-yaml": {
			reason: "a flag is true or false",
			edit:   swap(appsFile, "enabled: true", `enabled: "yes"`),
			rule:   check.RuleApps, want: finding.Error, file: appsFile, at: `enabled: "yes"`,
		},
		"settings-secret": {
			reason: "settings are in git too",
			edit:   swap("env/settings/cluster.yaml", "spec:\n", "spec:\n    apiToken: warm-kettle-19\n"),
			rule:   check.RuleSettingsSecret, want: finding.Error, file: "env/settings/cluster.yaml", at: "apiToken",
		},
		"settings-parse": {
			reason: "the platform cannot read its settings",
			edit:   put("env/settings/cluster.yaml", "spec: [\n"),
			rule:   check.RuleSettings, want: finding.Error, file: "env/settings/cluster.yaml", at: "spec: [",
		},
		"exception-unused": {
			reason: "what was accepted is gone, and what comes next would be accepted in silence",
			edit:   put(".apl.yaml", "secrets:\n- {app: docs/wiki, path: image.pullPassword, rule: secret-named-key, reason: x}\n"),
			rule:   check.RuleException, want: finding.Warning, file: ".apl.yaml", at: "{app",
		},
		"schema-missing": {
			reason: "nothing checks the values of a chart without a schema",
			edit: func(t *testing.T, r *platformRepo) {
				if err := os.Remove(filepath.Join(r.charts, "charts", "edge-router", "values.schema.json")); err != nil {
					t.Fatal(err)
				}
			},
			rule: check.RuleSchemaMissing, want: finding.Info, file: routerApp, at: "path: charts/edge-router",
		},
		"leftover-env-apps": {
			reason: "two places say what is on, and not the same",
			edit:   swap("env/apps/telemetry.yaml", "enabled: true", "enabled: false"),
			rule:   check.RuleLeftover, want: finding.Warning, file: appsFile, at: "enabled: true",
		},
	} {
		t.Run(name, func(t *testing.T) {
			covered[tc.rule] = true
			r := base.copy(t)
			before := r.validate(t, tc.args...)
			tc.edit(t, r)
			var added []finding.Finding
			for _, f := range r.validate(t, tc.args...) {
				if !slices.Contains(before, f) && (f.Severity != finding.Info || tc.want == finding.Info) {
					added = append(added, f)
				}
			}
			if len(added) != 1 {
				t.Fatalf("%s: one finding, and not %d: %+v", tc.reason, len(added), added)
			}
			got := added[0]
			if got.Rule != tc.rule || got.Severity != tc.want || tc.file != "" && got.File != tc.file {
				t.Errorf("%s: %s %s in %s, and not %+v", tc.reason, tc.want, tc.rule, tc.file, got)
			}
			if tc.at != "" {
				if diff := cmp.Diff(place(t, r, got.File, tc.at), fmt.Sprintf("%d:%d", got.Line, got.Column)); diff != "" {
					t.Errorf("%s: the place of %q (-want +got)\n%s", tc.reason, tc.at, diff)
				}
			}
			if got.Message == "" || got.Next == "" && tc.want != finding.Info {
				t.Errorf("a finding says what is wrong and what to do: %+v", got)
			}
		})
	}
}

// place returns the line and column at which a text stands first in a file.
func place(t *testing.T, r *platformRepo, file, text string) string {
	t.Helper()
	whole := r.read(t, file)
	i := strings.Index(whole, text)
	if i < 0 {
		t.Fatalf("%s holds no %q", file, text)
	}
	return fmt.Sprintf("%d:%d", 1+strings.Count(whole[:i], "\n"), i-strings.LastIndex(whole[:i], "\n"))
}

func put(file, text string) edit {
	return func(t *testing.T, r *platformRepo) { r.write(t, r.path(file), text) }
}

func swap(file, from, to string) edit {
	return func(t *testing.T, r *platformRepo) {
		t.Helper()
		text := r.read(t, file)
		if !strings.Contains(text, from) {
			t.Fatalf("%s holds no %q", file, from)
		}
		r.write(t, r.path(file), strings.Replace(text, from, to, 1))
	}
}

func swapChart(chart, from, to string) edit {
	return func(t *testing.T, r *platformRepo) {
		t.Helper()
		file := filepath.Join(r.charts, "charts", chart, "values.schema.json")
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), from) {
			t.Fatalf("%s holds no %q: %v", file, from, err)
		}
		r.write(t, file, strings.Replace(string(data), from, to, 1))
	}
}

func remove(file string) edit {
	return func(t *testing.T, r *platformRepo) {
		t.Helper()
		if err := os.Remove(r.path(file)); err != nil {
			t.Fatal(err)
		}
	}
}

// platformRepo is the values repo of the recorded platform, moved, and a copy of its charts.
type platformRepo struct{ dir, charts, registry string }

// migratedPlatform moves the recorded platform.
func migratedPlatform(t *testing.T) *platformRepo {
	t.Helper()
	recorded := filepath.Join("..", "testdata", "platform")
	r := (&platformRepo{dir: filepath.Join(recorded, "values-repo"), charts: recorded, registry: filepath.Join(recorded, "releases.json")}).copy(t)
	commitAll(t, r.dir)
	code, _, errOut := runMain(t, "migrate", "--all", "-f", filepath.Join(recorded, "live"), "--releases", r.registry, "--managed", filepath.Join(recorded, "managed"),
		"--charts", r.charts, "--repo", r.dir, "--keep-going", "--accept-introduced", "--backup", "none")
	if code == plugin.ExitFailed {
		t.Fatalf("migrate: %s", errOut)
	}
	return r
}

// copy returns a repo of its own.
func (r *platformRepo) copy(t *testing.T) *platformRepo {
	t.Helper()
	out := &platformRepo{dir: filepath.Join(t.TempDir(), "values"), charts: t.TempDir(), registry: r.registry}
	if err := os.CopyFS(out.dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(out.charts, "charts"), os.DirFS(filepath.Join(r.charts, "charts"))); err != nil {
		t.Fatal(err)
	}
	return out
}

// quietEnv is an environment in which git has no settings of whoever runs the tests.
func quietEnv(t testing.TB) map[string]string {
	return map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "PATH": os.Getenv("PATH"),
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.test", "GIT_COMMITTER_NAME": "Cleo", "GIT_COMMITTER_EMAIL": "cleo@example.test",
	}
}

// runMain runs a command in this process.
func runMain(t testing.TB, args ...string) (code int, out, errOut string) {
	t.Helper()
	env := quietEnv(t)
	var stdout, stderr bytes.Buffer
	code = plugin.Main(t.Context(), args, plugin.Streams{In: strings.NewReader(""), Out: &stdout, ErrOut: &stderr},
		plugin.Env{Now: time.Now, Version: "v0.0.0-test", Lookup: func(name string) (string, bool) { value, ok := env[name]; return value, ok }})
	return code, stdout.String(), stderr.String()
}

func (r *platformRepo) path(file string) string {
	return filepath.Join(r.dir, filepath.FromSlash(file))
}

func (r *platformRepo) read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(r.path(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (r *platformRepo) write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// validate returns what validate finds.
func (r *platformRepo) validate(t *testing.T, args ...string) []finding.Finding {
	t.Helper()
	for i := range args {
		if args[i] == "REGISTRY" {
			args = slices.Clone(args)
			args[i] = r.registry
		}
	}
	code, out, errOut := runMain(t, append([]string{"validate", "--repo", r.dir, "--charts", r.charts, "-o", "json"}, args...)...)
	if code == plugin.ExitFailed {
		t.Fatalf("validate: %s", errOut)
	}
	var report finding.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	return report.Findings
}
