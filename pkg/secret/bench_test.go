package secret

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zricethezav/gitleaks/v8/detect"
	"sigs.k8s.io/yaml"
)

// The benchmarks report their time as a multiple of the floor, "x-floor": Helm's parser reading the same bytes once,
// measured in the same run. A scan of ordinary values may take three times the floor (issue 3).

func BenchmarkScan(b *testing.B) {
	for _, size := range []int{10 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			ratio := benchmarkScan(b, ordinaryValues(size))
			if size == 1<<20 && ratio > 3 {
				b.Errorf("the scan takes %.1f times the floor", ratio)
			}
		})
	}
}

// BenchmarkScanHostile measures values that are made to be slow: they may be slower, and must stay linear.
func BenchmarkScanHostile(b *testing.B) {
	const size = 1 << 20
	oracle, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		b.Fatal(err)
	}
	list := slices.Sorted(maps.Keys(oracle.Config.Keywords))
	var words strings.Builder
	for i := 0; words.Len() < size; i++ {
		fmt.Fprintf(&words, "%s: %dk ", list[i%len(list)], i)
	}
	var leaves strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&leaves, "- k%d\n", i)
	}
	blob := strings.Repeat(base64.StdEncoding.EncodeToString([]byte("level: debug, api_key: none, 0123456789 ")), size/56)
	for name, text := range map[string]string{
		"OneString": "a: " + strings.Repeat("level=debug,", size/12) + "\n",
		"Keywords":  "a: '" + words.String() + "'\n",
		"Leaves":    "a:\n" + leaves.String(),
		"Base64":    "a: " + blob + "\n",
		"Token":     "api_token_: " + strings.Repeat("x9K", size/3) + "\n",
	} {
		b.Run(name, func(b *testing.B) { benchmarkScan(b, text) })
	}
}

// benchmarkScan times a scan of parsed values against the parsing, in turn, so that what else the machine does slows
// both. It returns the ratio of the best of each.
func benchmarkScan(b *testing.B, text string) float64 {
	b.Helper()
	d := New()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var floor, best time.Duration
	for b.Loop() {
		began := time.Now()
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
			b.Fatal(err)
		}
		parsed := time.Now()
		d.Scan(tree)
		scanned := time.Since(parsed)
		if took := parsed.Sub(began); floor == 0 || took < floor {
			floor = took
		}
		if best == 0 || scanned < best {
			best = scanned
		}
	}
	ratio := float64(best) / float64(floor)
	b.ReportMetric(ratio, "x-floor")
	return ratio
}

// ordinaryValues writes values of about size bytes as charts have them: references under the names of secrets, images,
// arguments, config files, annotations.
func ordinaryValues(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `component%[1]d:
  image: {repository: registry.example.test/vendor/component-%[1]d, tag: 1.%[1]d.0-debian-12-r3, pullPolicy: IfNotPresent}
  resources:
    limits: {cpu: 500m, memory: 512Mi}
  podAnnotations:
    prometheus.io/port: "8%[2]d"
    checksum/config: 3f79bb7b435b05321651daefd374cd21b5e3c2c7f0b0a8d1b1e9f5b3c2d1e0%[2]d
  existingSecret: component-%[1]d-credentials
  auth: {secretName: component-%[1]d, passwordSecretKey: admin-password}
  args:
  - --log-level=debug
  - --config=/etc/component/config.yaml
  - --oidc-issuer-url=https://login.example.test/realms/%[1]d
  extraEnvVars:
  - {name: LOG_LEVEL, value: info}
  - {name: TOKEN_URL, value: "https://auth.example.test/token"}
  - name: DB_PASSWORD
    valueFrom: {secretKeyRef: {name: component-%[1]d, key: password}}
  affinity: {topologyKey: kubernetes.io/hostname}
  configuration: |
    # where it listens
    [server]
    listen = 0.0.0.0:8%[2]d
    auth_type = oidc
    key_file = /etc/tls/tls.key
    root = {{ .Values.global.root }}
  values:
    level: debug
    description: The component %[1]d serves the API of its team, and nothing else.
`, i, 100+i%900)
	}
	return b.String()
}
