package chart_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// member is one entry of an archive.
type member struct {
	name, data, link string
	kind             byte
}

// archive packs members in their order.
func archive(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	out := tar.NewWriter(zipped)
	for _, m := range members {
		kind := m.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		header := &tar.Header{Name: m.name, Typeflag: kind, Linkname: m.link, Mode: 0o644, Size: int64(len(m.data))}
		if err := out.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(m.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// packed is a chart as helm package makes it.
func packed(t *testing.T, name, version string) []byte {
	t.Helper()
	return archive(t,
		member{name: name + "/Chart.yaml", data: chartYAML(name, version)},
		member{name: name + "/values.yaml", data: "replicas: 1\n"},
		member{name: name + "/templates/object.yaml", data: "kind: ConfigMap\n"})
}

func chartYAML(name, version string) string {
	return fmt.Sprintf("apiVersion: v2\nname: %s\nversion: %s\n", name, version)
}

// helmRepo is a Helm repository in memory.
type helmRepo struct {
	*httptest.Server
	mu       sync.Mutex
	files    map[string][]byte
	requests []string // paths, in order
	logins   []string // user:password of each, "" for none
	want     string   // the login that it wants
}

func newHelmRepo(t *testing.T) *helmRepo {
	t.Helper()
	r := &helmRepo{files: map[string][]byte{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		user, password, _ := req.BasicAuth()
		login := strings.Trim(user+":"+password, ":")
		r.requests, r.logins = append(r.requests, req.URL.Path), append(r.logins, login)
		data, ok := r.files[req.URL.Path]
		switch {
		case r.want != "" && login != r.want:
			w.WriteHeader(http.StatusUnauthorized)
		case !ok:
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = w.Write(data)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// publish adds versions of a chart to the repository; digests are as in the index that helm repo index writes.
func (r *helmRepo) publish(t *testing.T, digests bool, name string, versions ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	index := "apiVersion: v1\nentries:\n  " + name + ":\n"
	for _, version := range versions {
		data := packed(t, name, version)
		r.files["/"+name+"-"+version+".tgz"] = data
		index += fmt.Sprintf("  - apiVersion: v2\n    name: %s\n    version: %q\n    urls: [%s-%s.tgz]\n", name, version, name, version)
		if digests {
			index += fmt.Sprintf("    digest: %s\n", sum(data))
		}
	}
	r.files["/index.yaml"] = []byte(index)
}

func (r *helmRepo) asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.requests
	r.requests = nil
	return out
}

// store is a store that knows none of the credentials of this machine.
func store(t *testing.T, cache string, options ...chart.Option) *chart.Store {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	nowhere := filepath.Join(t.TempDir(), "none")
	return chart.NewStore(append([]chart.Option{chart.WithCache(cache), chart.WithHelmConfig(nowhere, nowhere)}, options...)...)
}

func locate(t *testing.T, s *chart.Store, source chart.Source) *chart.Chart {
	t.Helper()
	located, err := s.Locate(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	c, err := located.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHelmRepository(t *testing.T) {
	cases := map[string]struct {
		reason   string
		revision string
		want     string
		err      error
	}{
		"Exact":      {reason: "a version is that version", revision: "1.2.0", want: "web-1.2.0"},
		"Range":      {reason: "a range is its highest version", revision: "1.x", want: "web-1.10.0"},
		"Tilde":      {reason: "a range is its highest version", revision: "~1.2.0", want: "web-1.2.3"},
		"Short":      {reason: "Argo CD hands 1.2 on as a version, and Helm takes it for a range", revision: "1.2", want: "web-1.2.3"},
		"Star":       {reason: "no pre-release is in a range that names none", revision: "*", want: "web-1.10.0"},
		"PreRelease": {reason: "a range that names a pre-release has them", revision: ">=2.0.0-0", want: "web-2.0.0-rc.1"},
		"Leading":    {reason: "Helm finds 1.2.0 for v1.2.0", revision: "v1.2.0", want: "web-1.2.0"},
		"None":       {reason: "a range without a version", revision: "9.x", err: chart.ErrNotFound},
		"NoRange":    {reason: "what is no range finds nothing", revision: "main", err: chart.ErrNotFound},
		"Empty":      {reason: "Argo CD wants a targetRevision for a chart", revision: "", err: chart.ErrNotFound},
	}
	r := newHelmRepo(t)
	r.publish(t, true, "web", "1.2.0", "1.2.3", "1.10.0", "2.0.0-rc.1")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := store(t, t.TempDir())
			located, err := s.Locate(t.Context(), chart.Source{RepoURL: r.URL, Chart: "web", Revision: tc.revision})
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if err != nil {
				return
			}
			c, err := located.Load()
			if err != nil {
				t.Fatal(err)
			}
			if c.Name() != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, c.Name(), tc.want)
			}
		})
	}
}

// TestFreshness shows that a reference is looked up anew by each run, and what it stands for is fetched once.
func TestFreshness(t *testing.T) {
	r, cache := newHelmRepo(t), t.TempDir()
	r.publish(t, true, "web", "1.2.0")
	source := chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.x"}
	steps := []struct {
		reason string
		do     func()
		store  *chart.Store
		want   string
		asked  []string
	}{
		{reason: "the first run fetches", store: store(t, cache), want: "web-1.2.0", asked: []string{"/index.yaml", "/web-1.2.0.tgz"}},
		{reason: "the second looks up, and has it", store: store(t, cache), want: "web-1.2.0", asked: []string{"/index.yaml"}},
		{reason: "a new version is seen", do: func() { r.publish(t, true, "web", "1.2.0", "1.3.0") }, store: store(t, cache), want: "web-1.3.0", asked: []string{"/index.yaml", "/web-1.3.0.tgz"}},
		{reason: "offline, it is what it was", store: store(t, cache, chart.WithOffline()), want: "web-1.3.0"},
	}
	for _, step := range steps {
		if step.do != nil {
			step.do()
		}
		for range 2 { // a store asks once
			if got := locate(t, step.store, source).Name(); got != step.want {
				t.Errorf("%s: got %s", step.reason, got)
			}
		}
		if diff := cmp.Diff(step.asked, r.asked()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", step.reason, diff)
		}
	}
	offline, err := steps[3].store.Locate(t.Context(), source)
	if err != nil || !strings.Contains(offline.Note(), "last looked up") {
		t.Errorf("offline, the note is %q, %v", offline.Note(), err)
	}
	if online := locate(t, store(t, cache), source); online.Name() != "web-1.3.0" {
		t.Errorf("got %s", online.Name())
	}
	_, err = steps[3].store.Locate(t.Context(), chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.3.0"})
	if !errors.Is(err, chart.ErrOffline) {
		t.Errorf("offline, what was never looked up: %v", err)
	}
}

func TestHelmRepositoryWithoutDigests(t *testing.T) {
	r, cache := newHelmRepo(t), t.TempDir()
	r.publish(t, false, "web", "1.2.0")
	source := chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.2.0"}
	for range 2 {
		if got := locate(t, store(t, cache), source).Name(); got != "web-1.2.0" {
			t.Errorf("got %s", got)
		}
	}
	want := []string{"/index.yaml", "/web-1.2.0.tgz", "/index.yaml", "/web-1.2.0.tgz"}
	if diff := cmp.Diff(want, r.asked()); diff != "" {
		t.Errorf("what has no digest can have changed, and is fetched again: (-want +got)\n%s", diff)
	}
}

func TestHelmRepositoryRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(r *helmRepo)
		source func(url string) chart.Source
		err    error
	}{
		"NoIndex":      {reason: "a page that is there and is no index", change: func(r *helmRepo) { r.files["/index.yaml"] = []byte("<html>") }, err: chart.ErrUnreachable},
		"NoSuchRepo":   {reason: "nothing there", change: func(r *helmRepo) { delete(r.files, "/index.yaml") }, err: chart.ErrNotFound},
		"NoPackage":    {reason: "the index says more than there is", change: func(r *helmRepo) { delete(r.files, "/web-1.2.0.tgz") }, err: chart.ErrNotFound},
		"OtherPackage": {reason: "a package that is not the one of the digest", change: func(r *helmRepo) { r.files["/web-1.2.0.tgz"] = []byte("other") }, err: chart.ErrUnfit},
		"Login":        {reason: "a login is wanted, and nobody has one", change: func(r *helmRepo) { r.want = "ann:warm-kettle-19" }, err: chart.ErrUnreachable},
		"NoServer": {reason: "nobody answers", source: func(string) chart.Source {
			return chart.Source{RepoURL: "http://127.0.0.1:1/charts", Chart: "web", Revision: "1.2.0"}
		}, err: chart.ErrUnreachable},
		"Scheme": {reason: "a plugin's scheme", source: func(string) chart.Source {
			return chart.Source{RepoURL: "s3://bucket", Chart: "web", Revision: "1.2.0"}
		}, err: chart.ErrUnreachable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := newHelmRepo(t)
			r.publish(t, true, "web", "1.2.0")
			if tc.change != nil {
				tc.change(r)
			}
			source := chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.2.0"}
			if tc.source != nil {
				source = tc.source(r.URL)
			}
			cache := t.TempDir()
			_, err := store(t, cache).Locate(t.Context(), source)
			if !errors.Is(err, tc.err) {
				t.Errorf("%s: %v", tc.reason, err)
			}
			if _, err := store(t, cache, chart.WithOffline()).Locate(t.Context(), source); !errors.Is(err, chart.ErrOffline) {
				t.Errorf("%s: something stays in the cache: %v", tc.reason, err)
			}
			empty(t, cache)
		})
	}
}

// empty demands that nothing half done stays in a cache.
func empty(t *testing.T, cache string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(cache, "tmp"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("%d things stay in tmp", len(entries))
	}
}

func TestCredentials(t *testing.T) {
	const login = "ann:warm-kettle-19"
	other := newHelmRepo(t)
	other.files["/elsewhere.tgz"] = packed(t, "web", "1.2.0")
	r := newHelmRepo(t)
	r.publish(t, false, "web", "1.2.0")
	r.want = login
	withUser := strings.Replace(r.URL, "://", "://"+login+"@", 1)

	repositories := filepath.Join(t.TempDir(), "repositories.yaml")
	write := fmt.Sprintf("apiVersion: v1\nrepositories:\n- name: ours\n  url: %s/\n  username: ann\n  password: warm-kettle-19\n", r.URL)
	if err := os.WriteFile(repositories, []byte(write), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("InURL", func(t *testing.T) {
		located, err := store(t, t.TempDir()).Locate(t.Context(), chart.Source{RepoURL: withUser, Chart: "web", Revision: "1.2.0"})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(located.Origin(), "kettle") {
			t.Errorf("the origin shows the password: %s", located.Origin())
		}
	})
	t.Run("RepositoriesFile", func(t *testing.T) {
		s := store(t, t.TempDir(), chart.WithHelmConfig(repositories, filepath.Join(t.TempDir(), "none")))
		locate(t, s, chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.2.0"})
	})
	t.Run("OtherHost", func(t *testing.T) {
		r.files["/index.yaml"] = fmt.Appendf(nil, "apiVersion: v1\nentries:\n  web:\n  - {apiVersion: v2, name: web, version: 1.2.0, urls: ['%s/elsewhere.tgz']}\n", other.URL)
		locate(t, store(t, t.TempDir()), chart.Source{RepoURL: withUser, Chart: "web", Revision: "1.2.0"})
	})
	t.Run("Redirect", func(t *testing.T) {
		// A redirect to another port of the same host is one to another server.
		jump := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/index.yaml" {
				_, _ = w.Write([]byte("apiVersion: v1\nentries:\n  web:\n  - {apiVersion: v2, name: web, version: 1.2.0, urls: [web.tgz]}\n"))
				return
			}
			http.Redirect(w, req, other.URL+"/elsewhere.tgz", http.StatusFound)
		}))
		defer jump.Close()
		locate(t, store(t, t.TempDir()), chart.Source{RepoURL: strings.Replace(jump.URL, "://", "://"+login+"@", 1), Chart: "web", Revision: "1.2.0"})
	})
	if len(other.logins) != 2 || slices.ContainsFunc(other.logins, func(l string) bool { return l != "" }) {
		t.Errorf("the other host was sent %q", other.logins)
	}
	t.Run("RedirectToNoURL", func(t *testing.T) {
		jump := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://"+login+"@example.test/%zz")
			w.WriteHeader(http.StatusFound)
		}))
		defer jump.Close()
		_, err := store(t, t.TempDir()).Locate(t.Context(), chart.Source{RepoURL: jump.URL, Chart: "web", Revision: "1.2.0"})
		if !errors.Is(err, chart.ErrUnreachable) || strings.Contains(err.Error(), "kettle") {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("Errors", func(t *testing.T) {
		for _, url := range []string{withUser + "/none?token=warm-kettle-19", "https://ann:warm-kettle-19@127.0.0.1:1/x", "https://ann:warm-kettle-19@bad host/"} {
			for _, source := range []chart.Source{{RepoURL: url, Chart: "web", Revision: "1"}, {RepoURL: url, Path: "charts/web"}} {
				if _, err := store(t, t.TempDir()).Locate(t.Context(), source); err == nil || strings.Contains(err.Error(), "kettle") {
					t.Errorf("%s: the error is %v", source, err)
				}
			}
		}
	})
}

