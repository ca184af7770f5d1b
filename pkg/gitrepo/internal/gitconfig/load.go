package gitconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Env looks up an environment variable, like os.LookupEnv.
type Env func(name string) (string, bool)

// Place is the repository that the configuration is read for.
type Place struct {
	GitDir    string // of the work tree
	CommonDir string // the same, but in a linked worktree
	Branch    string // short name of the branch that HEAD names, for includeIf; "" when it names none
	Worktree  bool   // read config.worktree too (extensions.worktreeConfig)
}

const (
	systemFile   = "/etc/gitconfig" // a git built for another prefix has it elsewhere: GIT_CONFIG_SYSTEM names it
	maxDepth     = 10               // of includes, as in config.c
	maxVariables = 1 << 16          // of GIT_CONFIG_COUNT
	environment  = "the environment"
)

// Load reads all that git reads for a repository, in its order: the system's file, the user's files, the repository's, the
// work tree's, and the environment (GIT_CONFIG_COUNT, and GIT_CONFIG_PARAMETERS, by which git -c reaches its children).
// A file that is absent is skipped; one that cannot be read or parsed is an error.
func Load(env Env, place Place) (*Config, error) {
	files, err := sources(env, place)
	if err != nil {
		return nil, err
	}
	variables, err := fromEnvironment(env)
	if err != nil {
		return nil, err
	}
	// Conditions on remote URLs look at what the files say, but not behind other such conditions: hence two readings.
	first := loader{env: env, place: place}
	if err := first.all(files, variables); err != nil {
		return nil, err
	}
	second := loader{env: env, place: place, remotes: remotes(first.out)}
	if err := second.all(files, variables); err != nil {
		return nil, err
	}
	return &Config{entries: second.out}, nil
}

func sources(env Env, place Place) ([]string, error) {
	var files []string
	if skip, err := truth(env, "GIT_CONFIG_NOSYSTEM"); err != nil {
		return nil, err
	} else if !skip {
		system := systemFile
		if named, ok := env("GIT_CONFIG_SYSTEM"); ok {
			system = named
		}
		files = append(files, system)
	}
	if named, ok := env("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, named)
	} else {
		files = append(files, UserFile(env, "config"))
		if home := Home(env); home != "" {
			files = append(files, filepath.Join(home, ".gitconfig"))
		}
	}
	files = append(files, filepath.Join(place.CommonDir, "config"))
	if place.Worktree {
		files = append(files, filepath.Join(place.GitDir, "config.worktree"))
	}
	return files, nil
}

type loader struct {
	env     Env
	place   Place
	remotes []string // the remote URLs, for conditions
	out     []Entry
}

func (l *loader) all(files []string, variables []Entry) error {
	for _, file := range files {
		if err := l.file(file, 0); err != nil {
			return err
		}
	}
	for _, e := range variables {
		if err := l.entry(e, "", 0); err != nil {
			return err
		}
	}
	return nil
}

// file adds one file and what it includes. depth bounds it.
func (l *loader) file(path string, depth int) error {
	if path == "" {
		return nil
	}
	entries, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := l.entry(e, filepath.Dir(path), depth); err != nil {
			return err
		}
	}
	return nil
}

// entry adds one setting, then what it includes. dir is what relative paths start from.
func (l *loader) entry(e Entry, dir string, depth int) error {
	l.out = append(l.out, e)
	section, condition, name := Split(e.Key)
	if name != "path" || e.Implicit {
		return nil
	}
	switch {
	case section == "include" && condition == "":
	case section == "includeif" && l.holds(condition, dir):
	default:
		return nil
	}
	if depth++; depth > maxDepth {
		return fmt.Errorf("%w: %s: more than %d includes in one another", ErrSyntax, e.Where(), maxDepth)
	}
	path, err := ExpandPath(l.env, e.Value)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Where(), err)
	}
	if !filepath.IsAbs(path) {
		if dir == "" {
			return fmt.Errorf("%w: %s: a relative include needs a file that it is relative to", ErrSyntax, e.Where())
		}
		path = filepath.Join(dir, path)
	}
	return l.file(path, depth)
}

func remotes(entries []Entry) []string {
	var urls []string
	for _, e := range entries {
		if section, name, key := Split(e.Key); section == "remote" && name != "" && key == "url" {
			urls = append(urls, e.Value)
		}
	}
	return urls
}

// realPath resolves symbolic links where it can: a path that is not there stays as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
