package chart

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"helm.sh/helm/v3/pkg/chartutil"
)

// Open makes the chart in a folder, or the one that a .tgz packs, available. It asks no network; a package is unpacked to the cache. The error
// wraps ErrNotFound when there is nothing at the path, or no chart, and ErrUnfit or ErrUnreachable as that of Locate.
func (s *Store) Open(ctx context.Context, path string) (*Located, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w at %s", ErrNotFound, path)
	case err != nil:
		return nil, fmt.Errorf("open chart %s: %w", path, errors.Unwrap(err))
	case info.Mode().IsRegular():
		return s.unpackFile(ctx, path)
	case !info.IsDir():
		return nil, fmt.Errorf("%w: %s is no folder and no file", ErrUnfit, path)
	}
	if _, err := os.Stat(filepath.Join(path, chartutil.ChartfileName)); err != nil {
		return nil, fmt.Errorf("%w at %s: it has no %s", ErrNotFound, path, chartutil.ChartfileName)
	}
	return &Located{root: path, dir: ".", origin: path}, nil
}

// AtHand is Locate for the folder at hand alone: it asks no network, and wraps ErrNotFound where the folder does not have the chart.
func (s *Store) AtHand(ctx context.Context, source Source) (*Located, error) {
	if s.folder == nil {
		return nil, fmt.Errorf("%w: there is no folder of charts", ErrNotFound)
	}
	found, err := s.inFolder(ctx, source)
	if found == nil && err == nil {
		err = fmt.Errorf("%w %s %s in %s", ErrNotFound, source.Chart, source.Revision, s.folder.dir)
	}
	return found, err
}
