package testcluster

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// serverFile is the last file that make controlplane puts into the folder: whoever sees it sees all.
const serverFile = "kube-apiserver"

// binaries returns the folder of kube-apiserver and etcd: what KUBEBUILDER_ASSETS names, as envtest does, or what make
// built in this work tree from what hack/controlplane says now. Binaries of other versions are not taken.
func binaries(root string) (string, error) {
	if dir := os.Getenv("KUBEBUILDER_ASSETS"); dir != "" {
		return dir, nil
	}
	sum, err := recipeSum(filepath.Join(root, "hack", "controlplane"))
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(root, ".cache", "controlplane", "*-"+runtime.GOOS+"-"+runtime.GOARCH+"-"+sum, serverFile))
	if err != nil || len(found) == 0 {
		return "", errors.New("no API server to test with: build it with make controlplane (make test does, once), or name the " +
			"folder that holds kube-apiserver and etcd in KUBEBUILDER_ASSETS")
	}
	return filepath.Dir(found[0]), nil
}

// recipeSum is the end of the folder's name in the Makefile: the first digits of what git hash-object says of the files that
// decide on the binaries, one after the other.
func recipeSum(dir string) (string, error) {
	var recipe []byte
	for _, name := range []string{"go.mod", "go.sum", "build.sh"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", fmt.Errorf("find the API server to test with: %w", err)
		}
		recipe = append(recipe, data...)
	}
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(recipe)), recipe...))
	return fmt.Sprintf("%x", sum[:6]), nil
}
