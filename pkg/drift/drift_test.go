package drift_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// load writes a chart below a folder and loads it. Without a Chart.yaml it is web-1.0.0.
func load(t *testing.T, files map[string]string) *chart.Chart {
	t.Helper()
	dir := t.TempDir()
	if _, ok := files["Chart.yaml"]; !ok {
		write(t, dir, "Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	return open(t, dir)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *chart.Chart {
	t.Helper()
	located, err := chart.NewStore().Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := located.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// report compares two charts, and looks at the one app that has some values.
func report(t *testing.T, before, after map[string]string, managed, custom string) *drift.Report {
	t.Helper()
	in := drift.Input{Old: drift.Source{Chart: load(t, before), Origin: "old"}, New: drift.Source{Chart: load(t, after), Origin: "new"},
		Schemas: &schema.Cache{}, Secrets: secret.New()}
	in.Apps = []drift.App{{ID: app.ID{Namespace: "shop", Release: "web"}, Managed: drift.File{Path: "managed", Data: []byte(managed)}, Custom: drift.File{Path: "custom", Data: []byte(custom)}}}
	r, err := drift.Compare(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func lines(r *drift.Report) (changes, findings []string) {
	for _, c := range r.Changes {
		mark := " "
		switch {
		case c.Unknown:
			mark = "?"
		case c.Breaking:
			mark = "!"
		}
		changes = append(changes, fmt.Sprintf("%s %s %s: %s", mark, c.Kind, c.Path, c.Text))
	}
	list := r.Findings
	for _, a := range r.Apps {
		list = append(list, a.Findings...)
	}
	for _, f := range list {
		findings = append(findings, fmt.Sprintf("%s %s %s:%d:%d %s: %s; %s", f.Severity, f.Rule, f.File, f.Line, f.Column, f.Path, f.Message, f.Next))
	}
	return changes, findings
}

const closed = `{"type":"object","additionalProperties":false,"properties":{"replicas":{"type":"integer"},"image":{"properties":{"tag":{"type":"string"}}}%s}}`

func TestCompare(t *testing.T) {
	helmIsQuiet(t)
	crd := func(versions string) string {
		return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: jobs.shop.test}\nspec: {group: shop.test, scope: Namespaced, names: {plural: jobs, kind: Job}, versions: [" + versions + "]}\n"
	}
	sub := func(version, text string) map[string]string {
		return map[string]string{"Chart.yaml": "apiVersion: v2\nname: web\nversion: " + version + "\ndependencies:\n- {name: db, version: '>=0', condition: db.enabled}\n",
			"charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: " + version + "\n", "charts/db/values.yaml": text}
	}
	for name, c := range map[string]struct {
		reason          string
		before, after   map[string]string
		managed, custom string
		verdict         drift.Verdict
		changes         []string
		findings        []string
	}{
		"nothing on both sides": {
			reason: "case I1: no evidence is no proof", verdict: drift.Nothing,
			findings: []string{"error chart-nothing-compared new:0:0 : neither chart has a schema, values of its own or CRDs: nothing was compared, which does not say that they are alike; see whether both are the charts that you mean, with their files"},
		},
		"the same": {
			reason: "nothing is other", before: map[string]string{"values.yaml": "a: 1"}, after: map[string]string{"values.yaml": "a: 1.0 # one"}, verdict: drift.Same,
		},
		"Kubernetes": {
			reason: "case I5: a narrower range is told", before: map[string]string{"values.yaml": "a: 1"}, verdict: drift.Compatible,
			after:    map[string]string{"values.yaml": "a: 1", "Chart.yaml": "apiVersion: v2\nname: web\nversion: 2.0.0\nkubeVersion: '>=1.29.0-0'\n"},
			findings: []string{"warning chart-kube-version new:0:0 : the new chart wants Kubernetes >=1.29.0-0, the old one of any version: it does not take up to 1.28; see that no cluster has such a version; --kube-version tells which one counts"},
		},
		"CRDs": {
			reason: "case I7: what is served no more breaks, in subcharts too", verdict: drift.Breaking,
			before: map[string]string{"crds/j.yaml": crd("{name: v1beta1, served: true, storage: true}, {name: v1, served: true, storage: false}"), "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
				"charts/db/crds/d.yaml": strings.ReplaceAll(crd("{name: v1, served: true, storage: true}"), "jobs", "dbs")},
			after: map[string]string{"crds/j.yaml": crd("{name: v1, served: true, storage: true}"), "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n"},
			findings: []string{
				"error crd-breaking new:0:0 CustomResourceDefinition.apiextensions.k8s.io dbs.shop.test: web/charts/db/crds/d.yaml is gone from crds/: where it is pruned, every object of its kind goes with it; see whether a template or another chart brings it now, and protect it until then",
				"error crd-breaking new:0:0 CustomResourceDefinition.apiextensions.k8s.io jobs.shop.test: web/crds/j.yaml: version v1beta1 is served no more, the stored version was v1beta1 and is v1; move the objects that are stored to a version that stays, before the chart is upgraded",
			},
		},
		"a null": {
			reason: "case I9: a null that removed a default removes nothing when that has gone", verdict: drift.Compatible,
			before: map[string]string{"values.yaml": "selector: {k8s-app: s, component: s}"}, after: map[string]string{"values.yaml": "selector: {k8s-app: s}"}, custom: "selector:\n  component: null\n",
			changes:  []string{"  went selector.component: gone from the chart's own values: it loses its effect"},
			findings: []string{"warning null-without-effect custom:2:3 selector.component: null no longer removes anything: the new chart has no default there, and .Values.selector.component is now null; remove it"},
		},
		"a key moves": {
			reason: "what was meant is named", verdict: drift.Compatible,
			before: map[string]string{"values.yaml": "resources: {limits: {cpu: 1}}\nport: 80\n"}, after: map[string]string{"values.yaml": "main: {resources: {limits: {cpu: 1}}}\nports: 80\n"},
			custom: "port: 81\nresources:\n  limits:\n    cpu: 2\n",
			changes: []string{
				"  came main: new in the chart's own values, map", "  went port: gone from the chart's own values: it loses its effect", "  came ports: new in the chart's own values, number",
				"  went resources: gone from the chart's own values: it loses its effect",
			},
			findings: []string{
				"warning custom-without-effect custom:1:1 port: the new chart does not know this key: it loses its effect; did you mean ports?",
				"warning custom-without-effect custom:2:1 resources: the new chart does not know this key: it loses its effect; did you mean main.resources? It is new",
			},
		},
		"equal to the new default": {
			reason: "it can be dropped, unless it was so before", verdict: drift.Compatible,
			before: map[string]string{"values.yaml": "a: 1\nb: 2\nlist: [x]\n"}, after: map[string]string{"values.yaml": "a: 3\nb: 2\nlist: [z]\n"}, custom: "a: 3\nb: 2\nlist: [z]\n",
			changes: []string{"  default a: default was 1, is 3", `  default list: default was ["x"], is ["z"]`},
			findings: []string{
				"info custom-droppable custom:1:1 a: the new chart has the same by itself; remove it, unless it is to stay whatever the chart says",
				"info custom-droppable custom:3:1 list: the new chart has the same by itself; remove it, unless it is to stay whatever the chart says",
			},
		},
		"unknown to both": {
			reason: "it is told once, and a key that becomes known too", verdict: drift.Compatible,
			before: map[string]string{"values.yaml": "a: 1"}, after: map[string]string{"values.yaml": "a: 1\nsoon: 2\n"}, custom: "later: {x: 1, y: 2}\nsoon: 3\n",
			changes: []string{"  came soon: new in the chart's own values, number"},
			findings: []string{
				"info custom-unknown custom:1:1 later: neither the old chart nor the new one knows this key; remove it",
				"info custom-takes-effect custom:2:1 soon: the old chart does not know this key, and the new one does: it takes effect; see that it is still wanted",
			},
		},
		"the schema refuses": {
			reason: "new violations are told against who brings the value", verdict: drift.Breaking,
			before:  map[string]string{"values.yaml": "replicas: 1\nimage: {tag: a}\n", "values.schema.json": fmt.Sprintf(closed, `,"old":{},"odd":{"type":"string"}`)},
			after:   map[string]string{"values.yaml": "replicas: 1\nimage: {tag: a}\n", "values.schema.json": fmt.Sprintf(closed, `,"odd":{"type":"string"},"name":{"maxLength":3}`)},
			managed: "old: 1\n", custom: "image:\n  tag: a\nodd: 7\nreplica: 2\n",
			changes: []string{
				`  came name: new`, `! went old: gone, and refused where it is set`,
			},
			findings: []string{
				`info custom-unknown custom:4:1 replica: neither the old chart nor the new one knows this key; did you mean replicas?`,
				`warning managed-breaks managed:1:1 old: the new chart refuses it: the schema knows no such key; did you mean "odd"?; the platform computes it: kubectl apl reconcile writes it anew for the new version`,
			},
		},
		"custom breaks": {
			reason: "the place is that of the value", verdict: drift.Breaking,
			before: map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": fmt.Sprintf(closed, "")},
			after:  map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": strings.ReplaceAll(fmt.Sprintf(closed, ""), `"string"`, `"integer"`)}, custom: "replicas: 2\nimage:\n  # mine\n  tag: hunter2\n",
			changes:  []string{`! retyped image.tag: type was string, is integer`},
			findings: []string{`error custom-breaks custom:4:3 image.tag: the new chart refuses it: expected integer, but got string; change it before the chart is upgraded`},
		},
		"a key is required": {
			reason: "whoever has custom values can set it", verdict: drift.Breaking,
			before:   map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": `{"properties":{"name":{"type":"string"}}}`},
			after:    map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": `{"properties":{"name":{"type":"string"}},"required":["name","replicas"]}`},
			changes:  []string{"! narrowed name: required now", "  narrowed replicas: required now; the chart's own values have it"},
			custom:   "replicas: 2\n",
			findings: []string{"error custom-breaks custom:1:1 .: the new chart refuses it: the key \"name\" is missing; change it before the chart is upgraded"},
		},
		"a schema comes": {
			reason: "it is said that one side has none", verdict: drift.Breaking,
			before: map[string]string{"values.yaml": "replicas: 1\nimage: {tag: a}\n"}, after: map[string]string{"values.yaml": "replicas: 1\nimage: {tag: a}\n", "values.schema.json": fmt.Sprintf(closed, "")},
			changes: []string{"? checked .: the chart has a values.schema.json now, and had none: it cannot be told which values it refuses, but for those of the files that are looked at"},
		},
		"a schema goes": {
			reason: "as above", verdict: drift.Compatible,
			before: map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": fmt.Sprintf(closed, "")}, after: map[string]string{"values.yaml": "replicas: 1\n"},
			changes: []string{"  checked .: the chart has no values.schema.json any more: mistakes in values are no longer found"},
		},
		"a schema that cannot be used": {
			reason: "what cannot be looked at is never fine", verdict: drift.Breaking,
			before: map[string]string{"values.yaml": "a: 1"}, after: map[string]string{"values.yaml": "a: 1", "values.schema.json": `{"$ref":"https://schemas.example.test/x.json"}`},
			findings: []string{`error schema-unusable new:0:0 : the values.schema.json of web cannot be used: the schema refers to "https://schemas.example.test/x.json", which is not fetched; put a copy of it into a folder, as schemas.example.test/x.json, and name the folder by --schema-dir; the chart's maintainers can put what is referred to into the schema itself`},
		},
		"the new chart refuses itself": {
			reason: "that is the chart's fault", verdict: drift.Breaking,
			before: map[string]string{"values.yaml": "replicas: 1\n", "values.schema.json": fmt.Sprintf(closed, "")}, after: map[string]string{"values.yaml": "replicas: x\n", "values.schema.json": fmt.Sprintf(closed, "")},
			changes:  []string{`  default replicas: default was 1, is "x"`},
			findings: []string{`error chart-refuses-itself new:0:0 replicas: the new chart's schema refuses the chart's own values: expected integer, but got string; tell the chart's maintainers, or set the value`},
		},
		"types without a schema": {
			reason: "nobody says what templates take", before: map[string]string{"values.yaml": "a: x\nb: {}\nc: null\n"}, after: map[string]string{"values.yaml": "a: [x]\nb: {k: v}\nc: {}\n"}, verdict: drift.Breaking,
			changes: []string{`? retyped a: default was "x", is ["x"], a list and no longer a string; it cannot be told whether values break`, `  default b.k: default was none, is "v"`, `  default c: default was null, is {}`},
		},
		"secrets": {
			reason: "a default that is secret is masked, on both sides", before: map[string]string{"values.yaml": "auth: {password: hunter2x9}\nplain: a\n"}, after: map[string]string{"values.yaml": "auth: {password: ''}\nplain: b\n"}, verdict: drift.Compatible,
			custom:  "auth: {password: tulip-teapot-4711}\n",
			changes: []string{"  default auth.password: another default, which is not shown since it can be secret", `  default plain: default was "a", is "b"`},
		},
		"subcharts": {
			reason: "whether they are on or not", before: sub("1.0.0", "size: 1\nold: 1\n"), after: sub("2.0.0", "size: 2\n"), custom: "db: {enabled: true, old: 2}\n", verdict: drift.Compatible,
			changes:  []string{"  went db.old: gone from the chart's own values: it loses its effect", "  default db.size: default was 1, is 2"},
			findings: []string{"warning custom-without-effect custom:1:21 db.old: the new chart does not know this key: it loses its effect; remove it, or see what has taken its place"},
		},
		"a subchart goes": {
			reason: "its values lose their effect", before: sub("1.0.0", "size: 1\n"), after: map[string]string{"values.yaml": "a: 1\n"}, custom: "db: {size: 2}\n", verdict: drift.Compatible,
			changes:  []string{"  came a: new in the chart's own values, number", "  went db: the subchart is gone: its values lose their effect"},
			findings: []string{"warning custom-without-effect custom:1:1 db: the new chart does not know this key: it loses its effect; remove it, or see what has taken its place"},
		},
		"text that is none": {
			reason: "a file that cannot be read is told with its place", before: map[string]string{"values.yaml": "a: 1"}, after: map[string]string{"values.yaml": "a: 1"}, custom: "a: 1\n\tb: 2\n", verdict: drift.Breaking,
			findings: []string{"error values-parse custom:2:1 : found a tab character that violates indentation; correct the file"},
		},
		"not a map": {
			reason: "Helm would not render", before: map[string]string{"values.yaml": "a: 1"}, after: sub("2.0.0", "size: 1\n"), custom: "a: 2\ndb: x\n", verdict: drift.Breaking,
			changes: []string{"  went a: gone from the chart's own values: it loses its effect", "  came db: new, a subchart"},
			findings: []string{
				"warning custom-without-effect custom:1:1 a: the new chart does not know this key: it loses its effect; remove it, or see what has taken its place",
				"error custom-breaks custom:2:1 db: the new chart cannot take the values: db is a subchart, and its values are no map; correct what is named before the chart is upgraded",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := report(t, c.before, c.after, c.managed, c.custom)
			changes, findings := lines(r)
			if r.Verdict != c.verdict {
				t.Errorf("%s: verdict %s, want %s", c.reason, r.Verdict, c.verdict)
			}
			if diff := cmp.Diff(c.changes, changes); diff != "" {
				t.Errorf("%s: changes -want +got:\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.findings, findings); diff != "" {
				t.Errorf("%s: findings -want +got:\n%s", c.reason, diff)
			}
			shown, err := json.Marshal(r)
			if err != nil || strings.Contains(string(shown), "hunter2") || strings.Contains(string(shown), "teapot") {
				t.Errorf("%s: a value is shown (%v): %s", c.reason, err, shown)
			}
			if all := r.All(); finding.HasError(all) != r.Broken() {
				t.Errorf("%s: broken %v, and findings %v", c.reason, r.Broken(), all)
			}
		})
	}
}

// helmIsQuiet keeps Helm's warnings out of the test's output.
func helmIsQuiet(t *testing.T) {
	t.Helper()
	before := log.Writer()
	log.SetOutput(io.Discard)
	t.Cleanup(func() { log.SetOutput(before) })
}

// TestKubeVersion asks for one version of Kubernetes.
func TestKubeVersion(t *testing.T) {
	in := drift.Input{Old: drift.Source{Chart: load(t, map[string]string{"values.yaml": "a: 1"}), Origin: "old"}, Schemas: &schema.Cache{}, Secrets: secret.New()}
	in.New = drift.Source{Origin: "new", Chart: load(t, map[string]string{"values.yaml": "a: 1", "Chart.yaml": "apiVersion: v2\nname: web\nversion: 2.0.0\nkubeVersion: '>=1.29.0-0'\n"})}
	for version, want := range map[string]drift.Verdict{"1.28.3": drift.Breaking, "v1.29.0": drift.Same, "1.33.1-gke.100": drift.Same} {
		in.KubeVersion = version
		if r, err := drift.Compare(in); err != nil || r.Verdict != want {
			t.Errorf("%s: got %v, want %s (%v)", version, r, want, err)
		}
	}
	in.KubeVersion = "new"
	if _, err := drift.Compare(in); err == nil {
		t.Error("what is no version is an error")
	}
}

const corpus = "../../../shared/corpus/charts"

// TestCorpusDiffersNotFromItself compares each chart of the platform with itself. It has no difference, over something.
func TestCorpusDiffersNotFromItself(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("../shared/corpus is not here: no real charts to compare")
	}
	helmIsQuiet(t)
	folders, err := fs.ReadDir(os.DirFS(corpus), ".")
	if err != nil {
		t.Fatal(err)
	}
	detector := secret.New()
	for _, folder := range folders {
		dir := filepath.Join(corpus, folder.Name())
		if _, err := os.Stat(filepath.Join(dir, "Chart.yaml")); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		r, err := drift.Compare(drift.Input{Old: drift.Source{Chart: open(t, dir), Origin: "old"}, New: drift.Source{Chart: open(t, dir), Origin: "new"}, Schemas: &schema.Cache{}, Secrets: detector})
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%s: %s over %d keys of %v, and %d defaults", r.Old.Name, r.Verdict, r.Old.Keys, r.Old.Schemas, r.Old.Defaults)
		if r.Verdict != drift.Same && (r.Verdict != drift.Nothing || r.Old.Keys+r.Old.Defaults+r.Old.CRDs > 0) || len(r.Changes) > 0 {
			changes, findings := lines(r)
			t.Errorf("%s differs from itself: %s %v %v", r.Old.Name, r.Verdict, changes, findings)
		}
	}
}
