package plugin

import (
	"context"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/reconcile"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// input reads all that a plan is made from, and opens the repo.
func (o *reconcileOptions) input(ctx context.Context) (in reconcile.Input, repo *gitrepo.Repo, err error) {
	if repo, err = o.repo.open(o.streams, o.env); err != nil {
		return in, nil, err
	}
	in.Repo = repo
	if in.Config, err = readConfig(repo); err != nil {
		return in, nil, err
	}
	if in.Registry, in.Managed, err = o.platform.read(ctx, o.streams); err != nil {
		return in, nil, err
	}
	gates, err := settings.Read(repo.ReadFile)
	if err != nil {
		return in, nil, err
	}
	in.Gate = gates.Gate
	if in.Artifacts, err = o.readArtifacts(ctx, &in, repo); err != nil {
		return in, nil, err
	}
	if len(o.filenames) == 0 {
		return in, repo, nil
	}
	apps, err := readApplications(ctx, o.streams, o.filenames)
	if err != nil {
		return in, nil, err
	}
	in.Live = map[app.ID]bool{}
	names := map[string]bool{}
	for _, a := range apps {
		names[a.Name()] = true
		if id, err := a.ID(); err == nil {
			in.Live[id] = true
		}
	}
	for r := range in.Registry.All() {
		if names[r.ID.Name()] {
			in.Live[r.ID] = true
		}
	}
	return in, repo, nil
}

// readArtifacts plans what becomes of the objects of -artifacts releases: of those that have files in the repo, or of all. It returns nil
// where there are none to look at, and notes those that cannot be looked at.
func (o *reconcileOptions) readArtifacts(ctx context.Context, in *reconcile.Input, repo *gitrepo.Repo) (*publish.Plan, error) {
	if o.skipArtifacts {
		return nil, nil //nolint:nilnil // nobody wants them looked at
	}
	adopted, err := publish.Adopted(repo, in.Registry)
	if err != nil {
		return nil, err
	}
	var names []string
	for id := range adopted {
		names = append(names, id.String())
	}
	slices.Sort(names)
	switch {
	case o.artifacts:
		names = nil
	case len(names) == 0:
		return nil, nil //nolint:nilnil // there is nothing to keep
	case !o.rendersObjects():
		in.Unseen = names
		return nil, nil //nolint:nilnil // the plan says it
	}
	objects := publish.Input{Repo: repo, Config: in.Config, Registry: in.Registry}
	if objects.Scopes, err = o.objects.scopes(ctx, nil); err != nil {
		return nil, err
	}
	if err := o.objects.readReleases(ctx, &objects, names, in.Managed, nil); err != nil {
		return nil, err
	}
	return publish.New(ctx, objects, publish.Options{
		Protect: artifact.Protection(o.protect), Prune: o.prune, WorkTree: o.repo.noCommit, Progress: o.streams.Progress,
	})
}
