package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// hook installs a hook that runs a script.
func hook(name, script string) func(*testing.T, gittest.Repo) {
	return func(t *testing.T, repo gittest.Repo) {
		t.Helper()
		path := ".git/hooks/" + name
		repo.Write(t, path, "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(filepath.Join(repo.Dir, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// signing sets up commits signed by an SSH key.
func signing(t *testing.T, repo gittest.Repo) {
	t.Helper()
	key := filepath.Join(repo.Env["HOME"], "key")
	run(t, repo.Env["HOME"], "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key)
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	repo.Write(t, "../allowed", "cid@example.com "+string(public))
	setConfig("gpg.format", "ssh", "user.signingkey", key, "gpg.ssh.allowedSignersFile", filepath.Join(repo.Env["HOME"], "allowed"), "commit.gpgsign", "true")(t, repo)
}

// Cases H1, H9, H13 by the git binary: it does what git does beyond a commit, and the commit holds our paths alone.
func TestDelegatedSave(t *testing.T) {
	rot := setConfig("filter.enc.clean", "tr a-z n-za-m", "filter.enc.smudge", "tr a-z n-za-m")
	for name, test := range map[string]struct {
		reason string
		init   []string
		setup  func(*testing.T, gittest.Repo)
		says   string // among the reasons to run git
		check  func(*testing.T, gittest.Repo)
	}{
		"H9 hooks": {
			reason: "hooks run, in git's order", says: "pre-commit",
			setup: all(hook("pre-commit", "echo pre >>../log"), hook("commit-msg", `cat "$1" >>../log`), hook("post-commit", "echo post >>../log")),
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "each hook ran once", "pre\napl: test\npost\n", r.Read(t, "../log"))
			},
		},
		"H9 message hook": {
			reason: "a hook may change the message", says: "prepare-commit-msg",
			setup: hook("prepare-commit-msg", `echo "Signed-off-by: hook" >>"$1"`),
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the message", "apl: test\nSigned-off-by: hook\n\n", r.Git(t, "log", "-1", "--format=%B"))
			},
		},
		"H9 signing": {
			reason: "git signs", says: "commit.gpgSign", setup: signing,
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the signature is good", "G\n", r.Git(t, "log", "-1", "--format=%G?"))
			},
		},
		"H9 hook that goes on": {
			reason: "a hook commits something of its own", says: "post-commit",
			setup: hook("post-commit", `test -e ../once || { touch ../once; git commit -q --allow-empty --only -m "from the hook"; }`),
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "both commits stand", "from the hook\napl: test\ncommit\n", r.Git(t, "log", "--format=%s"))
			},
		},
		"H1 filter": {
			reason: "never plain text", says: "filter=enc", setup: all(rot, write(".gitattributes", "env/** filter=enc\n")),
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the blob is filtered", "ub: uhagre\n", r.Git(t, "cat-file", "blob", "HEAD:env/new.yaml"))
				diff(t, "the file is plain", "ho: hunter\n", r.Read(t, "env/new.yaml"))
			},
		},
		"H1 line ends": {
			reason: "git for Windows", says: "core.autocrlf=true", setup: setConfig("core.autocrlf", "true"),
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the blob", "ho: hunter\n", r.Git(t, "cat-file", "blob", "HEAD:env/new.yaml"))
			},
		},
		"Shared": {
			reason: "others use the objects", says: "core.sharedRepository", setup: setConfig("core.sharedRepository", "group"),
		},
		"H13 SHA-256": {reason: "ids of another length", init: []string{"--object-format=sha256"}, says: "sha256"},
		"H13 split index": {
			reason: "the index in two files", says: "split index",
			setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "update-index", "--split-index") },
		},
		"H13 sparse": {
			reason: "what lies outside of the cone is not deleted", says: "sparse checkout",
			setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "sparse-checkout", "set", "--cone", "env") },
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the other folder is in HEAD", "other/far\n", r.Git(t, "ls-tree", "-r", "--name-only", "HEAD", "other"))
				diff(t, "and not in the work tree", "<none>", r.Read(t, "other/far"))
			},
		},
		"H13 sparse index": {
			reason: "with an index of folders", says: "sparse",
			setup: func(t *testing.T, r gittest.Repo) {
				r.Git(t, "sparse-checkout", "set", "--cone", "--sparse-index", "env")
			},
			check: func(t *testing.T, r gittest.Repo) {
				diff(t, "the other folder is in HEAD", "other/far\n", r.Git(t, "ls-tree", "-r", "--name-only", "HEAD", "other"))
			},
		},
		"H13 partial clone": {
			reason: "objects that are not here", says: "partial clone",
			setup: func(t *testing.T, r gittest.Repo) {
				setConfig("extensions.partialClone", "origin", "core.repositoryformatversion", "1", "remote.origin.url", r.Dir, "remote.origin.promisor", "true")(t, r)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t, test.init...)
			repo.Commit(t, map[string]string{"env/old.yaml": "1\n", "staged": "1\n", "other/far": "1\n"})
			if test.setup != nil {
				test.setup(t, repo)
			}
			if text := repo.Read(t, ".gitattributes"); text != "<none>" {
				repo.Git(t, "add", ".gitattributes")
				repo.Git(t, "commit", "-qm", "commit")
			}
			if !strings.Contains(name, "sparse") {
				repo.Write(t, "staged", "2\n")
				repo.Git(t, "add", "staged")
				repo.Write(t, "untracked", "u")
			}
			status := repo.Git(t, "status", "--porcelain")
			r := openTest(t, repo)
			files := map[string]string{"env/new.yaml": "ho: hunter\n", "env/old.yaml": "2\n"}
			reasons, err := r.Delegates(context.Background(), changes(files))
			if err != nil || !strings.Contains(strings.Join(reasons, "\n"), test.says) {
				t.Errorf("Delegates = %q, %v, want one that names %q", reasons, err, test.says)
			}
			if err := r.Ready(context.Background(), changes(files)); err != nil {
				t.Errorf("Ready: %v", err)
			}
			before := strings.TrimSpace(repo.Git(t, "rev-parse", "HEAD"))
			hash := save(t, r, files)
			diff(t, "the commit has our paths alone", "env/new.yaml\nenv/old.yaml\n", repo.Git(t, "diff", "--name-only", before, hash))
			diff(t, "all else is as it was", status, repo.Git(t, "status", "--porcelain"))
			repo.Git(t, "fsck", "--strict", "--no-dangling")
			noLocks(t, repo)
			diff(t, "nothing of ours is left", "<none>", repo.Read(t, ".git/kubectl-apl/index"))
			if test.check != nil {
				test.check(t, repo)
			}
			for path, want := range files {
				data, found, err := r.HeadFile(path)
				if err != nil || !found || string(data) != want {
					t.Errorf("HeadFile(%q) = %q, %t, %v", path, data, found, err)
				}
			}
			_, err = openTest(t, repo).Save(context.Background(), changes(files), "again")
			wantError(t, "a second run has nothing to do", err, ErrNothingToCommit)
			save(t, openTest(t, repo), map[string]string{"env/old.yaml": "3\n"})
			diff(t, "and a third one goes on", status, repo.Git(t, "status", "--porcelain"))
		})
	}
}

