package migrate

import (
	"context"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// Pushed is where the commit went.
type Pushed struct {
	// Remote and Branch are the upstream; URL is without credentials.
	Remote string `json:"remote"`
	Branch string `json:"branch"`
	URL    string `json:"url"`
	// Commit is what the branch has there now.
	Commit string `json:"commit"`
	// Onto is the remote's commit on top of which ours was made anew; "" when the remote had not moved on.
	Onto string `json:"onto,omitempty"`
	// Already tells that the remote had the commit before.
	Already bool `json:"already,omitempty"`
}

// Push pushes the commit that Carry has made, or, when there was nothing to write, what the branch has: a run that could not
// push is completed so. It returns gitrepo's errors; gitrepo.ErrNotPushed says that the commit stands here.
func (p *Plan) Push(ctx context.Context, repo Repo) error {
	if p.Held() {
		return ErrHeld
	}
	// A plan made from other settings may be another plan.
	inputs := []string{layout.ConfigFile, layout.SettingsFile}
	pushed, err := repo.Push(ctx, p.Commit, inputs)
	if err == nil || pushed.Onto != "" {
		p.Pushed = &Pushed{
			Remote: pushed.Remote, Branch: pushed.Branch, URL: pushed.URL,
			Commit: pushed.Commit, Onto: pushed.Onto, Already: pushed.Already,
		}
		if p.Commit != "" {
			p.Commit = pushed.Commit
		}
	}
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	return nil
}

// delegates notes why git makes the commit.
func (p *Plan) delegates(ctx context.Context, repo Repo, changes []gitrepo.Change) error {
	var err error
	if p.Git, err = repo.Delegates(ctx, changes); err != nil {
		return fmt.Errorf("look at the repo: %w", err)
	}
	return nil
}
