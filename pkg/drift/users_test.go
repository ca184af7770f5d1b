package drift_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
)

const applications = "env/manifests/namespaces/argocd/applications/"

func application(namespace, release, source string) string {
	return fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: %[1]s-%[2]s, namespace: argocd}\nspec:\n  destination: {namespace: %[1]s}\n  source: {repoURL: https://git.example.test/c.git, helm: {releaseName: %[2]s}, %[3]s}\n", namespace, release, source)
}

func TestUsers(t *testing.T) {
	files := map[string]string{
		applications + "shop-web.yaml":             application("shop", "web", "path: charts/web"),
		applications + "shop-api.yaml":             application("shop", "api", "path: charts/api/"),
		applications + "shop-packed.yaml":          application("shop", "packed", "chart: web, targetRevision: 1.0.0"),
		applications + "team-a-web.yaml":           application("team-a", "web", "path: charts/web"),
		applications + "shop-broken.yaml":          "kind: [\n",
		"env/values/shop/web/values.custom.yaml":   "a: 1\n",
		"env/values/shop/web/values.managed.yaml":  "b: 1\n",
		"env/values/shop/api/values.custom.yaml":   "c: 1\n",
		"env/settings/apps.yaml":                   "",
		"env/manifests/namespaces/shop/job/x.yaml": "",
	}
	repo := drift.Repo{Files: slices.Sorted(maps.Keys(files)), Read: func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}}
	for name, c := range map[string]struct {
		reason string
		names  []string
		wanted []app.ID
		want   []string
		err    error
	}{
		"by chart":  {reason: "the folder, or the chart; teams are left alone", names: []string{"web"}, want: []string{`shop/packed "" ""`, `shop/web "b: 1\n" "a: 1\n"`}},
		"by folder": {reason: "a slash at the end is none of the name", names: []string{"api"}, want: []string{`shop/api "" "c: 1\n"`}},
		"by app":    {reason: "whatever its chart is", names: []string{"web"}, wanted: []app.ID{{Namespace: "shop", Release: "api"}}, want: []string{`shop/api "" "c: 1\n"`}},
		"no app":    {reason: "an app that is not there", wanted: []app.ID{{Namespace: "shop", Release: "none"}}, err: drift.ErrNoApp},
		"a team's":  {reason: "an app of a team", wanted: []app.ID{{Namespace: "team-a", Release: "web"}}, err: drift.ErrNoApp},
		"no chart":  {reason: "nobody uses it", names: []string{"db"}},
	} {
		t.Run(name, func(t *testing.T) {
			apps, unread, err := drift.Users(repo, c.names, c.wanted)
			if !errors.Is(err, c.err) {
				t.Fatalf("%s: got %v", c.reason, err)
			}
			var got []string
			for _, a := range apps {
				got = append(got, fmt.Sprintf("%s %q %q", a.ID, a.Managed.Data, a.Custom.Data))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", c.reason, diff)
			}
			if c.err == nil && (len(unread) != 1 || unread[0].Rule != "application-unread" || unread[0].File != applications+"shop-broken.yaml" || unread[0].Line == 0) {
				t.Errorf("%s: a file that cannot be read is told: %+v", c.reason, unread)
			}
		})
	}
}
