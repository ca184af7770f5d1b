package chart

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxValueFile bounds a value file, in bytes.
const maxValueFile = 10 << 20

// Located is a chart that is at hand: a folder on disk. It is safe for several goroutines.
type Located struct {
	root   string // of the checkout or package
	dir    string // of the chart, slash path relative to root
	origin string
	note   string
}

// Origin says where the chart is from: its folder, or its address and the commit or digest that was taken.
func (l *Located) Origin() string { return l.origin }

// Note says what is to be known of the chart besides; "" for nothing. Offline, a branch or a range means what it meant when
// it was last looked up.
func (l *Located) Note() string { return l.note }

// Dir returns the chart's folder.
func (l *Located) Dir() string { return filepath.Join(l.root, filepath.FromSlash(l.dir)) }

// Load loads the chart with Helm's loader: .helmignore, requirements.yaml, packed and unpacked subcharts. It returns Helm's
// error for a folder that is no valid chart.
func (l *Located) Load() (*Chart, error) {
	return load(l.Dir(), l.origin)
}

// ReadFile returns a file beside the chart: name is relative to the chart's folder, or with a leading slash to the root of the
// checkout, as Argo CD takes a value file. It wraps fs.ErrNotExist when there is none. What leads out of the checkout, by ".."
// or by a symbolic link, is refused, and so is a file over 10 MiB.
func (l *Located) ReadFile(name string) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // its path is one within the cache
		}
		return nil, fmt.Errorf("read %s of %s: %w", name, l.origin, err)
	}
	inside := path.Join(l.dir, name)
	if rooted, ok := strings.CutPrefix(name, "/"); ok {
		inside = path.Clean(rooted)
	}
	root, err := os.OpenRoot(l.root)
	if err != nil {
		return fail(err)
	}
	defer root.Close() //nolint:errcheck // nothing was written
	file, err := root.Open(filepath.FromSlash(inside))
	if err != nil {
		return fail(err)
	}
	defer file.Close() //nolint:errcheck // nothing was written
	info, err := file.Stat()
	switch {
	case err != nil:
		return fail(err)
	case !info.Mode().IsRegular():
		return fail(errors.New("no regular file"))
	}
	data, err := io.ReadAll(io.LimitReader(file, maxValueFile+1))
	switch {
	case err != nil:
		return fail(err)
	case len(data) > maxValueFile:
		return fail(fmt.Errorf("larger than %d MiB", maxValueFile>>20))
	}
	return data, nil
}
