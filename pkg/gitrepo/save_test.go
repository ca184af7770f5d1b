package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// Case H7: the first commit goes to the branch that HEAD names.
func TestSaveOnUnbornBranch(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, "mine.yaml", "m")
	repo.Git(t, "add", "mine.yaml")
	repo.Git(t, "symbolic-ref", "HEAD", "refs/heads/team/values")
	r := openTest(t, repo)
	hash := save(t, r, map[string]string{"env/a.yaml": "a\n", "b.yaml": ""})
	diff(t, "the branch of HEAD has the commit", hash+"\n", repo.Git(t, "rev-parse", "refs/heads/team/values"))
	diff(t, "what was staged is not in it", "b.yaml\nenv/a.yaml\n", repo.Git(t, "ls-tree", "-r", "--name-only", "HEAD"))
	diff(t, "what was staged stays staged", "A  mine.yaml\n", repo.Git(t, "status", "--porcelain"))
	diff(t, "the log says so", "team/values@{0}: commit (initial): apl: test\n", repo.Git(t, "reflog", "show", "--format=%gd: %gs", "team/values"))
	repo.Git(t, "fsck", "--strict")
}

// Case H7: a second run makes no commit.
// A branch that is packed, and a folder where its file comes: as branches below its name leave it.
func TestSaveOverEmptyFolder(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	repo.Git(t, "pack-refs", "--all", "--prune")
	if err := os.Mkdir(filepath.Join(repo.Dir, ".git/refs/heads/main"), 0o755); err != nil {
		t.Fatal(err)
	}
	hash := save(t, openTest(t, repo), map[string]string{"a": "2"})
	diff(t, "the branch has it", hash+"\n", repo.Git(t, "rev-parse", "main"))
}