// Case H13: a clone that git made with --filter lacks what it has not needed yet.
func TestPartialClone(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"env/old.yaml": "1\n", "other/far": "1\n"})
	setConfig("uploadpack.allowFilter", "true", "uploadpack.allowAnySHA1InWant", "true")(t, repo)
	repo.Git(t, "clone", "-q", "--filter=tree:0", "--no-checkout", "file://"+repo.Dir, "../clone")
	repo.Dir = filepath.Join(repo.Env["HOME"], "clone")
	r := openTest(t, repo)
	if data, found, err := r.HeadFile("env/old.yaml"); err != nil || !found || string(data) != "1\n" {
		t.Errorf("HeadFile = %q, %t, %v", data, found, err)
	}
	save(t, r, map[string]string{"env/new.yaml": "1\n"})
	diff(t, "the commit has all that was there", "env/new.yaml\nenv/old.yaml\nother/far\n", repo.Git(t, "ls-tree", "-r", "--name-only", "HEAD"))
}

// What git or a hook refuses leaves everything as it was, and its words are shown.
func TestDelegatedSaveRejected(t *testing.T) {
	const secret = "S3cr3tTok"
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
		want   error
		says   string
		hides  string
		unborn bool
	}{
		"H9 pre-commit":    {reason: "a scanner says no", setup: hook("pre-commit", "echo no, because; exit 1"), want: ErrRejected, says: "no, because"},
		"H9 commit-msg":    {reason: "a message that is not liked", setup: hook("commit-msg", "echo >&2 no ticket; exit 1"), want: ErrRejected, says: "no ticket"},
		"H9 first commit":  {reason: "on a branch without commits", unborn: true, setup: hook("pre-commit", "exit 1"), want: ErrRejected, says: "pre-commit"},
		"H9 formatter":     {reason: "a hook that writes our files anew and fails", setup: hook("pre-commit", "echo '# x' >>env/new.yaml; echo '# x' >>env/old.yaml; rm deep/er/new; exit 1"), want: ErrRejected},
		"H9 changes":       {reason: "a hook that changes what is committed", setup: hook("pre-commit", "echo '# x' >>env/new.yaml; git add env/new.yaml"), want: ErrRejected, says: "a hook changed what was to be committed: env/new.yaml"},
		"H9 changes first": {reason: "so on a branch without commits", unborn: true, setup: hook("pre-commit", "echo '# x' >>env/new.yaml; git add env/new.yaml"), want: ErrRejected, says: "env/new.yaml"},
		"H9 adds":          {reason: "a hook that adds another file", setup: hook("pre-commit", "echo 1 >generated; git add generated"), want: ErrRejected, says: "generated"},
		"H9 transaction":   {reason: "a hook on references", setup: hook("reference-transaction", `test "$1" != prepared`), want: ErrRejected},
		"H9 killed":        {reason: "git itself is killed", setup: hook("pre-commit", "kill -9 $PPID"), says: "killed"},
		"H9 no key":        {reason: "signing fails", setup: setConfig("commit.gpgsign", "true", "gpg.format", "ssh", "user.signingkey", "/nowhere"), want: ErrRejected, says: "/nowhere"},
		"H1 filter fails":  {reason: "never plain text, though git would commit it", setup: all(setConfig("filter.enc.clean", "false"), write(".git/info/attributes", "env/** filter=enc\n")), want: ErrRejected},
		"H1 filter absent": {reason: "a filter that is not set up", setup: write(".git/info/attributes", "env/** filter=enc\n"), want: ErrFilterMissing, says: "plain text"},
		"H11 hook talks":   {reason: "a hook shows the remote's URL", setup: all(setConfig("remote.origin.url", "https://bot:"+secret+"@127.0.0.1:1/x"), hook("pre-commit", "git config remote.origin.url >&2; echo "+secret+"; exit 1")), want: ErrRejected, says: "***@127.0.0.1:1/x", hides: secret},
		"Terminal":         {reason: "what a terminal would obey", setup: hook("pre-commit", `printf '\033[2Jgone\n'; exit 1`), want: ErrRejected, says: "[2Jgone", hides: "\x1b"},
		"Long":             {reason: "a hook that talks without end", setup: hook("pre-commit", `i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; exit 1`), want: ErrRejected, says: "line 19999", hides: "line 100\n"},
		"H5 ignored":       {reason: "ignored paths stay refused", setup: all(hook("pre-commit", "exit 0"), write(".gitignore", "new.yaml\n")), want: ErrIgnored, says: ".gitignore:1"},
		"H7 detached": {reason: "so does a detached HEAD", setup: func(t *testing.T, r gittest.Repo) {
			hook("pre-commit", "exit 0")(t, r)
			r.Git(t, "checkout", "-q", "--detach")
		}, want: ErrDetachedHead},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			if !test.unborn {
				repo.Commit(t, map[string]string{"env/old.yaml": "1\n", "staged": "1\n"})
			}
			repo.Write(t, "top", "2\n")
			repo.Write(t, "staged", "2\n")
			repo.Git(t, "add", "staged")
			test.setup(t, repo)
			before, head, status := tree(t, repo.Dir), headOf(repo), repo.Git(t, "status", "--porcelain")
			index := repo.Git(t, "ls-files", "--stage")
			files := map[string]string{"env/new.yaml": "a: 1\n", "env/old.yaml": "2\n", "top": "2\n", "deep/er/new": "1\n"}
			r := openTest(t, repo)
			hash, err := r.Save(context.Background(), changes(files), "apl: test")
			if test.want != nil {
				wantError(t, test.reason, err, test.want)
			}
			if err == nil || hash != "" || !strings.Contains(err.Error(), test.says) || test.hides != "" && strings.Contains(err.Error(), test.hides) || len(err.Error()) > 4000 {
				t.Errorf("%s: Save = %q, %v", test.reason, hash, err)
			}
			after := tree(t, repo.Dir)
			delete(after, "generated")
			diff(t, test.reason+": files", before, after)
			diff(t, test.reason+": HEAD", head, headOf(repo))
			if name != "H9 adds" {
				diff(t, test.reason+": status", status, repo.Git(t, "status", "--porcelain"))
			}
			diff(t, test.reason+": index", index, repo.Git(t, "ls-files", "--stage"))
			noLocks(t, repo)
			diff(t, "no journal is left", "<none>", repo.Read(t, ".git/kubectl-apl/journal"))
			repo.Git(t, "fsck", "--strict", "--no-dangling")
		})
	}
}

