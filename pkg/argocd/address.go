package argocd

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// ErrAddress is wrapped by CheckRepoURL and CheckRevision.
var ErrAddress = errors.New("not usable in an Application")

var (
	// repoURL takes the forms in which Argo CD clones a git repo.
	repoURL = regexp.MustCompile(`^(?:(?:https?|ssh|git|file)://[^/?#]*/.+|[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:.+)$`)
	// refused are what git check-ref-format refuses within a name.
	refusedInRef = regexp.MustCompile(`\.\.|@\{|//|[~^:?*\[\\]`)
)

// CheckRepoURL returns ErrAddress, with the reason, for text that Argo CD cannot clone a values repo from: a git URL
// (https, http, ssh, git, file) or user@host:path. The error shows the URL without credentials.
func CheckRepoURL(url string) error {
	switch {
	case hasBlank(url):
		return fmt.Errorf("%w: the URL %q holds blanks or control characters", ErrAddress, RedactURL(url))
	case !repoURL.MatchString(url):
		return fmt.Errorf("%w: %q is no URL of a git repo (https://, http://, ssh://, or user@host:path)", ErrAddress, RedactURL(url))
	}
	return nil
}

// CheckRevision returns ErrAddress, with the reason, for text that names no branch, tag or commit (git check-ref-format).
func CheckRevision(revision string) error {
	bad := revision == "" || hasBlank(revision) || refusedInRef.MatchString(revision) ||
		strings.HasPrefix(revision, "-") || strings.HasPrefix(revision, "/") || strings.HasPrefix(revision, ".") ||
		strings.HasSuffix(revision, "/") || strings.HasSuffix(revision, ".") || strings.HasSuffix(revision, ".lock")
	if bad {
		return fmt.Errorf("%w: %q is no name of a git branch, tag or commit", ErrAddress, revision)
	}
	return nil
}

func hasBlank(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
}
