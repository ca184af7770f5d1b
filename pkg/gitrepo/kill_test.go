//go:build unix

package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// The test binary is the other process too: with GITREPO_TEST_RUN set it does one thing in the repository that
// GITREPO_TEST_DIR names, and with GITREPO_TEST_STEP=N it is killed at its N-th step.
const (
	childRun  = "GITREPO_TEST_RUN"
	childDir  = "GITREPO_TEST_DIR"
	childStep = "GITREPO_TEST_STEP"
)

// killFiles are what a child writes; those of a pair are of different sizes, so that git sees each change.
func killFiles() []Change {
	list := changes(map[string]string{"a/old": "two", "a/b/c/new": "two", "d/new": "two", "same": "1", "top": "two", "again/x": "two"})
	return append(list, Change{Path: "bye/deep/x", Delete: true}, Change{Path: "bye/y", Delete: true}, Change{Path: "never", Delete: true})
}

// child is main of the other process. It ends with 0 when all was done, and 3 when there was nothing to do.
func child() int {
	at, _ := strconv.Atoi(os.Getenv(childStep)) // 0 when it is to live
	var steps atomic.Int64
	r, err := Open(os.Getenv(childDir), time.Now, WithLockWait(time.Minute), func(r *Repo) {
		r.step = func(string) error {
			if at > 0 && steps.Add(1) == int64(at) {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it cannot fail
				time.Sleep(time.Minute)
			}
			return nil
		}
		r.withoutGit = os.Getenv(childRun) == "save"
	})
	ctx := context.Background()
	if err == nil {
		switch os.Getenv(childRun) {
		case "write":
			err = r.Write(ctx, killFiles())
		case "push":
			if _, err = r.Save(ctx, killFiles(), "m"); err == nil || errors.Is(err, ErrNothingToCommit) {
				_, err = r.Push(ctx, "", nil)
			}
		default:
			_, err = r.Save(ctx, killFiles(), "m")
		}
	}
	switch {
	case errors.Is(err, ErrNothingToCommit):
		return 3
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func startChild(t *testing.T, repo gittest.Repo, what string, step int) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(repo.Environ(), childRun+"="+what, childDir+"="+repo.Dir, childStep+"="+strconv.Itoa(step))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// wasKilled waits for a child, and reports whether it was killed; else it must have done all.
func wasKilled(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return true
	}
	if err != nil {
		t.Fatalf("the child failed: %v", err)
	}
	return false
}

func killSetup(t *testing.T, what string) gittest.Repo {
	t.Helper()
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/old": "1", "same": "1", "again/x": "1", "elsewhere": "1", "bye/deep/x": "1", "bye/y": "1"})
	repo.Write(t, "top", "two")
	repo.Write(t, "other", "o")
	repo.Git(t, "add", "other")
	repo.Write(t, "elsewhere", "edited")
	if what == "hooks" {
		hook("pre-commit", "exit 0")(t, repo)
	}
	return repo
}

// whole checks that the repository is either as before or complete, and tells which. Opening it is what the next run does.
func whole(t *testing.T, repo gittest.Repo, what, before, head string, files map[string]string) bool {
	t.Helper()
	if _, err := tryOpen(repo, repo.Dir, WithLockWait(20*time.Second)); err != nil {
		t.Fatalf("the next run cannot open the repository: %v", err)
	}
	nothingLeft(t, repo, false)
	repo.Git(t, "fsck", "--strict", "--no-dangling")
	diff(t, "no journal is left", "<none>", repo.Read(t, ".git/kubectl-apl/journal"))
	after := tree(t, repo.Dir)
	done := strings.HasSuffix(after["a/old"], "two")
	want := files
	if done {
		want = map[string]string{"a/b": "drwxr-xr-x", "a/b/c": "drwxr-xr-x", "d": "drwxr-xr-x"}
		for path, text := range files {
			want[path] = text
		}
		for _, c := range killFiles() {
			if c.Delete {
				for at := filepath.FromSlash(c.Path); at != "."; at = filepath.Dir(at) {
					delete(want, at)
				}
				continue
			}
			want[filepath.FromSlash(c.Path)] = "-rw-r--r-- " + string(c.Data)
		}
	}
	diff(t, "every file is as before, or every file is as it was to be", want, after)
	if what == "write" {
		return done
	}
	if committed := repo.Git(t, "rev-parse", "HEAD") != head; committed != done {
		t.Errorf("committed: %t, files written: %t", committed, done)
	}
	if done {
		diff(t, "the commit has our paths alone", "a/b/c/new\na/old\nagain/x\nbye/deep/x\nbye/y\nd/new\ntop\n", repo.Git(t, "diff", "--name-only", "HEAD^", "HEAD"))
		before = strings.ReplaceAll(before, "?? top\n", "")
	}
	diff(t, "the index is as before, or complete", before, repo.Git(t, "status", "--porcelain"))
	return done
}

// Issue 3, item 7: whatever the moment in which the process is killed, the repository is either as before or complete.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel() // it waits for the disk and for git most of the time
	for _, what := range []string{"save", "write", "hooks"} {
		t.Run(what, func(t *testing.T) {
			outcomes := map[bool]int{}
			for step := 1; ; step++ {
				repo := killSetup(t, what)
				files, head, status := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD"), repo.Git(t, "status", "--porcelain")
				killed := wasKilled(t, startChild(t, repo, what, step))
				done := whole(t, repo, what, status, head, files)
				if t.Failed() {
					t.Fatalf("killed at step %d", step)
				}
				if !killed {
					if !done {
						t.Errorf("a child that was not killed has done nothing")
					}
					break
				}
				outcomes[done]++
				// Whoever comes next can do it all.
				if err := startChild(t, repo, what, 0).Wait(); err != nil && !done {
					t.Fatalf("killed at step %d: the next run fails: %v", step, err)
				}
				if !whole(t, repo, what, status, head, files) {
					t.Fatalf("killed at step %d: the next run has done nothing", step)
				}
			}
			if outcomes[false] < 5 || what != "write" && outcomes[true] < 1 {
				t.Errorf("killed %d times before and %d times after the commit: the test does not test", outcomes[false], outcomes[true])
			}
		})
	}
}

