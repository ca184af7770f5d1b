package migrate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestFoldedAsHelmFolds draws Applications that read files from beside the chart, from the repo's root and from the values repo,
// with and without something inline and parameters on top, and holds the two files that come of it to what Helm makes of
// the same files, --set and --set-string, in Argo CD's order.
func TestFoldedAsHelmFolds(t *testing.T) {
	dir, runs := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		checkout := filepath.Join(dir, fmt.Sprint(runs))
		defer os.RemoveAll(checkout) //nolint:errcheck // the test's folder goes anyway
		w, options := newWorld(), helmvalues.Options{}
		base := drawMap(rt, 0)
		inline := toYAML(perturb(rt, base, 0))
		application := w.add(t, "web/web", "web", inline, "{}\n")
		on := map[string]string{"charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n"}

		var entries []any
		for i := range rapid.IntRange(1, 3).Draw(rt, "files") {
			text := "# of people\n" + toYAML(perturb(rt, base, 0))
			file := fmt.Sprintf("f%d.yaml", i)
			on["given/"+file] = text
			options.ValueFiles = append(options.ValueFiles, filepath.Join(checkout, "given", file))
			switch pickOne(rt, "place", "chart", "root", "values repo") {
			case "chart":
				entries, on["charts/web/"+file] = append(entries, file), text
			case "root":
				entries, on["env/"+file] = append(entries, "/env/"+file), text
			default:
				entries, w.repo["env/"+file] = append(entries, "$v/env/"+file), []byte(text)
			}
		}
		readsFiles(entries, map[string]any{"repoURL": valuesRepoURL, "targetRevision": "main", "ref": "v"})(t, "", application)
		helm := at(application["spec"].(map[string]any)["sources"].([]any)[0].(map[string]any), "helm")
		if chance(rt, 3, "files only") {
			delete(helm, "values")
		} else {
			on["given/inline.yaml"] = inline
			options.ValueFiles = append(options.ValueFiles, filepath.Join(checkout, "given", "inline.yaml"))
		}
		if chance(rt, 2, "parameters") {
			helm["parameters"] = []any{map[string]any{"name": "a", "value": "set"}, map[string]any{"name": "n", "value": "3", "forceString": true}}
			options.Values, options.StringValues = []string{"a=set"}, []string{"n=3"}
		}
		w.files(t, checkout, on)

		plan := w.plan(t, migrate.Options{})
		a := appOf(t, plan, "web/web")
		if a.Action != migrate.Migrate {
			rt.Fatalf("the app is %s: %s", a.Action, a.Reason)
		}
		w.repo.land(plan)
		checkUserValues(rt, options, w.repo.valueFiles(t, "web/web"))
		if diff := cmp.Diff(migrate.Unchanged, appOf(t, w.plan(t, migrate.Options{}), "web/web").Action); diff != "" {
			rt.Fatalf("a second run has something to do: %s", diff)
		}
	})
}
