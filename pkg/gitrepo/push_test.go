package gitrepo

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

const token = "S3cr3tTok"

// remote is a bare repository, and a clone of it whose main belongs to its main.
type remote struct {
	gittest.Repo
	bare string
}

func newRemote(t *testing.T) remote {
	t.Helper()
	seed := gittest.New(t)
	seed.Commit(t, map[string]string{"env/a": "1\n", "other/b": "1\n", "other/run": "1\n"})
	home := seed.Env["HOME"]
	bare := filepath.Join(home, "bare.git")
	seed.Git(t, "clone", "-q", "--bare", ".", bare)
	seed.Git(t, "clone", "-q", "file://"+bare, "../clone")
	seed.Dir = filepath.Join(home, "clone")
	return remote{seed, bare}
}

// others commits files from another clone and pushes them.
func (r remote) others(t *testing.T, files map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "others")
	r.Git(t, "clone", "-q", "file://"+r.bare, dir)
	other := r.Repo
	other.Dir = dir
	other.Env = map[string]string{}
	for name, value := range r.Env {
		other.Env[name] = value
	}
	for path, data := range files {
		if data == "" {
			other.Git(t, "rm", "-q", path)
			continue
		}
		other.Write(t, path, data)
	}
	other.Git(t, "add", "-A", "--force")
	other.Git(t, "commit", "-qm", "theirs")
	other.Git(t, "push", "-q", "origin", "HEAD:main")
}

func (r remote) at(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(r.Git(t, "--git-dir="+r.bare, "rev-parse", "main"))
}

func TestPush(t *testing.T) {
	for name, setup := range map[string]func(*testing.T, remote) []Option{
		"File": func(*testing.T, remote) []Option { return nil },
		"HTTP": func(t *testing.T, r remote) []Option { serve(t, r, nil); return nil },
		"HTTP by go-git": func(t *testing.T, r remote) []Option {
			serve(t, r, nil)
			return []Option{WithoutGit()}
		},
		"Another name": func(t *testing.T, r remote) []Option {
			r.Git(t, "branch", "-m", "mine")
			return nil
		},
		"Rewritten": func(t *testing.T, r remote) []Option {
			setConfig("url.file://"+r.Env["HOME"]+"/.insteadOf", "home:", "remote.origin.url", "home:bare.git")(t, r.Repo)
			return nil
		},
		"PushURL": func(t *testing.T, r remote) []Option {
			setConfig("remote.origin.pushurl", "file://"+r.bare, "remote.origin.url", "file:///nowhere")(t, r.Repo)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRemote(t)
			repo := openTest(t, r.Repo, setup(t, r)...)
			hash := save(t, repo, map[string]string{"env/a": "2\n"})
			pushed, err := repo.Push(context.Background(), hash, nil)
			if err != nil {
				t.Fatalf("Push: %v", err)
			}
			diff(t, "the remote has it", hash, r.at(t))
			diff(t, "and it is said", Pushed{Upstream: pushed.Upstream, Commit: hash}, pushed, ignoreUnexported())
			again, err := repo.Push(context.Background(), "", nil)
			if err != nil || !again.Already || strings.Contains(again.String(), token) {
				t.Errorf("a second time: %+v, %v", again, err)
			}
		})
	}
}

