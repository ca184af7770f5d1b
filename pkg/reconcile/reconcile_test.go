package reconcile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// memory is a values repo in memory, all of it committed.
type memory map[string]string

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

func (m memory) ReadFile(path string) ([]byte, bool, error) {
	data, ok := m[path]
	return []byte(data), ok, nil
}

func (m memory) HeadFile(path string) ([]byte, bool, error) { return m.ReadFile(path) }

func (m memory) land(changes []gitrepo.Change) {
	for _, c := range changes {
		if delete(m, c.Path); !c.Delete {
			m[c.Path] = string(c.Data)
		}
	}
}

// managed are managed values by app name.
type managed map[string]string

func (m managed) Read(id app.ID) ([]byte, string, error) {
	text, ok := m[id.Name()]
	if !ok {
		return nil, id.Name() + ".yaml", fs.ErrNotExist
	}
	return []byte(text), id.Name() + ".yaml", nil
}

// world is a platform and the repo of it.
type world struct {
	repo     memory
	managed  managed
	releases map[string]bool   // namespace/release, and whether it is installed
	charts   map[string]string // by release, where it is not ../charts/NAME
	config   string
	gate     reconcile.Gate
	live     map[app.ID]bool
	options  reconcile.Options
}

func (w world) registry(t testing.TB) *release.Registry {
	t.Helper()
	var list []string
	for _, name := range slices.Sorted(maps.Keys(w.releases)) {
		namespace, name, installed := strings.Split(name, "/")[0], strings.Split(name, "/")[1], w.releases[name]
		chart := "../charts/" + name
		if strings.HasSuffix(name, "-artifacts") {
			chart = "../charts/raw"
		}
		if own, ok := w.charts[namespace+"/"+name]; ok {
			chart = own
		}
		list = append(list, fmt.Sprintf(`{"name":%q,"namespace":%q,"enabled":true,"installed":%v,"labels":"","chart":%q,"version":""}`, name, namespace, installed, chart))
	}
	r, err := release.ParseRegistry("releases.json", []byte("["+strings.Join(list, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w world) plan(t testing.TB) (*reconcile.Plan, error) {
	t.Helper()
	c, err := config.Parse(".apl.yaml", []byte(w.config))
	if err != nil {
		t.Fatal(err)
	}
	return reconcile.New(context.Background(), reconcile.Input{
		Registry: w.registry(t), Managed: w.managed, Gate: w.gate, Live: w.live, Repo: w.repo, Config: c,
	}, w.options)
}

func (w world) mustPlan(t testing.TB) *reconcile.Plan {
	t.Helper()
	plan, err := w.plan(t)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// platform is one of two apps that are in git, at version v1.
func platform(t testing.TB) world {
	t.Helper()
	w := world{
		repo:     memory{"env/settings/otomi.yaml": "spec: {version: v1}\n"},
		managed:  managed{"web-site": "replicas: 2\n", "db-store": "size: 1Gi\n"},
		releases: map[string]bool{"web/site": true, "db/store": true, "web/site-artifacts": true, "team-a/x": true, "web/off": false},
		options: reconcile.Options{AcceptAll: true, ChartsURL: "https://git.example.test/platform/core.git",
			ValuesURL: "https://git.example.test/values.git", ValuesRevision: "main"},
	}
	plan := w.mustPlan(t)
	if plan.Held() || plan.Summary.Add != 2 {
		t.Fatalf("%+v", plan)
	}
	w.repo.land(plan.Changes())
	w.options = reconcile.Options{}
	return w
}

// summary writes the apps that are not the same, a line each, with what happens to files and the rules of findings.
func summary(p *reconcile.Plan) []string {
	out := []string{}
	for _, a := range p.Apps {
		line := a.App + " " + string(a.Action)
		for _, f := range a.Files {
			line += " " + string(f.Change) + ":" + f.Path[strings.LastIndex(f.Path, "/")+1:]
		}
		for _, f := range a.Findings {
			line += fmt.Sprintf(" %s[%s]", f.Severity, f.Rule)
		}
		if a.Action != reconcile.Same || len(a.Findings) > 0 {
			out = append(out, line)
		}
	}
	for _, f := range p.Findings {
		out = append(out, fmt.Sprintf("%s %s[%s]", f.App, f.Severity, f.Rule))
	}
	return out
}

const (
	siteApplication = "env/manifests/namespaces/argocd/applications/web-site.yaml"
	siteManaged     = "env/values/web/site/values.managed.yaml"
	siteCustom      = "env/values/web/site/values.custom.yaml"
)

func TestReconcile(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		change func(*world)
		want   []string
		inputs []string
	}{
		"Nothing": {reason: "what is up to date is left alone", change: func(*world) {}},
		"Managed": {
			reason: "the platform computes others; nothing tells why", change: func(w *world) { w.managed["web-site"] = "replicas: 3\n" },
			want:   []string{"web/site update update:values.managed.yaml"},
			inputs: []string{"what helmfile computes, from the same settings, registry and version as far as is known"},
		},
		"Settings": {
			reason: "the commit says that the settings changed",
			change: func(w *world) {
				w.repo["env/settings/dns.yaml"] = "spec: {}\n"
				w.managed["web-site"] = "replicas: 3\n"
			},
			want: []string{"web/site update update:values.managed.yaml"}, inputs: []string{"the settings in env/"},
		},
		"SettingsAlone": {reason: "settings that change no values change no file", change: func(w *world) { w.repo["env/settings/dns.yaml"] = "spec: {}\n" }},
		"Version": {
			reason: "charts follow the platform's version, values that are the same do not",
			change: func(w *world) { w.repo["env/settings/otomi.yaml"] = "spec: {version: v2}\n" },
			want:   []string{"db/store update update:db-store.yaml", "web/site update update:web-site.yaml"},
			inputs: []string{"platform version v1 to v2"},
		},
		"Flag": {
			reason: "--revision is the later word", change: func(w *world) { w.options.Version = "v3" },
			want: []string{"db/store update update:db-store.yaml", "web/site update update:web-site.yaml"}, inputs: []string{"platform version v1 to v3"},
		},
		"OwnChart": {
			reason: "a chart from elsewhere is a person's choice",
			change: func(w *world) {
				w.repo["env/manifests/namespaces/argocd/applications/third.yaml"] = ""
				delete(w.repo, "env/manifests/namespaces/argocd/applications/third.yaml")
				w.options.ChartsURL = "https://git.example.test/platform/core.git"
				w.repo[siteApplication] = strings.Replace(w.repo[siteApplication], "https://git.example.test/platform/core.git", "https://git.example.test/fork.git", 1)
				w.options.Version = "v3"
			},
			want: []string{"db/store update update:db-store.yaml"}, inputs: []string{"platform version v1 to v3"},
		},
		"Off": {
			reason: "an app that is off loses its Application file, and nothing else", change: func(w *world) { w.releases["web/site"] = false },
			want: []string{"web/site remove delete:web-site.yaml info[application-removed]"},
		},
		"OffUnprotected": {
			reason: "an Application that would go with its file, and its workloads with it, is not let go",
			change: func(w *world) {
				w.releases["web/site"] = false
				w.repo[siteApplication] = strings.Replace(w.repo[siteApplication], "Prune=false,Delete=false", "Delete=false", 1)
			},
			want: []string{"web/site blocked error[application-removed]"},
		},
		"OffUnreadable": {
			reason: "nor is one of which nobody can tell",
			change: func(w *world) { w.releases["web/site"], w.repo[siteApplication] = false, "a: [" },
			want:   []string{"web/site blocked error[application-file]", " warning[application-file]"},
		},
		"OffFurther": {
			reason: "what stands below the Application is not ours to delete",
			change: func(w *world) {
				w.releases["web/site"] = false
				w.repo[siteApplication] += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs}\n"
			},
			want: []string{"web/site blocked error[application-file]"},
		},
		"UnreadableOther": {
			reason: "a file of no release is told of once",
			change: func(w *world) { w.repo["env/manifests/namespaces/argocd/applications/a-b.yaml"] = "a: [" },
			want:   []string{" warning[application-file]"},
		},
		"OnTaken": {
			reason: "a file of somebody else's is not written over",
			change: func(w *world) {
				w.repo[siteApplication] = strings.Replace(w.repo[siteApplication], "otomi.io/app: managed", "owner: ada", 1)
			},
			want: []string{"web/site blocked error[application-file]"},
		},
		"OnElsewhere": {
			reason: "the same Application in two files flips between them",
			change: func(w *world) {
				w.repo["env/manifests/namespaces/argocd/all.yml"] = "kind: ConfigMap\napiVersion: v1\n---\n" + w.repo[siteApplication]
				delete(w.repo, siteApplication)
			},
			want: []string{"web/site blocked error[application-file]"},
		},
		"NameTwice": {
			reason: "releases of one app name share the files of helmfile and of Argo CD",
			change: func(w *world) {
				w.releases["a/b-c"], w.releases["a-b/c"], w.managed["a-b-c"], w.options.AcceptAll = true, true, "{}\n", true
			},
			want: []string{"a/b-c blocked error[app-name-twice]", "a-b/c blocked error[app-name-twice]"},
		},
		"BackOn": {
			reason: "one that comes back has its value files, which tell that it was moved before",
			change: func(w *world) { delete(w.repo, siteApplication); w.managed["web-site"] = "replicas: 3\n" },
			want:   []string{"web/site add update:values.managed.yaml create:web-site.yaml"},
			inputs: []string{"what helmfile computes, from the same settings, registry and version as far as is known"},
		},
		"New": {
			reason: "one without any file can be one that was never moved",
			change: func(w *world) { w.releases["web/off"], w.managed["web-off"] = true, "{}\n" },
			want:   []string{"web/off skipped warning[app-not-in-git]"},
		},
		"NewAccepted": {
			reason: "unless a person knows better",
			change: func(w *world) {
				w.releases["web/off"], w.managed["web-off"] = true, "{}\n"
				w.options.Accept = []app.ID{{Namespace: "web", Release: "off"}}
			},
			want: []string{"web/off add create:values.managed.yaml create:values.custom.yaml create:web-off.yaml"},
		},
		"NewNotLive": {
			reason: "or nothing of it is live",
			change: func(w *world) {
				w.releases["web/off"], w.managed["web-off"], w.live = true, "{}\n", map[app.ID]bool{}
			},
			want: []string{"web/off add create:values.managed.yaml create:values.custom.yaml create:web-off.yaml"},
		},
		"NotMoved": {
			reason: "one that is live was not moved, whatever is accepted",
			change: func(w *world) {
				w.releases["web/off"], w.managed["web-off"], w.options.AcceptAll = true, "{}\n", true
				w.live = map[app.ID]bool{{Namespace: "web", Release: "off"}: true}
			},
			want: []string{"web/off skipped warning[app-not-in-git]"},
		},
		"Edited": {
			reason: "managed values are the platform's",
			change: func(w *world) { w.repo[siteManaged] += "extra: 1\n" },
			want:   []string{"web/site update update:values.managed.yaml warning[managed-edited]"},
			inputs: []string{"what helmfile computes, from the same settings, registry and version as far as is known"},
		},
		"EditedKey": {
			reason: "a key can be a secret itself, and is not quoted then",
			change: func(w *world) { w.repo[siteManaged] += "tokens: {ghp_k9dF2mQx81abcdefghijklmnopqrstuvwx12: x}\n" },
			want:   []string{"web/site update update:values.managed.yaml warning[managed-edited]"},
			inputs: []string{"what helmfile computes, from the same settings, registry and version as far as is known"},
		},
		"Custom": {reason: "custom values are people's, whatever they say", change: func(w *world) { w.repo[siteCustom] = "replicas: [\n" }},
		"CustomGone": {
			reason: "Argo CD fails on a value file that is missing", change: func(w *world) { delete(w.repo, siteCustom) },
			want: []string{"web/site update create:values.custom.yaml"},
		},
		"ManagedGone": {
			reason: "and on this one", change: func(w *world) { delete(w.repo, siteManaged) },
			want: []string{"web/site update create:values.managed.yaml"},
		},
		"NoValues": {
			reason: "an app without values is not emptied", change: func(w *world) { delete(w.managed, "web-site") },
			want: []string{"web/site blocked error[managed-missing]"},
		},
		"ChartOutside": {
			reason: "no Application leads out of the charts' repo",
			change: func(w *world) { w.charts = map[string]string{"web/site": "../../etc", "db/store": "../"} },
			want:   []string{"db/store blocked error[charts-repo-unknown]", "web/site blocked error[charts-repo-unknown]"},
		},
		"EmptyValues": {
			reason: "nor by a file that was cut off", change: func(w *world) { w.managed["web-site"] = "\n" },
			want: []string{"web/site blocked error[managed-unreadable]"},
		},
		"BadValues": {
			reason: "nor one whose values nobody can read", change: func(w *world) { w.managed["web-site"] = "a: [" },
			want: []string{"web/site blocked error[values-parse]"},
		},
		"Secret": {
			reason: "a secret never goes to git", change: func(w *world) { w.managed["web-site"] = "auth: {password: k9dF2mQx81}\n" },
			want: []string{"web/site blocked error[secret-named-key]"},
		},
		"SecretAccepted": {
			reason: "unless somebody has said why it may",
			change: func(w *world) {
				w.managed["web-site"] = "auth: {password: k9dF2mQx81}\n"
				w.config = "secrets: [{app: web/site, path: auth.password, rule: secret-named-key, reason: a known default}]\n"
			},
			want:   []string{"web/site update update:values.managed.yaml info[secret-named-key]"},
			inputs: []string{"what helmfile computes, from the same settings, registry and version as far as is known"},
		},
		"Excluded": {
			reason: "an app that is excluded is left alone",
			change: func(w *world) {
				w.config = "exclude: [{app: web/site, reason: later}]\n"
				w.managed["web-site"] = "replicas: 3\n"
			},
			want: []string{"web/site skipped"},
		},
		"Orphan": {
			reason: "an Application that no release stands for is told of, and left alone",
			change: func(w *world) { delete(w.releases, "web/site") },
			want:   []string{"web/site warning[orphan-application]"},
		},
		"Unreadable": {
			reason: "a file that cannot be read blocks its app", change: func(w *world) { w.repo[siteApplication] = "a: [" },
			want: []string{"web/site blocked error[application-file]", " warning[application-file]"},
		},
		"OtherApp": {
			reason: "so does one that holds another app",
			change: func(w *world) {
				w.repo[siteApplication] = w.repo["env/manifests/namespaces/argocd/applications/db-store.yaml"]
			},
			want: []string{"web/site blocked error[application-file]", " warning[application-file]"},
		},
		"GateOff": {
			reason: "registry and settings that disagree are told of where nothing comes or goes",
			change: func(w *world) {
				w.gate = func(id app.ID) (bool, bool, string) {
					return false, id.Release == "site", "apps.site.enabled is false"
				}
			},
			want: []string{"web/site same warning[gate-differs]"},
		},
		"GateOnAbsent": {
			reason: "also where there is nothing",
			change: func(w *world) {
				w.gate = func(id app.ID) (bool, bool, string) { return true, id.Release == "off", "apps.off.enabled is true" }
			},
			want: []string{"web/off skipped warning[gate-differs]"},
		},
		"GateOffNew": {
			reason: "and decide nothing where a file would come",
			change: func(w *world) {
				delete(w.repo, siteApplication)
				w.gate = func(id app.ID) (bool, bool, string) {
					return false, id.Release == "site", "apps.site.enabled is false"
				}
			},
			want: []string{"web/site blocked error[gate-differs]"},
		},
		"GateOn": {
			reason: "or go",
			change: func(w *world) {
				w.releases["web/site"] = false
				w.gate = func(id app.ID) (bool, bool, string) { return true, id.Release == "site", "apps.site.enabled is true" }
			},
			want: []string{"web/site blocked error[gate-differs]"},
		},
		"GateAgrees": {
			reason: "and off in both is off",
			change: func(w *world) {
				w.releases["web/site"] = false
				w.gate = func(id app.ID) (bool, bool, string) {
					return false, id.Release == "site", "apps.site.enabled is false"
				}
			},
			want: []string{"web/site remove delete:web-site.yaml info[application-removed]"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := platform(t)
			tc.change(&w)
			custom := w.repo[siteCustom]
			plan := w.mustPlan(t)
			if diff := cmp.Diff(append([]string{}, tc.want...), summary(plan)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if plan.Inputs == nil {
				t.Errorf("%s: inputs are null in JSON; a list is never null", tc.reason)
			}
			if diff := cmp.Diff(append([]string{}, tc.inputs...), append([]string{}, plan.Inputs...)); diff != "" {
				t.Errorf("%s: inputs (-want +got)\n%s", tc.reason, diff)
			}
			if strings.Contains(fmt.Sprintf("%+v %s", plan, plan.Message()), "k9dF2mQx81") {
				t.Errorf("%s: a secret is shown", tc.reason)
			}
			w.repo.land(plan.Changes())
			if custom != "" && w.repo[siteCustom] != custom {
				t.Errorf("%s: the custom values were changed", tc.reason)
			}
			if again := w.mustPlan(t).Changes(); len(again) > 0 {
				t.Errorf("%s: a second run would change %d files", tc.reason, len(again))
			}
		})
	}
}

// TestOrder holds that what goes is first, and that value files stand before the Application files that name them.
func TestOrder(t *testing.T) {
	w := platform(t)
	w.releases["db/store"], w.releases["web/off"], w.managed["web-off"] = false, true, "{}\n"
	w.options.AcceptAll = true
	var got []string
	for _, c := range w.mustPlan(t).Changes() {
		got = append(got, c.Path)
	}
	want := []string{"env/manifests/namespaces/argocd/applications/db-store.yaml", "env/values/web/off/values.managed.yaml",
		"env/values/web/off/values.custom.yaml", "env/manifests/namespaces/argocd/applications/web-off.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNewWithoutReferences holds that nothing is made up of where charts and values are.
func TestNewWithoutReferences(t *testing.T) {
	w := platform(t)
	for path := range w.repo {
		if strings.Contains(path, "/applications/") {
			delete(w.repo, path)
		}
	}
	plan := w.mustPlan(t)
	if plan.Summary.Blocked != 2 || !plan.Held() || len(plan.Changes()) != 0 || plan.Apps[0].Findings[0].Rule != "charts-repo-unknown" {
		t.Errorf("%v", summary(plan))
	}
	if err := plan.Carry(context.Background(), nil, false); !errors.Is(err, reconcile.ErrHeld) {
		t.Errorf("got %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		change func(*world)
		want   string
	}{
		"Version":     {"a version that is none would break every Application", func(w *world) { w.options.Version = "v1 --x" }, "--revision"},
		"Number":      {"a version of which YAML has lost digits", func(w *world) { w.repo["env/settings/otomi.yaml"] = "spec:\n  version: 4.10\n" }, "env/settings/otomi.yaml:2:3: spec.version is no text"},
		"NoReleases":  {"a registry without releases, which nothing can be held to", func(w *world) { w.releases = nil }, "holds no releases"},
		"Accepted":    {"an app that is misspelt", func(w *world) { w.options.Accept = []app.ID{{Namespace: "web", Release: "sitte"}} }, "no release web/sitte"},
		"Settings":    {"settings that nobody can read", func(w *world) { w.repo["env/settings/otomi.yaml"] = "a: [" }, "env/settings/otomi.yaml:1"},
		"Credentials": {"a URL with credentials goes nowhere", func(w *world) { w.options.ValuesURL = "https://u:hunter2@git.example.test/v.git" }, "credentials"},
		"Rule":        {"an exception for no rule", func(w *world) { w.config = "secrets: [{app: web/site, path: a, rule: b, reason: c}]\n" }, `no rule "b"`},
		"TwoRepos": {
			"Application files that contradict each other",
			func(w *world) {
				w.repo[siteApplication] = strings.Replace(w.repo[siteApplication], "https://git.example.test/values.git", "https://git.example.test/other.git", 1)
			}, "different values repos",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := platform(t)
			tc.change(&w)
			_, err := w.plan(t)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}

// TestSettles is the property that whatever the platform does, one run brings the repo to where a second changes nothing, and that
// no run touches what people own, or the files of an app that is off.
func TestSettles(t *testing.T) {
	names := []string{"web/site", "db/store", "web/off"}
	rapid.Check(t, func(rt *rapid.T) {
		w := platform(t)
		w.options.AcceptAll = true
		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			name := rapid.SampledFrom(names).Draw(rt, "app")
			file := strings.Replace(name, "/", "-", 1)
			custom := "env/values/" + name + "/values.custom.yaml"
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				w.releases[name] = rapid.Bool().Draw(rt, "installed")
			case 1:
				w.managed[file] = fmt.Sprintf("a: %d\n", rapid.IntRange(0, 3).Draw(rt, "value"))
			case 2:
				w.repo["env/settings/otomi.yaml"] = fmt.Sprintf("spec: {version: v%d}\n", rapid.IntRange(1, 3).Draw(rt, "version"))
			case 3:
				if _, ok := w.repo[custom]; ok {
					w.repo[custom] = rapid.SampledFrom([]string{"", "x: 1\n", "# c\n", "{"}).Draw(rt, "custom")
				}
			case 4:
				delete(w.repo, "env/values/"+name+"/values.managed.yaml")
			}
			was := maps.Clone(w.repo)
			w.repo.land(w.mustPlan(t).Changes())
			for path, text := range was {
				if strings.HasSuffix(path, "values.custom.yaml") && !bytes.Equal([]byte(w.repo[path]), []byte(text)) {
					rt.Fatalf("%s was changed", path)
				}
				if _, there := w.repo[path]; !there && !strings.Contains(path, "/applications/") {
					rt.Fatalf("%s is gone", path)
				}
			}
			if again := w.mustPlan(t).Changes(); len(again) > 0 {
				rt.Fatalf("a second run would change %s", again[0].Path)
			}
		}
	})
}

// switchOff returns a registry in which a release is not installed.
func switchOff(t *testing.T, registry []byte, name string) []byte {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal(registry, &list); err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		if entry["name"] == name {
			entry["installed"] = false
		}
	}
	out, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGateNext(t *testing.T) {
	for why, wanted := range map[string]bool{
		"apps.site.enabled is true at env/settings/apps.yaml:3": true, // it may lag behind env/apps, where people went on
		"apps.site.enabled is true at env/apps/site.yaml:4":     false,
	} {
		w := platform(t)
		w.releases["web/site"] = false
		w.gate = func(id app.ID) (bool, bool, string) { return true, id.Release == "site", why }
		told := false
		for _, a := range w.mustPlan(t).Apps {
			for _, f := range a.Findings {
				told = told || strings.Contains(f.Next, "kubectl apl settings migrate")
			}
		}
		if told != wanted {
			t.Errorf("%s: settings migrate is named: %t", why, told)
		}
	}
}
