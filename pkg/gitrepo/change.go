package gitrepo

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Change is a file as it is to be. Path is relative to the work tree's root, with forward slashes. No Data is an empty file.
type Change struct {
	Path string
	Data []byte
	// Delete takes the file away, and the folders that are empty then. Data counts for nothing.
	Delete bool
}

const maxPath = 4096 // PATH_MAX on Linux

// sorted returns the changes by path, and ErrUnsafePath for a path that may not be written (see checkPath and steers), that is
// named twice, or that is a folder of another.
func sorted(changes []Change) ([]Change, error) {
	list := slices.Clone(changes)
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	files := make(map[string]bool, len(list))
	for _, c := range list {
		if err := checkPath(c.Path); err != nil {
			return nil, err
		}
		if steers(c.Path) {
			return nil, fmt.Errorf("%w: %q steers git, and is for people to change", ErrUnsafePath, c.Path)
		}
		if files[c.Path] {
			return nil, fmt.Errorf("%w: %q is to be written twice", ErrUnsafePath, c.Path)
		}
		files[c.Path] = true
	}
	for _, c := range list {
		for dir, _ := splitPath(c.Path); dir != ""; dir, _ = splitPath(dir) { // ends at the root
			if files[dir] {
				return nil, fmt.Errorf("%w: %q is to be a file and the folder of %q", ErrUnsafePath, dir, c.Path)
			}
		}
	}
	return list, nil
}

// steers reports whether git reads rules from the file. What decides on the other changes is not changed along with them.
func steers(p string) bool {
	_, name := splitPath(p)
	switch plainName(name) {
	case attributesFile, ignoreFile, ".gitmodules":
		return true
	}
	return false
}

// checkPath returns ErrUnsafePath unless the path is relative, clean and portable, and none of its components is .git on any
// file system that git knows.
func checkPath(p string) error {
	switch {
	case p == "":
		return fmt.Errorf("%w: it is empty", ErrUnsafePath)
	case len(p) > maxPath:
		return fmt.Errorf("%w: %q... is longer than %d bytes", ErrUnsafePath, p[:64], maxPath)
	case !utf8.ValidString(p) || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return fmt.Errorf("%w: %q holds a byte that not every system takes", ErrUnsafePath, p)
	case strings.HasPrefix(p, "/") || !filepath.IsLocal(filepath.FromSlash(p)):
		return fmt.Errorf("%w: %q leaves the work tree", ErrUnsafePath, p)
	}
	for part := range strings.SplitSeq(p, "/") {
		switch plain := plainName(part); {
		case part == "" || part == "." || part == "..":
			return fmt.Errorf("%w: %q is not in its shortest form", ErrUnsafePath, p)
		case plain == dotGit || plain == "git~1":
			return fmt.Errorf("%w: %q passes git's own folder", ErrUnsafePath, p)
		}
	}
	return nil
}

// plainName returns the name that a careless file system would take part for: HFS+ drops some characters, NTFS trailing
// dots, spaces and streams, and both ignore case (git's path.c, verify_dotfile, is_hfs_dotgit and is_ntfs_dotgit).
func plainName(part string) string {
	part = strings.Map(func(r rune) rune {
		switch {
		case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, part)
	part, _, _ = strings.Cut(part, ":")
	return strings.ToLower(strings.TrimRight(part, " ."))
}
