package artifact_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
)

// TestReadCorpus reads what a real platform renders: every object is one, and two releases render none.
func TestReadCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "artifacts")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: what a real platform renders cannot be read")
	}
	if err != nil {
		t.Fatal(err)
	}
	objects, without := 0, 0
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		s, err := artifact.Read(bytes.NewReader(data))
		if err != nil || len(s.Problems) > 0 {
			t.Errorf("%s: %v, %v", e.Name(), s.Problems, err)
		}
		if objects += len(s.Objects); len(s.Objects) == 0 {
			without++
		}
	}
	if objects != 93 || without != 2 {
		t.Errorf("%d objects, %d releases without one; want 93 and 2", objects, without)
	}
}
