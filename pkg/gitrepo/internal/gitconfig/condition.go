package gitconfig

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitmatch"
)

// holds reports whether the condition of an includeIf section is met (git-config(1), "Conditional includes"). A condition of
// a kind that git does not know is not met. dir is the folder of the file that holds it, "" for the environment.
func (l *loader) holds(condition, dir string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	switch kind {
	case "gitdir":
		return l.inGitDir(pattern, dir, gitmatch.Pathname)
	case "gitdir/i":
		return l.inGitDir(pattern, dir, gitmatch.Pathname|gitmatch.Fold)
	case "onbranch":
		return l.place.Branch != "" && gitmatch.Match(below(pattern), l.place.Branch, gitmatch.Pathname)
	case "hasconfig":
		pattern, ok := strings.CutPrefix(pattern, "remote.*.url:")
		return ok && slices.ContainsFunc(l.remotes, func(url string) bool {
			return gitmatch.Match(pattern, url, gitmatch.Pathname)
		})
	}
	return false
}

func (l *loader) inGitDir(pattern, dir string, mode gitmatch.Mode) bool {
	var literal string // a folder's name is no pattern, whatever it holds
	switch {
	case strings.HasPrefix(pattern, "./"):
		if dir == "" {
			return false
		}
		literal, pattern = filepath.ToSlash(realPath(dir))+"/", pattern[2:]
	case strings.HasPrefix(pattern, "~"):
		name, rest, _ := strings.Cut(pattern, "/")
		home, err := ExpandPath(l.env, name)
		if err != nil {
			return false
		}
		literal, pattern = filepath.ToSlash(realPath(home))+"/", rest
	case !filepath.IsAbs(pattern) && !strings.HasPrefix(pattern, "/"):
		pattern = "**/" + pattern
	}
	pattern = below(pattern)
	for _, gitDir := range []string{realPath(l.place.GitDir), l.place.GitDir} {
		text := filepath.ToSlash(gitDir)
		if len(text) < len(literal) || !matchesPrefix(text, literal, mode) {
			continue
		}
		if gitmatch.Match(pattern, text[len(literal):], mode) {
			return true
		}
	}
	return false
}

func matchesPrefix(text, literal string, mode gitmatch.Mode) bool {
	if mode&gitmatch.Fold != 0 {
		return strings.EqualFold(text[:len(literal)], literal)
	}
	return text[:len(literal)] == literal
}

// below makes a pattern that ends in "/" take all that lies there.
func below(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}
