package gitrepo

import (
	"context"
	"errors"
	"fmt"

	gogit "github.com/go-git/go-git/v5"
	gogitconfig "github.com/go-git/go-git/v5/config"
)

// byGoGit pushes where there is no git binary: over HTTP with the credentials of the URL, over SSH with those of the agent. It
// does not make the commit anew on top of others, and runs no pre-push hook: with one it refuses.
func (p *pushing) byGoGit(ctx context.Context) (already bool, err error) {
	const withGit = "put git on the PATH, or push from elsewhere"
	r := p.repo
	if r.foreign != "" {
		return false, p.notPushed(fmt.Errorf("only git reads this repository (%s)", r.foreign), withGit)
	}
	hooks, err := r.hooksOf([]string{"pre-push"})
	if err != nil {
		return false, err
	}
	if len(hooks) > 0 {
		return false, p.notPushed(fmt.Errorf("%w that have to run on a push: %s", ErrHooks, hooks[0]), withGit)
	}
	if p.commit != p.head.Commit {
		return false, p.notPushed(errors.New("the branch has moved on"), withGit)
	}
	ctx, stop := context.WithTimeout(ctx, pushTime)
	defer stop()
	branch := branchPrefix + p.head.Branch
	spec := gogitconfig.RefSpec(branch + ":" + branchPrefix + p.to.Branch)
	if err := r.step("push"); err != nil {
		return false, err
	}
	for _, url := range r.pushURLs(p.to.remote) {
		remote := gogit.NewRemote(r.store.storage, &gogitconfig.RemoteConfig{Name: "origin", URLs: []string{url}})
		err := remote.PushContext(ctx, &gogit.PushOptions{RemoteName: "origin", RefSpecs: []gogitconfig.RefSpec{spec}})
		switch {
		case errors.Is(err, gogit.NoErrAlreadyUpToDate):
			already = true
		case errors.Is(err, gogit.ErrNonFastForwardUpdate):
			return false, p.notPushed(errors.New("the remote has moved on"), "run git pull --rebase, look at what changed, and run this command again")
		case err != nil:
			// Its text can quote the URL; what it is does not matter to callers.
			return false, p.notPushed(errors.New(r.shown([]byte(err.Error()))), "")
		}
	}
	return already, nil
}