// The remote has moved on between our commit and the push.
func TestPushOnTop(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		theirs map[string]string
		setup  func(*testing.T, remote)
		inputs []string
		says   string // when it is refused
		status string // after
		check  func(*testing.T, remote)
	}{
		"Elsewhere": {reason: "their files come along", theirs: map[string]string{"other/b": "2\n", "new/c": "1\n", "other/run": ""}, check: func(t *testing.T, r remote) {
			diff(t, "their edit", "2\n", r.Read(t, "other/b"))
			diff(t, "their file", "1\n", r.Read(t, "new/c"))
			diff(t, "their removal", "<none>", r.Read(t, "other/run"))
		}},
		"Beside": {reason: "another file of the same folder", theirs: map[string]string{"env/b": "1\n"}},
		"Work in progress": {reason: "uncommitted work elsewhere stays", theirs: map[string]string{"new/c": "1\n"}, status: " M other/b\nA  staged\n?? untracked\n", setup: func(t *testing.T, r remote) {
			r.Write(t, "other/b", "mine\n")
			r.Write(t, "staged", "mine\n")
			r.Git(t, "add", "staged")
			r.Write(t, "untracked", "mine\n")
		}},
		"Signed": {reason: "the new commit is signed too", theirs: map[string]string{"new/c": "1\n"}, setup: func(t *testing.T, r remote) { signing(t, r.Repo) }, check: func(t *testing.T, r remote) {
			diff(t, "the signature is good", "G\n", r.Git(t, "log", "-1", "--format=%G?"))
		}},
		"Both the same": {reason: "they made the same change, and more", theirs: map[string]string{"env/a": "2\n", "env/new": "2\n", "new/c": "1\n"}},
		"One the same":  {reason: "they made part of the change", theirs: map[string]string{"env/a": "2\n"}},
		"Overlap":       {reason: "they changed our file", theirs: map[string]string{"env/a": "3\n"}, says: "env/a"},
		"Removal":       {reason: "they removed our file", theirs: map[string]string{"env/a": ""}, says: "env/a"},
		"File for folder": {reason: "a file of theirs is where our folder is", theirs: map[string]string{"env/deep": "1\n"}, says: "env/deep", setup: func(t *testing.T, r remote) {
			r.Write(t, "x", "")
		}, status: "?? x\n"},
		"Input":        {reason: "they changed what the plan was made from", theirs: map[string]string{".apl.yaml": "exclude: []\n"}, inputs: []string{".apl.yaml"}, says: ".apl.yaml"},
		"Input folder": {reason: "so below a folder", theirs: map[string]string{"env/settings/otomi.yaml": "1\n"}, inputs: []string{"env/settings"}, says: "env/settings/otomi.yaml"},
		"Attributes":   {reason: "they changed git's rules", theirs: map[string]string{".gitattributes": "* text\n"}, says: ".gitattributes"},
		"Own commits": {reason: "a person's commits are theirs to rebase", theirs: map[string]string{"new/c": "1\n"}, setup: func(t *testing.T, r remote) {
			r.Git(t, "commit", "-q", "--allow-empty", "-m", "mine")
		}, says: "other commits"},
		"In the way": {reason: "an edit is where their file comes", theirs: map[string]string{"other/b": "2\n"}, setup: func(t *testing.T, r remote) { r.Write(t, "other/b", "mine\n") }, says: "other/b", status: " M other/b\n"},
		"Untracked":  {reason: "an untracked file is where their file comes", theirs: map[string]string{"new/c": "1\n"}, setup: func(t *testing.T, r remote) { r.Write(t, "new/c", "mine\n") }, says: "new/c", status: "?? new/\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRemote(t)
			if test.setup != nil {
				test.setup(t, r)
			}
			repo := openTest(t, r.Repo)
			files := map[string]string{"env/a": "2\n", "env/new": "2\n"}
			if name == "File for folder" {
				files["env/deep/er"] = "1\n"
			}
			hash := save(t, repo, files)
			r.others(t, test.theirs)
			theirs := r.at(t)
			pushed, err := repo.Push(context.Background(), hash, test.inputs)
			diff(t, "our own reference goes", "", r.Git(t, "for-each-ref", "refs/kubectl-apl"))
			diff(t, test.reason+": status", test.status, r.Git(t, "status", "--porcelain"))
			r.Git(t, "fsck", "--strict", "--no-dangling")
			noLocks(t, r.Repo)
			if test.says != "" {
				wantError(t, test.reason, err, ErrNotPushed)
				if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "git pull --rebase") {
					t.Errorf("%s\nerror %v must name %q and the next step", test.reason, err, test.says)
				}
				diff(t, "the commit stands here", hash+"\n", r.Git(t, "rev-parse", "HEAD"))
				diff(t, "the remote is as it was", theirs, r.at(t))
				return
			}
			if err != nil {
				t.Fatalf("%s\nPush: %v", test.reason, err)
			}
			diff(t, "here and there is the same", r.at(t)+"\n", r.Git(t, "rev-parse", "HEAD"))
			diff(t, "it is said", []string{r.at(t), theirs}, []string{pushed.Commit, pushed.Onto})
			if name != "Both the same" {
				diff(t, "ours is on top of theirs", theirs+"\n", r.Git(t, "rev-parse", "HEAD^"))
				diff(t, "with author and message", "Ann Author apl: test\n", r.Git(t, "log", "-1", "--format=%an %s"))
			}
			for path, want := range files {
				diff(t, path, want, r.Read(t, path))
			}
			if test.check != nil {
				test.check(t, r)
			}
		})
	}
}

