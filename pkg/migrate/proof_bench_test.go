package migrate_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// BenchmarkProofCorpus measures the proof by manifests of a real platform on its real charts against its rival: the helm
// binary, run once for each side of each app. It has to be five times as fast (issue 3).
func BenchmarkProofCorpus(b *testing.B) {
	recorded, charts := corpus(b), os.Getenv(aplCore)
	if charts == "" {
		b.Skip(aplCore + " names no folder with the charts of apl-core, which are not part of the project")
	}
	benchmarkProof(b, recorded, charts)
}

// BenchmarkProofPlatform does the same on the project's own recording.
func BenchmarkProofPlatform(b *testing.B) { benchmarkProof(b, platform, platform.path()) }

// benchmarkProof times the whole plan with its proof, and helm template for the live values and for the two files of each
// app that the proof renders; the best of each is compared.
func benchmarkProof(b *testing.B, recorded recording, charts string) {
	helm := helmBinary(b)
	options := migrate.Options{Verify: migrate.VerifyManifests, KeepGoing: true, AcceptAll: true}
	plan := func() *migrate.Plan {
		in := recorded.input(b, memory{}, charts)
		in.Capabilities = &migrate.Capabilities{KubeVersion: "1.34.0", Source: "flags"}
		return newPlan(b, in, options)
	}
	commands := templates(b, recorded, charts, plan())
	best, rival := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		best = min(best, timed(func() { plan() }))
		b.StopTimer()
		rival = min(rival, timed(func() {
			for _, args := range commands {
				if out, err := exec.CommandContext(b.Context(), helm, args...).Output(); err != nil || len(out) == 0 {
					b.Fatalf("helm %v: %v", args, err)
				}
			}
		}))
		b.StartTimer()
	}
	ratio := float64(rival) / float64(best)
	b.ReportMetric(float64(best), "proof-ns")
	b.ReportMetric(float64(rival), "helm-template-ns")
	b.ReportMetric(ratio, "x-faster")
	if ratio < 5 {
		b.Errorf("the proof is %.1f times as fast as helm template", ratio)
	}
}

// templates are the arguments of helm for both sides of each app that is proven: the live values, and the two files.
func templates(b *testing.B, recorded recording, charts string, plan *migrate.Plan) [][]string {
	dir := b.TempDir()
	written := map[string]string{}
	for _, c := range plan.Changes() {
		written[c.Path] = filepath.Join(dir, filepath.FromSlash(c.Path))
		if err := os.MkdirAll(filepath.Dir(written[c.Path]), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(written[c.Path], c.Data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	live := recorded.rawApplications(b)
	var out [][]string
	for _, a := range plan.Apps {
		if a.Proof == nil {
			continue
		}
		source := at(live[a.Application], "spec", "source")
		text, _ := at(source, "helm")["values"].(string)
		values := filepath.Join(dir, a.Application+".yaml")
		if err := os.WriteFile(values, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		release := at(source, "helm")["releaseName"].(string)
		namespace := at(live[a.Application], "spec", "destination")["namespace"].(string)
		common := []string{"template", release, filepath.Join(charts, source["path"].(string)), "--namespace", namespace, "--include-crds", "--kube-version", "1.34.0"}
		out = append(out, append(append([]string{}, common...), "--values", values))
		out = append(out, append(append([]string{}, common...),
			"--values", written["env/values/"+a.App+"/values.managed.yaml"], "--values", written["env/values/"+a.App+"/values.custom.yaml"]))
	}
	return out
}

// helmBinary builds helm at the version of the library, once for a test run.
func helmBinary(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	cmd := exec.CommandContext(b.Context(), "go", "install", "helm.sh/helm/v3/cmd/helm@"+chart.HelmVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build helm: %v\n%s", err, out)
	}
	return filepath.Join(dir, "helm")
}