// The run that puts things right can be killed as well, at each of its steps.
func TestKilledWhilePuttingRight(t *testing.T) {
	t.Parallel() // as above
	for _, what := range []string{"save", "hooks"} {
		steps := 0
		for first := 5; first < 40; first += 8 {
			for second := 1; second < 40; second++ {
				repo := killSetup(t, what)
				files, head, status := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD"), repo.Git(t, "status", "--porcelain")
				if !wasKilled(t, startChild(t, repo, what, first)) {
					break
				}
				// Opening alone puts right; each step of it is one before the run's own.
				cmd := startChild(t, repo, what, second)
				killed := wasKilledOrDone(t, cmd)
				whole(t, repo, what, status, head, files)
				if t.Failed() {
					t.Fatalf("%s: killed at step %d, and then at step %d", what, first, second)
				}
				if steps++; !killed || second > 10 {
					break
				}
			}
			if testing.Short() {
				break
			}
		}
		if steps < 10 {
			t.Errorf("%s: killed only %d times", what, steps)
		}
	}
}

func wasKilledOrDone(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		return false
	}
	if err != nil && (exit == nil || !exit.ProcessState.Sys().(syscall.WaitStatus).Signaled()) {
		t.Fatalf("the child failed: %v", err)
	}
	return err != nil
}

// Between the steps too: killed at any time.
func TestKilledAtAnyTime(t *testing.T) {
	t.Parallel() // as above
	rounds := 30
	if testing.Short() {
		rounds = 10
	}
	for i := range rounds {
		what := []string{"save", "hooks"}[i%2]
		repo := killSetup(t, what)
		files, head, status := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD"), repo.Git(t, "status", "--porcelain")
		cmd := startChild(t, repo, what, 0)
		time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		whole(t, repo, what, status, head, files)
		if t.Failed() {
			t.Fatalf("%s, round %d", what, i)
		}
	}
}

