package migrate_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

const (
	maxMemory  = 800 << 20 // bytes, for 4,200 Applications (issue 2)
	manyApps   = 4200
	placedName = "zz-namespace-zz" // stands for a namespace in texts that are copied
)

// fleet is a recorded platform many times over, each copy in namespaces of its own: a stream of documents on disk, the
// registry, and the managed values, whose text all copies share.
type fleet struct {
	stream   string
	registry []byte
	managed  fstest.MapFS
	charts   string
	apps     int
}

// times copies the platform's own Applications n times.
func (r recording) times(t testing.TB, n int) fleet {
	t.Helper()
	out := fleet{stream: filepath.Join(t.TempDir(), "live.yaml"), managed: fstest.MapFS{}, charts: r.path()}
	var list struct{ Items []map[string]any }
	readYAML(t, readFile(t, r.path("live", "applications.yaml")), &list)
	var entries []map[string]any
	readYAML(t, readFile(t, r.path("releases.json")), &entries)

	file, err := os.Create(out.stream)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // Flush has said it
	buffer := bufio.NewWriter(file)
	for _, item := range list.Items {
		metadata, destination := at(item, "metadata"), at(item, "spec", "destination")
		name, namespace := metadata["name"].(string), destination["namespace"].(string)
		managed, err := os.ReadFile(r.path("managed", name+".yaml"))
		metadata["name"], destination["namespace"] = placedName+strings.TrimPrefix(name, namespace), placedName
		text := toYAML(item)
		for i := range n {
			copied := fmt.Sprintf("%s-%d", namespace, i)
			if _, err := buffer.WriteString("---\n" + strings.ReplaceAll(text, placedName, copied)); err != nil {
				t.Fatal(err)
			}
			if err == nil {
				out.managed[copied+strings.TrimPrefix(name, namespace)+".yaml"] = &fstest.MapFile{Data: managed}
			}
			out.apps++
		}
	}
	if err := buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	out.registry = multiplied(t, entries, n)
	return out
}

func multiplied(t testing.TB, entries []map[string]any, n int) []byte {
	t.Helper()
	var all []map[string]any
	for i := range n {
		for _, entry := range entries {
			copied := maps.Clone(entry)
			copied["namespace"] = fmt.Sprintf("%s-%d", entry["namespace"], i)
			all = append(all, copied)
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// plan reads the stream from disk and plans, as the command does, for a repo that is empty.
func (f fleet) plan(t testing.TB) *migrate.Plan {
	t.Helper()
	return f.planFor(t, memory{})
}

func (f fleet) planFor(t testing.TB, repo migrate.Files) *migrate.Plan {
	t.Helper()
	file, err := os.Open(f.stream)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	var apps []*argocd.Application
	if _, err := argocd.Read("live.yaml", file, func(a *argocd.Application) error {
		apps = append(apps, a)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	registry, err := release.ParseRegistry("releases.json", f.registry)
	if err != nil {
		t.Fatal(err)
	}
	return newPlan(t, migrate.Input{
		Applications: apps, Registry: registry, Managed: release.NewManaged(f.managed), Charts: chart.NewStore(chart.WithFolder(f.charts)),
		Repo: repo, Config: parseConfig(t, ""),
	}, migrate.Options{
		KeepGoing: true, AcceptAll: true, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main",
	})
}

// used returns the memory that the process holds, less what went back to the system.
func used() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}

// peak runs work and returns the most memory that the process held meanwhile, sampled every millisecond.
func peak(work func()) uint64 {
	debug.FreeOSMemory()
	most, stop, done := used(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, used())
			}
		}
	}()
	work()
	close(stop)
	<-done
	return max(most, used())
}

// TestMemory holds that a plan of 4,200 Applications stays in bounds: memory, and what is allocated for each of them. It
// copies the recording of the real platform where that is here, and else the project's own, whose apps are smaller.
func TestMemory(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("it takes some 20 seconds")
	case raceDetector:
		t.Skip("the race detector takes a multiple of the memory that is measured here")
	}
	r := platform
	if _, err := os.Stat(corpusDir); err == nil {
		r = corpus(t)
	}
	one := r.times(t, 1)
	n := (manyApps + one.apps - 1) / one.apps
	many := r.times(t, n)

	var small, large *migrate.Plan
	eachOfFew := allocated(func() { small = one.plan(t) }) / uint64(one.apps)
	var eachOfMany uint64
	most := peak(func() { eachOfMany = allocated(func() { large = many.plan(t) }) / uint64(many.apps) })

	t.Logf("%d Applications: %d MiB at most; allocated: %d KiB for each, %d KiB for each of %d",
		many.apps, most>>20, eachOfMany>>10, eachOfFew>>10, one.apps)
	if many.apps < manyApps || large.Summary.Migrate != n*small.Summary.Migrate || large.Summary.Blocked != n*small.Summary.Blocked {
		t.Fatalf("%d times %+v is %+v", n, small.Summary, large.Summary)
	}
	if most > maxMemory {
		t.Errorf("%d MiB at most, wanted are %d", most>>20, maxMemory>>20)
	}
	if eachOfMany > eachOfFew+eachOfFew/4 {
		t.Errorf("%d bytes are allocated for each of many and %d for each of few: that does not grow linearly", eachOfMany, eachOfFew)
	}
}

// allocated returns how many bytes work allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkPlanMany measures the plan of 4,200 Applications of a real platform: its peak of memory, and the time for each
// of them beside that for each of 84.
func BenchmarkPlanMany(b *testing.B) {
	const rounds = 10 // of the small plan, whose time varies more
	r := corpus(b)
	one, many := r.times(b, 1), r.times(b, 50)
	var most uint64
	var few, all time.Duration
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		for range rounds {
			one.plan(b)
		}
		few += time.Since(start) / rounds
		b.StartTimer()
		start = time.Now()
		most = max(most, peak(func() { many.plan(b) }))
		all += time.Since(start)
	}
	eachOfMany := float64(all) / float64(many.apps*b.N)
	eachOfFew := float64(few) / float64(one.apps*b.N)
	b.ReportMetric(eachOfMany, "ns/app")
	b.ReportMetric(eachOfMany/eachOfFew, "x-linear")
	b.ReportMetric(float64(most>>20), "peak-MiB")
}

// BenchmarkMigrateMany measures the whole migrate, files on disk and the commit too, of 4,200 Applications of a real
// platform: the time for each of them beside that for each of 84.
func BenchmarkMigrateMany(b *testing.B) {
	const rounds = 3 // of the small one, whose time varies more
	r := corpus(b)
	one, many := r.times(b, 1), r.times(b, 50)
	var few, all time.Duration
	for b.Loop() {
		for range rounds {
			few += one.migrate(b) / rounds
		}
		all += many.migrate(b)
	}
	eachOfMany := float64(all) / float64(many.apps*b.N)
	eachOfFew := float64(few) / float64(one.apps*b.N)
	b.ReportMetric(eachOfFew, "ns/app-of-84")
	b.ReportMetric(eachOfMany, "ns/app")
	b.ReportMetric(eachOfMany/eachOfFew, "x-linear")
}

// migrate moves the fleet into a repo of its own, and returns the time that the plan and the commit took.
func (f fleet) migrate(b *testing.B) time.Duration {
	b.Helper()
	dir := b.TempDir()
	git(b, dir, "init", "-q", "-b", "main")
	repo := openRepo(b, dir)
	return timed(func() {
		if err := f.planFor(b, repo).Carry(b.Context(), repo, false); err != nil {
			b.Fatal(err)
		}
	})
}
