package plugin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// TestSchemaPublishNoSecret holds that managed values with a secret are not published, nor shown, though their file is intact.
func TestSchemaPublishNoSecret(t *testing.T) {
	const secret = "warm-kettle-19"
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for name, body := range map[string]string{"wiki": "pages: 1\n", "blog": "auth:\n  password: " + secret + "\n"} {
		file, _ := valuefile.Managed([]byte(body), valuefile.Inputs{})
		put("repo/"+layout.ManagedFile(app.ID{Namespace: "docs", Release: name}), string(file))
	}
	put("core/charts/wiki/Chart.yaml", "apiVersion: v2\nname: wiki\nversion: 1.0.0\n")
	apps := put("apps.yaml", `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: docs-wiki, namespace: argocd, labels: {otomi.io/app: managed}},
  spec: {destination: {namespace: docs}, source: {repoURL: "https://git.example.test/core.git", path: charts/wiki, targetRevision: v1, helm: {releaseName: wiki}}}}`)
	code, stderr := publish(t, "-f", apps, "--charts", filepath.Join(dir, "core"), "--repo", filepath.Join(dir, "repo"), "--dry-run=client")
	if code != plugin.ExitFinding || strings.Contains(stderr, secret) || !strings.Contains(stderr, "docs/blog") {
		t.Errorf("got %d: %s", code, stderr)
	}
	if !strings.Contains(stderr, "ConfigMaps to apply: 2") {
		t.Errorf("the chart and the other app's managed values are published all the same: %s", stderr)
	}
}