// A disk that is full at any write: all is as before, and nothing is left.
func TestFullDiskAtEveryStep(t *testing.T) {
	t.Parallel() // as above
	for _, what := range []string{"save", "hooks"} {
		for step := 1; step < 60; step++ {
			repo := killSetup(t, what)
			files, head, status := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD"), repo.Git(t, "status", "--porcelain")
			var at atomic.Int64
			r := openTest(t, repo)
			r.withoutGit = what == "save"
			r.step = func(string) error {
				if at.Add(1) == int64(step) {
					return &os.PathError{Op: "write", Path: "somewhere", Err: syscall.ENOSPC}
				}
				return nil
			}
			hash, err := r.Save(context.Background(), killFiles(), "m")
			if err != nil && !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("step %d: %v", step, err)
			}
			r.step = func(string) error { return nil }
			if errors.Is(err, ErrIndexStale) {
				repo.Git(t, "reset", "-q", "--", "a", "again", "bye", "d", "top") // as the error advises
			}
			done := whole(t, repo, what, status, head, files)
			if done != (hash != "") || t.Failed() {
				t.Fatalf("step %d: Save = %q, %v; done: %t", step, hash, err, done)
			}
			if err == nil && at.Load() < int64(step) {
				break
			}
		}
	}
}

// Issue 3: twenty runs at once make one commit; the others find that there is nothing to do.
func TestTwentyRunsAtOnce(t *testing.T) {
	t.Parallel() // as above
	for _, what := range []string{"save", "hooks"} {
		t.Run(what, func(t *testing.T) {
			repo := killSetup(t, what)
			var all []*exec.Cmd
			for range 20 {
				all = append(all, startChild(t, repo, what, 0))
			}
			ends := map[int]int{}
			for _, cmd := range all {
				_ = cmd.Wait() // its code tells
				ends[cmd.ProcessState.ExitCode()]++
			}
			diff(t, "one commits, the others have nothing to do", map[int]int{0: 1, 3: 19}, ends)
			diff(t, "one commit", "2\n", repo.Git(t, "rev-list", "--count", "HEAD"))
			repo.Git(t, "fsck", "--strict", "--no-dangling")
			noLocks(t, repo)
		})
	}
}

// What a killed run has left and a person has changed since is the person's.
func TestKilledThenEdited(t *testing.T) {
	repo := killSetup(t, "save")
	placed := 0
	for step := 1; placed == 0; step++ { // until one file is in place
		if !wasKilled(t, startChild(t, repo, "save", step)) {
			t.Fatal("it was never killed")
		}
		if repo.Read(t, "a/b/c/new") == "two" {
			placed = step
		} else if _, err := tryOpen(repo, repo.Dir); err != nil {
			t.Fatal(err)
		}
	}
	repo.Write(t, "a/b/c/new", "mine")
	repo.Write(t, "a/b/c/more", "mine too")
	openTest(t, repo)
	diff(t, "an edit stays", "mine", repo.Read(t, "a/b/c/new"))
	diff(t, "a file beside it stays", "mine too", repo.Read(t, "a/b/c/more"))
	diff(t, "the lock is gone", "<none>", repo.Read(t, ".git/index.lock"))
	repo.Git(t, "add", "a/b/c")
}

// A lock of another git is never removed, whatever a run of ours has left.
func TestKilledThenGitLocks(t *testing.T) {
	repo := killSetup(t, "save")
	if !wasKilled(t, startChild(t, repo, "save", 6)) {
		t.Fatal("it was not killed")
	}
	if err := os.Remove(filepath.Join(repo.Dir, ".git/index.lock")); err != nil { // as git advises
		t.Fatal(err)
	}
	repo.Write(t, ".git/index.lock", "theirs")
	openTest(t, repo)
	diff(t, "the lock is theirs", "theirs", repo.Read(t, ".git/index.lock"))
}

