package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	dotGit     = ".git"
	indexFile  = "index"
	headFile   = "HEAD"
	lockSuffix = ".lock"
)

// place is where a work tree and the parts of its repository are.
type place struct{ root, prefix, gitDir, commonDir string }

// linked reports whether this is a worktree that git worktree add made.
func (p place) linked() bool { return p.gitDir != p.commonDir }

// discover walks up from dir to the work tree that holds it, as git does (setup.c): a .git that is no repository is passed
// over, and a .git file names the place of the repository.
func discover(dir string) (place, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return place{}, err
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return place{}, err
	}
	if info, err := os.Stat(start); err != nil {
		return place{}, err
	} else if !info.IsDir() {
		return place{}, fmt.Errorf("%w: it is no folder", ErrNotRepository)
	}
	for at := start; ; at = filepath.Dir(at) { // ends at the file system's root
		gitDir, err := gitDirOf(at)
		if err != nil {
			return place{}, err
		}
		if gitDir != "" {
			return newPlace(start, at, gitDir)
		}
		if isGitDir(at) {
			return place{}, fmt.Errorf("%w: %s is a bare repository or a %s folder; use a clone that has a work tree", ErrBare, at, dotGit)
		}
		if filepath.Dir(at) == at {
			return place{}, fmt.Errorf("%w: run git init, or name a folder of a clone", ErrNotRepository)
		}
	}
}

func newPlace(start, root, gitDir string) (place, error) {
	prefix, err := filepath.Rel(root, start)
	if err != nil {
		return place{}, err
	}
	if prefix = filepath.ToSlash(prefix); prefix == "." {
		prefix = ""
	}
	commonDir, err := commonDirOf(gitDir)
	if err != nil {
		return place{}, err
	}
	p := place{root: root, prefix: prefix, gitDir: gitDir, commonDir: commonDir}
	return p, p.checkCopy()
}

// checkCopy refuses a copy of a linked worktree. HEAD and the index are those of the original: a commit here would leave it
// without the files, to be deleted by the next commit there. One that was moved is fine.
func (p place) checkCopy() error {
	data, err := readSmall(filepath.Join(p.gitDir, "gitdir"))
	if errors.Is(err, fs.ErrNotExist) || !p.linked() {
		return nil
	} else if err != nil {
		return err
	}
	original := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(original) {
		original = filepath.Join(p.gitDir, original)
	}
	if _, err := os.Stat(original); err != nil || sameFile(original, filepath.Join(p.root, dotGit)) {
		return nil //nolint:nilerr // the original is not there any more
	}
	return unsupported("a copy of the linked worktree "+filepath.Dir(original), "use that one, or one of its own (git worktree add)")
}

// gitDirOf returns the repository that folder's .git is or names, or "" when there is none.
func gitDirOf(folder string) (string, error) {
	path := filepath.Join(folder, dotGit)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case info.IsDir():
		if !isGitDir(path) {
			return "", nil
		}
		return filepath.EvalSymlinks(path)
	case !info.Mode().IsRegular():
		return "", nil
	}
	data, err := readSmall(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if !ok || target == "" {
		return "", fmt.Errorf("%w: %s does not name a repository", ErrNotRepository, path)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(folder, target)
	}
	if !isGitDir(target) {
		return "", fmt.Errorf("%w: %s names %s, which is none; git worktree repair may help", ErrNotRepository, path, target)
	}
	return filepath.EvalSymlinks(target)
}

// isGitDir reports whether a folder is a repository: it has a HEAD, objects and references.
func isGitDir(path string) bool {
	if info, err := os.Lstat(filepath.Join(path, headFile)); err != nil || info.IsDir() {
		return false
	}
	common, err := commonDirOf(path)
	if err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonDirOf returns the repository that a linked worktree's folder belongs to, or the folder itself.
func commonDirOf(gitDir string) (string, error) {
	data, err := readSmall(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	common := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitDir, common)
	}
	return filepath.EvalSymlinks(common)
}

const maxSmall = 64 << 10

// readSmall reads one of git's one-line files.
func readSmall(path string) ([]byte, error) {
	data, err := readLimited(path, maxSmall)
	if err == nil && bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("read %s: it holds a zero byte", path)
	}
	return data, err
}