func headOf(repo gittest.Repo) string {
	out, _ := repo.Try(nil, "rev-parse", "-q", "--verify", "HEAD") // "" on a branch without commits
	return out
}

// Case H13: what only git reads is refused by git's own rules.
func TestForeignRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, gittest.Repo)
		path   string
		want   error
		says   string
	}{
		"Ignored":  {reason: "H5", setup: write(".gitignore", "*.custom\n"), path: "env/a.custom", want: ErrIgnored, says: ".gitignore:1"},
		"Merge":    {reason: "H3", setup: write(".git/MERGE_HEAD", strings.Repeat("1", 64)+"\n"), path: "a", want: ErrInProgress},
		"Folder":   {reason: "a folder is there", path: "env", want: ErrUnsafePath},
		"InTheWay": {reason: "a file is there", setup: func(t *testing.T, r gittest.Repo) { _ = os.Remove(filepath.Join(r.Dir, "file")) }, path: "file/x", want: ErrNotAFile, says: "file at file"},
		"Dirty":    {reason: "an edit", setup: write("file", "mine"), path: "file", want: ErrDirty},
		"Staged": {reason: "a staged edit", setup: func(t *testing.T, r gittest.Repo) {
			r.Write(t, "file", "mine")
			r.Git(t, "add", "file")
			r.Write(t, "file", "1")
		}, path: "file", want: ErrDirty},
		"Untracked": {reason: "an untracked file", setup: write("mine", "mine"), path: "mine", want: ErrDirty},
		"Deleted":   {reason: "a deletion", setup: func(t *testing.T, r gittest.Repo) { _ = os.Remove(filepath.Join(r.Dir, "file")) }, path: "file", want: ErrDirty},
		"Detached":  {reason: "H7", setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "checkout", "-q", "--detach") }, path: "a", want: ErrDetachedHead},
		"Touched": {reason: "only touched, which is no change", setup: func(t *testing.T, r gittest.Repo) {
			if err := os.Chtimes(filepath.Join(r.Dir, "file"), time.Now(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}, path: "file"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t, "--object-format=sha256")
			repo.Commit(t, map[string]string{"file": "1", "env/x": "1"})
			if test.setup != nil {
				test.setup(t, repo)
			}
			before, head := tree(t, repo.Dir), headOf(repo)
			_, err := openTest(t, repo).Save(context.Background(), []Change{{Path: test.path, Data: []byte("new")}}, "m")
			wantError(t, test.reason, err, test.want)
			if test.want != nil && (!strings.Contains(err.Error(), test.says) || headOf(repo) != head) {
				t.Errorf("%s: %v", test.reason, err)
			}
			if test.want != nil {
				diff(t, "nothing is written", before, tree(t, repo.Dir))
			}
		})
	}
}

