package plugin_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// TestSettingsOfCorpus gathers the settings of a recorded platform: the one literal secret is refused first, then excepted;
// env/apps stays, until both flags are given.
func TestSettingsOfCorpus(t *testing.T) {
	corpus, err := filepath.Abs(filepath.Join("..", "..", "shared", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the recorded platform is not here: ", corpus)
	}
	dir := t.TempDir()
	env := map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "PATH": os.Getenv("PATH"),
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.test", "GIT_COMMITTER_NAME": "Cleo", "GIT_COMMITTER_EMAIL": "cleo@example.test",
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
		for name, value := range env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	migrate := func(want int, args ...string) string {
		t.Helper()
		var out, errOut bytes.Buffer
		code := plugin.Main(context.Background(), append([]string{"settings", "migrate", "--repo", dir, "--releases", filepath.Join(corpus, "releases.json")}, args...),
			plugin.Streams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut},
			plugin.Env{Now: time.Now, Lookup: func(name string) (string, bool) { value, ok := env[name]; return value, ok }})
		if code != want {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, &out, &errOut)
		}
		return out.String()
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(corpus, "values-repo"))); err != nil {
		t.Fatal(err)
	}
	git("init", "-q", "-b", "main", "--template=")
	git("add", "-A")
	git("commit", "-q", "-m", "As the platform left it")

	out := migrate(plugin.ExitFinding)
	if got := strings.Count(out, "\n  error: "); got != 1 || !strings.Contains(out, "env/apps/redis-shared.yaml:6:5 apps.redis-shared.password: ") {
		t.Errorf("the one error is the literal password of redis-shared:\n%s", out)
	}
	exception := "secrets:\n- file: env/settings/apps.yaml\n  path: apps.redis-shared.password\n  rule: secret-named-key\n  reason: switched off\n"
	if err := os.WriteFile(filepath.Join(dir, ".apl.yaml"), []byte(exception), 0o644); err != nil {
		t.Fatal(err)
	}
	out = migrate(plugin.ExitDone)
	if !strings.Contains(out, `tekton: serviceaccount.annotations.test: "v1": goes to serviceaccount.annotations.test in env/values/tekton-pipelines/tekton-pipelines/values.custom.yaml`) {
		t.Errorf("the one raw value is told:\n%s", out)
	}
	head := git("rev-parse", "HEAD")
	migrate(plugin.ExitDone)
	if again := git("rev-parse", "HEAD"); again != head {
		t.Error("a second run makes a commit")
	}
	if files := git("ls-files", "env/apps", "env/settings/apps.yaml"); strings.Count(files, "\n") != 36 {
		t.Errorf("env/apps stays beside the file:\n%s", files)
	}
	migrate(plugin.ExitFinding, "--remove-env-apps")
	migrate(plugin.ExitDone, "--remove-env-apps", "--platform-reads-apps-yaml")
	if files := git("ls-files", "env/apps", "env/settings/apps.yaml"); files != "env/settings/apps.yaml\n" {
		t.Errorf("env/apps goes:\n%s", files)
	}
}
