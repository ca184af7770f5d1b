package gitrepo

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// TestList holds that all files of the work tree below a folder are listed, committed or not, and that nothing outside of it is.
func TestList(t *testing.T) {
	repo := gittest.New(t)
	repo.Write(t, "env/b/c.yaml", "1")
	repo.Write(t, "env/a.yaml", "1")
	repo.Write(t, "environment.yaml", "1")
	if err := os.Symlink("/", repo.Dir+"/env/link"); err != nil {
		t.Fatal(err)
	}
	r := openTest(t, repo)
	for folder, want := range map[string][]string{
		"env":      {"env/a.yaml", "env/b/c.yaml", "env/link"},
		"env/b":    {"env/b/c.yaml"},
		"missing":  nil,
		"missin/g": nil,
	} {
		got, err := r.List(folder)
		if err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", folder, diff)
		}
	}
	if _, err := r.List("../x"); !errors.Is(err, ErrUnsafePath) {
		t.Errorf("got %v", err)
	}
}
