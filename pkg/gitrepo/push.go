package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// pushTime bounds each exchange with a remote.
const pushTime = 2 * time.Minute

// Pushed is what a push has done.
type Pushed struct {
	Upstream
	// Commit is what the remote branch has now. It is another than the one that was to be pushed when Onto is set.
	Commit string
	// Onto is the commit of the remote on top of which ours was made anew; "" when that was not needed.
	Onto string
	// Already tells that the remote had the commit.
	Already bool
}

// Push pushes a commit of the branch of HEAD, "" for that which HEAD names, to the branch's upstream, fast-forward only: the
// git binary does it where there is one, with its hooks and its ways to credentials, else go-git. It returns at once when
// the remote has the commit.
//
// Where the remote has moved on, git fetches, and if none of the remote's new commits touches a path of ours or one that
// inputs names (a path, or a folder), our one commit is made anew on top of theirs, pushed, and the branch, the index and the
// work tree follow. That happens once.
//
// It returns what Upstream returns, and ErrNotPushed, with the cause and the next step, for a commit that stands here and
// did not get there. No credential of a URL is in any of it.
func (r *Repo) Push(ctx context.Context, commit string, inputs []string) (pushed Pushed, err error) {
	release, err := r.exclusive(ctx)
	if err != nil {
		return pushed, err
	}
	defer func() { err = errors.Join(err, release()) }()
	p := &pushing{repo: r, inputs: inputs}
	if p.to, err = r.Upstream(); err != nil {
		return pushed, err
	}
	if p.head, err = r.readHead(); err != nil {
		return pushed, err
	}
	if p.commit = commit; commit == "" {
		p.commit = p.head.Commit
	}
	if p.commit == "" {
		return pushed, fmt.Errorf("%w: the branch has no commit", ErrNotPushed)
	}
	pushed = Pushed{Upstream: p.to, Commit: p.commit}
	if r.findGit() == "" {
		pushed.Already, err = p.byGoGit(ctx)
		return pushed, err
	}
	outcome, err := p.push(ctx, p.commit)
	switch {
	case err == nil:
		pushed.Already = outcome == alreadyThere
		return pushed, nil
	case outcome != movedOn:
		return pushed, p.notPushed(err, "")
	}
	err = p.onTop(ctx, &pushed)
	return pushed, err
}

type pushing struct {
	repo   *Repo
	inputs []string
	to     Upstream
	head   Head
	commit string
}

// notPushed says why, and what to do; always what there is now.
func (p *pushing) notPushed(cause error, next string) error {
	if next == "" {
		next = "run git push, or this command again, when the remote can be pushed to"
	}
	return fmt.Errorf("%w to %s: commit %.10s stands in this clone; %w; %s", ErrNotPushed, p.to, p.commit, cause, next)
}

// outcome is how a push ended.
type outcome int

const (
	refusedPush outcome = iota
	donePush
	alreadyThere
	movedOn // the remote has commits that we have not
)

// push lets git push one commit, and reads what it reports of the branch (git-push(1), "Output").
func (p *pushing) push(ctx context.Context, commit string) (outcome, error) {
	ctx, stop := context.WithTimeout(ctx, pushTime)
	defer stop()
	if err := p.repo.step("push"); err != nil {
		return refusedPush, err
	}
	out, err := p.repo.git(ctx, call{args: []string{"push", "--porcelain", "--no-progress", p.to.remote, commit + ":" + branchPrefix + p.to.Branch}})
	var failed *gitError
	if errors.As(err, &failed) {
		out = failed.out
	}
	flag, summary := pushReport(out, branchPrefix+p.to.Branch)
	switch {
	case err == nil && flag == '=':
		return alreadyThere, nil
	case err == nil:
		return donePush, nil
	case flag == '!' && (strings.Contains(summary, "(fetch first)") || strings.Contains(summary, "(non-fast-forward)") ||
		strings.Contains(summary, "cannot lock ref") || strings.Contains(summary, "failed to update ref")):
		return movedOn, err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the remote did not answer within %s: %w", pushTime, err)
	}
	return refusedPush, err
}

// pushReport returns the flag and the summary of the line "<flag>\t<from>:<to>\t<summary>" about a branch.
func pushReport(out []byte, ref string) (flag byte, summary string) {
	for line := range bytes.Lines(out) {
		parts := strings.SplitN(strings.TrimRight(string(line), "\r\n"), "\t", 3)
		if len(parts) == 3 && len(parts[0]) == 1 && strings.HasSuffix(parts[1], ":"+ref) {
			return parts[0][0], parts[2]
		}
	}
	return 0, ""
}

// ancestor reports whether a commit is part of another's history.
func (r *Repo) ancestor(ctx context.Context, a, b string) (bool, error) {
	_, err := r.git(ctx, call{args: []string{"merge-base", "--is-ancestor", a, b}})
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// oneOrNone returns the id that a git command prints, and "" where it ends with 1: there is none.
func (r *Repo) oneOrNone(ctx context.Context, args ...string) (string, error) {
	id, err := oneID(r.git(ctx, call{args: args}))
	if exitCode(err) == 1 && !errors.Is(err, exec.ErrNotFound) {
		return "", nil
	}
	return id, err
}
