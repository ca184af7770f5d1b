package gitrepo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// Time must grow in step with the number of files: compare the time per file of both sizes.
func BenchmarkSave(b *testing.B) {
	for _, files := range []int{1000, 10000} {
		for _, kind := range []string{"new", "changed"} {
			b.Run(fmt.Sprintf("%s/%d", kind, files), func(b *testing.B) {
				var total time.Duration
				for b.Loop() {
					b.StopTimer()
					r := benchRepo(b)
					list := func(text string) []Change {
						var list []Change
						for i := range files {
							list = append(list, Change{Path: fmt.Sprintf("env/values/ns%d/app%d/values.yaml", i%50, i), Data: fmt.Appendf(nil, "%s: %d\n", text, i)})
						}
						return list
					}
					if kind == "changed" {
						if _, err := r.Save(context.Background(), list("one"), "m"); err != nil {
							b.Fatal(err)
						}
					}
					changes := list("two")
					b.StartTimer()
					start := time.Now()
					if _, err := r.Save(context.Background(), changes, "m"); err != nil {
						b.Fatal(err)
					}
					total += time.Since(start)
				}
				b.ReportMetric(float64(total.Microseconds())/float64(b.N*files), "µs/file")
			})
		}
	}
}

func benchRepo(b *testing.B) *Repo {
	b.Helper()
	dir := b.TempDir()
	repo := gittest.Repo{Dir: dir, Env: map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": filepath.Join(dir, "none"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@x",
	}}
	repo.Git(b, "init", "-q", "-b", "main")
	r, err := tryOpen(repo, dir)
	if err != nil {
		b.Fatal(err)
	}
	return r
}
