package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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
	borrow  []*filesystem.Storage // of repositories whose objects are used too (git clone --shared)
	dir     string                // the folder "objects"
	named   []string              // ids that a new commit stands on, for sync
}

func newObjectStore(commonDir string) (*objectStore, error) {
	o := &objectStore{storage: newStorage(commonDir), dir: filepath.Join(commonDir, "objects")}
	folders, err := alternates(o.dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		o.borrow = append(o.borrow, newStorage(filepath.Dir(folder)))
	}
	return o, nil
}

func newStorage(dir string) *filesystem.Storage {
	return filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRUDefault())
}

const (
	maxAlternates = 100 // folders; git allows five in a row, but any number side by side
	repack        = "run git repack -a -d, and remove objects/info/alternates"
)

// alternates returns the folders of objects that objects/info/alternates names, there and in turn (gitrepository-layout(5)).
// go-git's own reading takes relative paths for absolute ones.
func alternates(objects string) ([]string, error) {
	folders := []string{objects}
	for at := 0; at < len(folders); at++ {
		data, err := readSmall(filepath.Join(folders[at], "info", "alternates"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read alternates: %w", err)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(folders[at], line)
			}
			line = filepath.Clean(line)
			if filepath.Base(line) != "objects" {
				return nil, unsupported(`objects borrowed from a folder that is not called "objects"`, repack)
			}
			if !slices.Contains(folders, line) {
				folders = append(folders, line)
			}
		}
		if len(folders) > maxAlternates {
			return nil, unsupported("borrowing objects from so many folders", repack)
		}
	}
	return folders[1:], nil
}

// get returns an object of a kind, wherever it stands.
func (o *objectStore) get(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	obj, err := o.storage.EncodedObject(kind, id)
	for _, other := range o.borrow {
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			break
		}
		obj, err = other.EncodedObject(kind, id)
	}
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = fmt.Errorf("%w; run git fsck, and fetch, or use another clone", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return obj, nil
}

// treeOf returns the id of a commit's tree.
func (o *objectStore) treeOf(commit string) (plumbing.Hash, error) {
	obj, err := o.get(plumbing.CommitObject, plumbing.NewHash(commit))
	if err != nil {
		return plumbing.ZeroHash, err
	}
	c, err := object.DecodeCommit(o.storage, obj)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read commit %s: %w", commit, err)
	}
	return c.TreeHash, nil
}

func (o *objectStore) tree(id plumbing.Hash) ([]object.TreeEntry, error) {
	obj, err := o.get(plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	t, err := object.DecodeTree(o.storage, obj)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	return t.Entries, nil
}

func (o *objectStore) blob(id plumbing.Hash) (data []byte, err error) {
	obj, err := o.get(plumbing.BlobObject, id)
	if err != nil {
		return nil, err
	}
	reader, err := obj.Reader()
	if err == nil {
		data, err = io.ReadAll(reader)
		err = errors.Join(err, reader.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return data, nil
}

// put adds an object, unless it is there.
func (o *objectStore) put(obj plumbing.EncodedObject) (plumbing.Hash, error) {
	id := obj.Hash()
	o.named = append(o.named, id.String())
	if o.storage.HasEncodedObject(id) == nil {
		return id, nil
	}
	if _, err := o.storage.SetEncodedObject(obj); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object %s: %w", id, err)
	}
	return id, nil
}

// sync makes sure that what was put since the last call is on the disk: a branch must not outlive, in a crash, the objects
// that it names. What has no file of its own is in a pack, which git has seen to.
func (o *objectStore) sync(ctx context.Context) error {
	named := o.named
	o.named = nil
	return inParallel(ctx, len(named), func(i int) error {
		err := syncFile(filepath.Join(o.dir, named[i][:2], named[i][2:]))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("write object %s: %w", named[i], err)
		}
		return nil
	})
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