// The branch here cannot follow what the remote has: index and work tree stay with the branch.
func TestPushCannotFollow(t *testing.T) {
	r := newRemote(t)
	repo := openTest(t, r.Repo)
	hash := save(t, repo, map[string]string{"env/a": "2\n"})
	r.others(t, map[string]string{"other/b": "2\n"})
	hook("reference-transaction", `while read old new ref; do test "$ref" != refs/heads/main || exit 1; done`)(t, r.Repo)
	_, err := repo.Push(context.Background(), hash, nil)
	if err == nil || !strings.Contains(err.Error(), "the remote has the changes, as commit "+r.at(t)[:10]) {
		t.Errorf("error: %v", err)
	}
	diff(t, "the branch", hash+"\n", r.Git(t, "rev-parse", "HEAD"))
	diff(t, "nothing of theirs is staged", "", r.Git(t, "status", "--porcelain"))
	diff(t, "their edit is not here yet", "1\n", r.Read(t, "other/b"))
}

// Somebody is faster twice: it ends, and says so.
func TestPushRetriesOnce(t *testing.T) {
	r := newRemote(t)
	repo := openTest(t, r.Repo)
	hash := save(t, repo, map[string]string{"env/a": "2\n"})
	count := 0
	repo.step = func(name string) error {
		if name == "push" {
			count++
			r.others(t, map[string]string{fmt.Sprint("new/", count): "1\n"})
		}
		return nil
	}
	_, err := repo.Push(context.Background(), hash, nil)
	wantError(t, "the remote is always ahead", err, ErrNotPushed)
	diff(t, "pushed twice", 2, count)
	diff(t, "the commit stands here as it was", hash+"\n", r.Git(t, "rev-parse", "HEAD"))
	repo.step = func(string) error { return nil }
	if _, err := repo.Push(context.Background(), "", nil); err != nil {
		t.Fatalf("the next run: %v", err)
	}
	diff(t, "here and there is the same", r.at(t)+"\n", r.Git(t, "rev-parse", "HEAD"))
}

// Without git, the push is fast-forward too.
func TestPushByGoGitIsFastForward(t *testing.T) {
	r := newRemote(t)
	serve(t, r, nil)
	repo := openTest(t, r.Repo, WithoutGit())
	hash := save(t, repo, map[string]string{"env/a": "2\n"})
	r.others(t, map[string]string{"new/c": "1\n"})
	theirs := r.at(t)
	_, err := repo.Push(context.Background(), hash, nil)
	wantError(t, "the remote has moved on", err, ErrNotPushed)
	diff(t, "the remote is as it was", theirs, r.at(t))
}