func TestSaveTwice(t *testing.T) {
	repo := gittest.New(t)
	r := openTest(t, repo)
	hash := save(t, r, map[string]string{"a": "1"})
	got, err := r.Save(context.Background(), changes(map[string]string{"a": "1"}), "again")
	wantError(t, "HEAD has it", err, ErrNothingToCommit)
	diff(t, "no commit", "", got)
	diff(t, "HEAD stays", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
	_, err = r.Save(context.Background(), nil, "nothing")
	wantError(t, "no change at all", err, ErrNothingToCommit)
}

func TestSaveCommit(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	r := openTest(t, repo)
	save(t, r, map[string]string{"b": "1"})
	diff(t, "people, times and message are those of the environment and the clock",
		"Ann Author <ann@example.com> 2026-03-04T05:06:07+02:00\nCid Committer <cid@example.com> 2026-03-04T05:06:07+02:00\napl: test\n\n",
		repo.Git(t, "log", "-1", "--format=%an <%ae> %aI%n%cn <%ce> %cI%n%B"))
	diff(t, "both logs have the move", "Cid Committer commit: apl: test\n", repo.Git(t, "log", "-g", "-1", "--format=%gn %gs", "HEAD"))
	diff(t, "both logs have the move", "Cid Committer commit: apl: test\n", repo.Git(t, "log", "-g", "-1", "--format=%gn %gs", "main"))
	for name, message := range map[string]string{"Empty": " \n", "Zero": "a\x00b", "Bytes": "a\xff"} {
		if _, err := r.Save(context.Background(), changes(map[string]string{"c": "1"}), message); err == nil {
			t.Errorf("%s: such a message must be refused", name)
		}
	}
}

func TestSaveWithoutReflog(t *testing.T) {
	repo := gittest.New(t)
	repo.Git(t, "config", "core.logAllRefUpdates", "false")
	save(t, openTest(t, repo), map[string]string{"b": "1"})
	diff(t, "git keeps none either", "<none>", repo.Read(t, ".git/logs/HEAD"))
}

// What a person has staged or changed elsewhere is theirs: it stays as it is, and out of the commit.
func TestSaveLeavesOthersAlone(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/staged": "1", "a/changed": "1", "a/both": "1", "gone": "1", "unstaged-gone": "1", "a/ours": "1", "moved": "long enough to be seen as moved\n"})
	repo.Write(t, "a/staged", "2")
	repo.Write(t, "a/both", "2")
	repo.Write(t, "new", "n")
	repo.Git(t, "add", "a/staged", "a/both", "new")
	repo.Git(t, "rm", "-q", "--cached", "gone")
	repo.Git(t, "mv", "moved", "a/moved")
	repo.Git(t, "update-index", "--chmod=+x", "a/changed")
	repo.Write(t, "a/both", "3")
	repo.Write(t, "a/changed", "2")
	repo.Write(t, "untracked", "u")
	repo.Write(t, "announced", "i")
	repo.Git(t, "add", "-N", "announced")
	if err := os.Remove(filepath.Join(repo.Dir, "unstaged-gone")); err != nil {
		t.Fatal(err)
	}
	status, index := repo.Git(t, "status", "--porcelain"), repo.Git(t, "ls-files", "--stage")
	r := openTest(t, repo)
	save(t, r, map[string]string{"a/ours": "2", "a/z/new": "2"})
	diff(t, "the commit has only ours", "M\ta/ours\nA\ta/z/new\n", repo.Git(t, "show", "--format=", "--name-status", "HEAD"))
	diff(t, "the status is what it was", status, repo.Git(t, "status", "--porcelain"))
	diff(t, "no other index entry is touched", withoutLines(index, "a/ours", "a/z/new"), withoutLines(repo.Git(t, "ls-files", "--stage"), "a/ours", "a/z/new"))
	repo.Git(t, "fsck", "--strict", "--no-dangling")
}

func withoutLines(text string, paths ...string) []string {
	var kept []string
	for line := range strings.Lines(text) {
		ours := false
		for _, path := range paths {
			ours = ours || strings.HasSuffix(strings.TrimSpace(line), "\t"+path)
		}
		if !ours {
			kept = append(kept, line)
		}
	}
	return kept
}

func TestSaveKeepsModes(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"run": "1", "plain": "1", "staged": "1"})
	if err := os.Chmod(filepath.Join(repo.Dir, "run"), 0o750); err != nil {
		t.Fatal(err)
	}
	repo.Git(t, "commit", "-qam", "run")
	if err := os.Chmod(filepath.Join(repo.Dir, "plain"), 0o755); err != nil {
		t.Fatal(err)
	}
	repo.Git(t, "update-index", "--chmod=+x", "staged")
	repo.Write(t, "untracked", "2")
	if err := os.Chmod(filepath.Join(repo.Dir, "untracked"), 0o700); err != nil {
		t.Fatal(err)
	}
	save(t, openTest(t, repo), map[string]string{"run": "2", "plain": "2", "staged": "2", "untracked": "2", "new": "2"})
	var got []string
	for line := range strings.Lines(repo.Git(t, "ls-tree", "HEAD")) {
		got = append(got, line[:6]+" "+line[strings.IndexByte(line, '\t')+1:len(line)-1])
	}
	diff(t, "a tracked file keeps its committed mode, a new one has that of the work tree",
		[]string{"100644 new", "100644 plain", "100755 run", "100644 staged", "100755 untracked"}, got)
	diff(t, "modes that are not committed stay so", " M plain\nMM staged\n", repo.Git(t, "status", "--porcelain"))
	for name, want := range map[string]os.FileMode{"run": 0o750, "plain": 0o755, "untracked": 0o700} {
		info, err := os.Stat(filepath.Join(repo.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		diff(t, name+" keeps its mode on the disk", want, info.Mode())
	}
}

// Commit takes what Write has written, and keeps person's flags and the rest of the index.
func TestWriteThenCommit(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1", "kept": "1"})
	repo.Git(t, "update-index", "--assume-unchanged", "kept")
	repo.Git(t, "update-index", "--assume-unchanged", "a")
	r := openTest(t, repo)
	ctx := context.Background()
	list := changes(map[string]string{"a": "2", "b": "2"})
	if err := r.Write(ctx, list); err != nil {
		t.Fatalf("Write: %v", err)
	}
	dirty, err := r.Dirty(ctx, list)
	diff(t, "what is written already is not dirty", []string(nil), dirty)
	if err != nil {
		t.Fatalf("Dirty: %v", err)
	}
	hash, err := r.Commit(ctx, list, "m")
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	diff(t, "it is on the branch", hash+"\n", repo.Git(t, "rev-parse", "main"))
	diff(t, "flags are kept", "h a\nH b\nh kept\n", repo.Git(t, "ls-files", "-v"))
	diff(t, "the status is clean", "", repo.Git(t, "status", "--porcelain"))
}

// Every step fails once, and ctx ends at every step once: all is as before, but behind the point of no return.
func TestSaveAllOrNothing(t *testing.T) {
	t.Parallel() // it waits for the disk and for git most of the time
	files := map[string]string{"a/old": "2", "a/b/c/new": "2", "d/new": "2", "same": "1", "top": "2"}
	setup := func(t *testing.T) gittest.Repo {
		repo := gittest.New(t)
		repo.Commit(t, map[string]string{"a/old": "1", "same": "1"})
		repo.Write(t, "top", "2")
		repo.Write(t, "other", "o")
		repo.Git(t, "add", "other")
		return repo
	}
	var steps []string
	r := openTest(t, setup(t))
	r.step = func(name string) error {
		steps = append(steps, name)
		return nil
	}
	save(t, r, files)
	if len(steps) < 15 {
		t.Fatalf("only %d steps: %q", len(steps), steps)
	}
	broken := errors.New("broken")
	for i, name := range steps {
		for how, fail := range map[string]func(context.CancelFunc) error{
			"Fails":  func(context.CancelFunc) error { return broken },
			"Cancel": func(cancel context.CancelFunc) error { cancel(); return nil },
		} {
			t.Run(fmt.Sprintf("%s/%d %s", how, i, strings.ReplaceAll(name, "/", "|")), func(t *testing.T) {
				repo := setup(t)
				before, head, status := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD"), repo.Git(t, "status", "--porcelain")
				r := openTest(t, repo)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				at := 0
				r.step = func(string) error {
					if at++; at == i+1 {
						return fail(cancel)
					}
					return nil
				}
				hash, err := r.Save(ctx, changes(files), "m")
				noLocks(t, repo)
				repo.Git(t, "fsck", "--strict", "--no-dangling")
				if name == "remove journal" {
					diff(t, "the next run removes it: all is done", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
					openTest(t, repo)
					diff(t, "nothing is left of it", "<none>", repo.Read(t, ".git/kubectl-apl/journal"))
					return
				}
				if how == "Cancel" && slices.Contains([]string{"write branch", "move branch", "replace index", "remove journal"}, name) {
					diff(t, "too late to give up: all is done", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
					diff(t, "all is done", "A  other\n", repo.Git(t, "status", "--porcelain"))
					return
				}
				if how == "Cancel" {
					wantError(t, "ctx ended", err, context.Canceled)
				}
				if name == "replace index" {
					wantError(t, "the branch has moved, so the commit stands", err, ErrIndexStale)
					diff(t, "the commit stands", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
					repo.Git(t, "reset", "-q")
					diff(t, "what the error advises helps", "?? other\n", repo.Git(t, "status", "--porcelain"))
					return
				}
				if err == nil || hash != "" {
					t.Errorf("Save = %q, %v, want an error", hash, err)
				}
				diff(t, "all files are as before", before, tree(t, repo.Dir))
				diff(t, "HEAD is as before", head, repo.Git(t, "rev-parse", "HEAD"))
				diff(t, "the index is as before", status, repo.Git(t, "status", "--porcelain"))
				r.step = func(string) error { return nil }
				save(t, r, files)
			})
		}
	}
}

// Others do not wait for us: what they do while we are at work is never lost.
func TestSaveMeetsOthers(t *testing.T) {
	for name, test := range map[string]struct {
		reason, step string
		act          func(*testing.T, gittest.Repo)
		want         error
		files        map[string]string // after
	}{
		"BranchMoves": {
			reason: "a fetch or another worktree moved the branch", step: "store commit",
			act: func(t *testing.T, repo gittest.Repo) {
				repo.Git(t, "update-ref", "refs/heads/main", repo.Git(t, "commit-tree", "-m", "x", "HEAD^{tree}")[:40])
			},
			want: ErrChanged, files: map[string]string{"a": "1"},
		},
		"HeadMoves": {
			reason: "HEAD names another branch by now", step: "store commit",
			act:  func(t *testing.T, repo gittest.Repo) { repo.Git(t, "symbolic-ref", "HEAD", "refs/heads/other") },
			want: ErrChanged, files: map[string]string{"a": "1"},
		},
		"FileChanges": {
			reason: "a person saved the file that we are about to replace", step: "place a",
			act:  func(t *testing.T, repo gittest.Repo) { repo.Write(t, "a", "theirs") },
			want: ErrChanged, files: map[string]string{"a": "theirs"},
		},
		"FileAppears": {
			reason: "a person made the file that we are about to make", step: "place b",
			act:  func(t *testing.T, repo gittest.Repo) { repo.Write(t, "b", "theirs") },
			want: ErrChanged, files: map[string]string{"a": "1", "b": "theirs"},
		},
		"FileChangesAfter": {
			reason: "what is not ours any more is not put back", step: "write branch",
			act:  func(t *testing.T, repo gittest.Repo) { repo.Write(t, "a", "theirs") },
			want: ErrChanged, files: map[string]string{"a": "theirs"},
		},
		"GitWaits": {
			reason: "git itself is kept out", step: "store commit",
			act: func(t *testing.T, repo gittest.Repo) {
				if _, err := repo.Try(nil, "commit", "--allow-empty", "-m", "x"); err == nil {
					t.Error("git commit must find the index locked")
				}
			},
			files: map[string]string{"a": "2", "b": "2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a": "1"})
			r := openTest(t, repo)
			r.step = func(step string) error {
				if step != test.step {
					return nil
				}
				test.act(t, repo)
				if name == "FileChangesAfter" {
					return ErrChanged
				}
				return nil
			}
			_, err := r.Save(context.Background(), changes(map[string]string{"a": "2", "b": "2"}), "m")
			wantError(t, test.reason, err, test.want)
			got := map[string]string{}
			for path, text := range tree(t, repo.Dir) {
				if path != "." {
					got[path] = text[strings.IndexByte(text, ' ')+1:]
				}
			}
			diff(t, test.reason, test.files, got)
			noLocks(t, repo)
		})
	}
}

// What is written was made from what was read: a change in between, be it committed, would be written over unseen.
func TestSaveOfWhatWasRead(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		change func(*testing.T, gittest.Repo)
		want   error
	}{
		"Nothing":   {"nobody came between", func(*testing.T, gittest.Repo) {}, nil},
		"Elsewhere": {"another file is none of ours", func(t *testing.T, r gittest.Repo) { r.Commit(t, map[string]string{"other": "2"}) }, nil},
		"Edited":    {"somebody has committed an edit", func(t *testing.T, r gittest.Repo) { r.Commit(t, map[string]string{"there": "theirs"}) }, ErrChanged},
		"Made":      {"somebody has made the file, and committed it", func(t *testing.T, r gittest.Repo) { r.Commit(t, map[string]string{"new": "theirs"}) }, ErrChanged},
		"Removed":   {"somebody has removed it", func(t *testing.T, r gittest.Repo) { r.Git(t, "rm", "-q", "gone"); r.Git(t, "commit", "-qm", "x") }, ErrChanged},
		"Same": {"another run has committed the same", func(t *testing.T, r gittest.Repo) {
			r.Commit(t, map[string]string{"there": "ours", "new": "ours", "gone": "ours"})
		}, ErrNothingToCommit},
	} {
		for _, how := range []string{"Save", "Write"} {
			t.Run(name+" "+how, func(t *testing.T) {
				repo := gittest.New(t)
				repo.Commit(t, map[string]string{"there": "1", "gone": "1", "unread": "1"})
				r := openTest(t, repo)
				for _, path := range []string{"there", "new", "gone"} {
					if _, _, err := r.ReadFile(path); err != nil {
						t.Fatal(err)
					}
				}
				test.change(t, repo)
				before := tree(t, repo.Dir)
				do := func(text string) (err error) {
					list := changes(map[string]string{"there": text, "new": text, "gone": text})
					if how == "Write" {
						return r.Write(context.Background(), list)
					}
					_, err = r.Save(context.Background(), list, "m")
					return err
				}
				err := do("ours")
				if errors.Is(test.want, ErrNothingToCommit) && how == "Write" {
					test.want = nil
				}
				wantError(t, test.reason, err, test.want)
				if errors.Is(test.want, ErrChanged) {
					diff(t, "nothing is written", before, tree(t, repo.Dir))
					return
				}
				if err == nil {
					if err := do("again"); err != nil {
						t.Errorf("what we have written ourselves is no hindrance: %v", err)
					}
				}
			})
		}
	}
}

func TestSaveWaitsForGit(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, ".git/index.lock", "")
	r := openTest(t, repo)
	_, err := r.Save(context.Background(), changes(map[string]string{"a": "1"}), "m")
	wantError(t, "a git at work, or one that died", err, ErrLocked)
	diff(t, "nothing is written", "<none>", repo.Read(t, "a"))
	diff(t, "the lock is not ours to remove", "", repo.Read(t, ".git/index.lock"))

	r = openTest(t, repo, WithLockWait(10*time.Second))
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = os.Remove(filepath.Join(repo.Dir, ".git/index.lock"))
	}()
	save(t, r, map[string]string{"a": "1"})
}

// An edit in the very tick in which git recorded a file is seen only because the index is not newer than the file. Writing
// the index makes it newer, so the entry must be marked; go-git does not.
func TestSaveKeepsRacyEditsVisible(t *testing.T) {
	repo := gittest.New(t)
	repo.Git(t, "config", "core.trustctime", "false")
	repo.Commit(t, map[string]string{"edited": "1"})
	tick := time.Now().Add(-time.Hour).Truncate(time.Second)
	file, index := filepath.Join(repo.Dir, "edited"), filepath.Join(repo.Dir, ".git/index")
	for _, step := range []func() error{
		func() error { return os.Chtimes(file, tick, tick) },
		func() error { _, err := repo.Try(nil, "update-index", "--refresh"); return err },
		func() error { return os.Chtimes(index, tick, tick) },
		func() error { return os.WriteFile(file, []byte("2"), 0o644) },
		func() error { return os.Chtimes(file, tick, tick) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	save(t, openTest(t, repo), map[string]string{"other": "1"})
	diff(t, "the edit must still be seen", " M edited\n", repo.Git(t, "status", "--porcelain"))
}
