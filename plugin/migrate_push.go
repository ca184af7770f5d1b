package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// pushFlags say what becomes of the commit.
type pushFlags struct {
	push          bool
	allowDetached bool

	upstream gitrepo.Upstream // once found
}

func (p *pushFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&p.push, "push", false, "push the commit to the branch's upstream, fast-forward only; where the remote has moved on and nothing overlaps, the commit is made anew on top, once")
	f.BoolVar(&p.allowDetached, "allow-detached", false, "commit although HEAD is detached, on no branch")
}

// complete checks the flags against --no-commit.
func (p *pushFlags) complete(noCommit bool) error {
	switch {
	case p.push && noCommit:
		return errors.New("--push and --no-commit contradict each other; leave one out")
	case p.push && p.allowDetached:
		return errors.New("--push needs a branch, and --allow-detached is for a commit on none; leave one out")
	}
	return nil
}

// options returns how the repo is opened.
func (p *pushFlags) options() []gitrepo.Option {
	if p.allowDetached {
		return []gitrepo.Option{gitrepo.WithDetached()}
	}
	return nil
}

// find finds where to push to, so that a branch without an upstream is told of before anything is written.
func (p *pushFlags) find(repo *gitrepo.Repo) (err error) {
	if !p.push {
		return nil
	}
	if p.upstream, err = repo.Upstream(); err != nil {
		return fmt.Errorf("--push: %w", err)
	}
	return nil
}

// run pushes, if it is to.
func (p *pushFlags) run(ctx context.Context, repo *gitrepo.Repo, plan *migrate.Plan) error {
	if !p.push || plan.Held() {
		return nil
	}
	return plan.Push(ctx, repo)
}

// outcome says what was pushed, or would be.
func (p *pushFlags) outcome(plan *migrate.Plan, dryRun bool) string {
	switch {
	case !p.push || plan.Held():
		return ""
	case dryRun:
		return fmt.Sprintf(" It would be pushed to %s.", p.upstream)
	case plan.Pushed == nil:
		return ""
	case plan.Pushed.Already:
		return fmt.Sprintf(" Nothing to push: %s has it.", p.upstream)
	case plan.Pushed.Onto != "":
		return fmt.Sprintf(" Pushed to %s, which had moved on: the commit was made anew on top of its %.10s.", p.upstream, plan.Pushed.Onto)
	}
	return fmt.Sprintf(" Pushed %.10s to %s.", plan.Pushed.Commit, p.upstream)
}

// byGit says why git makes the commit.
func byGit(plan *migrate.Plan, dryRun bool) string {
	if len(plan.Git) == 0 {
		return ""
	}
	verb := "made"
	if dryRun {
		verb = "would make"
	}
	why := plan.Git[0]
	if more := len(plan.Git) - 1; more > 0 {
		why += fmt.Sprintf(" (and %s)", finding.Count(more, "more reason"))
	}
	return fmt.Sprintf(" The git binary %s the commit: %s.", verb, strings.TrimSuffix(why, "."))
}
