package chart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/Masterminds/semver/v3"
	oci "github.com/opencontainers/image-spec/specs-go/v1"
	"helm.sh/helm/v3/pkg/registry"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	orascredentials "oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
)

const (
	maxManifest = 4 << 20 // bytes; what registries take themselves
	maxLayers   = 10      // as Argo CD
	maxTags     = 100_000
)

// fromRegistry returns the package of a chart in an OCI registry, or the files of an OCI artifact.
func (s *Store) fromRegistry(ctx context.Context, source Source) (resolved, error) {
	plain, login := withoutUser(ociScheme + strings.TrimPrefix(source.RepoURL, ociScheme))
	name := strings.Trim(strings.TrimPrefix(plain, ociScheme), "/")
	if source.Chart != "" {
		name += "/" + source.Chart
	}
	repository, err := s.repository(name, login)
	if err != nil {
		return resolved{}, err
	}
	descriptor, err := findTag(ctx, repository, source)
	if err != nil {
		return resolved{}, registryError(err)
	}
	layer, packed, err := contentLayer(ctx, repository, descriptor)
	if err != nil {
		return resolved{}, registryError(err)
	}
	digest := layer.Digest.Encoded()
	answer := resolved{
		Tree:   packageTree(digest),
		Origin: fmt.Sprintf("%s, %.19s", name, descriptor.Digest.String()),
		Fixed:  source.Revision == descriptor.Digest.String(),
	}
	if !packed {
		answer.Tree = filesTree(digest)
	}
	if s.cache.has(answer.Tree) {
		return answer, nil
	}
	download := func(file *os.File) (string, error) {
		body, err := repository.Fetch(ctx, layer)
		if err != nil {
			return "", registryError(err)
		}
		defer body.Close()
		got, err := copyBounded(file, body, maxDownload)
		switch {
		case errors.Is(err, ErrUnfit):
			return "", err
		case err != nil:
			return "", registryError(err)
		case got != digest:
			return "", fmt.Errorf("%w: the registry sent something else than the manifest names", ErrUnfit)
		}
		return got, nil
	}
	if packed {
		_, err = s.unpacked(download)
	} else {
		err = s.unpackedFiles(download, strings.HasSuffix(layer.MediaType, "gzip"))
	}
	return answer, err
}

// repository opens a repository of a registry with Helm's and Docker's credentials. A registry on this machine is spoken to
// without TLS, as Docker does.
func (s *Store) repository(name string, login credentials) (*remote.Repository, error) {
	repository, err := remote.NewRepository(name)
	if err != nil {
		return nil, fmt.Errorf("%w: the registry's address is none", ErrUnreachable)
	}
	host, _, err := net.SplitHostPort(repository.Reference.Registry)
	if err != nil {
		host = repository.Reference.Registry
	}
	ip := net.ParseIP(host)
	repository.PlainHTTP = host == "localhost" || ip != nil && ip.IsLoopback()
	client := &auth.Client{Client: s.http, Cache: auth.NewCache(), Header: http.Header{"User-Agent": {"kubectl-apl"}}}
	if !login.empty() {
		client.Credential = auth.StaticCredential(repository.Reference.Registry, auth.Credential{Username: login.user, Password: login.password})
	} else if client.Credential, err = s.helm.registryLogin(); err != nil {
		return nil, err
	}
	repository.Client = client
	return repository, nil
}

// registryLogin reads what helm registry login or docker login has noted. Without either there is none.
func (h helmConfig) registryLogin() (auth.CredentialFunc, error) {
	options := orascredentials.StoreOptions{DetectDefaultNativeStore: true}
	store, err := orascredentials.NewStore(h.registry, options)
	if err != nil {
		if info, stat := os.Stat(h.registry); stat == nil && info.Size() == 0 {
			store, err = orascredentials.NewStore("", options) // helm leaves an empty file behind
		}
		if err != nil {
			return nil, fmt.Errorf("read Helm's %s: it holds no credentials of registries", h.registry)
		}
	}
	docker, err := orascredentials.NewStoreFromDocker(options)
	if err != nil {
		return orascredentials.Credential(store), nil //nolint:nilerr // Docker's file is a second place to look, and may be missing
	}
	return orascredentials.Credential(orascredentials.NewStoreWithFallbacks(store, docker)), nil
}

