package plugin_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// TestInterruptedPush holds that whoever interrupts a push is told that the commit stands: DESIGN 7 says that of every commit
// that is not pushed.
func TestInterruptedPush(t *testing.T) {
	platform, dir := filepath.Join("..", "testdata", "platform"), t.TempDir()
	repo, remote, begun := filepath.Join(dir, "values"), filepath.Join(dir, "remote.git"), filepath.Join(dir, "begun")
	gitRepo(t, platform, repo)
	run(t, "git", "init", "-q", "--bare", "-b", "main", "--template=", remote)
	run(t, "git", "-C", repo, "remote", "add", "origin", remote)
	run(t, "git", "-C", repo, "push", "-q", "-u", "origin", "main")
	hook := filepath.Join(remote, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, fmt.Appendf(nil, "#!/bin/sh\n: >%s\nexec sleep 60\n", begun), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(begun); err == nil {
				interrupt()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	environment := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": dir, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.test", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.test",
	}
	var errOut strings.Builder
	code := plugin.Main(ctx, []string{
		"migrate", "docs/wiki", "-f", filepath.Join(platform, "live"), "--releases", filepath.Join(platform, "releases.json"),
		"--managed", filepath.Join(platform, "managed"), "--charts", platform, "--repo", repo, "--backup=none", "--push",
	}, plugin.Streams{In: strings.NewReader(""), Out: io.Discard, ErrOut: &errOut}, plugin.Env{
		Now: time.Now, Lookup: func(name string) (string, bool) { value, set := environment[name]; return value, set },
	})
	if code != plugin.ExitFailed || !strings.Contains(errOut.String(), "not pushed to origin/main") || !strings.Contains(errOut.String(), "stands in this clone") {
		t.Errorf("it ended with %d, and said:\n%s", code, errOut.String())
	}
}
