package testcluster

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBinaries holds that what make built is found by the name that the Makefile gives it, and nothing else is.
func TestBinaries(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "")
	root := t.TempDir()
	recipe := filepath.Join(root, "hack", "controlplane")
	if err := os.MkdirAll(recipe, 0o755); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range []string{"go.mod", "go.sum", "build.sh"} {
		text := []byte("this is " + name + "\n")
		all = append(all, text...)
		if err := os.WriteFile(filepath.Join(recipe, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.CommandContext(t.Context(), "git", "hash-object", "--stdin")
	git.Dir, git.Stdin = root, bytes.NewReader(all)
	hash, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	sum, err := recipeSum(recipe)
	if err != nil || sum != string(hash[:12]) {
		t.Fatalf("the sum is %s; git says %s (%v)", sum, hash, err)
	}
	host := strings.TrimSpace(goEnv(t, "GOOS") + "-" + goEnv(t, "GOARCH"))
	for _, test := range []struct {
		reason, folder, file string
		found                bool
	}{
		{"nothing is built", "", "", false},
		{"other versions", "kubernetes-v1.0.0-" + host + "-0123456789ab", serverFile, false},
		{"a build that was stopped", "kubernetes-v1.1.0-" + host + "-" + sum, "etcd", false},
		{"both are there", "kubernetes-v1.1.0-" + host + "-" + sum, serverFile, true},
	} {
		dir := filepath.Join(root, ".cache", "controlplane", test.folder)
		if test.file != "" {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, test.file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := binaries(root)
		switch {
		case test.found && (err != nil || got != dir):
			t.Errorf("%s: got %q, %v", test.reason, got, err)
		case !test.found && (err == nil || !strings.Contains(err.Error(), "make controlplane")):
			t.Errorf("%s: got %q; the error says %v", test.reason, got, err)
		}
	}
	t.Setenv("KUBEBUILDER_ASSETS", "/elsewhere")
	if got, err := binaries(root); err != nil || got != "/elsewhere" {
		t.Errorf("KUBEBUILDER_ASSETS is not taken: %q, %v", got, err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
