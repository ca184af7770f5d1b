package plugin_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

const (
	times             = 25
	maxOverFloor      = 4.0
	rounds            = 4         // the best of each counts
	maxValidateMemory = 400 << 20 // bytes that the process may hold at most
)

// BenchmarkValidate compares validate, every rule on, on the recorded platform 25 times over with two things in the same run: the floor,
// which is Helm's library parsing the same value files and coalescing each app's with its chart's defaults, on as many processors; and
// kubeconform, which puts the same values, coalesced beforehand, to the same schemas. It fails where validate takes more than four times
// the floor, or more than kubeconform.
func BenchmarkValidate(b *testing.B) {
	kubeconform := os.Getenv("KUBECONFORM")
	if kubeconform == "" {
		b.Skip("KUBECONFORM does not name the program; make bench builds it")
	}
	r := migratedCorpus(b)
	apps := r.multiply(b, times)
	values, schemas := rivals(b, r, apps)
	var floor, own, rival time.Duration
	timed := func(best *time.Duration, do func()) {
		begin := time.Now()
		do()
		if took := time.Since(begin); *best == 0 || took < *best {
			*best = took // the others were disturbed
		}
	}
	for b.Loop() {
		for range rounds {
			timed(&floor, func() { parseAndCoalesce(b, apps, nil) })
			timed(&own, func() {
				if code, _, errOut := runMain(b, "validate", "--repo", r.dir, "--charts", r.charts, "--strict-keys", "--releases", r.registry, "-o", "json"); code != plugin.ExitDone {
					b.Fatalf("exit code %d: %s", code, errOut)
				}
			})
			timed(&rival, func() {
				out, err := exec.CommandContext(b.Context(), kubeconform, "-n", fmt.Sprint(runtime.GOMAXPROCS(0)), "-summary",
					"-schema-location", filepath.Join(schemas, "{{.ResourceKind}}.json"), values).CombinedOutput()
				if err != nil || !strings.Contains(string(out), fmt.Sprintf("Valid: %d,", len(apps))) {
					b.Fatalf("kubeconform: %v\n%s", err, out)
				}
			})
		}
	}
	overFloor, overRival := float64(own)/float64(floor), float64(own)/float64(rival)
	b.ReportMetric(float64(len(apps)), "apps")
	b.ReportMetric(overFloor, "floors")
	b.ReportMetric(overRival, "kubeconforms")
	b.ReportMetric(float64(floor.Milliseconds()), "floor-ms")
	if overFloor > maxOverFloor || overRival > 1 {
		b.Errorf("validate takes %.2f times the floor (at most %.0f) and %.2f times kubeconform", overFloor, maxOverFloor, overRival)
	}
}

// TestMemoryValidate holds how much memory validate takes for the recorded platform 25 times over.
func TestMemoryValidate(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("it takes some seconds")
	case raceDetector:
		t.Skip("the race detector takes a multiple of the memory that is measured here")
	}
	r := migratedCorpus(t)
	apps := r.multiply(t, times)
	cmd := exec.CommandContext(t.Context(), program(t), "validate", "--repo", r.dir, "--charts", r.charts, "--strict-keys", "-o", "json")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("%v\n%s", err, tail(out))
	}
	most := residentSet(cmd)
	t.Logf("%d apps: %d MiB at most", len(apps), most>>20)
	if most > maxValidateMemory {
		t.Errorf("%d MiB at most; wanted are %d", most>>20, maxValidateMemory>>20)
	}
}

// manyApp is an app of a repo that was multiplied.
type manyApp struct {
	namespace, release, chart string
	managed, custom           string // paths
}

// multiply adds copies of each app and each object under other names, n in all, and returns the apps.
func (r *platformRepo) multiply(tb testing.TB, n int) []manyApp {
	tb.Helper()
	var apps []manyApp
	var files []string
	err := fs.WalkDir(os.DirFS(r.dir), "env", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(r.path(file))
		if err != nil {
			tb.Fatal(err)
		}
		switch {
		case strings.HasPrefix(file, "env/manifests/namespaces/argocd/applications/"):
			apps = append(apps, r.multiplyApp(tb, n, string(text))...)
		case strings.HasPrefix(file, "env/manifests/"):
			r.multiplyObject(tb, n, file, string(text))
		}
	}
	exceptions := corpusExceptions
	for line := range strings.Lines(corpusExceptions) {
		for k := 1; k < n && strings.Contains(line, "app: gitea/"); k++ {
			exceptions += strings.Replace(line, ", path", fmt.Sprintf("-%d, path", k), 1)
		}
	}
	r.write(tb, r.path(".apl.yaml"), exceptions)
	return apps
}

