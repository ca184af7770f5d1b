package chart_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// ociRegistry is a registry in memory: as much of the distribution API as pulling takes.
type ociRegistry struct {
	*httptest.Server
	host string

	mu    sync.Mutex
	blobs map[string][]byte            // by digest
	tags  map[string]map[string]string // repository -> tag -> digest of the manifest
	want  string                       // the login that it wants
	pulls int                          // of blobs
}

const manifestType = "application/vnd.oci.image.manifest.v1+json"

func newRegistry(t *testing.T) *ociRegistry {
	t.Helper()
	r := &ociRegistry{blobs: map[string][]byte{}, tags: map[string]map[string]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	r.host = strings.TrimPrefix(r.URL, "http://")
	t.Cleanup(r.Close)
	return r
}

func (r *ociRegistry) serve(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	user, password, _ := req.BasicAuth()
	if r.want != "" && user+":"+password != r.want {
		w.Header().Set("Www-Authenticate", `Basic realm="test"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path := strings.TrimPrefix(req.URL.Path, "/v2/")
	if name, ok := strings.CutSuffix(path, "/tags/list"); ok && r.tags[name] != nil {
		var tags []string
		for tag := range r.tags[name] {
			tags = append(tags, tag)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"name": name, "tags": tags})
		return
	}
	if name, reference, ok := strings.Cut(path, "/manifests/"); ok {
		digest := reference
		if id, tagged := r.tags[name][reference]; tagged {
			digest = id
		}
		if data, ok := r.blobs[digest]; ok {
			w.Header().Set("Content-Type", manifestType)
			w.Header().Set("Docker-Content-Digest", digest)
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data)
			return
		}
	}
	if _, digest, ok := strings.Cut(path, "/blobs/"); ok {
		r.pulls++
		if data, ok := r.blobs[digest]; ok {
			_, _ = w.Write(data)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// push adds an artifact with one layer, and returns the digest of its manifest.
func (r *ociRegistry) push(t *testing.T, name, tag, layerType string, layer []byte) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	config := []byte("{}")
	part := func(kind string, data []byte) map[string]any {
		r.blobs["sha256:"+sum(data)] = data
		return map[string]any{"mediaType": kind, "digest": "sha256:" + sum(data), "size": len(data)}
	}
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType,
		"config": part("application/vnd.cncf.helm.config.v1+json", config),
		"layers": []any{part(layerType, layer)},
	})
	if err != nil {
		t.Fatal(err)
	}
	digest := "sha256:" + sum(manifest)
	r.blobs[digest] = manifest
	if r.tags[name] == nil {
		r.tags[name] = map[string]string{}
	}
	r.tags[name][tag] = digest
	return digest
}

const chartLayer = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"

func TestRegistry(t *testing.T) {
	r := newRegistry(t)
	for _, version := range []string{"1.2.0", "1.10.0", "2.0.0-rc.1", "1.3.0+build.7"} {
		r.push(t, "charts/web", strings.ReplaceAll(version, "+", "_"), chartLayer, packed(t, "web", version))
	}
	r.push(t, "charts/web", "latest", chartLayer, packed(t, "web", "1.10.0"))
	files := archive(t, member{name: "deploy/web/Chart.yaml", data: chartYAML("web", "4.0.0")}, member{name: "Chart.yaml", data: chartYAML("top", "4.0.0")})
	digest := r.push(t, "artifacts/web", "4.0.0", "application/vnd.oci.image.layer.v1.tar+gzip", files)
	r.push(t, "artifacts/web", "stable", "application/vnd.oci.image.layer.v1.tar+gzip", files)
	r.push(t, "artifacts/picture", "1.0.0", "image/png", []byte("png"))
	cases := map[string]struct {
		reason string
		source chart.Source
		want   string
		err    error
	}{
		"Exact":          {reason: "a version is a tag", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "1.2.0"}, want: "web-1.2.0"},
		"Scheme":         {reason: "oci:// says the same", source: chart.Source{RepoURL: "oci://" + r.host + "/charts", Chart: "web", Revision: "1.2.0"}, want: "web-1.2.0"},
		"Nested":         {reason: "a chart's name can hold a path", source: chart.Source{RepoURL: r.host, Chart: "charts/web", Revision: "1.2.0"}, want: "web-1.2.0"},
		"Plus":           {reason: "+ is _ in a tag", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "1.3.0+build.7"}, want: "web-1.3.0+build.7"},
		"Range":          {reason: "the highest in the range", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "1.x"}, want: "web-1.10.0"},
		"Tag":            {reason: "a tag that is no version", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "latest"}, want: "web-1.10.0"},
		"NoVersion":      {reason: "no such tag", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "9.0.0"}, err: chart.ErrNotFound},
		"NoRange":        {reason: "nothing in the range", source: chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "9.x"}, err: chart.ErrNotFound},
		"NoChart":        {reason: "no such repository", source: chart.Source{RepoURL: r.host + "/charts", Chart: "none", Revision: "1.0.0"}, err: chart.ErrNotFound},
		"Artifact":       {reason: "Argo CD's own oci:// sources have a path", source: chart.Source{RepoURL: "oci://" + r.host + "/artifacts/web", Path: "deploy/web", Revision: "4.0.0"}, want: "web-4.0.0"},
		"ArtifactRoot":   {reason: "a path of . is all of it", source: chart.Source{RepoURL: "oci://" + r.host + "/artifacts/web", Path: ".", Revision: "stable"}, want: "top-4.0.0"},
		"ArtifactRange":  {reason: "what is no tag can be a range", source: chart.Source{RepoURL: "oci://" + r.host + "/artifacts/web", Path: ".", Revision: ">=1.0.0"}, want: "top-4.0.0"},
		"ArtifactDigest": {reason: "a digest", source: chart.Source{RepoURL: "oci://" + r.host + "/artifacts/web", Path: ".", Revision: digest}, want: "top-4.0.0"},
		"ArtifactChart":  {reason: "a chart as Helm packs it, less its folder", source: chart.Source{RepoURL: "oci://" + r.host + "/charts/web", Path: ".", Revision: "1.2.0"}, want: "web-1.2.0"},
		"NoFiles":        {reason: "an artifact without files", source: chart.Source{RepoURL: "oci://" + r.host + "/artifacts/picture", Path: ".", Revision: "1.0.0"}, err: chart.ErrUnfit},
		"NoAddress":      {reason: "an address that is none", source: chart.Source{RepoURL: "oci://", Path: ".", Revision: "1.0.0"}, err: chart.ErrUnreachable},
		"Nobody":         {reason: "nobody answers", source: chart.Source{RepoURL: "127.0.0.1:1/charts", Chart: "web", Revision: "1.0.0"}, err: chart.ErrUnreachable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			s := store(t, cache)
			located, err := s.Locate(t.Context(), tc.source)
			if !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			empty(t, cache)
			if err != nil {
				return
			}
			if c, err := located.Load(); err != nil || c.Name() != tc.want {
				t.Errorf("%s: got %v, %v", tc.reason, c, err)
			}
			before := r.pulls
			locate(t, store(t, cache), tc.source)
			offline, err := store(t, cache, chart.WithOffline()).Locate(t.Context(), tc.source)
			if err != nil || (offline.Note() == "") != (tc.source.Revision == digest) {
				t.Errorf("%s: offline: note %q, %v", tc.reason, offline.Note(), err)
			}
			if r.pulls > before+1 { // the manifest can be asked for as a blob
				t.Errorf("%s: pulled again", tc.reason)
			}
		})
	}
}

func TestRegistryCredentials(t *testing.T) {
	const login = "ann:warm-kettle-19"
	r := newRegistry(t)
	r.push(t, "charts/web", "1.2.0", chartLayer, packed(t, "web", "1.2.0"))
	r.want = login
	source := chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "1.2.0"}

	if _, err := store(t, t.TempDir()).Locate(t.Context(), source); !errors.Is(err, chart.ErrUnreachable) || !strings.Contains(err.Error(), "helm registry login") {
		t.Errorf("without a login: %v", err)
	}
	config := filepath.Join(t.TempDir(), "config.json")
	auth := base64.StdEncoding.EncodeToString([]byte(login))
	if err := os.WriteFile(config, fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}}}`, r.host, auth), 0o600); err != nil {
		t.Fatal(err)
	}
	locate(t, store(t, t.TempDir(), chart.WithHelmConfig("none", config)), source)
	source.RepoURL = "oci://" + login + "@" + r.host + "/charts"
	locate(t, store(t, t.TempDir()), source)
	source.RepoURL = "oci://ann:cold-kettle-20@" + r.host + "/charts"
	if _, err := store(t, t.TempDir()).Locate(t.Context(), source); !errors.Is(err, chart.ErrUnreachable) || strings.Contains(err.Error(), "kettle") {
		t.Errorf("with a wrong login: %v", err)
	}
}

// TestRegistryLies shows that a registry cannot give something else than the manifest names.
func TestRegistryLies(t *testing.T) {
	r := newRegistry(t)
	layer := packed(t, "web", "1.2.0")
	r.push(t, "charts/web", "1.2.0", chartLayer, layer)
	r.blobs["sha256:"+sum(layer)] = packed(t, "web", "6.6.6")
	source := chart.Source{RepoURL: r.host + "/charts", Chart: "web", Revision: "1.2.0"}
	cache := t.TempDir()
	if _, err := store(t, cache).Locate(t.Context(), source); !errors.Is(err, chart.ErrUnfit) && !errors.Is(err, chart.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	empty(t, cache)
}