// gitFunc is a Git in memory: it counts, and writes one chart.
type gitFunc struct {
	mu       sync.Mutex
	commit   string
	err      error
	resolved int
	fetched  int
}

func (g *gitFunc) Resolve(context.Context, string, string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.resolved++
	return g.commit, g.err
}

func (g *gitFunc) Fetch(_ context.Context, _, _, dir string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fetched++
	for _, name := range []string{"web", "api"} {
		if err := os.MkdirAll(filepath.Join(dir, "charts", name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, "charts", name, "Chart.yaml"), []byte(chartYAML(name, "1.0.0")), 0o644); err != nil {
			return "", err
		}
	}
	return g.commit, g.err
}

func TestGit(t *testing.T) {
	const first, second = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	git, cache := &gitFunc{commit: first}, t.TempDir()
	source := func(path, revision string) chart.Source {
		return chart.Source{RepoURL: "https://git.example.test/charts.git", Path: path, Revision: revision}
	}
	s := store(t, cache, chart.WithGit(git))
	var all sync.WaitGroup
	for i := range 46 {
		all.Go(func() {
			if _, err := s.Locate(t.Context(), source([]string{"charts/web", "charts/api"}[i%2], "main")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if git.resolved != 1 || git.fetched != 1 {
		t.Errorf("46 apps of one repo and revision: looked up %d times, fetched %d times", git.resolved, git.fetched)
	}
	again := store(t, cache, chart.WithGit(git))
	locate(t, again, source("charts/web", "main"))
	if git.resolved != 2 || git.fetched != 1 {
		t.Errorf("a second run: looked up %d times, fetched %d times", git.resolved, git.fetched)
	}
	git.commit = second
	moved, err := store(t, cache, chart.WithGit(git)).Locate(t.Context(), source("charts/web", "main"))
	if err != nil || git.fetched != 2 || moved.Origin() != "charts/web of https://git.example.test/charts.git at commit 222222222222" {
		t.Errorf("a branch that moved: %v, %v", moved, err)
	}
	offline := store(t, cache, chart.WithOffline())
	if located, err := offline.Locate(t.Context(), source("charts/api", "main")); err != nil || located.Note() == "" {
		t.Errorf("offline: %v, %v", located, err)
	}
	if located, err := offline.Locate(t.Context(), source("charts/api", first)); err != nil || located.Note() != "" {
		t.Errorf("offline, a commit that the cache has, by whatever name it came: %v, %v", located, err)
	}
	for name, tc := range map[string]struct {
		source chart.Source
		git    *gitFunc
		err    error
	}{
		"NoChart":    {source: source("charts/none", "main"), git: git, err: chart.ErrNotFound},
		"Escape":     {source: source("../charts/web", "main"), git: git, err: chart.ErrUnfit},
		"Absolute":   {source: source("/charts/web", "main"), git: git, err: chart.ErrUnfit},
		"NoRevision": {source: source("charts/web", "gone"), git: &gitFunc{err: fs.ErrNotExist}, err: chart.ErrNotFound},
		"NoRemote":   {source: source("charts/web", "gone"), git: &gitFunc{err: errors.New("no route")}, err: chart.ErrUnreachable},
	} {
		if _, err := store(t, cache, chart.WithGit(tc.git)).Locate(t.Context(), tc.source); !errors.Is(err, tc.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := store(t, cache).Locate(t.Context(), source("charts/web", "main")); !errors.Is(err, chart.ErrUnreachable) {
		t.Errorf("without git: %v", err)
	}
	if _, err := chart.NewStore(chart.WithGit(git)).Locate(t.Context(), source("charts/web", "main")); !errors.Is(err, chart.ErrUnreachable) {
		t.Errorf("without a cache: %v", err)
	}
	empty(t, cache)
}

func TestFolderStore(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	put := func(path string, data []byte) {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("charts/web/Chart.yaml", []byte(chartYAML("web", "1.0.0")))
	put("charts/harbor/Chart.yaml", []byte(chartYAML("harbor", "1.5.0")))
	put("charts/api-1.0.0.tgz", packed(t, "api", "1.0.0"))
	put("charts/api-1.2.0.tgz", packed(t, "api", "1.2.0"))
	put("charts/api-gateway-9.0.0.tgz", packed(t, "api-gateway", "9.0.0"))
	put("solo-3.0.0.tgz", packed(t, "solo", "3.0.0"))
	put("broken-1.0.0.tgz", []byte("no gzip"))
	r := newHelmRepo(t)
	r.publish(t, true, "harbor", "1.5.0", "1.6.0")
	cases := map[string]struct {
		reason string
		source chart.Source
		want   string
		asks   bool
		err    error
	}{
		"Path":         {reason: "the folder is the checkout, whatever the repo", source: chart.Source{RepoURL: "https://x.test/y.git", Path: "charts/web", Revision: "main"}, want: "web-1.0.0"},
		"PathPacked":   {reason: "a path can be packed", source: chart.Source{Path: "charts/solo"}, want: "solo-3.0.0"},
		"PathTwice":    {reason: "two packages leave open which is meant", source: chart.Source{Path: "charts/api"}, err: chart.ErrNotFound},
		"PathNone":     {reason: "a path that is not there is not looked for elsewhere", source: chart.Source{RepoURL: r.URL, Path: "charts/none"}, err: chart.ErrNotFound},
		"PathBroken":   {reason: "a package that is none", source: chart.Source{Path: "charts/broken"}, err: chart.ErrUnfit},
		"Chart":        {reason: "a folder whose version fits", source: chart.Source{RepoURL: r.URL, Chart: "harbor", Revision: "1.5.0"}, want: "harbor-1.5.0"},
		"ChartOther":   {reason: "a folder of another version is not what runs", source: chart.Source{RepoURL: r.URL, Chart: "harbor", Revision: "1.6.0"}, want: "harbor-1.6.0", asks: true},
		"ChartPacked":  {reason: "a package of that version", source: chart.Source{RepoURL: r.URL, Chart: "api", Revision: "1.0.0"}, want: "api-1.0.0"},
		"ChartRange":   {reason: "the highest in the range", source: chart.Source{RepoURL: r.URL, Chart: "api", Revision: "1.x"}, want: "api-1.2.0"},
		"ChartLonger":  {reason: "api-gateway is no version of api", source: chart.Source{RepoURL: r.URL, Chart: "api", Revision: "9.x"}, err: chart.ErrNotFound, asks: true},
		"ChartInOCI":   {reason: "a registry's chart can be at hand too", source: chart.Source{RepoURL: "registry.example.test/charts", Chart: "api", Revision: "1.2.0"}, want: "api-1.2.0"},
		"ChartNesting": {reason: "the last part of a name is the chart's", source: chart.Source{RepoURL: "registry.example.test", Chart: "charts/api", Revision: "1.2.0"}, want: "api-1.2.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := store(t, cache, chart.WithFolder(dir))
			located, err := s.Locate(t.Context(), tc.source)
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if asked := r.asked(); len(asked) > 0 != tc.asks {
				t.Errorf("%s: asked for %q", tc.reason, asked)
			}
			if err != nil {
				return
			}
			c, err := located.Load()
			if err != nil || c.Name() != tc.want {
				t.Errorf("%s: got %v, %v", tc.reason, c, err)
			}
		})
	}
	empty(t, cache)
}

func TestReadFile(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for path, data := range map[string]string{
		filepath.Join(outside, "secret.yaml"):                      "no\n",
		filepath.Join(dir, "charts", "web", "Chart.yaml"):          chartYAML("web", "1.0.0"),
		filepath.Join(dir, "charts", "web", "values-prod.yaml"):    "prod: true\n",
		filepath.Join(dir, "charts", "web", "more", "values.yaml"): "more: true\n",
		filepath.Join(dir, "env", "values.yaml"):                   "env: true\n",
		filepath.Join(dir, "charts", "web", "large.yaml"):          strings.Repeat("#", 11<<20),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"inside.yaml": "values-prod.yaml", "outside.yaml": filepath.Join(outside, "secret.yaml"), "up": "../../.."} {
		if err := os.Symlink(target, filepath.Join(dir, "charts", "web", name)); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason, name, want string
		missing            bool
	}{
		"Beside":     {reason: "relative to the chart", name: "values-prod.yaml", want: "prod: true\n"},
		"Below":      {reason: "relative to the chart", name: "./more/values.yaml", want: "more: true\n"},
		"Up":         {reason: "within the checkout one may go up", name: "../../env/values.yaml", want: "env: true\n"},
		"Rooted":     {reason: "a leading slash is the checkout's root", name: "/env/values.yaml", want: "env: true\n"},
		"Link":       {reason: "a link that stays inside", name: "inside.yaml", want: "prod: true\n"},
		"LinkOut":    {reason: "a link that leaves", name: "outside.yaml"},
		"FolderOut":  {reason: "a folder that leaves", name: "up/x/secret.yaml"},
		"Escape":     {reason: "a path that leaves", name: "../../../secret.yaml"},
		"RootEscape": {reason: "a path that leaves", name: "/../secret.yaml"},
		"Missing":    {reason: "nothing there", name: "none.yaml", missing: true},
		"Folder":     {reason: "no file", name: "more"},
		"Large":      {reason: "no values file is that large", name: "large.yaml"},
	}
	for _, base := range []string{dir, filepath.Join(dir, "charts")} {
		located, err := store(t, t.TempDir(), chart.WithFolder(base)).Locate(t.Context(), chart.Source{Path: "charts/web"})
		if err != nil {
			t.Fatal(err)
		}
		for name, tc := range cases {
			t.Run(filepath.Base(base)+"/"+name, func(t *testing.T) {
				data, err := located.ReadFile(tc.name)
				if string(data) != tc.want || (err == nil) != (tc.want != "") || errors.Is(err, fs.ErrNotExist) != tc.missing {
					t.Errorf("%s: got %.20q, %v", tc.reason, data, err)
				}
			})
		}
	}
}

func TestBadArchives(t *testing.T) {
	chartFile := member{name: "web/Chart.yaml", data: chartYAML("web", "1.0.0")}
	many := []member{chartFile}
	for i := range 20_001 {
		many = append(many, member{name: fmt.Sprintf("web/%d", i)})
	}
	zeros := strings.Repeat("\x00", 30<<20)
	whole := packed(t, "web", "1.0.0")
	cases := map[string]struct {
		reason string
		data   []byte
		err    error
	}{
		"Fine":         {reason: "the frame of the cases", data: whole},
		"LinkInside":   {reason: "a link that stays inside is a file", data: archive(t, chartFile, member{name: "web/a.yaml", data: "a: 1"}, member{name: "web/b.yaml", link: "a.yaml", kind: tar.TypeSymlink})},
		"Empty":        {reason: "no archive", data: nil, err: chart.ErrUnfit},
		"NoGzip":       {reason: "no archive", data: []byte("PK\x03\x04"), err: chart.ErrUnfit},
		"Cut":          {reason: "a download that broke off", data: whole[:len(whole)/2], err: chart.ErrUnfit},
		"NoChart":      {reason: "an archive of something else", data: archive(t, member{name: "web/README.md"}), err: chart.ErrNotFound},
		"TopLevel":     {reason: "a file outside the chart's folder", data: archive(t, member{name: "Chart.yaml"}), err: chart.ErrUnfit},
		"Escape":       {reason: "a path that leaves", data: archive(t, chartFile, member{name: "web/../../evil"}), err: chart.ErrUnfit},
		"EscapeFirst":  {reason: "a path that leaves", data: archive(t, chartFile, member{name: "../web/evil"}), err: nil},
		"Absolute":     {reason: "a path from the root of the machine", data: archive(t, chartFile, member{name: "web//etc/evil"}), err: chart.ErrUnfit},
		"Backslash":    {reason: "a path that leaves on Windows", data: archive(t, chartFile, member{name: `web\..\..\evil`}), err: chart.ErrUnfit},
		"Drive":        {reason: "a path with a drive", data: archive(t, chartFile, member{name: "web/c:/evil"}), err: chart.ErrUnfit},
		"LinkOut":      {reason: "a link that leaves", data: archive(t, chartFile, member{name: "web/a", link: "../../../etc/passwd", kind: tar.TypeSymlink}), err: chart.ErrUnfit},
		"LinkAbsolute": {reason: "a link to the root of the machine", data: archive(t, chartFile, member{name: "web/a", link: "/etc/passwd", kind: tar.TypeSymlink}), err: chart.ErrUnfit},
		"LinkThrough":  {reason: "a file behind a link", data: archive(t, chartFile, member{name: "web/a", link: "/tmp", kind: tar.TypeSymlink}, member{name: "web/a/evil", data: "x"}), err: chart.ErrUnfit},
		"HardLink":     {reason: "a hard link", data: archive(t, chartFile, member{name: "web/a", link: "/etc/passwd", kind: tar.TypeLink}), err: chart.ErrUnfit},
		"Device":       {reason: "a device", data: archive(t, chartFile, member{name: "web/a", kind: tar.TypeChar}), err: chart.ErrUnfit},
		"Twice":        {reason: "one path twice", data: archive(t, chartFile, chartFile), err: chart.ErrUnfit},
		"Many":         {reason: "more files than any chart", data: archive(t, many...), err: chart.ErrUnfit},
		"Bomb":         {reason: "120 MB of nothing", data: archive(t, chartFile, member{name: "web/1", data: zeros}, member{name: "web/2", data: zeros}, member{name: "web/3", data: zeros}, member{name: "web/4", data: zeros}), err: chart.ErrUnfit},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, cache := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "web-1.0.0.tgz"), tc.data, 0o644); err != nil {
				t.Fatal(err)
			}
			located, err := store(t, filepath.Join(cache, "c"), chart.WithFolder(dir)).Locate(t.Context(), chart.Source{Path: "web"})
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if err == nil {
				if _, err := located.Load(); err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
			}
			empty(t, filepath.Join(cache, "c"))
			if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
				t.Errorf("%s: something was written outside: %v, %v", tc.reason, entries, err)
			}
		})
	}
}

// TestManyAtOnce has stores that share nothing but the cache, as processes do, want the same at once.
func TestManyAtOnce(t *testing.T) {
	const workers = 24
	r, cache := newHelmRepo(t), filepath.Join(t.TempDir(), "cache")
	r.publish(t, true, "web", "1.2.0")
	git := &gitFunc{commit: "1111111111111111111111111111111111111111"}
	stores := make([]*chart.Store, workers)
	for i := range stores {
		stores[i] = store(t, cache, chart.WithGit(git))
	}
	start := make(chan struct{})
	var all sync.WaitGroup
	for _, s := range stores {
		all.Go(func() {
			<-start
			for _, source := range []chart.Source{
				{RepoURL: r.URL, Chart: "web", Revision: "1.x"},
				{RepoURL: "https://git.example.test/x.git", Path: "charts/web", Revision: "main"},
			} {
				located, err := s.Locate(t.Context(), source)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := located.Load(); err != nil {
					t.Errorf("half of a chart was seen: %v", err)
				}
			}
		})
	}
	close(start)
	all.Wait()
	empty(t, cache)
	trees, err := os.ReadDir(filepath.Join(cache, "trees"))
	if err != nil || len(trees) != 2 {
		t.Errorf("the cache holds %v, %v", trees, err)
	}
}

// TestAbandoned shows that what a killed process left is not taken for a chart, and goes when it is old.
func TestAbandoned(t *testing.T) {
	r, cache := newHelmRepo(t), t.TempDir()
	r.publish(t, true, "web", "1.2.0")
	for _, name := range []string{"old", "new"} {
		if err := os.MkdirAll(filepath.Join(cache, "tmp", name, "tree"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(cache, "tmp", "old"), long, long); err != nil {
		t.Fatal(err)
	}
	locate(t, store(t, cache), chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.2.0"})
	entries, err := os.ReadDir(filepath.Join(cache, "tmp"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "new" {
		t.Errorf("tmp holds %v, %v", entries, err)
	}
	// A note that points out of the cache was not written by us.
	notes, err := filepath.Glob(filepath.Join(cache, "refs", "*.json"))
	if err != nil || len(notes) != 1 {
		t.Fatalf("notes: %v, %v", notes, err)
	}
	for _, bad := range []string{`{"tree":"../../etc"}`, `{`, ``} {
		if err := os.WriteFile(notes[0], []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store(t, cache, chart.WithOffline()).Locate(t.Context(), chart.Source{RepoURL: r.URL, Chart: "web", Revision: "1.2.0"})
		if !errors.Is(err, chart.ErrOffline) {
			t.Errorf("a note of %q: %v", bad, err)
		}
	}
}

// TestGivenUp shows that a server that does not answer holds nobody up for longer than ctx.
func TestGivenUp(t *testing.T) {
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	host := strings.TrimPrefix(slow.URL, "http://")
	for _, source := range []chart.Source{{RepoURL: slow.URL, Chart: "web", Revision: "1"}, {RepoURL: host, Chart: "web", Revision: "1"}} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		cache := t.TempDir()
		_, err := store(t, cache).Locate(ctx, source)
		cancel()
		if !errors.Is(err, chart.ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", source, err)
		}
		empty(t, cache)
	}
}
