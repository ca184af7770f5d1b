package chart

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/Masterminds/semver/v3"
	"helm.sh/helm/v3/pkg/chartutil"
)

const packageSuffix = ".tgz"

// inFolder looks for a source's chart in the folder at hand. A path that is not there is ErrNotFound; a chart of a Helm
// repository that is not there is nil: its own source has it.
func (s *Store) inFolder(ctx context.Context, source Source) (*Located, error) {
	if source.kind() == kindGit {
		dir, err := s.folder.Find(source.Path)
		if err == nil {
			return s.folder.located(dir, source.Path), nil
		}
		if file := s.folder.packedAt(source.Path); errors.Is(err, ErrNotFound) && file != "" {
			return s.unpackFile(ctx, file)
		}
		return nil, err
	}
	if source.Chart == "" {
		return nil, nil //nolint:nilnil // the folder has nothing to say about an OCI artifact
	}
	name := filepath.Base(filepath.FromSlash(source.Chart))
	for _, dir := range []string{filepath.Join(s.folder.dir, name), filepath.Join(s.folder.dir, "charts", name)} {
		if metadata, err := chartutil.LoadChartfile(filepath.Join(dir, chartutil.ChartfileName)); err == nil && metadata.Name == name && fits(metadata.Version, source.Revision) {
			return &Located{root: dir, dir: ".", origin: dir}, nil
		}
	}
	if file := s.folder.packed(name, source.Revision); file != "" {
		return s.unpackFile(ctx, file)
	}
	return nil, nil //nolint:nilnil // see above
}

// located is the chart in a folder that Find has found for path. The root, which value files with a leading slash are relative
// to, is the checkout: where --charts names its folder charts, that is one up.
func (f Folder) located(dir, path string) *Located {
	local := filepath.FromSlash(strings.TrimPrefix(path, "./"))
	out := &Located{root: f.dir, dir: filepath.ToSlash(local), origin: dir}
	if dir != filepath.Join(f.dir, local) {
		if up, err := filepath.Abs(filepath.Join(f.dir, "..")); err == nil {
			out.root = up
		}
	}
	return out
}

// packedAt returns the package of the chart at a path: path.tgz, or the one path-VERSION.tgz; "" when there is none, or
// several.
func (f Folder) packedAt(path string) string {
	local := filepath.FromSlash(strings.TrimPrefix(path, "./"))
	if !filepath.IsLocal(local) {
		return ""
	}
	for _, at := range []string{filepath.Join(f.dir, local), filepath.Join(f.dir, filepath.Base(local))} {
		if info, err := os.Stat(at + packageSuffix); err == nil && info.Mode().IsRegular() {
			return at + packageSuffix
		}
		if found := versions(at); len(found) == 1 {
			for _, file := range found {
				return file
			}
		}
	}
	return ""
}

// packed returns the package of a chart that a revision asks for: that version, or the highest in the range.
func (f Folder) packed(name, revision string) string {
	for _, at := range []string{filepath.Join(f.dir, name), filepath.Join(f.dir, "charts", name)} {
		found := versions(at)
		if file, ok := found[revision]; ok {
			return file
		}
		var all []string
		for version := range found {
			all = append(all, version)
		}
		if best, err := highest(revision, all); err == nil {
			return found[best]
		}
	}
	return ""
}

// versions returns the packages NAME-VERSION.tgz by version. The rest of a name has to be a version: harbor-operator-1.0.0 is
// none of harbor.
func versions(at string) map[string]string {
	entries, err := os.ReadDir(filepath.Dir(at))
	if err != nil {
		return nil // no folder, no packages
	}
	out := map[string]string{}
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), filepath.Base(at)+"-")
		version, packed := strings.CutSuffix(rest, packageSuffix)
		if _, err := semver.NewVersion(version); ok && packed && err == nil && entry.Type().IsRegular() {
			out[version] = filepath.Join(filepath.Dir(at), entry.Name())
		}
	}
	return out
}

// fits tells whether a version is what a revision asks for.
func fits(version, revision string) bool {
	if version == revision {
		return true
	}
	_, err := highest(revision, []string{version})
	return err == nil
}

// unpackFile makes a package on disk available by way of the cache.
func (s *Store) unpackFile(ctx context.Context, file string) (*Located, error) {
	if s.cache.dir == "" {
		return nil, fmt.Errorf("%w: there is no cache folder to unpack %s to", ErrUnreachable, file)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	digest, err := s.unpacked(func(to *os.File) (string, error) {
		from, err := os.Open(file)
		if err != nil {
			var at *fs.PathError
			if errors.As(err, &at) {
				err = at.Err
			}
			return "", fmt.Errorf("%w: %w", ErrUnfit, err)
		}
		defer from.Close() //nolint:errcheck // nothing was written
		return copyBounded(to, from, maxDownload)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	root := s.cache.place(packageTree(digest))
	if err := hasChart(root, "."); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &Located{root: root, dir: ".", origin: file}, nil
}
