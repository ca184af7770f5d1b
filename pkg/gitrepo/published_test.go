package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestHeadFiles(t *testing.T) {
	r := newRemote(t)
	r.Commit(t, map[string]string{"env/deep/er/c": "1\n", "envelope": "1\n"})
	if err := os.Symlink("a", filepath.Join(r.Dir, "env", "link")); err != nil {
		t.Fatal(err)
	}
	r.Git(t, "add", "-A")
	r.Git(t, "commit", "-qm", "A link")
	r.Write(t, "env/uncommitted", "1\n")
	got, err := openTest(t, r.Repo).HeadFiles(t.Context(), "env")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "the files of the commit, in order, and none beside the folder", []string{"env/a", "env/deep/er/c"}, got)
	none, err := openTest(t, r.Repo).HeadFiles(t.Context(), "nowhere")
	if err != nil || len(none) > 0 {
		t.Errorf("a folder that is not there holds nothing: %v, %v", none, err)
	}
	if _, err := openTest(t, r.Repo).HeadFiles(t.Context(), "../env"); !errors.Is(err, ErrUnsafePath) {
		t.Errorf("got %v", err)
	}
}

// TestUnpushedForeign asks git where it alone reads the repository.
func TestUnpushedForeign(t *testing.T) {
	r := gittest.New(t, "--object-format=sha256")
	r.Commit(t, map[string]string{"env/a": "1\n", "env/deep/b": "1\n", "envelope": "1\n"})
	bare := filepath.Join(r.Env["HOME"], "bare.git")
	r.Git(t, "clone", "-q", "--bare", ".", bare)
	r.Git(t, "remote", "add", "origin", "file://"+bare)
	r.Git(t, "push", "-q", "-u", "origin", "main")
	r.Commit(t, map[string]string{"env/a": "2\n"})
	repo := openTest(t, r)
	files, err := repo.HeadFiles(t.Context(), "env")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "the files of the commit", []string{"env/a", "env/deep/b"}, files)
	unpushed, _, err := repo.Unpushed(t.Context(), "env")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "what is committed and not pushed", []string{"env/a"}, unpushed)
}

func TestUnpushed(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		setup  func(*testing.T, remote)
		want   []string
		err    error
	}{
		"Same":     {reason: "the remote has what HEAD names", setup: func(*testing.T, remote) {}},
		"New":      {reason: "committed, and not pushed", setup: func(t *testing.T, r remote) { r.Commit(t, map[string]string{"env/b": "1\n", "env/a": "2\n"}) }, want: []string{"env/a", "env/b"}},
		"Removed":  {reason: "a file that the remote still has", setup: func(t *testing.T, r remote) { r.Git(t, "rm", "-q", "env/a"); r.Commit(t, nil) }, want: []string{"env/a"}},
		"Outside":  {reason: "what lies elsewhere does not matter", setup: func(t *testing.T, r remote) { r.Commit(t, map[string]string{"other/b": "2\n"}) }},
		"Pushed":   {reason: "pushed by somebody who knows how", setup: func(t *testing.T, r remote) { r.Commit(t, map[string]string{"env/b": "1\n"}); r.Git(t, "push", "-q") }},
		"Behind":   {reason: "what the remote has is not known here", setup: func(t *testing.T, r remote) { r.others(t, map[string]string{"env/b": "1\n"}) }, err: ErrBehind},
		"Fetched":  {reason: "fetched, so that it is known, and not merged", setup: func(t *testing.T, r remote) { r.others(t, map[string]string{"env/b": "1\n"}); r.Git(t, "fetch", "-q") }, want: []string{"env/b"}},
		"Detached": {reason: "no branch, no upstream", setup: func(t *testing.T, r remote) { r.Git(t, "checkout", "-q", "--detach") }, err: ErrDetachedHead},
		"None":     {reason: "a branch of nobody", setup: func(t *testing.T, r remote) { r.Git(t, "checkout", "-q", "-b", "mine") }, err: ErrNoUpstream},
		"Branch gone": {reason: "the remote has no such branch: nothing is pushed", setup: func(t *testing.T, r remote) {
			r.Git(t, "checkout", "-q", "-b", "mine")
			setConfig("branch.mine.remote", "origin", "branch.mine.merge", "refs/heads/mine")(t, r.Repo)
		}, want: []string{"env/a"}},
	} {
		for how, options := range map[string][]Option{"git": nil, "go-git": {WithoutGit()}} {
			t.Run(name+" by "+how, func(t *testing.T) {
				r := newRemote(t)
				if options != nil {
					serve(t, r, nil)
				}
				test.setup(t, r)
				got, _, err := openTest(t, r.Repo, options...).Unpushed(t.Context(), "env")
				if !errors.Is(err, test.err) {
					t.Fatalf("%s: got %v", test.reason, err)
				}
				diff(t, test.reason, test.want, got)
			})
		}
	}
}
