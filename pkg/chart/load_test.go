package chart_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// TestLoadLinks holds that links are followed as Helm does, and that neither circles nor links to links to links make the loader
// read without end.
func TestLoadLinks(t *testing.T) {
	many := map[string]string{}
	for i := range 25 {
		many[fmt.Sprintf("web/d%d/a", i)], many[fmt.Sprintf("web/d%d/b", i)] = fmt.Sprintf("../d%d", i+1), fmt.Sprintf("../d%d", i+1)
	}
	for name, tc := range map[string]struct {
		links map[string]string
		fails bool
		unfit bool
	}{
		"Beside": {map[string]string{"web/files": "../loop/templates"}, false, false},
		"Circle": {map[string]string{"web/templates/a": ".."}, true, false},
		"Many":   {many, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, rendered())
			for at, to := range tc.links {
				at = filepath.Join(dir, filepath.FromSlash(at))
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, at); err != nil {
					t.Fatal(err)
				}
			}
			if name == "Many" {
				if err := os.Mkdir(filepath.Join(dir, "web", "d25"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			_, err := chart.NewFolder(dir).Load("web")
			if (err != nil) != tc.fails || errors.Is(err, chart.ErrUnfit) != tc.unfit {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
