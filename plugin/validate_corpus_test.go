package plugin_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// corpusExceptions accept what the recorded platform holds: defaults that its charts document, and Secrets that stay out of git.
const corpusExceptions = `secrets:
- {app: argocd/argocd-artifacts, path: Secret/argocd/argocd-repo-apl-core, rule: artifact-secret, reason: recorded}
- {app: keycloak/keycloak-artifacts, path: Secret/keycloak/custom-ca, rule: artifact-secret, reason: recorded}
- {app: monitoring/prometheus-operator-artifacts, path: Secret/monitoring/alertmanager-platform-config, rule: artifact-secret, reason: recorded}
- {app: gitea/gitea, path: "gitea.additionalConfigFromEnvs[6].value", rule: secret-url-password, reason: recorded}
- {app: gitea/gitea, path: "gitea.additionalConfigFromEnvs[7].value", rule: secret-url-password, reason: recorded}
- {app: gitea/gitea, path: "gitea.additionalConfigFromEnvs[10].value", rule: secret-url-password, reason: recorded}
- {app: gitea/gitea-valkey, path: auth.password, rule: secret-named-key, reason: recorded}
- {file: env/settings/apps.yaml, path: apps.redis-shared.password, rule: secret-named-key, reason: recorded}
- {file: env/settings/kms.yaml, path: spec.sops.azure.clientSecret, rule: secret-named-key, reason: recorded}
`

// corpus returns the folder of the recorded platform, and skips where it is not.
func corpus(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "shared", "corpus"))
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		tb.Skip("the recorded platform is not here: ", dir)
	}
	return dir
}

// migratedCorpus moves the recorded platform, apps, objects and settings.
func migratedCorpus(tb testing.TB) *platformRepo {
	tb.Helper()
	dir := corpus(tb)
	r := &platformRepo{dir: filepath.Join(tb.TempDir(), "values"), charts: dir, registry: filepath.Join(dir, "releases.json")}
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join(dir, "values-repo"))); err != nil {
		tb.Fatal(err)
	}
	r.write(tb, r.path(".apl.yaml"), corpusExceptions)
	commitAll(tb, r.dir)
	code, _, errOut := runMain(tb, "migrate", "--all", "-f", filepath.Join(dir, "live"), "--releases", r.registry, "--managed", filepath.Join(dir, "managed"),
		"--charts", dir, "--rendered", filepath.Join(dir, "artifacts"), "--repo", r.dir, "--accept-introduced", "--backup", "none")
	if code != plugin.ExitDone {
		tb.Fatalf("migrate: exit code %d: %s", code, errOut)
	}
	return r
}

// commitAll makes a git repo of a folder, with one commit.
func commitAll(tb testing.TB, dir string) {
	tb.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main", "--template="}, {"add", "-A"}, {"commit", "-q", "-m", "As the platform left it"}} {
		cmd := exec.CommandContext(tb.Context(), "git", append([]string{"-C", dir}, args...)...)
		for name, value := range quietEnv(tb) {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			tb.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// TestValidateCorpus holds that nothing is wrong with the recorded platform before its move, nor after it.
func TestValidateCorpus(t *testing.T) {
	before := &platformRepo{dir: filepath.Join(corpus(t), "values-repo"), charts: corpus(t)}
	if list := before.validate(t); len(list) > 0 {
		t.Errorf("a repo that has not moved yet is clean: %s", worst(list, finding.Info))
	}
	r := migratedCorpus(t)
	list := r.validate(t, "--releases", r.registry, "--strict-keys")
	if got := worst(list, finding.Error); got != "" {
		t.Errorf("after the move no error: %s", got)
	}
	t.Logf("%d findings; warnings: %s", len(list), worst(list, finding.Warning))
}

// worst lists the findings of a severity and worse, a line each.
func worst(list []finding.Finding, from finding.Severity) string {
	var out strings.Builder
	for _, f := range list {
		if f.Severity == finding.Error || f.Severity == from || from == finding.Info {
			fmt.Fprintf(&out, "\n%s %s %s:%d:%d %s: %s", f.Severity, f.Rule, f.File, f.Line, f.Column, f.Path, f.Message)
		}
	}
	return out.String()
}

// TestValidateIsQuiet holds that what Helm logs of values which nobody installs is not shown.
func TestValidateIsQuiet(t *testing.T) {
	r := migratedCorpus(t)
	r.write(t, r.path(".apl.yaml"), corpusExceptions)
	code, _, errOut := runMain(t, "validate", "--repo", r.dir, "--charts", r.charts)
	if code != plugin.ExitDone || errOut != "" {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