func (r *platformRepo) multiplyApp(tb testing.TB, n int, text string) (apps []manyApp) {
	tb.Helper()
	namespace, release := after(text, "  destination:\n    namespace: "), after(text, "      releaseName: ")
	for k := range n {
		a := manyApp{namespace: namespace, release: release, chart: after(text, "    path: ")}
		if k > 0 {
			a.release = fmt.Sprintf("%s-%d", release, k)
		}
		folder := "env/values/" + namespace + "/" + a.release + "/"
		a.managed, a.custom = r.path(folder+"values.managed.yaml"), r.path(folder+"values.custom.yaml")
		apps = append(apps, a)
		if k == 0 {
			continue
		}
		if err := os.CopyFS(r.path(folder), os.DirFS(r.path("env/values/"+namespace+"/"+release))); err != nil {
			tb.Fatal(err)
		}
		copied := strings.NewReplacer("  name: "+namespace+"-"+release+"\n", "  name: "+namespace+"-"+a.release+"\n", "releaseName: "+release+"\n", "releaseName: "+a.release+"\n",
			"env/values/"+namespace+"/"+release+"/", folder).Replace(text)
		r.write(tb, r.path("env/manifests/namespaces/argocd/applications/"+namespace+"-"+a.release+".yaml"), copied)
	}
	return apps
}

func (r *platformRepo) multiplyObject(tb testing.TB, n int, file, text string) {
	tb.Helper()
	name := strings.Trim(after(text, "\nmetadata:\n  name: "), `"`)
	for k := 1; k < n && name != "" && filepath.Base(file) == name+".yaml"; k++ {
		copied := strings.Replace(text, "  name: "+name, fmt.Sprintf("  name: %s-%d", name, k), 1)
		r.write(tb, r.path(fmt.Sprintf("%s-%d.yaml", strings.TrimSuffix(file, ".yaml"), k)), copied)
	}
}

// after returns the rest of the line behind a text; "" where it does not stand.
func after(text, before string) string {
	_, rest, _ := strings.Cut(text, before)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// parseAndCoalesce does what nobody gets around who asks Helm what templates see: it parses both value files of each app, lays one over the
// other, processes the chart's dependencies and coalesces with its defaults. each, which can be nil, gets the values.
func parseAndCoalesce(b *testing.B, apps []manyApp, each func(i int, c *chart.Chart, values map[string]any)) {
	var charts sync.Map
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				load := sync.OnceValues(func() (*chart.Chart, error) { return loader.Load(filepath.Join(corpus(b), apps[i].chart)) })
				kept, _ := charts.LoadOrStore(apps[i].chart, load)
				loaded, err := kept.(func() (*chart.Chart, error))()
				if err != nil {
					b.Error(err)
					continue
				}
				own := unshared(loaded)
				user := map[string]any{}
				for _, file := range []string{apps[i].managed, apps[i].custom} {
					text, err := os.ReadFile(file)
					layer := map[string]any{}
					if err == nil {
						err = yaml.Unmarshal(text, &layer)
					}
					if err != nil {
						b.Error(err)
					}
					user = chartutil.MergeTables(layer, user)
				}
				if err := chartutil.ProcessDependenciesWithMerge(own, user); err != nil {
					b.Error(err)
				}
				values, err := chartutil.CoalesceValues(own, user)
				if err != nil {
					b.Error(err)
				}
				if each != nil {
					each(i, own, values)
				}
			}
		})
	}
	for i := range apps {
		next <- i
	}
	close(next)
	group.Wait()
}

// unshared copies what ProcessDependencies changes in a chart.
func unshared(c *chart.Chart) *chart.Chart {
	out := *c
	metadata := *c.Metadata
	metadata.Dependencies = nil
	for _, d := range c.Metadata.Dependencies {
		dependency := *d
		metadata.Dependencies = append(metadata.Dependencies, &dependency)
	}
	out.Metadata = &metadata
	var subcharts []*chart.Chart
	for _, s := range c.Dependencies() {
		subcharts = append(subcharts, unshared(s))
	}
	out.SetDependencies(subcharts...)
	return &out
}

// rivals writes what kubeconform reads: the coalesced values of each app, with a kind, and for each kind the schema of its chart, which
// allows that.
func rivals(b *testing.B, r *platformRepo, apps []manyApp) (values, schemas string) {
	b.Helper()
	values, schemas = b.TempDir(), b.TempDir()
	var mutex sync.Mutex
	written := map[string]bool{}
	parseAndCoalesce(b, apps, func(i int, c *chart.Chart, tree map[string]any) {
		kind := strings.ReplaceAll(strings.ToLower(filepath.Base(apps[i].chart)), "-", "")
		tree["apiVersion"], tree["kind"] = "values/v1", kind
		text, err := yaml.Marshal(tree)
		if err != nil {
			b.Error(err)
		}
		r.write(b, filepath.Join(values, fmt.Sprintf("%d.yaml", i)), string(text))
		mutex.Lock()
		defer mutex.Unlock()
		if written[kind] {
			return
		}
		written[kind] = true
		schema := map[string]any{}
		if len(c.Schema) > 0 {
			if err := json.Unmarshal(c.Schema, &schema); err != nil {
				b.Error(err)
			}
		}
		root := schema
		if ref, ok := strings.CutPrefix(fmt.Sprint(schema["$ref"]), "#/$defs/"); ok {
			root, _ = schema["$defs"].(map[string]any)[ref].(map[string]any)
		}
		if properties, ok := root["properties"].(map[string]any); ok {
			properties["apiVersion"], properties["kind"] = map[string]any{}, map[string]any{}
		}
		data, err := json.Marshal(schema)
		if err != nil {
			b.Error(err)
		}
		r.write(b, filepath.Join(schemas, kind+".json"), string(data))
	})
	return values, schemas
}
