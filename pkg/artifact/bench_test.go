package artifact_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
)

// BenchmarkSplit splits a stream of 8 MB, of objects whose namespace has to be written into their text, against its floor: the same
// parser decoding the same documents, one by one. It fails above twice the floor (issue 4).
func BenchmarkSplit(b *testing.B) {
	var documents []string
	size := 0
	for i := 0; size < 8<<20; i++ {
		var text strings.Builder
		fmt.Fprintf(&text, "# Source: web/templates/%d.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\n  labels: {app.kubernetes.io/name: web}\ndata:\n", i, i)
		for k := range 20 + i%100 {
			fmt.Fprintf(&text, "  key-%d: |\n    server { listen %d; }\n    location / { return 200; }\n", k, k)
		}
		documents, size = append(documents, text.String()), size+text.Len()
	}
	stream := strings.Join(documents, "---\n")
	floor, best := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	timed := func(to *time.Duration, run func()) {
		began := time.Now()
		run()
		*to = min(*to, time.Since(began))
	}
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		timed(&best, func() {
			s, err := artifact.Read(strings.NewReader(stream))
			if err != nil {
				b.Fatal(err)
			}
			items, _ := artifact.Items([]artifact.Source{{Release: web, Stream: s}}, artifact.Rules{Scopes: artifact.NewScopes(nil)})
			if len(items) != len(documents) || items[0].Failed() || !strings.Contains(string(items[0].Object.Text), "\n  namespace: web\n") {
				b.Fatalf("%d objects: %v", len(items), items[0].Findings)
			}
		})
		b.StopTimer()
		timed(&floor, func() {
			for _, text := range documents {
				var tree map[string]any
				if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.StartTimer()
	}
	ratio := float64(best) / float64(floor)
	b.ReportMetric(ratio, "x-floor")
	if ratio > 2 {
		b.Errorf("it takes %.1f times as long as decoding", ratio)
	}
}