func TestDamagedJournal(t *testing.T) {
	for name, text := range map[string]string{
		"NoJSON": "{", "Version": `{"version":2}`, "Outside": `{"version":1,"files":[{"path":"../x","new":""}]}`, "Git": `{"version":1,"folders":[".git"]}`,
	} {
		repo := gittest.New(t)
		repo.Write(t, ".git/kubectl-apl/journal", text)
		if _, err := tryOpen(repo, repo.Dir); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A read-only file or folder, and a link out of the repository: all as before.
func TestSaveReadOnly(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
		root   bool // holds for the superuser too
	}{
		"Folder": {reason: "a folder that may not be written to", setup: chmod("a", 0o555)},
		"Git":    {reason: "git's own folder", setup: chmod(".git", 0o555)},
		"Objs":   {reason: "objects", setup: chmod(".git/objects", 0o555)},
		"Link": {reason: "a link that leaves the repository", root: true, setup: func(t *testing.T, r gittest.Repo) {
			if err := os.Symlink(r.Env["HOME"], filepath.Join(r.Dir, "d")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if !test.root && os.Getuid() == 0 {
				t.Skip("modes do not bind the superuser; run as another user")
			}
			repo := killSetup(t, "save")
			test.setup(t, repo)
			files, status := tree(t, repo.Dir), repo.Git(t, "status", "--porcelain")
			if _, err := openTest(t, repo).Save(context.Background(), killFiles(), "m"); err == nil {
				t.Errorf("%s: no error", test.reason)
			}
			diff(t, "as before", files, tree(t, repo.Dir))
			diff(t, "as before", status, repo.Git(t, "status", "--porcelain"))
		})
	}
	t.Run("File", func(t *testing.T) {
		repo := killSetup(t, "save")
		chmod("a/old", 0o444)(t, repo)
		save(t, openTest(t, repo), map[string]string{"a/old": "two"})
		info, err := os.Stat(filepath.Join(repo.Dir, "a/old"))
		if err != nil {
			t.Fatal(err)
		}
		diff(t, "a read-only file is replaced, as git does, and keeps its mode", os.FileMode(0o444), info.Mode())
	})
}

// A repository that several people use: the file that one of them has locked is another's to lock too.
func TestLockOfAnotherUser(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("modes do not bind the superuser; run as another user")
	}
	repo := gittest.New(t)
	repo.Write(t, ".git/"+lockFileName, "1\n")
	chmod(".git/"+lockFileName, 0o444)(t, repo)
	one, two := openTest(t, repo), openTest(t, repo)
	release, err := one.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	_, err = two.Lock(context.Background())
	wantError(t, "it is locked", err, ErrLocked)
	if err := release(); err != nil {
		t.Fatal(err)
	}
	save(t, two, map[string]string{"a": "1"})
	chmod(".git/"+lockFileName, 0)(t, repo)
	_, err = two.Lock(context.Background())
	wantError(t, "one that may not be read", err, os.ErrPermission)
}

func chmod(path string, mode os.FileMode) func(*testing.T, gittest.Repo) {
	return func(t *testing.T, repo gittest.Repo) {
		t.Helper()
		full := filepath.Join(repo.Dir, path)
		if err := os.Chmod(full, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(full, 0o755) }) // so that the folder can be removed
	}
}

// A power cut keeps what was synced before: data first, then the commit, then the branch.
func TestStepsInOrder(t *testing.T) {
	repo := killSetup(t, "save")
	var steps []string
	r := openTest(t, repo, WithoutGit())
	r.step = func(name string) error { steps = append(steps, strings.Fields(name)[0]); return nil }
	save(t, r, map[string]string{"a/old": "two"})
	diff(t, "each is durable before the next begins",
		"lock+write+write+place+store+store+store+store+sync+write+lock+lock+write+move+replace+remove", strings.Join(steps, "+"))
}
