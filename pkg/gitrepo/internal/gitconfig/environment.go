package gitconfig

import (
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

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

// ExpandPath reads a setting that is a path, where "~/" and "~name/" stand for a home folder. It returns an error where that
// folder is not known, and for "%(prefix)/", which stands for where git is installed.
func ExpandPath(env Env, path string) (string, error) {
	if strings.HasPrefix(path, "%(prefix)") {
		return "", errors.New("expand path: where git is installed is not known")
	}
	if !strings.HasPrefix(path, "~") {
		return path, nil
	}
	name, rest, _ := strings.Cut(path[1:], "/")
	home := Home(env)
	if name != "" {
		account, err := user.Lookup(name)
		if err != nil {
			return "", fmt.Errorf("expand path: %w", err)
		}
		home = account.HomeDir
	}
	if home == "" {
		return "", errors.New("expand path: HOME is not set")
	}
	return filepath.Join(home, rest), nil
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
