package chart

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"helm.sh/helm/v3/pkg/chartutil"
)

// networkTime bounds all that one chart needs of the network.
const networkTime = 5 * time.Minute

// Git reads repos of others; pkg/gitrepo does.
type Git interface {
	// Resolve returns the commit that a revision names at the remote: a branch, a tag, HEAD (also ""), a range of versions, or
	// a full commit id, which needs no network. A revision that the remote does not have is an error that wraps
	// fs.ErrNotExist. Errors never hold credentials.
	Resolve(ctx context.Context, url, revision string) (commit string, err error)
	// Fetch writes the tree of a revision into an empty folder, and returns its commit. No symbolic link leads out of it.
	Fetch(ctx context.Context, url, revision, dir string) (commit string, err error)
}

// Store finds charts: in a folder at hand, or where an Application's source says, by way of a cache. It is safe for several
// goroutines, and its cache for several processes.
type Store struct {
	folder  *Folder
	cache   cache
	git     Git
	http    *http.Client
	offline bool
	helm    helmConfig

	mu       sync.Mutex
	lookedUp map[string]func() (*tree, error)
	indexes  map[string]func() (*index, error)
}

// Option changes where a Store looks.
type Option func(*Store)

// WithFolder lets charts come from a folder: the checkout that source.path is relative to, whatever the source's repo. Charts
// of Helm repositories are taken from it too where it has one that fits, unpacked or as a .tgz.
func WithFolder(dir string) Option {
	return func(s *Store) {
		folder := NewFolder(dir)
		s.folder = &folder
	}
}

// WithCache keeps what is fetched below a folder, which is made when it is needed. Without one nothing can be fetched.
func WithCache(dir string) Option { return func(s *Store) { s.cache = cache{dir: dir} } }

// WithGit reads git repos. Without it, a chart in a git repo is unreachable.
func WithGit(git Git) Option { return func(s *Store) { s.git = git } }

// WithHTTP uses a client's transport; the default is one with the proxy of the environment.
func WithHTTP(client *http.Client) Option { return func(s *Store) { s.http = confined(client) } }

// WithOffline forbids the network.
func WithOffline() Option { return func(s *Store) { s.offline = true } }

// WithHelmConfig names Helm's own files that hold credentials, repositories.yaml and the registry's config.json; the
// defaults are where Helm has them.
func WithHelmConfig(repositories, registry string) Option {
	return func(s *Store) { s.helm = helmConfig{repositories, registry} }
}

// NewStore returns a store. It reads nothing yet.
func NewStore(options ...Option) *Store {
	s := &Store{
		http:     confined(&http.Client{}),
		helm:     defaultHelmConfig(),
		lookedUp: map[string]func() (*tree, error){},
		indexes:  map[string]func() (*index, error){},
	}
	for _, option := range options {
		option(s)
	}
	return s
}

// Local tells whether a source's chart is to be in the folder at hand and nowhere else, so that to look for it costs nothing.
func (s *Store) Local(source Source) bool { return s.folder != nil && source.kind() == kindGit }

// Locate makes a source's chart available on disk. A reference that can move (a branch, a range, a tag) is looked up anew by
// each Store, once; what it stands for comes from the cache when it is there. Offline, it stands for what it last did.
//
// The error wraps ErrNotFound, ErrOffline, ErrUnreachable or ErrUnfit, and shows no credentials.
func (s *Store) Locate(ctx context.Context, source Source) (*Located, error) {
	ctx, cancel := context.WithTimeout(ctx, networkTime)
	defer cancel()
	if s.folder != nil {
		found, err := s.inFolder(ctx, source)
		if found != nil || err != nil {
			return found, err
		}
	}
	t, err := s.tree(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	inside := path.Clean(source.Path)
	if source.Chart != "" {
		inside = "."
	}
	if !filepath.IsLocal(filepath.FromSlash(inside)) {
		return nil, fmt.Errorf("%w: %s leaves its repo", ErrUnfit, source)
	}
	out := &Located{root: t.dir, dir: inside, origin: t.origin, note: t.note}
	if source.Chart == "" && inside != "." {
		out.origin = inside + " of " + t.origin
	}
	if err := hasChart(out.root, inside); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return out, nil
}

// hasChart returns ErrNotFound when a folder within root holds no Chart.yaml.
func hasChart(root, inside string) error {
	within, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("read the cache: %w", err)
	}
	defer within.Close() //nolint:errcheck // nothing was written
	_, err = within.Stat(filepath.Join(filepath.FromSlash(inside), chartutil.ChartfileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no %s; a git submodule is not followed", ErrNotFound, path.Join(inside, chartutil.ChartfileName))
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrUnfit, path.Join(inside, chartutil.ChartfileName), err)
	}
	return nil
}

// tree is what a source stands for: a folder in the cache.
type tree struct{ dir, origin, note string }

// tree returns the tree that holds the chart; several charts of one repo and revision share it.
func (s *Store) tree(ctx context.Context, source Source) (*tree, error) {
	key := s.key(source)
	s.mu.Lock()
	once, ok := s.lookedUp[key]
	if !ok {
		once = sync.OnceValues(func() (*tree, error) { return s.lookUp(ctx, source, key) })
		s.lookedUp[key] = once
	}
	s.mu.Unlock()
	return once()
}

// key tells apart what is looked up. The path within a repo is no part of it.
func (s *Store) key(source Source) string {
	plain, _ := withoutUser(source.RepoURL)
	return digestOf(fmt.Sprintf("%d\n%s\n%s\n%s", source.kind(), plain, source.Chart, source.Revision))
}

func (s *Store) lookUp(ctx context.Context, source Source, key string) (*tree, error) {
	if s.cache.dir == "" {
		return nil, fmt.Errorf("%w: there is no cache folder to fetch it to", ErrUnreachable)
	}
	if s.offline {
		return s.remembered(source, key)
	}
	var (
		r   resolved
		err error
	)
	switch source.kind() {
	case kindHelm:
		r, err = s.fromHelm(ctx, source)
	case kindOCI, kindArtifact:
		r, err = s.fromRegistry(ctx, source)
	default:
		r, err = s.fromGit(ctx, source)
	}
	if err != nil {
		return nil, err
	}
	if err := s.cache.remember(key, r); err != nil {
		return nil, err
	}
	return &tree{dir: s.cache.place(r.Tree), origin: r.Origin}, nil
}

// remembered returns what the source stood for when it was last looked up.
func (s *Store) remembered(source Source, key string) (*tree, error) {
	r, ok, err := s.cache.recall(key)
	if err != nil {
		return nil, err
	}
	if !ok && source.kind() == kindGit && isCommit(source.Revision) {
		r, ok = resolved{Tree: gitTree(source.Revision), Origin: gitOrigin(source, source.Revision), Fixed: true}, true
	}
	if !ok || !s.cache.has(r.Tree) {
		return nil, ErrOffline
	}
	out := &tree{dir: s.cache.place(r.Tree), origin: r.Origin}
	if !r.Fixed {
		out.note = fmt.Sprintf("offline: %s is taken for what it was when it was last looked up, %s", source, r.Origin)
	}
	return out, nil
}
