package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitmatch"
)

const (
	attributesFile   = ".gitattributes"
	ignoreFile       = ".gitignore"
	systemAttributes = "/etc/gitattributes" // a git built for another prefix has it elsewhere
	maxRules         = 16 << 20
)

// rules are what git's files say of paths: which it ignores, and whose bytes it converts.
type rules struct {
	ignores    *gitmatch.Ignores
	attributes *gitmatch.Attributes
	autoCRLF   setting
	eol        setting
}

type setting struct{ value, where string }

// newRules finds the files that hold rules. Those of a folder are read when a path in it is asked for.
func (r *Repo) newRules(index *gitindex.Index) (*rules, error) {
	var mode gitmatch.Mode
	if fold, err := r.config.Bool("core.ignorecase", false); err != nil {
		return nil, err
	} else if fold {
		mode = gitmatch.Fold
	}
	exclude, err := r.ruleFile(filepath.Join(r.commonDir, "info", "exclude"), ".git/info/exclude")
	if err != nil {
		return nil, err
	}
	userIgnores, err := r.userRules("core.excludesfile", "ignore")
	if err != nil {
		return nil, err
	}
	info, err := r.ruleFile(filepath.Join(r.commonDir, "info", "attributes"), ".git/info/attributes")
	if err != nil {
		return nil, err
	}
	general, err := r.userRules("core.attributesfile", "attributes")
	if err != nil {
		return nil, err
	}
	system, err := r.systemRules()
	if err != nil {
		return nil, err
	}
	ignores := func(dir string) (gitmatch.File, error) { return r.folderRules(dir, ignoreFile) }
	attributes := func(dir string) (gitmatch.File, error) { return r.folderAttributes(index, dir) }
	return &rules{
		ignores:    gitmatch.NewIgnores(ignores, mode, userIgnores, exclude),
		attributes: gitmatch.NewAttributes(attributes, mode, info, system, general),
		autoCRLF:   r.setting("core.autocrlf"),
		eol:        r.setting("core.eol"),
	}, nil
}

func (r *Repo) setting(key string) setting {
	e, ok := r.config.Get(key)
	if !ok {
		return setting{}
	}
	if e.Implicit {
		e.Value = "true"
	}
	return setting{strings.ToLower(e.Value), e.Where()}
}

func (r *Repo) systemRules() (gitmatch.File, error) {
	if text, ok := r.env("GIT_ATTR_NOSYSTEM"); ok {
		if skip, err := (gitconfig.Entry{Key: "GIT_ATTR_NOSYSTEM", Value: text, File: "the environment"}).Bool(); skip || err != nil {
			return gitmatch.File{}, err
		}
	}
	return r.ruleFile(systemAttributes, systemAttributes)
}

// userRules reads the file that a setting names, or else the one at git's default place.
func (r *Repo) userRules(key, name string) (gitmatch.File, error) {
	path := gitconfig.UserFile(r.env, name)
	if e, ok := r.config.Get(key); ok {
		var err error
		if path, err = gitconfig.ExpandPath(r.env, e.Value); err != nil {
			return gitmatch.File{}, fmt.Errorf("read %s (%s): %w", key, e.Where(), err)
		}
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(r.root, path)
		}
	}
	return r.ruleFile(path, path)
}

// ruleFile reads a file; one that is absent, or a path that is empty, holds no rules.
func (r *Repo) ruleFile(path, name string) (gitmatch.File, error) {
	if path == "" {
		return gitmatch.File{}, nil
	}
	data, err := readLimited(path, maxRules)
	if errors.Is(err, fs.ErrNotExist) {
		return gitmatch.File{}, nil
	}
	return gitmatch.File{Name: name, Data: data}, err
}

// folderRules reads a rule file of the work tree. Git does not follow a symbolic link there, and neither do we guess.
func (r *Repo) folderRules(dir, name string) (gitmatch.File, error) {
	rel := name
	if dir != "" {
		rel = dir + "/" + name
	}
	path := filepath.Join(r.root, filepath.FromSlash(rel))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gitmatch.File{}, nil
	case err != nil:
		return gitmatch.File{}, err
	case info.IsDir():
		return gitmatch.File{}, nil
	case !info.Mode().IsRegular():
		return gitmatch.File{}, fmt.Errorf("%w: %q is no regular file", ErrUnsafePath, rel)
	}
	return r.ruleFile(path, rel)
}

// folderAttributes reads the work tree's .gitattributes of a folder, or, where it is gone, the staged one: so does git add.
func (r *Repo) folderAttributes(index *gitindex.Index, dir string) (gitmatch.File, error) {
	file, err := r.folderRules(dir, attributesFile)
	if err != nil || file.Name != "" {
		return file, err
	}
	path := attributesFile
	if dir != "" {
		path = dir + "/" + attributesFile
	}
	e, ok := index.Find(path)
	if !ok || e.IntentToAdd() {
		return gitmatch.File{}, nil
	}
	data, err := r.store.blob(plumbing.Hash(e.ID))
	return gitmatch.File{Name: path + " (staged)", Data: data}, err
}
