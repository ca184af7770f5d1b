package values

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// The benchmarks run on values of three sizes, shaped as vendors shape them. Each reports its time as a multiple of
// the floor, "x-floor": Helm's parser reading the same bytes once, measured in the same run.

func BenchmarkFloorParse(b *testing.B) {
	eachSize(b, func(b *testing.B, live, _ string) {
		for b.Loop() {
			var out map[string]any
			if err := yaml.Unmarshal([]byte(live), &out); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	eachSize(b, func(b *testing.B, live, _ string) {
		floor := floorOf(b, live)
		for b.Loop() {
			if _, err := Parse("live", []byte(live)); err != nil {
				b.Fatal(err)
			}
		}
		reportFloor(b, floor)
	})
}

// BenchmarkSplit splits two documents and writes custom.
func BenchmarkSplit(b *testing.B) {
	eachSize(b, func(b *testing.B, live, managed string) {
		floor := floorOf(b, live, managed)
		l, m := mustParse(b, live), mustParse(b, managed)
		for b.Loop() {
			if text, err := Split(l, m).Text(); err != nil || text.Rewritten {
				b.Fatal(err)
			}
		}
		reportFloor(b, floor)
	})
}

// BenchmarkSplitWhole is the worst case: everything is custom, so that all of the text is written and read back.
func BenchmarkSplitWhole(b *testing.B) {
	eachSize(b, func(b *testing.B, live, _ string) {
		floor := floorOf(b, live)
		l, m := mustParse(b, live), mustParse(b, "")
		for b.Loop() {
			if text, err := Split(l, m).Text(); err != nil || text.Rewritten {
				b.Fatal(err)
			}
		}
		reportFloor(b, floor)
	})
}

func BenchmarkMerge(b *testing.B) {
	eachSize(b, func(b *testing.B, live, managed string) {
		floor := floorOf(b, live, managed)
		l, m := mustParse(b, live), mustParse(b, managed)
		for b.Loop() {
			if len(Merge(m.Values, l.Values)) == 0 {
				b.Fatal("nothing was merged")
			}
		}
		reportFloor(b, floor)
	})
}

func BenchmarkMarshal(b *testing.B) {
	eachSize(b, func(b *testing.B, live, _ string) {
		floor := floorOf(b, live)
		l := mustParse(b, live)
		for b.Loop() {
			if _, err := Marshal(l.Values); err != nil {
				b.Fatal(err)
			}
		}
		reportFloor(b, floor)
	})
}

func eachSize(b *testing.B, run func(b *testing.B, live, managed string)) {
	for _, size := range []int{10 << 10, 100 << 10, 1 << 20} {
		live, managed := vendorValues(size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(live)))
			b.ReportAllocs()
			run(b, live, managed)
		})
	}
}

// floorOf is the time that Helm's parser takes for texts, the best of a few runs.
func floorOf(b *testing.B, texts ...string) time.Duration {
	b.Helper()
	best := time.Duration(0)
	for range 5 {
		began := time.Now()
		for _, text := range texts {
			var out map[string]any
			if err := yaml.Unmarshal([]byte(text), &out); err != nil {
				b.Fatal(err)
			}
		}
		if took := time.Since(began); best == 0 || took < best {
			best = took
		}
	}
	return best
}

func reportFloor(b *testing.B, floor time.Duration) {
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(floor), "x-floor")
}

// vendorValues writes values of about size bytes, the same ones every time, and what a platform would manage of them:
// one component in eight has a value changed, one in sixteen is a user's own.
func vendorValues(size int) (live, managed string) {
	var l, m strings.Builder
	l.WriteString("# Values of everything.\n\n")
	for i := 0; l.Len() < size; i++ {
		own := vendorComponent(i, 1)
		l.WriteString(own)
		switch {
		case i%16 == 15: // the user's own
		case i%8 == 7:
			m.WriteString(vendorComponent(i, 3))
		default:
			m.WriteString(own)
		}
	}
	return l.String(), m.String()
}

func vendorComponent(i, replicas int) string {
	return fmt.Sprintf(`## Component %[1]d
## ref: https://docs.example.test/component-%[1]d
##
component%[1]d:
  enabled: true
  # Number of replicas
  replicaCount: %[2]d
  image:
    registry: registry.example.test
    repository: "vendor/component-%[1]d"
    tag: 1.%[1]d.0-debian-12-r3
    pullPolicy: IfNotPresent
    pullSecrets: []
  resources:
    limits: {cpu: 500m, memory: 512Mi}
    requests:
      cpu: 250m
      memory: 256Mi
  podAnnotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: "%[3]d"
  extraEnvVars:
    - name: LOG_LEVEL
      value: info
    - name: TOKEN
      valueFrom:
        secretKeyRef: {name: component-%[1]d, key: token}
  nodeSelector: {}
  tolerations: []
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          podAffinityTerm:
            topologyKey: kubernetes.io/hostname
  livenessProbe:
    httpGet:
      path: /healthz
      port: http
    initialDelaySeconds: 10
    timeoutSeconds: 1.5
    failureThreshold: 0x6
  configuration: |
    # inside
    [server]
    listen = 0.0.0.0:%[3]d
    root = {{ .Values.global.root }}
  # existingSecret: ""
  service:
    type: ClusterIP
    ports:
      http: %[3]d
    externalIPs: ~

`, i, replicas, 8000+i%1000)
}
