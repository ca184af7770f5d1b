package plugin_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
)

const (
	maxMemory = 800 << 20 // bytes that the process may hold at most
	manyApps  = 4200
	chunk     = 500 // Applications that one request asks for
)

// TestMemoryCluster holds that a migrate of a cluster with 4,200 Applications lists them in chunks, once, and that the whole
// process stays in bounds. It multiplies the recording of the real platform where that is here, and else the project's own,
// whose apps are smaller.
func TestMemoryCluster(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("it takes a minute")
	case raceDetector:
		t.Skip("the race detector takes a multiple of the memory that is measured here")
	}
	recorded := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(recorded); err != nil {
		recorded = filepath.Join("..", "testdata", "platform")
	}
	c := testcluster.Start(t)
	dir := t.TempDir()
	total := multiply(t, c, recorded, dir)
	server := count(t, c.Config)

	repo := filepath.Join(dir, "values")
	gitRepo(t, recorded, repo)
	cmd := exec.CommandContext(t.Context(), program(t), "migrate", "--server", server.URL, "--dry-run", "--keep-going", "--accept-introduced",
		"--releases", filepath.Join(dir, "releases.json"), "--managed", filepath.Join(dir, "managed"), "--charts", recorded, "--repo", repo)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+os.DevNull, "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() > 1 {
		t.Fatalf("migrate: %v\n%s", err, tail(out))
	}
	if want := fmt.Sprintf("Applications: %d,", total); !strings.Contains(string(out), want) {
		t.Errorf("%q is not in what is printed:\n%s", want, tail(out))
	}
	want := (total + chunk - 1) / chunk
	if got := server.lists(); got != want || total < manyApps {
		t.Errorf("%d requests for %d Applications; want %d", got, total, want)
	}
	most := residentSet(cmd)
	t.Logf("%d Applications in %d requests: %d MiB at most", total, want, most>>20)
	if most > maxMemory {
		t.Errorf("%d MiB at most; wanted are %d", most>>20, maxMemory>>20)
	}
}

// residentSet returns the most memory that a process that ended has held, in bytes.
func residentSet(cmd *exec.Cmd) int64 {
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		return most
	}
	return most << 10 // KiB elsewhere
}

func tail(out []byte) []byte { return out[max(0, len(out)-2000):] }

// counting is a server in front of another one, that counts what Applications are listed by.
type counting struct {
	*httptest.Server
	mutex sync.Mutex
	n     int
}

func (c *counting) lists() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.n
}

// count starts a server that hands everything on to the API server, as whoever config is.
func count(t *testing.T, config *rest.Config) *counting {
	t.Helper()
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = transport
	c := &counting{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/applications") {
			c.mutex.Lock()
			c.n++
			c.mutex.Unlock()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

// multiply loads a recorded platform many times over, each copy's apps in namespaces of their own, and writes its
// registry and its managed values into dir. It returns how many Applications that makes.
func multiply(t *testing.T, c *testcluster.Cluster, recorded, dir string) int {
	t.Helper()
	var list struct{ Items []map[string]any }
	decode(t, filepath.Join(recorded, "live", "applications.yaml"), yaml.Unmarshal, &list)
	var registry, all []map[string]any
	decode(t, filepath.Join(recorded, "releases.json"), json.Unmarshal, &registry)
	if err := os.Mkdir(filepath.Join(dir, "managed"), 0o755); err != nil {
		t.Fatal(err)
	}
	var objects []*unstructured.Unstructured
	for i := range (manyApps + len(list.Items) - 1) / len(list.Items) {
		for _, item := range list.Items {
			object := (&unstructured.Unstructured{Object: plain(t, item)}).DeepCopy()
			namespace, _, _ := unstructured.NestedString(object.Object, "spec", "destination", "namespace")
			name := object.GetName()
			copied := fmt.Sprintf("%s-%d", namespace, i)
			if err := unstructured.SetNestedField(object.Object, copied, "spec", "destination", "namespace"); err != nil {
				t.Fatal(err)
			}
			object.SetName(copied + strings.TrimPrefix(name, namespace))
			objects = append(objects, object)
			managed := filepath.Join(recorded, "managed", name+".yaml")
			if data, err := os.ReadFile(managed); err == nil {
				write(t, filepath.Join(dir, "managed", object.GetName()+".yaml"), data)
			}
		}
		for _, entry := range registry {
			entry = maps.Clone(entry)
			entry["namespace"] = fmt.Sprintf("%s-%d", entry["namespace"], i)
			all = append(all, entry)
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "releases.json"), data)
	c.Create(t, "apl-operator", objects...)
	return len(objects)
}

func decode(t *testing.T, path string, parse func([]byte, any) error, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := parse(data, into); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}

// plain returns a tree of the types that JSON has, which is all that an object may consist of.
func plain(t *testing.T, tree map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var object unstructured.Unstructured
	if err := object.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return object.Object
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, fs.FileMode(0o600)); err != nil {
		t.Fatal(err)
	}
}
