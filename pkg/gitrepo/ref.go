package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	refFolderMode = 0o777 // less the umask, as git does
	reflogMode    = 0o666
)

// move is a branch about to go from one commit to the next.
type move struct {
	from    Head
	to      plumbing.Hash
	who     Person
	subject string
}

// moveBranch makes the branch name the new commit, if HEAD still names that branch and the branch still has the old one.
// It follows git's own protocol, so that a git at work at the same time sees, and is seen: lock HEAD and the branch, look,
// write the log, rename. go-git's would write into the branch's file without git's lock, not at once, and without a log.
//
// moved is also true with an error: the branch stands then, but a lock could not be removed.
func (r *Repo) moveBranch(ctx context.Context, m move) (moved bool, err error) {
	headLock, err := r.lockGitFile(ctx, lockHead, filepath.Join(r.gitDir, headFile))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, headLock.drop()) }()
	moving := headLock // of a detached HEAD
	if m.from.Branch != "" {
		path := r.branchPath(m.from.Branch)
		if err := os.MkdirAll(filepath.Dir(path), refFolderMode); err != nil {
			return false, fmt.Errorf("move branch: %w", err)
		}
		if moving, err = r.lockGitFile(ctx, lockBranch, path); err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, moving.drop()) }()
	}
	now, err := r.readHead()
	if err != nil {
		return false, err
	}
	if now != m.from {
		return false, fmt.Errorf("move branch %q: %w: HEAD is no longer what it was; run again", m.from.Branch, ErrChanged)
	}
	if err := r.step("write branch"); err != nil {
		return false, err
	}
	if err := moving.fill([]byte(m.to.String() + "\n")); err != nil {
		return false, fmt.Errorf("move branch %q: %w", m.from.Branch, err)
	}
	if err := r.writeReflogs(m); err != nil {
		return false, fmt.Errorf("move branch %q: %w", m.from.Branch, err)
	}
	if err := r.step("move branch"); err != nil {
		return false, err
	}
	if info, err := os.Lstat(moving.target); err == nil && info.IsDir() {
		_ = os.Remove(moving.target) // of branches below it that are gone; git removes it too, and one that is not empty stays
	}
	if err := moving.commit(); err != nil {
		return false, fmt.Errorf("move branch %q: %w", m.from.Branch, err)
	}
	return true, nil
}

// branchPath returns the file of a branch.
func (r *Repo) branchPath(branch string) string {
	return filepath.Join(r.commonDir, filepath.FromSlash(branchPrefix+branch))
}

// writeReflogs adds the line by which a person finds the way back (git reflog), where git keeps such a log.
func (r *Repo) writeReflogs(m move) error {
	create := true // what git does in a repository with a work tree
	if e, ok := r.config.Get("core.logallrefupdates"); ok && !strings.EqualFold(e.Value, "always") {
		var err error
		if create, err = e.Bool(); err != nil {
			return err
		}
	}
	from, action := m.from.Commit, "commit"
	if from == "" {
		from, action = plumbing.ZeroHash.String(), "commit (initial)"
	}
	line := fmt.Sprintf("%s %s %s\t%s: %s\n", from, m.to, m.who.header(), action, m.subject)
	logs := []string{filepath.Join(r.gitDir, "logs", headFile)}
	if m.from.Branch != "" {
		logs = append(logs, filepath.Join(r.commonDir, "logs", filepath.FromSlash(branchPrefix+m.from.Branch)))
	}
	for _, path := range logs {
		if err := appendLine(path, line, create); err != nil {
			return fmt.Errorf("write reflog: %w", err)
		}
	}
	return nil
}

func appendLine(path, line string, create bool) error {
	flags := os.O_WRONLY | os.O_APPEND
	if create {
		flags |= os.O_CREATE
		if err := os.MkdirAll(filepath.Dir(path), refFolderMode); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, flags, reflogMode)
	if errors.Is(err, os.ErrNotExist) && !create {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}
