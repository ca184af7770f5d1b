package argocd_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// TestMadeIsTheOperators holds that every Application of the recorded platform is what Made makes of it, but for the values and what
// the API server and Argo CD add.
func TestMadeIsTheOperators(t *testing.T) {
	file, err := os.Open("../../../shared/corpus/live/applications.yaml")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a recorded platform to compare with")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // it was only read
	n := 0
	_, err = argocd.Read("live", file, func(a *argocd.Application) error {
		id, err := a.ID()
		class, _ := a.Class()
		if err != nil || class != argocd.Platform {
			return err
		}
		n++
		chart, err := a.ChartSource()
		if err != nil {
			t.Fatal(err)
		}
		form := argocd.Form{ID: id, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main"}
		want, _, err := a.Build(form)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := argocd.Made(id, chart.RepoURL, chart.Path, chart.TargetRevision).Build(form)
		if err != nil {
			t.Fatal(err)
		}
		// Numbers are json.Number where they were read.
		want["spec"].(map[string]any)["revisionHistoryLimit"] = 2
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", id, diff)
		}
		return nil
	})
	if err != nil || n < 60 {
		t.Errorf("%d Applications were compared, %v", n, err)
	}
}

func TestWithChart(t *testing.T) {
	const head = "# ours\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-web} # keep\nspec:\n"
	for name, tc := range map[string]struct {
		reason, spec, path, revision, want string
		anew                               bool
	}{
		"Line": {
			"one line changes, and its comment stays",
			"  sources:\n  - repoURL: u\n    path: charts/web\n    targetRevision: v1 # the platform's\n    helm: {}\n  - {repoURL: v, ref: values, targetRevision: v1}\n", "charts/web", "v2",
			"  sources:\n  - repoURL: u\n    path: charts/web\n    targetRevision: v2 # the platform's\n    helm: {}\n  - {repoURL: v, ref: values, targetRevision: v1}\n", false,
		},
		"Second": {
			"the chart's source is meant, wherever it stands",
			"  sources:\n  - ref: values\n    targetRevision: main\n    repoURL: v\n  - targetRevision: main\n    repoURL: u\n    path: charts/web\n    helm: {}\n", "charts/web", "v2",
			"  sources:\n  - ref: values\n    targetRevision: main\n    repoURL: v\n  - targetRevision: v2\n    repoURL: u\n    path: charts/web\n    helm: {}\n", false,
		},
		"Number": {
			"a revision that would be a number is quoted",
			"  source:\n    path: charts/web\n    repoURL: u\n    targetRevision: v1\n    helm: {}\n", "charts/web", "1.20",
			"  source:\n    path: charts/web\n    repoURL: u\n    targetRevision: \"1.20\"\n    helm: {}\n", false,
		},
		"Path": {
			"the chart has moved",
			"  source:\n    path: 'charts/web'\n    repoURL: u\n    targetRevision: \"v1\"\n    helm: {}\n", "charts/www", "v2",
			"  source:\n    path: charts/www\n    repoURL: u\n    targetRevision: v2\n    helm: {}\n", false,
		},
		"Same": {
			"nothing changes",
			"  source: {path: charts/web, repoURL: u, targetRevision: v1, helm: {}}\n", "charts/web", "v1",
			"  source: {path: charts/web, repoURL: u, targetRevision: v1, helm: {}}\n", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, anew, err := argocd.WithChart([]byte(head+tc.spec), tc.path, tc.revision)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(head+tc.want, string(got)); diff != "" || anew != tc.anew {
				t.Errorf("%s, anew: %v (-want +got)\n%s", tc.reason, anew, diff)
			}
		})
	}
	t.Run("Flow", func(t *testing.T) {
		got, anew, err := argocd.WithChart([]byte(head+"  source: {path: charts/web, repoURL: u, targetRevision: v1, helm: {}}\n"), "charts/web", "v2")
		if err != nil || !anew || !strings.Contains(string(got), "targetRevision: v2") {
			t.Errorf("what no line can say is written anew: %v, %v\n%s", anew, err, got)
		}
	})
	t.Run("Further", func(t *testing.T) {
		const further = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs}\n"
		got, anew, err := argocd.WithChart([]byte(head+"  source:\n    path: charts/web\n    repoURL: u\n    targetRevision: v1\n    helm: {}\n"+further), "charts/web", "v2")
		if err != nil || anew || !strings.HasSuffix(string(got), further) {
			t.Errorf("one line changes, and the object below stays: %v, %v\n%s", anew, err, got)
		}
		got, _, err = argocd.WithChart([]byte(head+"  source: {path: charts/web, repoURL: u, targetRevision: v1, helm: {}}\n"+further), "charts/web", "v2")
		if err == nil {
			t.Errorf("a file is written anew without the object below:\n%s", got)
		}
	})
}
