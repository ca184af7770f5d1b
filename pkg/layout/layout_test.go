package layout_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

func TestPaths(t *testing.T) {
	id := app.ID{Namespace: "cert-manager", Release: "cert-manager-webhook-linode"}
	cases := map[string]struct {
		reason string
		got    any
		want   any
	}{
		"Managed": {
			reason: "value files stand in a folder of their own for each namespace and release, so identities never meet",
			got:    layout.ManagedFile(id),
			want:   "env/values/cert-manager/cert-manager-webhook-linode/values.managed.yaml",
		},
		"Custom": {
			reason: "custom stands beside managed",
			got:    layout.CustomFile(id),
			want:   "env/values/cert-manager/cert-manager-webhook-linode/values.custom.yaml",
		},
		"Application": {
			reason: "an Application file is called as the Application is",
			got:    layout.ApplicationFile(id),
			want:   "env/manifests/namespaces/argocd/applications/cert-manager-cert-manager-webhook-linode.yaml",
		},
		"ValueFiles": {
			reason: "custom comes last, so that it wins in Helm",
			got:    layout.ValueFiles(id),
			want: []string{
				"$values/env/values/cert-manager/cert-manager-webhook-linode/values.managed.yaml",
				"$values/env/values/cert-manager/cert-manager-webhook-linode/values.custom.yaml",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestParse(t *testing.T) {
	cases := map[string]struct {
		reason string
		path   string
		want   layout.Place
	}{
		"Managed": {
			reason: "a managed value file tells its identity",
			path:   "env/values/gitea/gitea/values.managed.yaml",
			want:   layout.Values{ID: app.ID{Namespace: "gitea", Release: "gitea"}, Layer: layout.Managed},
		},
		"Custom": {
			reason: "a release name can hold dots, as Helm allows",
			path:   "env/values/team-x/web.v2/values.custom.yaml",
			want:   layout.Values{ID: app.ID{Namespace: "team-x", Release: "web.v2"}, Layer: layout.Custom},
		},
		"Application": {
			reason: "an app name is not split, although it looks as if it could be",
			path:   layout.ApplicationsDir + "/otomi-operator-otomi-operator.yaml",
			want:   layout.Application{Name: "otomi-operator-otomi-operator"},
		},
		"Settings": {reason: "the settings file is a place", path: "env/settings/otomi.yaml", want: layout.Settings{}},
		"Apps":     {reason: "so is the file of the apps", path: "env/settings/apps.yaml", want: layout.Apps{}},
		"Config":   {reason: "the tool's own file is a place", path: ".apl.yaml", want: layout.Config{}},

		"Envelope":         {reason: "the envelopes of env/apps are read, and never written", path: "env/apps/gitea.yaml"},
		"UpperApps":        {reason: "one place has one path", path: "env/settings/Apps.yaml"},
		"OtherSettings":    {reason: "settings of another concern are none of ours", path: "env/settings/dns.yaml"},
		"Dotted":           {reason: "one place has one path", path: "./.apl.yaml"},
		"Upwards":          {reason: "a path never leaves the repo", path: "env/values/../../x/values.custom.yaml"},
		"Doubled":          {reason: "an empty part is no namespace", path: "env/values//gitea/values.custom.yaml"},
		"UpperCase":        {reason: "an upper-case folder would meet a lower-case one elsewhere", path: "env/values/Gitea/gitea/values.custom.yaml"},
		"Deeper":           {reason: "value files stand at one depth only", path: "env/values/a/b/c/values.custom.yaml"},
		"OtherFile":        {reason: "other files in a value folder are people's own", path: "env/values/a/b/README.md"},
		"Backslash":        {reason: "paths are separated by slashes on every system", path: `env\values\a\b\values.custom.yaml`},
		"NoAppName":        {reason: "no identity has a name without a hyphen", path: layout.ApplicationsDir + "/root.yaml"},
		"HalfAppName":      {reason: "both halves of an app name hold something", path: layout.ApplicationsDir + "/-web.yaml"},
		"DottedNamespace":  {reason: "a namespace has no dots, so no split of this name is an identity", path: layout.ApplicationsDir + "/a.b-c.yaml"},
		"OtherExtension":   {reason: "only .yaml is ours", path: layout.ApplicationsDir + "/gitea-gitea.yml"},
		"ApplicationsBare": {reason: "a folder is no file", path: layout.ApplicationsDir},
		"Global":           {reason: "the file of a cluster-scoped object", path: "env/manifests/global/clusterrole/viewer.yaml", want: layout.Object{Folder: "clusterrole", File: "viewer"}},
		"Namespaced":       {reason: "and of one in a namespace", path: "env/manifests/namespaces/web/cluster.cnpg.io/a%3Ab.yaml", want: layout.Object{Namespace: "web", Folder: "cluster.cnpg.io", File: "a%3Ab"}},
		"UpperKind":        {reason: "a kind is in lower case", path: "env/manifests/global/ClusterRole/viewer.yaml"},
		"ManifestBare":     {reason: "an object stands in a folder of its kind", path: "env/manifests/namespaces/web/viewer.yaml"},
		"ManifestDeeper":   {reason: "and no deeper", path: "env/manifests/global/clusterrole/a/viewer.yaml"},
		"NotEncoded":       {reason: "one name has one spelling", path: "env/manifests/global/clusterrole/a%61.yaml"},
		"FalselyCut":       {reason: "only a name that is too long is cut", path: "env/manifests/global/clusterrole/a~0123456789abcdef.yaml"},
		"Empty":            {reason: "an empty path is no place", path: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := layout.Parse(tc.path)
			if ok != (tc.want != nil) {
				t.Errorf("%s: Parse(%q) says %v", tc.reason, tc.path, ok)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: Parse(%q) (-want +got)\n%s", tc.reason, tc.path, diff)
			}
		})
	}
}

func TestSharedApplications(t *testing.T) {
	id := func(s string) app.ID {
		got, err := app.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	cases := map[string]struct {
		reason string
		ids    []app.ID
		want   [][]app.ID
	}{
		"None": {
			reason: "different names share nothing",
			ids:    []app.ID{id("gitea/gitea"), id("gitea/gitea-valkey")},
		},
		"Same": {
			reason: "one identity given twice is not in its own way",
			ids:    []app.ID{id("gitea/gitea"), id("gitea/gitea")},
		},
		"Shared": {
			reason: "the hyphen between the halves cannot be told from those within them",
			ids:    []app.ID{id("x/y"), id("a/b-c"), id("otomi/operator"), id("a-b/c"), id("a/b-c")},
			want:   [][]app.ID{{id("a/b-c"), id("a-b/c")}},
		},
		"Groups": {
			reason: "groups come sorted, whatever order they were given in",
			ids:    []app.ID{id("z-y/x"), id("a-b/c"), id("z/y-x"), id("a/b-c")},
			want:   [][]app.ID{{id("a/b-c"), id("a-b/c")}, {id("z/y-x"), id("z-y/x")}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, layout.SharedApplications(tc.ids)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// identities draws identities of few letters and many hyphens, which is where names meet.
func identities() *rapid.Generator[app.ID] {
	return rapid.Custom(func(t *rapid.T) app.ID {
		return app.ID{
			Namespace: rapid.StringMatching(`[a-b0]([-a-b]{0,4}[a-b0])?`).Draw(t, "namespace"),
			Release:   rapid.StringMatching(`[a-b0]([-a-b]{0,4}[a-b0])?(\.[a-b])?`).Draw(t, "release"),
		}
	})
}

// TestPathsParseBack holds the contract of DESIGN 3: every path that is made parses back to what made it.
func TestPathsParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := identities().Draw(t, "id")
		places := map[string]layout.Place{
			layout.ManagedFile(id):     layout.Values{ID: id, Layer: layout.Managed},
			layout.CustomFile(id):      layout.Values{ID: id, Layer: layout.Custom},
			layout.ApplicationFile(id): layout.Application{Name: id.Name()},
			layout.SettingsFile:        layout.Settings{},
			layout.AppsFile:            layout.Apps{},
			layout.ConfigFile:          layout.Config{},
		}
		for path, want := range places {
			got, ok := layout.Parse(path)
			if !ok || got != want || got.Path() != path {
				t.Fatalf("%s parses to %v, %v; want %v", path, got, ok, want)
			}
		}
	})
}

// TestIdentitiesDoNotMeet holds that two identities never share a value path, also where case does not count, and that
// SharedApplications knows of every pair that shares an Application path.
func TestIdentitiesDoNotMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := identities().Draw(t, "a"), identities().Draw(t, "b")
		if a == b {
			return
		}
		paths := map[string]app.ID{}
		for _, id := range []app.ID{a, b} {
			for _, path := range []string{layout.ManagedFile(id), layout.CustomFile(id)} {
				if other, taken := paths[strings.ToLower(path)]; taken {
					t.Fatalf("%s and %s share %s", id, other, path)
				}
				paths[strings.ToLower(path)] = id
			}
		}
		shared := strings.EqualFold(layout.ApplicationFile(a), layout.ApplicationFile(b))
		if told := len(layout.SharedApplications([]app.ID{a, b})) == 1; told != shared {
			t.Fatalf("%s and %s: shared %v, told %v", a, b, shared, told)
		}
	})
}

// TestParsedPathsAreMade holds the other direction for any text: whatever parses is spelled as it would be made.
func TestParsedPathsAreMade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`env/values/[-.a-cA]{0,4}/[-.a-c/]{0,5}/values\.(managed|custom)\.yaml`),
			rapid.StringMatching(layout.ApplicationsDir+`/[-.a-c/]{0,6}\.yaml`),
		).Draw(t, "path")
		if place, ok := layout.Parse(path); ok && place.Path() != path {
			t.Fatalf("%q parses to %v, which is at %q", path, place, place.Path())
		}
	})
}
