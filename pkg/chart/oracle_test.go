package chart_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	kubefake "helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// TestRenderIsHelmTemplate holds Render to the action that the helm binary runs for helm template --include-crds: the same
// documents of the same templates, hooks and CRDs among them.
func TestRenderIsHelmTemplate(t *testing.T) {
	const recorded = "../../testdata/platform/charts"
	folders := map[string]string{"web": filepath.Join(write(t, rendered()), "web")}
	entries, err := os.ReadDir(recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		folders["recorded-"+e.Name()] = filepath.Join(recorded, e.Name())
	}
	for name, folder := range folders {
		t.Run(name, func(t *testing.T) {
			for _, skipCRDs := range []bool{false, true} {
				want := helmTemplate(t, folder, skipCRDs)
				c, err := chart.NewFolder(filepath.Dir(folder)).Load(filepath.Base(folder))
				if err != nil {
					t.Fatal(err)
				}
				documents, err := c.Render(t.Context(), chart.Rendering{Release: "r", Namespace: "ns", KubeVersion: "v1.34.0", APIVersions: []string{"monitoring.example.test/v1"}, SkipCRDs: skipCRDs})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, d := range documents {
					if strings.TrimSpace(d.Text) != "" {
						got = append(got, "# Source: "+d.Source+"\n"+strings.TrimSpace(d.Text))
					}
				}
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("skipCrds %v: (-helm template +Render)\n%s", skipCRDs, diff)
				}
			}
		})
	}
}

// helmTemplate returns the documents that helm template writes, sorted.
func helmTemplate(t *testing.T, folder string, skipCRDs bool) []string {
	t.Helper()
	loaded, err := loader.LoadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	version, err := chartutil.ParseKubeVersion("v1.34.0")
	if err != nil {
		t.Fatal(err)
	}
	install := action.NewInstall(&action.Configuration{
		Releases: storage.Init(driver.NewMemory()), KubeClient: &kubefake.PrintingKubeClient{Out: io.Discard}, Log: func(string, ...any) {},
	})
	install.DryRun, install.ClientOnly, install.Replace, install.IncludeCRDs = true, true, true, !skipCRDs
	install.ReleaseName, install.Namespace = "r", "ns"
	install.KubeVersion, install.APIVersions = version, []string{"monitoring.example.test/v1"}
	release, err := install.Run(loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := release.Manifest
	for _, h := range release.Hooks {
		text += fmt.Sprintf("---\n# Source: %s\n%s\n", h.Path, h.Manifest)
	}
	var out []string
	for _, doc := range strings.Split("\n"+text, "\n---\n") {
		source, body, _ := strings.Cut(strings.TrimSpace(doc), "\n")
		if body = strings.TrimSpace(body); body != "" {
			out = append(out, source+"\n"+body)
		}
	}
	slices.Sort(out)
	return out
}