// Case H13: a new file outside of the cone is refused by git, and taken back.
func TestSparseOutside(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a/1": "1", "b/1": "1"})
	repo.Git(t, "sparse-checkout", "set", "--cone", "a")
	for path, want := range map[string]error{"b/1": ErrUnsupported, "b/2": nil} {
		_, err := openTest(t, repo).Save(context.Background(), changes(map[string]string{path: "2", "a/1": "2"}), "m")
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
		}
		diff(t, "it is as before", "", repo.Git(t, "status", "--porcelain"))
		diff(t, "nothing is written", "<none>", repo.Read(t, path))
	}
}

// A hook that outlives git, or does not end, does not hold us up for ever; ctx ends it, and all is as before.
func TestDelegatedSaveEnds(t *testing.T) {
	t.Parallel() // it waits
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	hook("pre-commit", "sleep 60")(t, repo)
	ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer stop()
	start := time.Now()
	_, err := openTest(t, repo).Save(ctx, changes(map[string]string{"a": "2"}), "m")
	wantError(t, "ctx ends it", err, context.DeadlineExceeded)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	diff(t, "as before", "", repo.Git(t, "status", "--porcelain"))
	noLocks(t, repo)

	hook("pre-commit", "sleep 20 &")(t, repo)
	save(t, openTest(t, repo), map[string]string{"a": "2"})
	save(t, openTest(t, repo), map[string]string{"a": "3"}) // what the hook has left does not hold the lock
	if took := time.Since(start); took > 19*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Where ctx ends, or git is killed, once the commit stands, all is done: it is not given up.
func TestDelegatedSaveStands(t *testing.T) {
	for name, script := range map[string]string{"Slow": "sleep 60", "Killed": "kill -9 $PPID", "Fails": "exit 1"} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a": "1"})
			hook("post-commit", script)(t, repo)
			ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
			defer stop()
			hash, err := openTest(t, repo).Save(ctx, changes(map[string]string{"a": "2", "b": "2"}), "m")
			if err != nil {
				t.Errorf("Save: %v", err)
			}
			diff(t, "HEAD has it", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
			diff(t, "status", "", repo.Git(t, "status", "--porcelain"))
			noLocks(t, repo)
		})
	}
}

