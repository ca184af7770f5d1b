package publish_test

import (
	"io/fs"
	"testing/fstest"

	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// memoryFolder is a folder in which a release rendered nothing.
func memoryFolder(r release.Release) fs.FS {
	return fstest.MapFS{release.ManagedFile(r.ID): {Data: []byte("---\n# nothing\n")}}
}
