package gitconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
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

// Home returns the user's home folder, or "" when the environment names none.
func Home(env Env) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home, ok := env(name); ok && home != "" {
			return home
		}
	}
	return ""
}

// UserFile returns where git keeps a file of the user's (config, ignore, attributes) by the XDG rules, or "" when the
// environment names no home.
func UserFile(env Env, name string) string {
	if xdg, ok := env("XDG_CONFIG_HOME"); ok && xdg != "" {
		return filepath.Join(xdg, "git", name)
	}
	if home := Home(env); home != "" {
		return filepath.Join(home, ".config", "git", name)
	}
	return ""
}

// ExpandPath reads a setting that is a path, where "~/" and "~name/" stand for a home folder.
func ExpandPath(env Env, path string) (string, error) {
	if strings.HasPrefix(path, "%(prefix)") {
		return "", fmt.Errorf("expand path %q: where git is installed is not known", path)
	}
	if !strings.HasPrefix(path, "~") {
		return path, nil
	}
	name, rest, _ := strings.Cut(path[1:], "/")
	home := Home(env)
	if name != "" {
		account, err := user.Lookup(name)
		if err != nil {
			return "", fmt.Errorf("expand path %q: %w", path, err)
		}
		home = account.HomeDir
	}
	if home == "" {
		return "", fmt.Errorf("expand path %q: HOME is not set", path)
	}
	return filepath.Join(home, rest), nil
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

// fromEnvironment returns what GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS set.
func fromEnvironment(env Env) ([]Entry, error) {
	var entries []Entry
	if text, ok := env("GIT_CONFIG_COUNT"); ok && text != "" {
		count, err := strconv.ParseUint(text, 10, 32)
		if err != nil || count > maxVariables {
			return nil, fmt.Errorf("%w: GIT_CONFIG_COUNT is no count", ErrSyntax)
		}
		for i := range count {
			key, okKey := env(fmt.Sprintf("GIT_CONFIG_KEY_%d", i))
			value, okValue := env(fmt.Sprintf("GIT_CONFIG_VALUE_%d", i))
			if !okKey || !okValue {
				return nil, fmt.Errorf("%w: GIT_CONFIG_KEY_%d or its value is not set", ErrSyntax, i)
			}
			entries = append(entries, Entry{Key: canonical(key), Value: value, File: environment})
		}
	}
	text, _ := env("GIT_CONFIG_PARAMETERS")
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		key, after, ok := dequote(rest)
		if !ok {
			return nil, fmt.Errorf("%w: GIT_CONFIG_PARAMETERS is not as git writes it", ErrSyntax)
		}
		e := Entry{File: environment}
		if after == "" || after[0] != '=' { // 'key=value', as older versions write it
			var has bool
			key, e.Value, has = strings.Cut(key, "=")
			e.Implicit = !has
		} else if after = after[1:]; after == "" || after[0] != '\'' {
			e.Implicit = true // 'key'=
		} else if e.Value, after, ok = dequote(after); !ok {
			return nil, fmt.Errorf("%w: GIT_CONFIG_PARAMETERS is not as git writes it", ErrSyntax)
		}
		e.Key = canonical(key)
		entries, rest = append(entries, e), after
	}
	return entries, nil
}

// dequote reads one word in single quotes, in which \' and \! stand outside the quotes (quote.c's sq_dequote_step).
func dequote(text string) (word, rest string, ok bool) {
	var b strings.Builder
	for at := 0; at < len(text) && text[at] == '\''; {
		end := strings.IndexByte(text[at+1:], '\'')
		if end < 0 {
			return "", "", false
		}
		b.WriteString(text[at+1 : at+1+end])
		if at += end + 2; at+2 < len(text) && text[at] == '\\' && (text[at+1] == '\'' || text[at+1] == '!') && text[at+2] == '\'' {
			b.WriteByte(text[at+1])
			at += 2
			continue
		}
		return b.String(), text[at:], true
	}
	return "", "", false
}

// canonical lowers all of a key but its subsection.
func canonical(key string) string {
	section, subsection, name := Split(key)
	if subsection == "" {
		return strings.ToLower(section + "." + name)
	}
	return strings.ToLower(section) + "." + subsection + "." + strings.ToLower(name)
}

func truth(env Env, name string) (bool, error) {
	text, ok := env(name)
	if !ok {
		return false, nil
	}
	return Entry{Key: name, Value: text, File: environment}.Bool()
}

// realPath resolves symbolic links where it can: a path that is not there stays as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
