package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
)

// format is what the repository's own configuration says of its form.
type format struct{ worktreeConfig bool }

// readFormat refuses a repository whose form this package cannot read (gitrepository-layout(5), repository-version.txt).
// Like git, it looks at the repository's own file only, and follows no include there.
func readFormat(p place) (format, error) {
	var f format
	entries, err := gitconfig.ReadFile(filepath.Join(p.commonDir, "config"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	var version string
	for _, e := range entries {
		if e.Key == "core.repositoryformatversion" {
			version = e.Value
		}
	}
	if version != "" && version != "0" && version != "1" {
		return f, unsupported("repository format version "+version, "use a clone in format 0 or 1")
	}
	var foreign error // the first feature that only git reads
	for _, e := range entries {
		section, name, key := gitconfig.Split(e.Key)
		if section == "remote" && key == "promisor" { // how git clone --filter marks it since 2.24
			if promisor, err := e.Bool(); err != nil {
				return f, err
			} else if promisor && foreign == nil {
				foreign = partialClone(e.Key)
			}
		}
		if section != "extensions" || name != "" {
			continue
		}
		if key == "worktreeconfig" {
			if f.worktreeConfig, err = e.Bool(); err != nil {
				return f, err
			}
			continue
		}
		if err := checkExtension(key, strings.ToLower(e.Value), version); err != nil && foreign == nil {
			foreign = err
		}
	}
	if err := f.checkWorkTree(p, entries); err != nil {
		return f, err
	}
	return f, foreign
}

func checkExtension(name, value, version string) error {
	const clone = "use a clone without it"
	switch name {
	case "noop", "noop-v1", "preciousobjects", "relativeworktrees":
		return nil // they change nothing for a reader, or only what discover has seen to
	case "objectformat":
		if value == "sha1" {
			return nil
		}
		return needsGit("object format "+value+" (extensions.objectFormat)", "use a repository with SHA-1 object ids")
	case "refstorage":
		if value == "files" {
			return nil
		}
		return needsGit("reference storage "+value+" (extensions.refStorage)", "run git refs migrate --ref-format=files")
	case "partialclone":
		return partialClone("extensions.partialClone")
	case "compatobjectformat":
		return needsGit("extensions.compatObjectFormat", clone)
	}
	if version == "1" {
		return needsGit("extensions."+name, clone)
	}
	return nil // git ignores unknown extensions in format 0
}

// partialClone is for a clone that lacks objects, which git gets when it needs them.
func partialClone(setting string) error {
	return needsGit("partial clone ("+setting+")", "use a full clone")
}

// checkWorkTree refuses core.bare, and a core.worktree that names another folder than the one found. In a linked worktree
// git takes neither from the common configuration.
func (f format) checkWorkTree(p place, common []gitconfig.Entry) error {
	var entries []gitconfig.Entry
	if !p.linked() {
		entries = common
	}
	if f.worktreeConfig {
		own, err := gitconfig.ReadFile(filepath.Join(p.gitDir, "config.worktree"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		entries = append(entries[:len(entries):len(entries)], own...)
	}
	var bare bool
	var worktree string
	for _, e := range entries {
		switch e.Key {
		case "core.bare":
			var err error
			if bare, err = e.Bool(); err != nil {
				return err
			}
		case "core.worktree":
			worktree = e.Value
		}
	}
	if bare {
		return fmt.Errorf("%w: core.bare is true; use a clone that has a work tree", ErrBare)
	}
	if worktree == "" {
		return nil
	}
	if !filepath.IsAbs(worktree) {
		worktree = filepath.Join(p.gitDir, worktree)
	}
	if !sameFile(worktree, p.root) {
		return unsupported("core.worktree, which names another folder", "name that folder")
	}
	return nil
}

// checkEnvironment refuses variables that would make git look elsewhere than this package does. Git sets them for its hooks,
// to what is true anyway; then they are fine.
func (r *Repo) checkEnvironment() error {
	for _, v := range []struct{ name, want string }{
		{"GIT_DIR", r.gitDir},
		{"GIT_WORK_TREE", r.root},
		{"GIT_COMMON_DIR", r.commonDir},
		{"GIT_INDEX_FILE", filepath.Join(r.gitDir, indexFile)},
		{"GIT_OBJECT_DIRECTORY", filepath.Join(r.commonDir, "objects")},
		{"GIT_ALTERNATE_OBJECT_DIRECTORIES", ""},
	} {
		value, ok := r.env(v.name)
		if ok && value != "" && !samePlace(value, v.want) {
			return unsupported("the environment variable "+v.name, "unset it")
		}
	}
	return nil
}

// samePlace compares two paths; the last component need not exist.
func samePlace(a, b string) bool {
	return b != "" && (sameFile(a, b) || (filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))))
}

func sameFile(a, b string) bool {
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	return errOne == nil && errTwo == nil && os.SameFile(one, two)
}
