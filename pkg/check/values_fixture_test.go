package check_test

import (
	"context"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
)

// TestMain silences Helm's library, which logs what it skips while it coalesces.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// The one app of the repos below.
const (
	managedFile = "env/values/shop/web/values.managed.yaml"
	customFile  = "env/values/shop/web/values.custom.yaml"
	appFile     = "env/manifests/namespaces/argocd/applications/shop-web.yaml"

	application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop-web
  namespace: argocd
  labels: {otomi.io/app: managed}
  annotations: {argocd.argoproj.io/sync-options: "Prune=false,Delete=false"}
spec:
  project: default
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  sources:
  - repoURL: https://git.example.test/charts.git
    path: charts/web
    targetRevision: main
    helm:
      releaseName: web
      valueFiles:
      - $values/env/values/shop/web/values.managed.yaml
      - $values/env/values/shop/web/values.custom.yaml
  - repoURL: https://git.example.test/values.git
    targetRevision: main
    ref: values
`
	chartLine = 13 // that names the chart
)

// managedOf returns a managed file, as it is written. headLines is how many lines stand above the body.
func managedOf(body string) string {
	text, _ := valuefile.Managed([]byte(body), valuefile.Inputs{})
	return string(text)
}

const headLines = 3

// repo is a values repo in memory, and the charts beside it, by path.
type repo struct {
	files  map[string]string
	charts map[string]string
	config string
}

// web returns a repo with one app. The chart's values and schema are those given; "" is none.
func web(managed, custom, defaults, schema string) repo {
	r := repo{
		files:  map[string]string{managedFile: managedOf(managed), customFile: custom, appFile: application},
		charts: map[string]string{"charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "charts/web/values.yaml": defaults},
	}
	if schema != "" {
		r.charts["charts/web/values.schema.json"] = schema
	}
	return r
}

// fataler is a test, or a draw of one.
type fataler interface {
	Helper()
	Fatal(...any)
}

// input returns what check.Run takes.
func (r repo) input(t fataler) check.Input {
	t.Helper()
	c, err := config.Parse(".apl.yaml", []byte(r.config))
	if err != nil {
		t.Fatal(err)
	}
	in := check.Input{Read: func(path string) ([]byte, error) {
		text, ok := r.files[path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	}, Config: c, Detector: secret.New(), Schemas: &schema.Cache{}}
	for _, file := range slices.Sorted(maps.Keys(r.files)) {
		in.Files = append(in.Files, check.File{Path: file})
	}
	if r.charts != nil {
		dir := t.(testing.TB).TempDir() //nolint:forcetypeassert // a draw brings its own charts
		for name, text := range r.charts {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in.Charts = &folder{charts: chart.NewFolder(dir)}
	}
	return in
}

// folder finds charts in a folder, each once.
type folder struct {
	charts chart.Folder
	loaded sync.Map
}

func (f *folder) Chart(_ context.Context, source chart.Source) (*chart.Chart, error) {
	load := sync.OnceValues(func() (*chart.Chart, error) { return f.charts.Load(source.Path) })
	kept, _ := f.loaded.LoadOrStore(source.Path, load)
	return kept.(func() (*chart.Chart, error))()
}

// run returns the findings of the rules named, or of those about values.
func (r repo) run(t testing.TB, options check.Options, rules ...string) []finding.Finding {
	t.Helper()
	result, err := check.Run(t.Context(), r.input(t), options)
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) == 0 {
		rules = valueRules()
	}
	var out []finding.Finding
	for _, f := range result.Findings {
		if slices.Contains(rules, f.Rule) {
			out = append(out, f)
		}
	}
	return out
}

// valueRules are those that the tests about values look at.
func valueRules() []string {
	return []string{check.RuleParse, check.RuleSecret, check.RuleEdited, check.RuleSchema, check.RuleSchemaUnusable, check.RuleSchemaUnchecked,
		check.RuleSchemaMissing, check.RuleChart, check.RuleUnknownKey, check.RuleShadowed, check.RuleException}
}

// where is what a table expects of a finding.
type where struct {
	Rule, File   string
	Line, Column int
	Path         string
}

// places returns the findings' places, and holds each to what every finding has.
func places(t testing.TB, list []finding.Finding) (out []where) {
	t.Helper()
	for _, f := range list {
		out = append(out, where{f.Rule, f.File, f.Line, f.Column, f.Path})
		if f.Message == "" || f.App != "shop/web" || f.Severity != finding.Info && f.Next == "" || strings.Contains(f.Message+f.Next, "%!") {
			t.Errorf("a finding says of which app it is, what is wrong and what to do: %+v", f)
		}
	}
	return out
}
