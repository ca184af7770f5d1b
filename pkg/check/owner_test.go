package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

func TestOwnedTwice(t *testing.T) {
	base := platform()
	object := func(path string) apps {
		return base.add(path, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	}
	const cm = "env/manifests/namespaces/web/configmap/a.yaml"
	folder := func(name, more string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + ", namespace: argocd}\nspec:\n  destination: {namespace: x}\n  source:\n    repoURL: https://git.example.test/values\n" + more
	}
	runScenarios(t, map[string]scenario{
		"Copy":      {reason: "one Application in two files", repo: base.add(applications+"copy.yaml", base[site]), want: []string{"path-owned-twice copy.yaml:10:3 metadata.name"}, says: site},
		"CopyFirst": {reason: "the file that is called as the app is stays, whatever sorts first", repo: base.add(applications+"a.yaml", base[site]), want: []string{"path-owned-twice a.yaml:10:3 metadata.name"}},
		"Elsewhere": {reason: "in another folder of the namespace", repo: base.add("env/manifests/namespaces/argocd/application/web-site.yaml", base[site]),
			want: []string{"path-owned-twice env/manifests/namespaces/argocd/application/web-site.yaml:10:3 metadata.name"}},
		"InList": {reason: "in a list", repo: base.add("env/manifests/namespaces/argocd/application/web-site.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  metadata: {name: web-site}\n  spec: {}\n"),
			want: []string{"path-owned-twice env/manifests/namespaces/argocd/application/web-site.yaml:4:1 metadata.name"}},
		"OtherNamespace": {reason: "an Application of another namespace is another one", repo: base.add("env/manifests/namespaces/web/application/web-site.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-site}\nspec: {}\n")},
		"Release": {reason: "one release by two Applications", repo: base.add(applications+"web-zite.yaml", strings.Replace(base[site], "name: web-site", "name: web-zite", 1)),
			want: []string{"path-owned-twice web-zite.yaml:10:3 metadata.name"}, says: "deploys release web/site too"},
		"Names": {reason: "two apps with one app name", repo: base.add(applications+"x.yaml", strings.Replace(applicationText("web-site", "a"), "name: web-site-a", "name: web-site-a", 1)).
			add(applications+"web-site-a.yaml", applicationText("web", "site-a")).values("web-site", "a").values("web", "site-a"),
			want: []string{"path-owned-twice x.yaml:10:3 metadata.name"}, says: "one app name"},
		"NamesValues": {reason: "of which one has values only", repo: base.add("env/values/web-si/te/values.custom.yaml", "").
			add(applications+"web-si-te.yaml", applicationText("web", "si-te")).values("web", "si-te"),
			want: []string{"path-owned-twice env/values/web-si/te/values.custom.yaml:0:0"}},

		"Folder": {reason: "another app for a folder that the operator makes one for", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/manifests/namespaces/web\n")),
			want: []string{"path-owned-twice x.yaml:8:5 spec.source.path"}, says: "gitops-ns-web"},
		"Above": {reason: "or for one above", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/manifests\n    directory: {recurse: true}\n")),
			want: []string{"path-owned-twice x.yaml:8:5 spec.source.path"}, says: "gitops-ns-argocd, gitops-ns-web"},
		"Below": {reason: "or below", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/manifests/namespaces/web/configmap\n")),
			want: []string{"path-owned-twice x.yaml:8:5 spec.source.path"}},
		"FolderElsewhere": {reason: "wherever it stands", repo: object(cm).add("env/manifests/namespaces/argocd/application/mine.yaml", folder("mine", "    path: env/manifests/namespaces/web\n")),
			want: []string{"path-owned-twice env/manifests/namespaces/argocd/application/mine.yaml:8:5 spec.source.path"}},
		"Flat":     {reason: "a folder above that does not recurse takes nothing", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/manifests\n"))},
		"Itself":   {reason: "the operator's own Application, written down", repo: object(cm).add(applications+"x.yaml", folder("gitops-ns-web", "    path: env/manifests/namespaces/web\n"))},
		"Beside":   {reason: "another folder", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/more\n    directory: {recurse: true}\n"))},
		"Repo":     {reason: "another repo", repo: object(cm).add(applications+"x.yaml", strings.Replace(folder("mine", "    path: env/manifests/namespaces/web\n"), "/values", "/other", 1))},
		"Filtered": {reason: "patterns can keep both apart", repo: object(cm).add(applications+"x.yaml", folder("mine", "    path: env/manifests/namespaces/web\n    directory: {recurse: true, include: '*.json'}\n"))},
	})
}

func TestOrphans(t *testing.T) {
	base := platform()
	loki := base.values("monitoring", "loki")
	moved := loki.add(applications+"monitoring-loki.yaml", applicationText("monitoring", "loki"))
	settings := func(r apps, text string) apps { return r.add("env/settings/apps.yaml", text) }
	const orphan = "warning orphan-values env/values/monitoring/loki/values.custom.yaml:0:0"
	runScenarios(t, map[string]scenario{
		"NoApplication": {reason: "nobody reads the values", repo: loki, want: []string{orphan}, says: "monitoring-loki.yaml is not there"},
		"NoCustom":      {reason: "nor the managed ones alone", repo: loki.move("env/values/monitoring/loki/values.custom.yaml", ""), want: []string{"warning orphan-values env/values/monitoring/loki/values.managed.yaml:0:0"}},
		"Off":           {reason: "reconcile keeps the values of an app that is off", repo: settings(loki, "apps:\n  loki:\n    enabled: false\n")},
		"On":            {reason: "of one that is on they are lost", repo: settings(loki, "apps:\n  loki:\n    enabled: true\n"), want: []string{orphan}},
		"Unstated":      {reason: "where the settings say nothing, nobody knows", repo: settings(loki, "apps: {}\n"), want: []string{orphan}},
		"Broken":        {reason: "settings that cannot be read say nothing, which is all that is told", repo: settings(loki, "apps: [\n"), want: []string{"apps-yaml env/settings/apps.yaml:1:1"}},
		"Unreadable":    {reason: "an Application file that cannot be read is one fault", repo: loki.add(applications+"monitoring-loki.yaml", "a: b: c\n"), want: []string{"manifest-parse monitoring-loki.yaml:1:1"}},
		"Team":          {reason: "team trees are left alone", repo: base.add("env/values/team-red/x/values.custom.yaml", "")},

		"GateOff":     {reason: "an Application of an app that is off", repo: settings(moved, "apps:\n  loki:\n    enabled: false\n"), want: []string{"warning orphan-application monitoring-loki.yaml:10:3 metadata.name"}, says: "apps.loki.enabled is false at env/settings/apps.yaml:3"},
		"GateOn":      {reason: "one of an app that is on", repo: settings(moved, "apps:\n  loki:\n    enabled: true\n")},
		"GateUnknown": {reason: "one whose gate the settings do not state", repo: settings(moved, "apps: {}\n")},
	})
}

func TestOrphansOfRegistry(t *testing.T) {
	moved := platform().add("env/values/monitoring/loki/values.custom.yaml", "")
	for name, tc := range map[string]struct {
		reason, releases string
		want             []string
	}{
		"Unknown": {"the registry has no such release", `[]`, []string{
			"warning orphan-application db-store.yaml:10:3 metadata.name", "warning orphan-values env/values/monitoring/loki/values.custom.yaml:0:0",
			"warning orphan-application web-api.yaml:10:3 metadata.name", "warning orphan-application web-site.yaml:10:3 metadata.name"}},
		"Off": {"the registry has it, and it is off", `[{"name":"site","namespace":"web","enabled":true,"installed":false},{"name":"api","namespace":"web","enabled":true,"installed":true},
			{"name":"store","namespace":"db","enabled":true,"installed":true},{"name":"loki","namespace":"monitoring","enabled":true,"installed":false}]`,
			[]string{"warning orphan-application web-site.yaml:10:3 metadata.name"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := moved.input()
			var err error
			if in.Registry, err = release.ParseRegistry("releases.json", []byte(tc.releases)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, brief(run(t, in))); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSelected holds that a finding is told when one of the files is selected that have to do with it.
func TestSelected(t *testing.T) {
	base := platform().add(applications+"copy.yaml", platform()[site]).
		values("monitoring", "loki").add("env/settings/apps.yaml", "apps: {}\n")
	base["env/values/db/store/values.custom.yaml"] = ""
	base = base.move("env/values/db/store/values.custom.yaml", "")
	const owned, orphan, missing = "path-owned-twice", "orphan-values", "value-file-missing"
	for name, tc := range map[string]struct {
		selected []string
		want     []string
	}{
		"All":      {nil, []string{missing, orphan, owned}},
		"Nothing":  {[]string{}, nil},
		"First":    {[]string{site}, []string{owned}},
		"Copy":     {[]string{applications + "copy.yaml"}, []string{owned}},
		"Gone":     {[]string{"env/values/db/store/values.custom.yaml"}, []string{missing}},
		"Folder":   {[]string{"env/values"}, []string{missing, orphan}},
		"Settings": {[]string{"env/settings/apps.yaml"}, []string{orphan}},
	} {
		t.Run(name, func(t *testing.T) {
			in := base.input()
			in.Select = tc.selected
			var got []string
			for _, f := range run(t, in) {
				got = append(got, f.Rule)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
