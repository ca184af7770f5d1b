package release

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// helmfileTime bounds one run of helmfile. A platform takes some two minutes on a slow machine.
	helmfileTime = 30 * time.Minute
	// maxManaged bounds all values files together, in bytes, and maxManagedFiles how many there are.
	maxManaged      = 256 << 20
	maxManagedFiles = 10_000
)

// The errors of Helmfile.Read that callers tell apart.
var (
	// ErrNoHelmfile means that there is no helmfile binary.
	ErrNoHelmfile = errors.New("there is no helmfile on the PATH")
	// ErrHelmfile means that helmfile failed, or wrote what cannot be used.
	ErrHelmfile = errors.New("helmfile failed")
)

// Helmfile runs the helmfile binary in a folder. What it computes, and from which values, is decided by the folder and the
// environment: all of the environment is handed on, HELMFILE_* too.
type Helmfile struct {
	dir     string
	environ []string
	timeout time.Duration
	mask    func(string) string
	stage   func(ctx context.Context, name string) (over func())
}

// HelmfileOption changes how helmfile is run.
type HelmfileOption func(*Helmfile)

// WithEnviron gives helmfile this environment; that of this process is the default. It is looked for on the PATH in it.
func WithEnviron(environ []string) HelmfileOption { return func(h *Helmfile) { h.environ = environ } }

// WithTimeout bounds each run; half an hour is the default.
func WithTimeout(timeout time.Duration) HelmfileOption {
	return func(h *Helmfile) { h.timeout = timeout }
}

// WithMask hides secrets in what helmfile says when it fails: a failed template can be quoted with values in it. Without a
// mask nothing of what it says is shown.
func WithMask(mask func(string) string) HelmfileOption { return func(h *Helmfile) { h.mask = mask } }

// WithStage is told of each run before it begins, and calls what is returned after it ended.
func WithStage(stage func(ctx context.Context, name string) (over func())) HelmfileOption {
	return func(h *Helmfile) { h.stage = stage }
}

// NewHelmfile returns the helmfile of a folder: one that holds a helmfile.yaml, or a helmfile.d.
func NewHelmfile(dir string, options ...HelmfileOption) *Helmfile {
	h := &Helmfile{
		dir: dir, environ: os.Environ(), timeout: helmfileTime,
		stage: func(context.Context, string) func() { return func() {} },
	}
	for _, option := range options {
		option(h)
	}
	return h
}

// Read runs `helmfile list` and `helmfile write-values`, and returns what they say. The values, which hold secrets, are on
// disk only while it runs, in a folder that nobody else can read; helmfile's own temporary files are in it too.
//
// The error wraps ErrNoHelmfile, ErrHelmfile, ErrRegistry, or that of ctx.
func (h *Helmfile) Read(ctx context.Context) (registry *Registry, managed Managed, err error) {
	binary := h.find()
	if binary == "" {
		return nil, Managed{}, fmt.Errorf("%w; install helmfile, and helm, which it runs; or write their outputs elsewhere, and give them by --releases and --managed", ErrNoHelmfile)
	}
	temp, err := os.MkdirTemp("", "kubectl-apl-helmfile-") // 0700
	if err != nil {
		return nil, Managed{}, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	values, scratch := filepath.Join(temp, "values"), filepath.Join(temp, "tmp")
	for _, dir := range []string{values, scratch} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, Managed{}, fmt.Errorf("make a temporary folder: %w", err)
		}
	}
	out, err := h.run(ctx, binary, scratch, "list", "--output", "json")
	if err != nil {
		return nil, Managed{}, err
	}
	if len(out) == 0 {
		return nil, Managed{}, fmt.Errorf("%w: helmfile list in %s prints nothing; see that it is the platform's folder", ErrHelmfile, h.dir)
	}
	if registry, err = ParseRegistry("helmfile list in "+h.dir, out); err != nil {
		return nil, Managed{}, err
	}
	if _, err := h.run(ctx, binary, scratch, "write-values", "--output-file-template", filepath.Join(values, "{{ .Release.Namespace }}-{{ .Release.Name }}.yaml")); err != nil {
		return nil, Managed{}, err
	}
	files, err := readValues(values)
	if err != nil {
		return nil, Managed{}, err
	}
	if len(files) == 0 && h.wantsValues(registry) {
		return nil, Managed{}, fmt.Errorf("%w: helmfile write-values in %s writes nothing, though releases are installed; see that this helmfile knows --output-file-template", ErrHelmfile, h.dir)
	}
	return registry, Managed{memory: files}, nil
}

func (h *Helmfile) wantsValues(registry *Registry) bool {
	for r := range registry.All() {
		if r.Present() {
			return true
		}
	}
	return false
}

// find returns the helmfile binary of the PATH, "" when there is none. A folder that is relative is passed over: what lies in
// the folder that we happen to be in is not the person's helmfile.
func (h *Helmfile) find() string {
	for _, entry := range h.environ {
		list, ok := strings.CutPrefix(entry, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			if path := executable(dir); path != "" {
				return path
			}
		}
	}
	return ""
}

// readValues reads what write-values has written.
func readValues(dir string) (map[string][]byte, error) {
	files, left := map[string][]byte{}, int64(maxManaged)
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%w: it wrote %s, which is no regular file", ErrHelmfile, path)
		case len(files) == maxManagedFiles:
			return fmt.Errorf("%w: it wrote more than %d values files", ErrHelmfile, maxManagedFiles)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if left -= info.Size(); info.Size() > MaxSize || left < 0 {
			return fmt.Errorf("%w: the values that it wrote are too large (%s)", ErrHelmfile, path)
		}
		files[path], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what helmfile write-values wrote: %w", err)
	}
	return files, nil
}
