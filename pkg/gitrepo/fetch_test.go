package gitrepo_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// upstream is a repo with two branches, tags of both kinds, and a history.
func upstream(t *testing.T) (repo gittest.Repo, ids map[string]string) {
	t.Helper()
	repo, ids = gittest.New(t), map[string]string{}
	for _, version := range []string{"1.0.0", "1.2.0", "1.10.0", "2.0.0-rc.1"} {
		repo.Commit(t, map[string]string{"charts/web/Chart.yaml": "version: " + version + "\n", "docs/" + version: version})
		repo.Git(t, "tag", "v"+version)
		ids["v"+version] = strings.TrimSpace(repo.Git(t, "rev-parse", "HEAD"))
	}
	repo.Git(t, "tag", "-a", "-m", "annotated", "named", "v1.2.0")
	repo.Git(t, "branch", "feature/x", "v1.0.0")
	repo.Git(t, "tag", "both", "v1.0.0")
	repo.Git(t, "branch", "both", "v1.2.0")
	repo.Git(t, "tag", "same", "v1.0.0")
	repo.Git(t, "branch", "same", "v1.0.0")
	repo.Git(t, "tag", "blob", "HEAD:charts/web/Chart.yaml")
	return repo, ids
}

// served serves a repo by git's own smart HTTP.
func served(t *testing.T, repo gittest.Repo, guard func(http.Handler) http.Handler) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Fatalf("git without git-http-backend: %v", err)
	}
	var handler http.Handler = &cgi.Handler{Path: backend, Env: []string{
		"GIT_PROJECT_ROOT=" + filepath.Dir(repo.Dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + filepath.Dir(repo.Dir),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}}
	if guard != nil {
		handler = guard(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/" + filepath.Base(repo.Dir) + "/.git"
}

// tree lists the files below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			relative, _ := filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(relative))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFetch(t *testing.T) {
	repo, ids := upstream(t)
	tip := strings.TrimSpace(repo.Git(t, "rev-parse", "main"))
	urls := map[string]string{"File": "file://" + repo.Dir, "HTTP": served(t, repo, nil)}
	cases := map[string]struct {
		reason   string
		revision string
		want     string // the commit
		err      error
	}{
		"Empty":        {reason: "no revision is HEAD", revision: "", want: tip},
		"HEAD":         {reason: "HEAD is the remote's", revision: "HEAD", want: tip},
		"Branch":       {reason: "a branch", revision: "main", want: tip},
		"BranchPath":   {reason: "a branch with a slash", revision: "feature/x", want: ids["v1.0.0"]},
		"Ref":          {reason: "written out", revision: "refs/heads/feature/x", want: ids["v1.0.0"]},
		"Tag":          {reason: "a tag is no range", revision: "v1.2.0", want: ids["v1.2.0"]},
		"Annotated":    {reason: "a tag that is an object stands for its commit", revision: "named", want: ids["v1.2.0"]},
		"Range":        {reason: "a range is its highest tag", revision: "1.x", want: ids["v1.10.0"]},
		"RangeNone":    {reason: "a range that nothing is in", revision: ">=9.0.0", err: gitrepo.ErrNoRevision},
		"Commit":       {reason: "a commit that is the tip of something", revision: ids["v1.10.0"], want: ids["v1.10.0"]},
		"Abbreviated":  {reason: "nobody completes a commit id", revision: tip[:8], err: gitrepo.ErrNoRevision},
		"NoCommit":     {reason: "a commit that the remote does not have", revision: strings.Repeat("1", 40), err: errAny},
		"None":         {reason: "no such branch", revision: "none", err: gitrepo.ErrNoRevision},
		"Both":         {reason: "a branch and a tag of one name that differ", revision: "both", err: errAny},
		"BothSame":     {reason: "a branch and a tag of one name that are the same", revision: "same", want: ids["v1.0.0"]},
		"BothWritten":  {reason: "written out it is clear", revision: "refs/tags/both", want: ids["v1.0.0"]},
		"Blob":         {reason: "a tag of a file is no commit", revision: "blob", err: errAny},
		"ShortVersion": {reason: "1.2 is a version to Argo CD, and no tag is called so", revision: "1.2", err: gitrepo.ErrNoRevision},
	}
	for kind, url := range urls {
		for name, tc := range cases {
			t.Run(kind+"/"+name, func(t *testing.T) {
				remotes, dir := gitrepo.NewRemotes(gitrepo.WithRemotesEnviron(repo.Environ())), filepath.Join(t.TempDir(), "tree")
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				commit, err := remotes.Fetch(t.Context(), url, tc.revision, dir)
				if tc.err != nil {
					if err == nil || !errors.Is(tc.err, errAny) && !errors.Is(err, tc.err) {
						t.Errorf("%s: %v", tc.reason, err)
					}
					return
				}
				if err != nil || commit != tc.want {
					t.Fatalf("%s: got %s, %v; want %s", tc.reason, commit, err, tc.want)
				}
				var want []string
				for path := range strings.Lines(repo.Git(t, "ls-tree", "-r", "--name-only", tc.want)) {
					want = append(want, strings.TrimSpace(path))
				}
				if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
				}
				if beside, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(beside) != 1 {
					t.Errorf("%s: beside the folder lie %v, %v", tc.reason, beside, err)
				}
				if resolved, err := remotes.Resolve(t.Context(), url, tc.revision); err != nil || resolved != tc.want {
					t.Errorf("%s: Resolve says %s, %v", tc.reason, resolved, err)
				}
			})
		}
	}
}

