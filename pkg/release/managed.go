package release

import (
	"fmt"
	"io"
	"io/fs"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// Managed reads the values that the platform computes, from a folder that
// `helmfile write-values --output-file-template 'DIR/{{ .Release.Namespace }}-{{ .Release.Name }}.yaml'` filled,
// or that Helmfile.Read has read.
type Managed struct {
	files  fs.FS
	memory map[string][]byte // by name, when they are on disk no more
}

// NewManaged returns a reader of the managed values in a folder.
func NewManaged(folder fs.FS) Managed { return Managed{files: folder} }

// ManagedFile returns what the file of an app is called within the folder. Like an Application's name it is not unique to
// an identity: layout.SharedApplications tells which meet.
func ManagedFile(id app.ID) string { return id.Name() + ".yaml" }

// Read returns the managed values of an app as helmfile wrote them, and the name of their file within the folder, which
// is set beside an error too. The error wraps fs.ErrNotExist when the app has no such file; a file over MaxSize, and what is
// no regular file, are refused.
func (m Managed) Read(id app.ID) (data []byte, name string, err error) {
	name = ManagedFile(id)
	if err := id.Validate(); err != nil {
		return nil, name, fmt.Errorf("read managed values: %w", err) // such a name could leave the folder
	}
	if m.files == nil {
		if data, ok := m.memory[name]; ok {
			return data, name, nil
		}
		return nil, name, fmt.Errorf("read managed values of %s: helmfile wrote no %s: %w", id, name, fs.ErrNotExist)
	}
	file, err := m.files.Open(name)
	if err != nil {
		return nil, name, fmt.Errorf("read managed values of %s: %w", id, err)
	}
	defer file.Close() // nothing was written, so that closing cannot lose anything

	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("read managed values of %s: %w", id, err)
	case !info.Mode().IsRegular():
		return nil, name, fmt.Errorf("read managed values of %s: %s is no regular file", id, name)
	}
	// The size that Stat tells can be another by now.
	data, err = io.ReadAll(io.LimitReader(file, MaxSize+1))
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("read managed values of %s: %w", id, err)
	case len(data) > MaxSize:
		return nil, name, fmt.Errorf("read managed values of %s: %s is larger than %d MiB", id, name, MaxSize>>20)
	}
	return data, name, nil
}
