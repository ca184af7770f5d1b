package chart

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// commitID is a full commit id: the one revision that can never stand for anything else.
var commitID = regexp.MustCompile(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)

func isCommit(revision string) bool { return commitID.MatchString(revision) }

func gitTree(commit string) string { return "git-" + commit }

func gitOrigin(source Source, commit string) string {
	return fmt.Sprintf("%s at commit %.12s", redacted(source.RepoURL), commit)
}

// fromGit returns the checkout of a source's revision, fetched unless it is in the cache.
func (s *Store) fromGit(ctx context.Context, source Source) (resolved, error) {
	fail := func(err error) (resolved, error) {
		if errors.Is(err, fs.ErrNotExist) {
			return resolved{}, fmt.Errorf("%w: %w", ErrNotFound, err)
		}
		return resolved{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	answer := func(commit string) resolved {
		return resolved{Tree: gitTree(commit), Origin: gitOrigin(source, commit), Fixed: isCommit(source.Revision)}
	}
	if s.git == nil {
		return fail(errors.New("git repos are not read here"))
	}
	commit, err := s.git.Resolve(ctx, source.RepoURL, source.Revision)
	if err != nil {
		return fail(err)
	}
	if s.cache.has(gitTree(commit)) {
		return answer(commit), nil
	}
	dir, err := s.cache.aside()
	if err != nil {
		return resolved{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // sweep does it later
	checkout := filepath.Join(dir, "tree")
	if err := os.Mkdir(checkout, 0o700); err != nil {
		return resolved{}, fmt.Errorf("make a folder in the chart cache: %w", err)
	}
	// A branch can have moved since: what was fetched counts.
	if commit, err = s.git.Fetch(ctx, source.RepoURL, source.Revision, checkout); err != nil {
		return fail(err)
	}
	if !isCommit(commit) {
		return fail(errors.New("git names no commit"))
	}
	return answer(commit), s.cache.keep(checkout, gitTree(commit))
}
