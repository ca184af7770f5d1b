package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// treeBuilder makes the tree of a commit: the one of HEAD with some files replaced. The index has no part in it, so what a
// person has staged stays out of the commit.
type treeBuilder struct {
	ctx   context.Context // of the one call that it lives for
	store *objectStore
	base  *snapshot
	step  func(string) error
	modes func(path string) filemode.FileMode
}

// build writes the objects of a folder and returns its tree, the zero id for a folder that nothing is left of. The targets, sorted by path, lie in it. It calls itself once
// for each folder that holds some.
func (b *treeBuilder) build(dir string, targets []target) (plumbing.Hash, error) {
	old, err := b.base.folder(dir)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	entries := make(map[string]object.TreeEntry, len(old)+1)
	for name, e := range old {
		entries[name] = e
	}
	prefix := dir
	if prefix != "" {
		prefix += "/"
	}
	for len(targets) > 0 { // each round takes at least one
		name, _, below := strings.Cut(targets[0].Path[len(prefix):], "/")
		e := object.TreeEntry{Name: name}
		taken := 1
		if below {
			inside := prefix + name + "/"
			for taken < len(targets) && strings.HasPrefix(targets[taken].Path, inside) {
				taken++
			}
			e.Mode = filemode.Dir
			e.Hash, err = b.build(prefix+name, targets[:taken])
		} else if targets[0].Delete {
			e.Hash = plumbing.ZeroHash
		} else {
			e.Mode = b.modes(targets[0].Path)
			e.Hash, err = b.blob(targets[0])
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if entries[name] = e; e.Hash.IsZero() {
			delete(entries, name)
		}
		targets = targets[taken:]
	}
	if len(entries) == 0 && dir != "" {
		return plumbing.ZeroHash, nil // git has no empty folders
	}
	return b.write(dir, entries)
}

func (b *treeBuilder) blob(t target) (plumbing.Hash, error) {
	if err := b.ctx.Err(); err != nil {
		return plumbing.ZeroHash, err
	}
	if err := b.step("store " + t.Path); err != nil {
		return plumbing.ZeroHash, err
	}
	return b.store.put(newBlob(t.Data))
}

func (b *treeBuilder) write(dir string, entries map[string]object.TreeEntry) (plumbing.Hash, error) {
	tree := object.Tree{Entries: make([]object.TreeEntry, 0, len(entries))}
	for _, e := range entries {
		tree.Entries = append(tree.Entries, e)
	}
	sort.Sort(object.TreeEntrySorter(tree.Entries))
	obj := &plumbing.MemoryObject{}
	if err := tree.Encode(obj); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("encode tree %q: %w", dir, err)
	}
	if err := b.step("store folder " + dir); err != nil {
		return plumbing.ZeroHash, err
	}
	return b.store.put(obj)
}

// mode returns the mode that a target has in the commit: what HEAD has, or what is staged, or, for a new file, what the work
// tree has. A mode that a person has changed and not committed stays uncommitted.
func (s *state) mode(t target, trustFileMode bool) filemode.FileMode {
	plain := []filemode.FileMode{filemode.Regular, filemode.Executable}
	if e, ok, err := s.commit.entry(t.Path); err == nil && ok && slices.Contains(plain, e.Mode) {
		return e.Mode
	}
	if e, ok := s.index.Find(t.Path); ok && slices.Contains(plain, filemode.FileMode(e.Mode)) {
		return filemode.FileMode(e.Mode)
	}
	if trustFileMode && t.info != nil && t.info.Mode()&0o100 != 0 {
		return filemode.Executable
	}
	return filemode.Regular
}