func TestUpstream(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, remote)
		want   error
	}{
		"Clone":        {reason: "what git clone sets up", setup: func(*testing.T, remote) {}},
		"None":         {reason: "a branch of its own", setup: func(t *testing.T, r remote) { r.Git(t, "checkout", "-q", "--no-track", "-b", "side") }, want: ErrNoUpstream},
		"Local":        {reason: "a branch here", setup: setupConfig("branch.main.remote", "."), want: ErrNoUpstream},
		"Tag":          {reason: "no branch", setup: setupConfig("branch.main.merge", "refs/tags/x"), want: ErrNoUpstream},
		"Gone":         {reason: "no such remote", setup: setupConfig("branch.main.remote", "gone"), want: ErrNoUpstream},
		"PushRemote":   {reason: "pushes go elsewhere", setup: setupConfig("branch.main.pushRemote", "fork"), want: ErrNoUpstream},
		"PushDefault":  {reason: "all pushes go elsewhere", setup: setupConfig("remote.pushDefault", "fork"), want: ErrNoUpstream},
		"PushDefault1": {reason: "but not those of this branch", setup: setupConfig("remote.pushDefault", "fork", "branch.main.pushRemote", "origin")},
		"Detached":     {reason: "no branch at all", setup: func(t *testing.T, r remote) { r.Git(t, "checkout", "-q", "--detach") }, want: ErrDetachedHead},
		"URL":          {reason: "a URL in place of a name", setup: func(t *testing.T, r remote) { setupConfig("branch.main.remote", "file://"+r.bare)(t, r) }},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRemote(t)
			test.setup(t, r)
			_, err := openTest(t, r.Repo).Upstream()
			wantError(t, test.reason, err, test.want)
		})
	}
}

func setupConfig(pairs ...string) func(*testing.T, remote) {
	return func(t *testing.T, r remote) { setConfig(pairs...)(t, r.Repo) }
}

// Case H11: a token in the URL is in no output, whatever the server answers, and in no file but where it was.
func TestPushHoldsNoCredentials(t *testing.T) {
	answer := func(code int) func(*testing.T, remote) {
		return func(t *testing.T, r remote) {
			serve(t, r, func(w http.ResponseWriter, req *http.Request) {
				user, password, _ := req.BasicAuth()
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				http.Error(w, "no: "+user+":"+password+" "+req.Header.Get("Authorization"), code)
			})
		}
	}
	for name, setup := range map[string]func(*testing.T, remote){
		"401": answer(401), "403": answer(403), "404": answer(404), "500": answer(500), "302": answer(302),
		"Closed port": setupConfig("remote.origin.url", "http://bot:"+token+"@127.0.0.1:1/x.git"),
		"Odd URL":     setupConfig("remote.origin.url", "http://bot:"+token+"@127.0.0.1:1/%zz"),
		"No scheme":   setupConfig("remote.origin.url", "nothing://bot:"+token+"@127.0.0.1:1/x"),
		"Query":       setupConfig("remote.origin.url", "http://127.0.0.1:1/x?private_token="+token),
		"Escaped":     setupConfig("remote.origin.url", "http://bot:S3cr3t%54ok@127.0.0.1:1/x.git"),
		"Scheme":      setupConfig("remote.origin.url", "bot:"+token+"@127.0.0.1/x.git", "core.sshCommand", "false"),
		"Slash":       setupConfig("remote.origin.url", "http://bot:"+token+"/"+token+"@127.0.0.1:1/x.git"),
		"At":          setupConfig("remote.origin.url", "http://b@t:"+token+"/"+token+"@127.0.0.1:1/x.git"),
		"User":        setupConfig("remote.origin.url", "http://"+token+token+"@127.0.0.1:1/x.git"),
		"Header":      setupConfig("remote.origin.url", "http://127.0.0.1:1/x.git", "http.extraHeader", "Authorization: Bearer "+token),
		"Rewritten":   setupConfig("url.http://bot:"+token+"@127.0.0.1:1/.insteadOf", "h:", "remote.origin.url", "h:x.git"),
		"Upstream":    setupConfig("branch.main.remote", "http://bot:"+token+"@127.0.0.1:1/x.git"),
		"Server talks": func(t *testing.T, r remote) {
			serve(t, r, nil)
			hookAt(t, r.bare, "pre-receive", "echo http://bot:"+token+"@x/; echo "+token+"; exit 1")
		},
		"Hook talks": func(t *testing.T, r remote) {
			serve(t, r, nil)
			hook("pre-push", "echo $2 "+token+" >&2; exit 1")(t, r.Repo)
		},
	} {
		for how, options := range map[string][]Option{"git": nil, "go-git": {WithoutGit()}} {
			t.Run(name+" "+how, func(t *testing.T) {
				r := newRemote(t)
				setup(t, r)
				r.Env["GIT_TRACE_CURL"] = "1"
				r.Env["GIT_CURL_VERBOSE"] = "1"
				r.Env["GIT_TRACE_REDACT"] = "0"
				before := r.Read(t, ".git/config")
				repo := openTest(t, r.Repo, options...)
				upstream, err := repo.Upstream()
				if err != nil || strings.Contains(fmt.Sprintf("%s %s %s", upstream, upstream.URL, upstream.Remote), token) {
					t.Errorf("Upstream = %v, %v", upstream, err)
				}
				hash := save(t, repo, map[string]string{"env/a": "2\n"})
				_, err = repo.Push(context.Background(), hash, nil)
				wantError(t, "it cannot be pushed", err, ErrNotPushed)
				if err == nil || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "Ym90OlMzY3I") || !strings.Contains(err.Error(), hash[:10]) {
					t.Errorf("error: %v, want one with the commit and without the token", err)
				}
				diff(t, "the configuration is not written", before, r.Read(t, ".git/config"))
				diff(t, "the commit stands", hash+"\n", r.Git(t, "rev-parse", "HEAD"))
				delete(r.Env, "GIT_TRACE_CURL")
			})
		}
	}
}

