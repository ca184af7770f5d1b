package check_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	helmchart "helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
)

// many is the recorded platform, times over: the managed values of each release, and custom values with a comment alone.
type many struct {
	repo
	dir  string
	apps []manyApp
}

type manyApp struct{ managed, custom, chart string }

func manyApps(tb testing.TB, times int) *many {
	tb.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus")
	data, err := os.ReadFile(filepath.Join(dir, "releases.json"))
	if err != nil {
		tb.Skip("../shared/corpus is not here: a recorded platform")
	}
	var releases []struct {
		Name, Namespace, Chart string
		Installed              bool
	}
	if err := json.Unmarshal(data, &releases); err != nil {
		tb.Fatal(err)
	}
	m := &many{dir: dir, repo: repo{files: map[string]string{}}}
	for _, r := range releases {
		name := strings.TrimPrefix(r.Chart, "../")
		text, err := os.ReadFile(filepath.Join(dir, "managed", r.Namespace+"-"+r.Name+".yaml"))
		if err != nil || !r.Installed || strings.HasPrefix(r.Namespace, "team-") || strings.HasPrefix(filepath.Base(name), "raw") {
			continue
		}
		managed := managedOf(string(text))
		for n := range times {
			release := fmt.Sprintf("%s-%d", r.Name, n)
			folder := "env/values/" + r.Namespace + "/" + release + "/"
			app := manyApp{folder + "values.managed.yaml", folder + "values.custom.yaml", name}
			m.files[app.managed], m.files[app.custom] = managed, "# mine\n"
			m.files["env/manifests/namespaces/argocd/applications/"+r.Namespace+"-"+release+".yaml"] = strings.NewReplacer(
				"shop-web", r.Namespace+"-"+release, "namespace: shop", "namespace: "+r.Namespace, "charts/web", name, "releaseName: web", "releaseName: "+release,
				"/shop/web/", "/"+r.Namespace+"/"+release+"/").Replace(application)
			m.apps = append(m.apps, app)
		}
	}
	return m
}

// floor does what nobody gets around who asks Helm what templates see: parse both files, process dependencies, coalesce.
func (m *many) floor(b *testing.B, charts *sync.Map) {
	b.Helper()
	var group sync.WaitGroup
	next := make(chan manyApp)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for a := range next {
				load := sync.OnceValues(func() (*helmchart.Chart, error) { return loader.Load(filepath.Join(m.dir, a.chart)) })
				kept, _ := charts.LoadOrStore(a.chart, load)
				loaded, err := kept.(func() (*helmchart.Chart, error))()
				if err != nil {
					b.Error(err)
					continue
				}
				user := map[string]any{}
				for _, file := range []string{a.managed, a.custom} {
					layer := map[string]any{}
					if err := yaml.Unmarshal([]byte(m.files[file]), &layer); err != nil {
						b.Error(err)
					}
					user = chartutil.MergeTables(layer, user)
				}
				own := unshared(loaded)
				if err := chartutil.ProcessDependenciesWithMerge(own, user); err != nil {
					b.Error(err)
				}
				if _, err := chartutil.CoalesceValues(own, user); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, a := range m.apps {
		next <- a
	}
	close(next)
	group.Wait()
}

// unshared copies what ProcessDependencies changes in a chart.
func unshared(c *helmchart.Chart) *helmchart.Chart {
	out, metadata := *c, *c.Metadata
	metadata.Dependencies = nil
	for _, d := range c.Metadata.Dependencies {
		dependency := *d
		metadata.Dependencies = append(metadata.Dependencies, &dependency)
	}
	out.Metadata = &metadata
	var subcharts []*helmchart.Chart
	for _, s := range c.Dependencies() {
		subcharts = append(subcharts, unshared(s))
	}
	out.SetDependencies(subcharts...)
	return &out
}

// BenchmarkCheckValues reports a run over some 1,000 apps as a multiple of the floor, "x-floor", measured in turn in the same run. Charts
// are loaded, and schemas compiled, in both as often as a process does it.
func BenchmarkCheckValues(b *testing.B) {
	m := manyApps(b, 25)
	var own, floor time.Duration
	for b.Loop() {
		begin := time.Now()
		m.floor(b, &sync.Map{})
		floor += time.Since(begin)

		in := m.input(b)
		in.Charts = &folder{charts: chart.NewFolder(m.dir)}
		begin = time.Now()
		result, err := check.Run(b.Context(), in, check.Options{StrictKeys: true})
		own += time.Since(begin)
		if err != nil || len(result.Findings) == 0 {
			b.Fatal(err, result)
		}
	}
	b.ReportMetric(float64(len(m.apps)), "apps")
	b.ReportMetric(float64(floor.Milliseconds())/float64(b.N), "floor-ms/op")
	b.ReportMetric(float64(own)/float64(floor), "x-floor")
}
