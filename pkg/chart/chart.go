// Package chart owns Helm charts: it loads them and tells what their templates see. It is, with pkg/values, the only
// door to Helm's library. It knows nothing of apps, Argo CD or the values repo.
//
// What templates see is what `helm template` computes before it renders (helm.sh/helm/v3/pkg/action, Install.Run):
// chartutil.ProcessDependenciesWithMerge, which drops disabled subcharts and imports values, and then
// chartutil.CoalesceValues, which chartutil.ToRenderValues calls.
package chart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
)

// HelmVersion is the version of Helm's library that answers here. What a proof says holds for it: other versions treat
// some nulls otherwise.
const HelmVersion = "v3.21.4"

// ErrNotFound is returned, wrapped, when there is no chart where a source says that it is.
var ErrNotFound = errors.New("no chart")

// Chart is a loaded chart, subcharts included. It is safe to ask again and again: nothing changes it.
type Chart struct {
	chart *chart.Chart

	once   sync.Once // guards spared
	spared *spared
}

// Name returns the chart's name and version: web-1.2.3.
func (c *Chart) Name() string { return c.chart.Name() + "-" + c.chart.Metadata.Version }

// Version returns the chart's version.
func (c *Chart) Version() string { return c.chart.Metadata.Version }

// Folder is a folder that chart paths are relative to: the checkout that an Application's source.path names a folder
// of (an apl-core checkout). The zero Folder has no charts.
type Folder struct {
	dir string
}

// NewFolder returns the charts below dir.
func NewFolder(dir string) Folder { return Folder{dir: dir} }

// Find returns the folder of the chart at path. Where dir itself is the first folder of path (--charts .../charts for
// charts/gitea) that folder is meant. It returns ErrNotFound, wrapped with the place, when there is no Chart.yaml, or
// when path leaves the folder.
func (f Folder) Find(path string) (string, error) {
	local := filepath.FromSlash(strings.TrimPrefix(path, "./"))
	if f.dir == "" || !filepath.IsLocal(local) {
		return "", fmt.Errorf("%w folder %q", ErrNotFound, path)
	}
	candidates := []string{filepath.Join(f.dir, local)}
	if first, rest, ok := strings.Cut(local, string(filepath.Separator)); ok && first == f.base() {
		candidates = append(candidates, filepath.Join(f.dir, rest))
	}
	for _, dir := range candidates {
		_, err := os.Stat(filepath.Join(dir, chartutil.ChartfileName))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find chart %q: %w", path, err)
		}
	}
	return "", fmt.Errorf("%w folder %s", ErrNotFound, candidates[0])
}

func (f Folder) base() string {
	absolute, err := filepath.Abs(f.dir)
	if err != nil {
		return filepath.Base(f.dir)
	}
	return filepath.Base(absolute)
}

// Load loads the chart at path, as Find finds it, with Helm's loader: .helmignore, requirements.yaml, packed and
// unpacked subcharts. It returns ErrNotFound as Find does, and Helm's error for a folder that is no valid chart.
func (f Folder) Load(path string) (*Chart, error) {
	dir, err := f.Find(path)
	if err != nil {
		return nil, err
	}
	return load(dir, dir)
}

// clone copies what ProcessDependencies changes: the list of subcharts, and names and switches of dependencies. The
// values are shared: Helm copies them before it changes them.
func clone(c *chart.Chart) *chart.Chart {
	out := *c
	if c.Metadata != nil {
		metadata := *c.Metadata
		metadata.Dependencies = slices.Clone(c.Metadata.Dependencies) // nil stays nil: Helm tells it from empty
		for i, d := range metadata.Dependencies {
			if d != nil {
				dependency := *d
				metadata.Dependencies[i] = &dependency
			}
		}
		out.Metadata = &metadata
	}
	subcharts := make([]*chart.Chart, 0, len(c.Dependencies()))
	for _, s := range c.Dependencies() {
		subcharts = append(subcharts, clone(s))
	}
	out.SetDependencies(subcharts...)
	return &out
}