// errAny stands for an error of whatever kind.
var errAny = errors.New("any")

// TestFetchCommit fetches commits that no branch names any longer, or that lie behind the tips.
func TestFetchCommit(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	first := strings.TrimSpace(repo.Git(t, "rev-parse", "HEAD"))
	repo.Commit(t, map[string]string{"a": "2", "b": "2"})
	for _, allowed := range []string{"false", "true"} {
		repo.Git(t, "config", "uploadpack.allowReachableSHA1InWant", allowed)
		dir := t.TempDir()
		commit, err := gitrepo.NewRemotes().Fetch(t.Context(), served(t, repo, nil), first, dir)
		if err != nil || commit != first {
			t.Fatalf("single commits allowed: %s: got %s, %v", allowed, commit, err)
		}
		if diff := cmp.Diff([]string{"a"}, tree(t, dir)); diff != "" {
			t.Errorf("single commits allowed: %s: (-want +got)\n%s", allowed, diff)
		}
	}
}

func TestFetchTree(t *testing.T) {
	repo := gittest.New(t)
	other := gittest.New(t)
	other.Commit(t, map[string]string{"x": "x"})
	repo.Commit(t, map[string]string{"run.sh": "#!/bin/sh\n", "charts/web/values.yaml": "a: 1\n"})
	repo.Git(t, "update-index", "--chmod=+x", "run.sh")
	for name, target := range map[string]string{"inside": "charts/web/values.yaml", "folder": "charts", "nowhere": "gone"} {
		if err := os.Symlink(target, filepath.Join(repo.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	repo.Git(t, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://"+other.Dir, "module")
	repo.Git(t, "add", "inside", "folder", "nowhere")
	repo.Git(t, "commit", "-q", "-m", "links")
	dir := t.TempDir()
	if _, err := gitrepo.NewRemotes().Fetch(t.Context(), "file://"+repo.Dir, "", dir); err != nil {
		t.Fatal(err)
	}
	want := []string{".gitmodules", "charts/web/values.yaml", "folder", "inside", "nowhere", "run.sh"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("a submodule is left out, links are kept: (-want +got)\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "run.sh")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("run.sh: %v, %v", info, err)
	}
	for _, target := range []string{"/etc/passwd", "../outside", "folder/../../outside", "charts/web/../../../x"} {
		link := filepath.Join(repo.Dir, "evil")
		_ = os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		repo.Git(t, "add", "evil")
		repo.Git(t, "commit", "-q", "-m", "evil")
		if _, err := gitrepo.NewRemotes().Fetch(t.Context(), "file://"+repo.Dir, "", t.TempDir()); err == nil {
			t.Errorf("a link to %s is checked out", target)
		}
	}
}

// TestFetchEvilTree fetches trees that git itself would not make.
func TestFetchEvilTree(t *testing.T) {
	for name, path := range map[string]string{"Up": "..", "Dot": ".", "Git": ".git"} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			blob, err := repo.Try([]byte("evil"), "hash-object", "-w", "--stdin")
			if err != nil {
				t.Fatal(err)
			}
			inner, err := repo.Try([]byte("100644 blob "+strings.TrimSpace(blob)+"\tevil\n"), "mktree")
			if err != nil {
				t.Fatal(err)
			}
			outer, err := repo.Try([]byte("040000 tree "+strings.TrimSpace(inner)+"\t"+path+"\n"), "mktree")
			if err != nil {
				t.Fatal(err)
			}
			commit := repo.Git(t, "commit-tree", "-m", "evil", strings.TrimSpace(outer))
			repo.Git(t, "update-ref", "refs/heads/main", strings.TrimSpace(commit))
			above := t.TempDir()
			dir := filepath.Join(above, "tree")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			_, err = gitrepo.NewRemotes().Fetch(t.Context(), "file://"+repo.Dir, "", dir)
			if _, there := os.Stat(filepath.Join(above, "evil")); there == nil {
				t.Error("a file was written outside")
			}
			if err == nil {
				t.Errorf("the tree was checked out: %v", tree(t, dir))
			}
		})
	}
}

func TestFetchBounds(t *testing.T) {
	repo := gittest.New(t)
	random, err := os.ReadFile(os.Args[0]) // something that does not compress to nothing
	if err != nil {
		t.Fatal(err)
	}
	repo.Commit(t, map[string]string{"large": string(random[:min(len(random), 4<<20)])})
	for _, url := range []string{"file://" + repo.Dir, served(t, repo, nil)} {
		if _, err := gitrepo.NewRemotes(gitrepo.WithFetchLimit(100<<10)).Fetch(t.Context(), url, "", t.TempDir()); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestFetchCredentials(t *testing.T) {
	const password = "warm-kettle-19"
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	url := served(t, repo, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, got, _ := r.BasicAuth(); user != "ann" || got != password {
				w.Header().Set("Www-Authenticate", `Basic realm="test"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	with := strings.Replace(url, "://", "://ann:"+password+"@", 1)
	wrong := strings.Replace(url, "://", "://ann:cold-kettle-20@", 1)
	helper := filepath.Join(t.TempDir(), "helper")
	if err := os.WriteFile(helper, []byte("#!/bin/sh\ntest \"$1\" = get && echo username=ann && echo password="+password+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := append(repo.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=credential.helper", "GIT_CONFIG_VALUE_0="+helper)
	cases := map[string]struct {
		reason  string
		url     string
		environ []string
		fails   bool
	}{
		"URL":       {reason: "what the URL holds is used", url: with, environ: repo.Environ()},
		"Helper":    {reason: "git's helpers are asked", url: url, environ: environ},
		"None":      {reason: "nobody knows any, and nobody is asked", url: url, environ: repo.Environ(), fails: true},
		"NoGit":     {reason: "without git there are no helpers", url: url, environ: []string{"PATH=/none"}, fails: true},
		"Wrong":     {reason: "what the URL holds is not tried with others", url: wrong, environ: environ, fails: true},
		"NoServer":  {reason: "nobody answers", url: "http://ann:" + password + "@127.0.0.1:1/x.git", environ: repo.Environ(), fails: true},
		"BadURL":    {reason: "a URL that is none", url: "http://ann:" + password + "@/x y", environ: repo.Environ(), fails: true},
		"Extension": {reason: "no program is run for a URL", url: "ext::sh -c touch%20" + password, environ: repo.Environ(), fails: true},
		"Option":    {reason: "a URL is no option", url: "--upload-pack=" + password, environ: repo.Environ(), fails: true},
		"Relative":  {reason: "a path of this machine is no URL", url: repo.Dir, environ: repo.Environ(), fails: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := gitrepo.NewRemotes(gitrepo.WithRemotesEnviron(tc.environ)).Fetch(t.Context(), tc.url, "main", t.TempDir())
			if (err != nil) != tc.fails {
				t.Errorf("%s: %v", tc.reason, err)
			}
			for _, secret := range []string{"warm-kettle", "cold-kettle"} {
				if err != nil && strings.Contains(err.Error(), secret) && !slices.Contains([]string{"Extension", "Option"}, name) {
					t.Errorf("%s: the error shows it: %v", tc.reason, err)
				}
			}
		})
	}
}

// TestFetchRedirect shows that credentials do not follow a redirect to another server.
func TestFetchRedirect(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"a": "1"})
	var sent []string
	target := served(t, repo, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent = append(sent, r.Header.Get("Authorization"))
			next.ServeHTTP(w, r)
		})
	})
	jump := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, rest, _ := strings.Cut(r.URL.Path, ".git")
		to := target + rest
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, to, http.StatusFound)
	}))
	defer jump.Close()
	url := strings.Replace(jump.URL, "://", "://ann:warm-kettle-19@", 1) + "/x.git"
	if _, err := gitrepo.NewRemotes().Fetch(t.Context(), url, "main", t.TempDir()); err != nil {
		t.Logf("refused: %v", err)
	}
	if slices.ContainsFunc(sent, func(header string) bool { return header != "" }) {
		t.Errorf("the other server was sent credentials")
	}
}
