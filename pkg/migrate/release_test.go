package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// releases answers for a cluster.
type releases func(id app.ID) (cluster.HelmRelease, error)

func (r releases) HelmRelease(_ context.Context, id app.ID) (cluster.HelmRelease, error) {
	return r(id)
}

var errGone = errors.New("connection refused")

// TestHelmRelease is case B13 from what a cluster answers to what is written; how a cluster answers is pkg/cluster's to test.
func TestHelmRelease(t *testing.T) {
	held := func(version, config string) cluster.HelmRelease {
		return cluster.HelmRelease{Secret: "sh.helm.release.v1.web.v3", Revision: 3, Chart: "web", ChartVersion: version, Config: []byte(config)}
	}
	helmChart := func(version string) map[string]any {
		return map[string]any{"repoURL": "https://charts.example.test", "chart": "web", "targetRevision": version}
	}
	cases := map[string]struct {
		reason  string
		source  map[string]any // in place of the chart at a path, version 1.0.0
		helm    map[string]any // nil for none
		release cluster.HelmRelease
		err     error

		asks    int
		blocked bool
		fails   bool
		custom  string
		said    []string
		unsaid  string
	}{
		"Stale": {
			reason: "B13: a release of before Argo CD is of another version", source: helmChart("1.2.3"),
			release: held("1.0.0", `{"a":"old"}`), asks: 1, custom: "a: old\n",
			said: []string{"revision 3, stand in", "is stale: it is of chart version 1.0.0, and Argo CD renders 1.2.3"},
		},
		"Same":   {reason: "one of the same version says what runs", source: helmChart("v1.2.3"), release: held("1.2.3", `{"a":1}`), asks: 1, custom: "a: 1\n", unsaid: "stale"},
		"Range":  {reason: "what a range stands for is not known", source: helmChart("1.x"), release: held("1.0.0", `{"a":1}`), asks: 1, custom: "a: 1\n", said: []string{`can be stale: it is of chart version 1.0.0, and Argo CD renders what "1.x" stands for`}},
		"Path":   {reason: "a chart at a path says its version itself", release: held("0.9.0", `{"a":1}`), asks: 1, custom: "a: 1\n", said: []string{"is stale: it is of chart version 0.9.0, and Argo CD renders 1.0.0"}},
		"Fresh":  {reason: "and can be the same", release: held("1.0.0", `{"a":1}`), asks: 1, custom: "a: 1\n", unsaid: "stale"},
		"Other":  {reason: "a release of another chart has the name only", source: helmChart("1.0.0"), release: cluster.HelmRelease{Chart: "db", ChartVersion: "1.0.0", Config: []byte(`{"a":1}`)}, asks: 1, custom: "a: 1\n", said: []string{"is of chart db 1.0.0, and Argo CD renders web 1.0.0"}},
		"Null":   {reason: "a release without values has none", release: held("1.0.0", "null"), asks: 1},
		"Digits": {reason: "every digit survives", release: held("1.0.0", `{"id":9007199254740993}`), asks: 1, custom: "id: 9007199254740993\n"},
		"Odd": {
			reason: "what is odd about its history is told", asks: 1, custom: "a: 1\n",
			release: cluster.HelmRelease{Chart: "web", ChartVersion: "1.0.0", Config: []byte(`{"a":1}`), Warnings: []string{"revision 4, newer than the deployed one, is failed"}},
			said:    []string{"revision 4, newer than the deployed one, is failed"},
		},
		"None":      {reason: "B13: no release is no empty values", err: fmt.Errorf("read: %w", cluster.ErrNoRelease), asks: 1, blocked: true, said: []string{"no Helm release says what they are"}},
		"Forbidden": {reason: "nor is one that may not be read", err: fmt.Errorf("list secrets: %w", cluster.ErrForbidden), asks: 1, blocked: true, said: []string{"list secrets"}},
		"Corrupt":   {reason: "nor one that cannot be read", err: fmt.Errorf("read: %w", cluster.ErrCorruptRelease), asks: 1, blocked: true},
		"NoMap":     {reason: "nor one whose values are none", release: held("1.0.0", `["hunter"]`), asks: 1, blocked: true, said: []string{"are no map"}},
		"Gone":      {reason: "a cluster that does not answer ends it all", err: errGone, asks: 1, fails: true},

		"EmptyText":  {reason: "empty text says that there are no values", helm: map[string]any{"values": ""}},
		"EmptyMap":   {reason: "so does an empty object", helm: map[string]any{"valuesObject": map[string]any{}}},
		"Parameters": {reason: "parameters are values", helm: map[string]any{"parameters": []any{map[string]any{"name": "a", "value": "x"}}}, custom: "a: x\n"},
		"Files":      {reason: "and so is a file, also one that is not there", helm: map[string]any{"valueFiles": []any{"x.yaml"}, "ignoreMissingValueFiles": true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.files(t, t.TempDir(), map[string]string{"charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n"})
			spec := at(w.add(t, "web/web", "web", "", "{}\n"), "spec")
			if tc.source != nil {
				spec["source"] = tc.source
			}
			at(spec, "source")["helm"] = map[string]any{"releaseName": "web"}
			for key, value := range tc.helm {
				at(spec, "source", "helm")[key] = value
			}
			in, asks := w.input(t), 0
			in.Releases = releases(func(id app.ID) (cluster.HelmRelease, error) {
				asks++
				if id.String() != "web/web" {
					t.Errorf("asked for %s", id)
				}
				return tc.release, tc.err
			})
			plan, err := migrate.New(t.Context(), in, migrate.Options{ValuesRepoURL: valuesRepoURL, ValuesRevision: "main"})
			if asks != tc.asks || (err != nil) != tc.fails || err != nil && !errors.Is(err, errGone) {
				t.Fatalf("%s: asked %d times, %v", tc.reason, asks, err)
			}
			if tc.fails {
				return
			}
			checkPlan(t, plan)
			a := appOf(t, plan, "web/web")
			said := encode(t, a)
			for _, part := range tc.said {
				if !strings.Contains(said, strings.Trim(encode(t, part), `"`)) {
					t.Errorf("%s: %q is not said: %s", tc.reason, part, said)
				}
			}
			if tc.unsaid != "" && strings.Contains(said, tc.unsaid) || strings.Contains(said, madeUpSecret) {
				t.Errorf("%s: %q or a secret is said: %s", tc.reason, tc.unsaid, said)
			}
			if (a.Action == migrate.Blocked) != tc.blocked {
				t.Fatalf("%s: the app is %s: %s", tc.reason, a.Action, a.Reason)
			}
			if tc.blocked {
				return
			}
			files := memory{}
			files.land(plan)
			_, custom, _ := strings.Cut(string(files["env/values/web/web/values.custom.yaml"]), "\n")
			if diff := cmp.Diff(tc.custom, custom); diff != "" {
				t.Errorf("%s: custom (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}
