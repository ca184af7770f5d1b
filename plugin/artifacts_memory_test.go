package plugin_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	largeStream       = 100 << 20 // bytes of objects
	maxArtifactMemory = 300 << 20 // bytes that the process may hold at most
)

// TestMemoryArtifacts holds that the process stays in bounds which splits 100 MB of objects (issue 4), all of it: reading, writing
// namespaces into texts, looking for secrets, and comparing with the repo.
func TestMemoryArtifacts(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("it takes half a minute")
	case raceDetector:
		t.Skip("the race detector takes a multiple of the memory that is measured here")
	}
	dir := t.TempDir()
	objects := manyObjects(t, filepath.Join(dir, "large.yaml"))
	repo := filepath.Join(dir, "values")
	gitRepo(t, filepath.Join("..", "testdata", "platform"), repo)
	cmd := exec.CommandContext(t.Context(), program(t), "artifacts", "-f", filepath.Join(dir, "large.yaml"), "-n", "web", "--repo", repo, "--dry-run")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+os.DevNull, "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if want := fmt.Sprintf("To add: %d,", objects); err != nil || !strings.Contains(string(out), want) {
		t.Fatalf("%v, and %q is not in what is printed:\n%s", err, want, tail(out))
	}
	most := residentSet(cmd)
	t.Logf("%d objects of %d MiB together: %d MiB at most", objects, largeStream>>20, most>>20)
	if most > maxArtifactMemory {
		t.Errorf("%d MiB at most; wanted are %d", most>>20, maxArtifactMemory>>20)
	}
}

// manyObjects writes a stream of ConfigMaps without a namespace, and returns how many.
func manyObjects(t *testing.T, path string) (objects int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, size := bufio.NewWriter(file), 0
	for ; size < largeStream; objects++ {
		n, _ := fmt.Fprintf(w, "---\n# Source: web/templates/%d.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\n  labels: {app.kubernetes.io/name: web}\ndata:\n", objects, objects) // Flush tells
		size += n
		for k := range 20 + objects%100 {
			n, _ := fmt.Fprintf(w, "  key-%d: |\n    server { listen %d; }\n    location / { return 200; }\n", k, k) // as above
			size += n
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return objects
}
