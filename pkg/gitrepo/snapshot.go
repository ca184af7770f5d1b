package gitrepo

import (
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// snapshot looks up paths in the tree of a commit. It reads each folder on the way once.
type snapshot struct {
	store *objectStore
	root  plumbing.Hash // zero for a branch without commits
	dirs  map[string]map[string]object.TreeEntry
}

func (r *Repo) snapshotOf(head Head) (*snapshot, error) {
	s := &snapshot{store: r.store, dirs: map[string]map[string]object.TreeEntry{}}
	if head.Commit == "" {
		return s, nil
	}
	var err error
	s.root, err = r.store.treeOf(head.Commit)
	return s, err
}

// folder returns the entries of a folder by name, none when there is no such folder. It calls itself once for each path
// component.
func (s *snapshot) folder(dir string) (map[string]object.TreeEntry, error) {
	if known, ok := s.dirs[dir]; ok {
		return known, nil
	}
	id := s.root
	if dir != "" {
		entry, ok, err := s.entry(dir)
		if err != nil {
			return nil, err
		}
		if id = plumbing.ZeroHash; ok && entry.Mode == filemode.Dir {
			id = entry.Hash
		}
	}
	entries := map[string]object.TreeEntry{}
	if !id.IsZero() {
		list, err := s.store.tree(id)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if _, twice := entries[e.Name]; twice {
				return nil, fmt.Errorf("read tree %s: it names %q twice; run git fsck", id, e.Name)
			}
			entries[e.Name] = e
		}
	}
	s.dirs[dir] = entries
	return entries, nil
}

// entry returns what the commit has at a path.
func (s *snapshot) entry(p string) (object.TreeEntry, bool, error) {
	parent, name := splitPath(p)
	entries, err := s.folder(parent)
	if err != nil {
		return object.TreeEntry{}, false, err
	}
	e, ok := entries[name]
	return e, ok, nil
}

// inTheWay returns the path of what keeps the commit from holding a file at p: something else than a file there, or
// something else than a folder above it. It returns "" when nothing does.
func (s *snapshot) inTheWay(p string) (string, string, error) {
	for at := p; at != ""; at, _ = splitPath(at) { // ends at the root
		e, ok, err := s.entry(at)
		if err != nil {
			return "", "", err
		}
		if kind := kindOf(e.Mode); ok && (at == p && kind != "file" || at != p && kind != "folder") {
			return at, kind, nil
		}
	}
	return "", "", nil
}

func kindOf(mode filemode.FileMode) string {
	switch mode {
	case filemode.Dir:
		return "folder"
	case filemode.Symlink:
		return "symbolic link"
	case filemode.Submodule:
		return "submodule"
	}
	return "file"
}

// splitPath returns the folder of a path, "" for the root, and its last component.
func splitPath(p string) (dir, name string) {
	dir, name = path.Split(p)
	return strings.TrimSuffix(dir, "/"), name
}
