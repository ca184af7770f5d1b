package check_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
)

// FuzzManifests holds that no text of a manifest breaks a run, and that findings point into the file.
func FuzzManifests(f *testing.F) {
	for _, text := range []string{
		aMap, aMap + "---\n" + aMap, "{{ a }}", "a: &a [*a]\n", "--- b\n", "{\"a\": 1} {", "apiVersion: v1\nkind: List\nitems:\n- {kind: Secret, apiVersion: v1, metadata: {name: a}, data: {a: b}}\n- 1\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {1: a, \"1\": b}\n", "\ufeff---\r\napiVersion: v1\r\n", "kind: [\napiVersion:\nmetadata:\n", "a: 1\n...\nb: 2\n",
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: a.b, scope: Cluster, names: {kind: T}}\n", "# +argocd:skip-file-rendering",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		repo := memoryRepo{webMap: text, ownMap: text, "env/manifests/namespaces/web/a.json": text, "env/manifests/a.yaml": text, "env/manifests/namespaces/argocd/applications/web-site.yaml": text}
		pointsInto(t, repo)
	})
}

// FuzzSettings holds the same of settings.
func FuzzSettings(f *testing.F) {
	f.Add("apps:\n  gitea: {enabled: true}\n", "kind: AplApp\nmetadata: {name: gitea}\nspec: {enabled: false}\n", "values.yaml")
	f.Add("apps: {a: &a {b: *a}}\n", "sops: {mac: ENC[}\n", "secrets.a.dec")
	f.Add("apps:\n- a\n", "kind: AplApp\nspec: 1\n", "V~")
	f.Fuzz(func(t *testing.T, apps, other, name string) {
		pointsInto(t, memoryRepo{appsPath: apps, "env/apps/gitea.yaml": other, "env/settings/dns.yaml": other, "env/settings/secrets.a.yaml": apps,
			"env/values/web/site/" + name: other, "env/manifests/" + name: apps, "env/a/" + name: ""})
	})
}

func pointsInto(t *testing.T, repo memoryRepo) {
	t.Helper()
	result, err := check.Run(t.Context(), repo.input(t), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		if text, ok := repo[f.File]; !ok || f.Line < 0 || f.Line > 2+len(text) || f.Line == 0 && f.Column > 0 {
			t.Errorf("it points at nothing: %+v", f)
		}
	}
}
