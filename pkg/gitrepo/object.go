package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// objectStore reads and adds objects. The repository is not opened by go-git as a whole: that would read the configuration,
// whose errors can hold what stands in it, and would refuse forms that do not matter to objects.
type objectStore struct {
	storage *filesystem.Storage
	dir     string // the folder "objects"
}

func newObjectStore(commonDir string) *objectStore {
	return &objectStore{
		storage: filesystem.NewStorage(osfs.New(commonDir), cache.NewObjectLRUDefault()),
		dir:     filepath.Join(commonDir, "objects"),
	}
}

// treeOf returns the id of a commit's tree.
func (o *objectStore) treeOf(commit string) (plumbing.Hash, error) {
	c, err := object.GetCommit(o.storage, plumbing.NewHash(commit))
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read commit %s: %w", commit, err)
	}
	return c.TreeHash, nil
}

func (o *objectStore) tree(id plumbing.Hash) ([]object.TreeEntry, error) {
	t, err := object.GetTree(o.storage, id)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	return t.Entries, nil
}

func (o *objectStore) blob(id plumbing.Hash) (data []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("read blob %s: %w", id, err)
		}
	}()
	b, err := object.GetBlob(o.storage, id)
	if err != nil {
		return nil, err
	}
	reader, err := b.Reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return io.ReadAll(reader)
}

// put adds an object, unless it is there, and makes sure that it is on the disk: a branch must not outlive, in a crash, the
// objects that it names.
func (o *objectStore) put(obj plumbing.EncodedObject) (plumbing.Hash, error) {
	id := obj.Hash()
	if o.storage.HasEncodedObject(id) == nil {
		return id, nil
	}
	if _, err := o.storage.SetEncodedObject(obj); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object %s: %w", id, err)
	}
	text := id.String()
	if err := syncFile(filepath.Join(o.dir, text[:2], text[2:])); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object %s: %w", id, err)
	}
	return id, nil
}

func newBlob(data []byte) plumbing.EncodedObject {
	obj := &plumbing.MemoryObject{}
	obj.SetType(plumbing.BlobObject)
	_, _ = obj.Write(data) // a MemoryObject cannot fail
	return obj
}

// blobID returns the object id that data has as a file's content.
func blobID(data []byte) plumbing.Hash { return plumbing.ComputeHash(plumbing.BlobObject, data) }

// syncFile makes a file's content durable. Windows flushes only what is open for writing, which objects cannot be.
func syncFile(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// readLimited reads a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only: nothing can be lost
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: it is larger than %d bytes", path, limit)
	}
	return data, nil
}
