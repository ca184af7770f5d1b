// Package gitindex owns the bytes of .git/index: it reads every entry, lets entries be replaced, and writes the rest back
// as it was. It knows nothing of the work tree, of objects or of go-git.
//
// go-git's own codec is not used for writing, because a person would lose by it: it drops the assume-unchanged bit, does
// not mark entries that were racily clean (git would then miss an edit), and cannot read the index of a repository with
// index.skipHash, which feature.manyFiles sets.
package gitindex

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// ErrFormat is returned, wrapped with the reason, for bytes that are no index.
var ErrFormat = errors.New("not a git index")

// UnsupportedError is returned for an index of a kind that cannot be edited alone.
type UnsupportedError struct{ Feature string }

func (e *UnsupportedError) Error() string { return e.Feature + " is not supported" }

// IDSize is the length of an object id. A SHA-256 repository must be refused before its index is read.
const IDSize = 20

// Stat is what git remembers of a file to see that it has not changed, with the widths of the file format.
type Stat struct {
	CtimeSec, CtimeNsec uint32
	MtimeSec, MtimeNsec uint32
	Dev, Ino            uint32
	UID, GID            uint32
	Size                uint32
}

// Entry is one path of the index, or one side of a path that is in conflict.
type Entry struct {
	Stat
	Path  string
	Mode  uint32
	ID    [IDSize]byte
	flags uint16 // assume-unchanged and stage; the other bits are made anew
	extra uint16 // the extended flags: skip-worktree, intent-to-add
}

const (
	flagAssume   = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	maskName     = 0x0fff

	extraSkip   = 1 << 14
	extraIntent = 1 << 13
)

// Stage is 0 for a merged path, 1 to 3 for the sides of a conflict.
func (e *Entry) Stage() int { return int(e.flags&flagStage) >> 12 }

// AssumeUnchanged reports whether a person told git not to look at the file (git update-index --assume-unchanged).
func (e *Entry) AssumeUnchanged() bool { return e.flags&flagAssume != 0 }

// SkipWorktree reports whether the file is left out of the work tree on purpose (sparse checkout).
func (e *Entry) SkipWorktree() bool { return e.extra&extraSkip != 0 }

// IntentToAdd reports whether the entry only announces a file (git add -N).
func (e *Entry) IntentToAdd() bool { return e.extra&extraIntent != 0 }

// Index is the content of .git/index. Extensions are dropped when it is written: all that git writes of its own accord
// are caches, which it makes again, but for resolve-undo, which is kept.
type Index struct {
	version     uint32
	entries     []Entry // by path, then stage
	resolveUndo []byte
}

// New returns an empty index, which is what a repository without an index file has.
func New() *Index { return &Index{version: 2} }

// Entries returns the entries by path, then stage. The slice is the index's own: it is not to be changed.
func (x *Index) Entries() []Entry { return x.entries }

// Find returns the merged entry of a path.
func (x *Index) Find(path string) (Entry, bool) {
	if i := x.search(path, 0); i < len(x.entries) && x.entries[i].Path == path && x.entries[i].Stage() == 0 {
		return x.entries[i], true
	}
	return Entry{}, false
}

// HasBelow reports whether any entry stands below path, as if it were a folder.
func (x *Index) HasBelow(path string) bool {
	i := x.search(path+"/", 0)
	return i < len(x.entries) && strings.HasPrefix(x.entries[i].Path, path+"/")
}

// Unmerged returns the paths that are in conflict.
func (x *Index) Unmerged() []string {
	var paths []string
	for i := range x.entries {
		if e := &x.entries[i]; e.Stage() > 0 && (len(paths) == 0 || paths[len(paths)-1] != e.Path) {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

func (x *Index) search(path string, stage int) int {
	return sort.Search(len(x.entries), func(i int) bool {
		return compare(&x.entries[i], path, stage) >= 0
	})
}

func compare(e *Entry, path string, stage int) int {
	if c := strings.Compare(e.Path, path); c != 0 {
		return c
	}
	return e.Stage() - stage
}

// Put adds merged entries, each in place of what stood at its path. A new entry is neither skipped nor only announced; the
// assume-unchanged bit of the one before is kept. It returns ErrFormat for two entries of one path.
func (x *Index) Put(entries []Entry) error {
	added := slices.Clone(entries)
	slices.SortFunc(added, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	for i := range added {
		if i > 0 && added[i].Path == added[i-1].Path {
			return fmt.Errorf("%w: two new entries for %q", ErrFormat, added[i].Path)
		}
		added[i].flags, added[i].extra = 0, 0
	}
	merged := make([]Entry, 0, len(x.entries)+len(added))
	next := 0
	for _, old := range x.entries {
		for next < len(added) && added[next].Path < old.Path {
			merged = append(merged, added[next])
			next++
		}
		if next < len(added) && added[next].Path == old.Path {
			added[next].flags |= old.flags & flagAssume
			continue
		}
		merged = append(merged, old)
	}
	x.entries = append(merged, added[next:]...)
	return nil
}

// Remove drops all entries of a path.
func (x *Index) Remove(path string) {
	x.entries = slices.DeleteFunc(x.entries, func(e Entry) bool { return e.Path == path })
}

// Smudge makes git compare by content each file that was changed at or after the given second, which is when the index was
// last written: such a file may have been edited in the same tick in which it was recorded, and once the index carries
// a newer time git could no longer tell (git's racy-git.txt). The cost is one comparison at the next git status.
func (x *Index) Smudge(indexSeconds int64) {
	for i := range x.entries {
		if e := &x.entries[i]; int64(e.MtimeSec) >= indexSeconds && e.Stage() == 0 {
			e.Size = 0
		}
	}
}