// Case H7: with leave, a commit on no branch.
func TestSaveDetached(t *testing.T) {
	for name, options := range map[string][]Option{"Own": {WithoutGit(), WithDetached()}, "Git": {WithDetached()}} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"a": "1"})
			if name == "Git" {
				hook("pre-commit", "exit 0")(t, repo)
			}
			repo.Git(t, "checkout", "-q", "--detach")
			main := repo.Git(t, "rev-parse", "main")
			hash := save(t, openTest(t, repo, options...), map[string]string{"a": "2"})
			diff(t, "HEAD has it", hash+"\n", repo.Git(t, "rev-parse", "HEAD"))
			diff(t, "no branch has", main, repo.Git(t, "rev-parse", "main"))
			diff(t, "it is in the log", "commit: apl: test\n", repo.Git(t, "log", "-g", "-1", "--format=%gs"))
			diff(t, "status", "", repo.Git(t, "status", "--porcelain"))
			noLocks(t, repo)
		})
	}
}

// A git in the work tree or in a relative folder of the PATH is not the person's.
func TestFindGit(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, "git", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(repo.Dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := repo.Env["PATH"]
	for list, want := range map[string]bool{path: true, ".:" + path: true, ".": false, "": false} {
		repo.Env["PATH"] = list
		r := openTest(t, repo)
		if got := r.findGit(); (got != "") != want || strings.HasPrefix(got, repo.Dir) {
			t.Errorf("PATH %q: git %q", list, got)
		}
	}
}