// findTag finds what a revision means in a registry. For a chart that is a version, or a range of versions; "+" is written
// "_" in a tag. For an artifact it is a tag or digest first, and a range when there is none (Argo CD's ResolveRevision).
func findTag(ctx context.Context, repository *remote.Repository, source Source) (oci.Descriptor, error) {
	resolve := func(revision string) (oci.Descriptor, error) {
		return repository.Resolve(ctx, strings.ReplaceAll(revision, "+", "_"))
	}
	_, notVersion := semver.NewVersion(source.Revision)
	_, notRange := semver.NewConstraint(source.Revision)
	if source.Chart == "" || notVersion == nil || notRange != nil {
		found, err := resolve(source.Revision)
		if err == nil || source.Chart != "" || notVersion == nil || notRange != nil || !absent(err) {
			return found, err
		}
	}
	var tags []string
	err := repository.Tags(ctx, "", func(page []string) error {
		for _, tag := range page {
			tags = append(tags, strings.ReplaceAll(tag, "_", "+"))
		}
		if len(tags) > maxTags {
			return fmt.Errorf("%w: more than %d tags", ErrUnfit, maxTags)
		}
		return nil
	})
	if err != nil {
		return oci.Descriptor{}, err
	}
	best, err := highest(source.Revision, tags)
	if err != nil {
		return oci.Descriptor{}, err
	}
	return resolve(best)
}

// highest returns the highest version that a range allows, as Argo CD does (its MaxVersion).
func highest(wanted string, tags []string) (string, error) {
	constraint, err := semver.NewConstraint(wanted)
	if err != nil {
		return "", fmt.Errorf("%w: %q is no version and no range of versions", ErrNotFound, wanted)
	}
	var best *semver.Version
	for _, tag := range tags {
		v, err := semver.NewVersion(tag)
		if err == nil && constraint.Check(v) && (best == nil || v.GreaterThan(best)) {
			best = v
		}
	}
	if best == nil {
		return "", fmt.Errorf("%w: none of %d tags is in range %q", ErrNotFound, len(tags), wanted)
	}
	return best.Original(), nil
}

// contentLayer returns the layer that holds the files, and whether it is a chart as Helm packs it: with one folder above all.
func contentLayer(ctx context.Context, repository *remote.Repository, descriptor oci.Descriptor) (layer oci.Descriptor, packed bool, err error) {
	if descriptor.Size > maxManifest {
		return layer, false, fmt.Errorf("%w: its manifest is larger than %d MiB", ErrUnfit, maxManifest>>20)
	}
	data, err := content.FetchAll(ctx, repository, descriptor)
	if err != nil {
		return layer, false, err
	}
	var manifest oci.Manifest
	if json.Unmarshal(data, &manifest) != nil || len(manifest.Layers) > maxLayers {
		return layer, false, fmt.Errorf("%w: its manifest is none of a chart", ErrUnfit)
	}
	var found []oci.Descriptor
	for _, l := range manifest.Layers {
		switch l.MediaType {
		case registry.ChartLayerMediaType, registry.LegacyChartLayerMediaType:
			packed = true
			found = append(found, l)
		default:
			if strings.HasSuffix(l.MediaType, "tar") || strings.HasSuffix(l.MediaType, "tar+gzip") {
				found = append(found, l)
			}
		}
	}
	if len(found) != 1 {
		return layer, false, fmt.Errorf("%w: its manifest has %d layers of files, and a chart has one", ErrUnfit, len(found))
	}
	layer = found[0]
	switch {
	case layer.Digest.Validate() != nil || layer.Digest.Algorithm() != "sha256":
		return layer, false, fmt.Errorf("%w: its layer has no SHA-256 digest", ErrUnfit)
	case layer.Size > maxDownload:
		return layer, false, fmt.Errorf("%w: larger than %d MiB", ErrUnfit, maxDownload>>20)
	}
	return layer, packed, nil
}

// absent tells whether a registry has answered that there is no such thing, or whether it can have none: no tag is written so.
func absent(err error) bool {
	var response *errcode.ErrorResponse
	return errors.Is(err, errdef.ErrNotFound) || errors.Is(err, errdef.ErrInvalidReference) || errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}

// registryError says which outcome an error of a registry is. Its words name the request, without headers; the URL loses its
// query.
func registryError(err error) error {
	var response *errcode.ErrorResponse
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrUnfit):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	case absent(err):
		return fmt.Errorf("%w: the registry has no such chart or version", ErrNotFound)
	case errors.As(err, &response):
		status := fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
		if response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden {
			status += "; log in with helm registry login"
		}
		return fmt.Errorf("%w: the registry says %s", ErrUnreachable, status)
	}
	var network *net.OpError
	if errors.As(err, &network) {
		return fmt.Errorf("%w: %w", ErrUnreachable, network)
	}
	return fmt.Errorf("%w: the registry's answer is not understood, or it asks for a login; log in with helm registry login", ErrUnreachable)
}
