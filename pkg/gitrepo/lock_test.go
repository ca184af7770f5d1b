package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// TestMain lets the test binary be the other process: with lockDir set it takes the lock and waits to be killed.
func TestMain(m *testing.M) {
	if os.Getenv(childRun) != "" {
		os.Exit(child())
	}
	dir := os.Getenv("GITREPO_TEST_LOCK")
	if dir == "" {
		os.Exit(m.Run())
	}
	r, err := Open(dir, time.Now)
	if err == nil {
		_, err = r.Lock(context.Background())
	}
	fmt.Println("locked", err)
	if err == nil {
		time.Sleep(time.Minute)
	}
}

func TestLockOutlivesNoProcess(t *testing.T) {
	repo := gittest.New(t)
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), "GITREPO_TEST_LOCK="+repo.Dir)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked <nil>\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	r := openTest(t, repo)
	_, err = r.Save(context.Background(), changes(map[string]string{"a": "1"}), "m")
	wantError(t, "another process is at work", err, ErrLocked)
	if pid := fmt.Sprint(other.Process.Pid); err != nil && !strings.Contains(err.Error(), pid) {
		t.Errorf("error %q must name process %s", err, pid)
	}
	diff(t, "nothing is written", "<none>", repo.Read(t, "a"))
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed
	save(t, r, map[string]string{"a": "1"})
}

func TestLock(t *testing.T) {
	repo := gittest.New(t)
	ctx := context.Background()
	one, two := openTest(t, repo), openTest(t, repo)
	release, err := one.Lock(ctx)
	if err != nil {
		t.Fatalf("Lock: %v", err)
	}
	_, err = one.Lock(ctx)
	wantError(t, "a lock is taken once", err, ErrLocked)
	wantError(t, "the other waits in vain", two.Write(ctx, changes(map[string]string{"a": "1"})), ErrLocked)
	save(t, one, map[string]string{"a": "1"})
	wantError(t, "what the holder does leaves the lock alone", two.Write(ctx, changes(map[string]string{"a": "2"})), ErrLocked)
	if err := release(); err != nil {
		t.Fatalf("release: %v", err)
	}
	save(t, two, map[string]string{"a": "2"})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = two.Lock(cancelled)
	wantError(t, "a context that has ended", err, context.Canceled)
}

// Runs at the same time come one after the other, and each commit stands on the one before.
func TestSavesAtOnce(t *testing.T) {
	repo := gittest.New(t)
	const runs = 8
	var all sync.WaitGroup
	failed := make([]error, runs)
	for i := range runs {
		r := openTest(t, repo, WithLockWait(time.Minute))
		all.Go(func() {
			_, failed[i] = r.Save(context.Background(), changes(map[string]string{fmt.Sprint("f", i): "1"}), "m")
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatalf("Save: %v", err)
	}
	diff(t, "one commit each", fmt.Sprintln(runs), repo.Git(t, "rev-list", "--count", "HEAD"))
	diff(t, "all files", runs, strings.Count(repo.Git(t, "ls-tree", "-r", "HEAD"), "\n"))
	diff(t, "the status is clean", "", repo.Git(t, "status", "--porcelain"))
	repo.Git(t, "fsck", "--strict")
}

// Case H11: a password in a remote's URL is nobody's business.
func TestErrorsHoldNoCredentials(t *testing.T) {
	const secret = "S3cr3tTok"
	broken := func(change func(string) string) func(*testing.T, gittest.Repo) {
		return func(t *testing.T, repo gittest.Repo) {
			text := repo.Read(t, ".git/config")
			repo.Write(t, ".git/config", change(text))
		}
	}
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
	}{
		"Syntax":   {"the line with the URL is broken", broken(func(s string) string { return strings.ReplaceAll(s, secret, secret+`\q`) })},
		"Section":  {"the section is broken", broken(func(s string) string { return strings.ReplaceAll(s, `[remote "origin"]`, `[remote "origin"`) })},
		"Bool":     {"the URL stands where a yes or no should", broken(func(s string) string { return s + "[commit]gpgsign = https://bot:" + secret + "@127.0.0.1:1/x\n" })},
		"Detached": {"another refusal", func(t *testing.T, r gittest.Repo) { r.Git(t, "checkout", "-q", "--detach") }},
		"Branch":   {"HEAD is broken", func(t *testing.T, r gittest.Repo) { r.Write(t, ".git/HEAD", "https://bot:"+secret+"@127.0.0.1:1/x\n") }},
		"Ref": {"the branch is broken", func(t *testing.T, r gittest.Repo) {
			r.Write(t, ".git/refs/heads/main", "https://bot:"+secret+"@127.0.0.1:1/x\n")
		}},
		"Content":   {"the file is dirty", func(t *testing.T, r gittest.Repo) { r.Write(t, "a", "password: "+secret) }},
		"Attribute": {"a refusal that quotes a rule", func(t *testing.T, r gittest.Repo) { r.Write(t, ".gitattributes", "a filter=unknown\n") }},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a": "1"})
			repo.Git(t, "remote", "add", "origin", "https://bot:"+secret+"@127.0.0.1:1/x.git")
			test.setup(t, repo)
			r, err := tryOpen(repo, repo.Dir)
			if err == nil {
				_, err = r.Save(context.Background(), changes(map[string]string{"a": "2: " + secret}), "m")
			}
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s\nerror: %v, want one without the password", test.reason, err)
			}
		})
	}
	repo := gittest.New(t)
	repo.Git(t, "remote", "add", "origin", "https://bot:"+secret+"@127.0.0.1:1/x.git")
	before := repo.Read(t, ".git/config")
	save(t, openTest(t, repo), map[string]string{"a": "1"})
	diff(t, "the configuration is not written", before, repo.Read(t, ".git/config"))
	if _, err := os.Stat(filepath.Join(repo.Dir, ".git/FETCH_HEAD")); err == nil {
		t.Error("nothing is fetched")
	}
}
