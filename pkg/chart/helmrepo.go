package chart

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/repo"
)

// maxIndex bounds the index of a Helm repository, in bytes. Old and large ones have some 20 MB.
const maxIndex = 64 << 20

// helmConfig names Helm's own files that hold credentials.
type helmConfig struct{ repositories, registry string }

func defaultHelmConfig() helmConfig {
	settings := cli.New()
	return helmConfig{settings.RepositoryConfig, settings.RegistryConfig}
}

// index is what a Helm repository has.
type index struct {
	file  *repo.IndexFile
	login credentials
}

// fromHelm returns the package of a chart in a Helm repository. A range of versions means its highest, an exact version wins
// over its range ("1.2"): Helm decides, as it does for Argo CD, which hands it the highest version of a range.
func (s *Store) fromHelm(ctx context.Context, source Source) (resolved, error) {
	plain, login := withoutUser(source.RepoURL)
	if !strings.HasPrefix(plain, "https://") && !strings.HasPrefix(plain, "http://") {
		return resolved{}, fmt.Errorf("%w: a Helm repository is read over https, http or oci only", ErrUnreachable)
	}
	if source.Revision == "" {
		return resolved{}, fmt.Errorf("%w: a chart of a Helm repository needs a targetRevision; Argo CD wants one too", ErrNotFound)
	}
	found, err := s.index(ctx, plain, login)
	if err != nil {
		return resolved{}, err
	}
	version, err := found.file.Get(source.Chart, source.Revision)
	if err != nil {
		return resolved{}, fmt.Errorf("%w: the repository's index has no such chart or version", ErrNotFound)
	}
	if len(version.URLs) == 0 {
		return resolved{}, fmt.Errorf("%w: the repository's index has no URL for version %s", ErrNotFound, version.Version)
	}
	answer := func(digest string) resolved {
		return resolved{Tree: packageTree(digest), Origin: fmt.Sprintf("%s-%s of %s, sha256:%.12s", source.Chart, version.Version, redacted(plain), digest)}
	}
	// What the index says is a digest is one that was published: a package that differs is refused below.
	want := strings.ToLower(strings.TrimPrefix(version.Digest, "sha256:"))
	if s.cache.has(packageTree(want)) {
		return answer(want), nil
	}
	address, err := repo.ResolveReferenceURL(plain, version.URLs[0])
	if err != nil {
		return resolved{}, fmt.Errorf("%w: the index's URL for version %s is none", ErrUnreachable, version.Version)
	}
	address, own := withoutUser(address)
	if own.empty() && sameHost(address, plain) {
		own = found.login
	}
	digest, err := s.unpacked(func(file *os.File) (string, error) {
		got, err := s.get(ctx, address, own, maxDownload, file)
		if err == nil && want != "" && got != want {
			err = fmt.Errorf("%w: %s is not what the repository's index says: its digest is another", ErrUnfit, redacted(address))
		}
		return got, err
	})
	if err != nil {
		return resolved{}, err
	}
	return answer(digest), nil
}

// index reads a repository's index, once.
func (s *Store) index(ctx context.Context, plain string, login credentials) (*index, error) {
	key := plain + "\n" + login.user + "\n" + login.password
	s.mu.Lock()
	once, ok := s.indexes[key]
	if !ok {
		once = sync.OnceValues(func() (*index, error) { return s.readIndex(ctx, plain, login) })
		s.indexes[key] = once
	}
	s.mu.Unlock()
	return once()
}

func (s *Store) readIndex(ctx context.Context, plain string, login credentials) (*index, error) {
	if login.empty() {
		var err error
		if login, err = s.helm.loginFor(plain); err != nil {
			return nil, err
		}
	}
	address, err := repo.ResolveReferenceURL(plain, "index.yaml")
	if err != nil {
		return nil, fmt.Errorf("%w: its URL is none", ErrUnreachable)
	}
	dir, err := s.cache.aside()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // sweep does it later
	file, err := os.Create(filepath.Join(dir, "index.yaml"))
	if err != nil {
		return nil, fmt.Errorf("make a file in the chart cache: %w", err)
	}
	_, err = s.get(ctx, address, login, maxIndex, file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	read, err := repo.LoadIndexFile(file.Name())
	if err != nil {
		return nil, fmt.Errorf("%w: %s is no index of a Helm repository", ErrUnreachable, redacted(address))
	}
	return &index{read, login}, nil
}

// loginFor returns what helm repo add has noted for a repository.
func (h helmConfig) loginFor(plain string) (credentials, error) {
	if _, err := os.Stat(h.repositories); err != nil {
		return credentials{}, nil //nolint:nilerr // without the file there are no credentials, and the repository says whether it wants some
	}
	file, err := repo.LoadFile(h.repositories)
	if err != nil {
		return credentials{}, fmt.Errorf("read Helm's %s: it is no list of repositories", h.repositories)
	}
	for _, entry := range file.Repositories {
		if entry != nil && strings.TrimSuffix(entry.URL, "/") == strings.TrimSuffix(plain, "/") {
			return credentials{entry.Username, entry.Password}, nil
		}
	}
	return credentials{}, nil
}