func hookAt(t *testing.T, gitDir, name, script string) {
	t.Helper()
	path := filepath.Join(gitDir, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// serve offers the bare repository over smart HTTP to whoever has the token, and lets the clone use that. With answer, the
// server says only that.
func serve(t *testing.T, r remote, answer http.HandlerFunc) {
	t.Helper()
	r.Git(t, "--git-dir="+r.bare, "config", "http.receivepack", "true")
	out, err := exec.CommandContext(t.Context(), "git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{
		Path:   filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env:    append(r.Environ(), "GIT_PROJECT_ROOT="+filepath.Dir(r.bare), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=bot"),
		Logger: log.New(io.Discard, "", 0), Stderr: io.Discard, // hooks talk there, and clients hang up
	}
	if answer == nil {
		answer = func(w http.ResponseWriter, req *http.Request) {
			if _, password, _ := req.BasicAuth(); password != token {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				http.Error(w, "who?", http.StatusUnauthorized)
				return
			}
			backend.ServeHTTP(w, req)
		}
	}
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	setConfig("remote.origin.url", strings.Replace(server.URL, "://", "://bot:"+token+"@", 1)+"/bare.git")(t, r.Repo)
}

// Runs at once that all push: one commit arrives, and nobody fails.
func TestPushesAtOnce(t *testing.T) {
	r := newRemote(t)
	var all sync.WaitGroup
	failed := make([]error, 4)
	for i := range failed {
		all.Go(func() {
			repo, err := tryOpen(r.Repo, r.Dir, WithLockWait(longWait))
			if err == nil {
				if _, err = repo.Save(context.Background(), changes(map[string]string{"env/a": "2\n"}), "m"); err == nil || strings.Contains(err.Error(), "nothing to commit") {
					_, err = repo.Push(context.Background(), "", nil)
				}
			}
			failed[i] = err
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			t.Errorf("Push: %v", err)
		}
	}
	diff(t, "two commits there", "2\n", r.Git(t, "--git-dir="+r.bare, "rev-list", "--count", "main"))
}
