package chart

import (
	"fmt"
	"os"
	"path/filepath"

	"helm.sh/helm/v3/pkg/chart/loader"
)

// load loads the chart in a folder with Helm's loader. origin is how errors name it.
func load(dir, origin string) (*Chart, error) {
	if err := tooMany(dir); err != nil {
		return nil, fmt.Errorf("load chart %s: %w", origin, err)
	}
	loaded, err := loader.LoadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("load chart %s: %w", origin, err)
	}
	return &Chart{chart: loaded}, nil
}

// tooMany refuses a folder in which symbolic links lead to more files than a chart has: Helm's loader follows each link to a
// folder, as often as it comes by it, and keeps all that it reads. Two links in each of thirty folders are a billion files.
func tooMany(dir string) error {
	left := maxFiles
	var walk func(dir string, linked bool) error
	walk = func(dir string, linked bool) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil //nolint:nilerr // Helm's loader says it
		}
		for _, entry := range entries {
			at, through := filepath.Join(dir, entry.Name()), linked || entry.Type()&os.ModeSymlink != 0
			if through {
				left--
			}
			if left < 0 {
				return fmt.Errorf("%w: symbolic links in it lead to more than %d files", ErrUnfit, maxFiles)
			}
			info, err := os.Stat(at)
			if err != nil || !info.IsDir() {
				continue
			}
			if err := walk(at, through); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(dir, false)
}
