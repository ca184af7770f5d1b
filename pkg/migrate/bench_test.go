package migrate_test

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// BenchmarkPlanCorpus measures the plan of a real platform beside its floor, of which it may take three times (issue 2).
func BenchmarkPlanCorpus(b *testing.B) {
	if ratio := benchmarkPlan(b, corpus(b)); ratio > 3 {
		b.Errorf("the plan takes %.1f times the floor", ratio)
	}
}

// BenchmarkPlanPlatform does the same on the project's own recording, which is too small to hold a plan to its floor.
func BenchmarkPlanPlatform(b *testing.B) { benchmarkPlan(b, platform) }

// benchmarkPlan times the whole plan, from bytes to composed files, without disk writes and git. The floor is one parse of
// the same bytes by Helm's parser; both are timed in turn, and the best of each is compared, so that other work on the
// machine does not decide. A plan reads a chart's defaults only where it needs them: x-input is the ratio to the floor
// without any. It returns the ratio to the floor.
func benchmarkPlan(b *testing.B, r recording) float64 {
	in := r.bytes(b)
	input, defaults := r.floor(b)
	best, inputBest, defaultsBest := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		best = min(best, timed(func() { in.plan(b) }))
		b.StopTimer()
		inputBest = min(inputBest, timed(func() { parse(b, input) }))
		defaultsBest = min(defaultsBest, timed(func() { parse(b, defaults) }))
		b.StartTimer()
	}
	ratio := float64(best) / float64(inputBest+defaultsBest)
	b.ReportMetric(float64(best), "plan-ns")
	b.ReportMetric(float64(inputBest+defaultsBest), "floor-ns")
	b.ReportMetric(ratio, "x-floor")
	b.ReportMetric(float64(best)/float64(inputBest), "x-input")
	return ratio
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func parse(b *testing.B, texts [][]byte) {
	for _, text := range texts {
		var out any
		if err := yaml.Unmarshal(text, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// recorded is what a plan is made from, in bytes.
type recorded struct {
	names    []string
	live     map[string][]byte
	registry []byte
	managed  fs.FS
	charts   string
}

func (r recording) bytes(t testing.TB) recorded {
	t.Helper()
	live := r.live(t)
	return recorded{
		names: sortedKeys(live), live: live, registry: readFile(t, r.path("releases.json")),
		managed: os.DirFS(r.path("managed")), charts: r.path(),
	}
}

// plan makes the plan as the command does, all apps moved as far as they can be.
func (in recorded) plan(t testing.TB) *migrate.Plan {
	t.Helper()
	var apps []*argocd.Application
	for _, name := range in.names {
		if _, err := argocd.Read(name, bytes.NewReader(in.live[name]), func(a *argocd.Application) error {
			apps = append(apps, a)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	registry, err := release.ParseRegistry("releases.json", in.registry)
	if err != nil {
		t.Fatal(err)
	}
	return newPlan(t, migrate.Input{
		Applications: apps, Registry: registry, Managed: release.NewManaged(in.managed),
		Charts: chart.NewStore(chart.WithFolder(in.charts)), Repo: memory{}, Config: parseConfig(t, ""),
	}, migrate.Options{KeepGoing: true, AcceptAll: true})
}

// floor returns the texts that Helm's parser has to read at least once for a plan: the live Applications, the registry and
// the managed values of the apps in the plan, and the default values of their charts and subcharts.
func (r recording) floor(t testing.TB) (input, defaults [][]byte) {
	t.Helper()
	in := r.bytes(t)
	input = append(input, in.registry)
	for _, name := range in.names {
		input = append(input, in.live[name])
	}
	live := r.rawApplications(t)
	var charts []string
	for _, a := range in.plan(t).Apps {
		if a.Action == migrate.Skipped {
			continue
		}
		input = append(input, readFile(t, r.path("managed", a.Application+".yaml")))
		charts = append(charts, r.chartOf(live[a.Application]))
	}
	slices.Sort(charts)
	for _, dir := range slices.Compact(charts) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == "values.yaml" {
				defaults = append(defaults, readFile(t, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return input, defaults
}
