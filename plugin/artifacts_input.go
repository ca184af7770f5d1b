package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// input reads all that a plan is made from, and opens the repo.
func (o *artifactsOptions) input(ctx context.Context) (in publish.Input, repo *gitrepo.Repo, err error) {
	fail := func(err error) (publish.Input, *gitrepo.Repo, error) { return publish.Input{}, nil, err }
	if repo, err = o.repo.open(o.streams, o.env); err != nil {
		return fail(err)
	}
	in.Repo = repo
	if in.Config, err = readConfig(repo); err != nil {
		return fail(err)
	}
	var managed publish.Managed
	if in.Registry, managed, err = o.registry(ctx); err != nil {
		return fail(err)
	}
	client, err := o.cluster()
	if err != nil {
		return fail(err)
	}
	if in.Scopes, err = o.scopes(ctx, client); err != nil {
		return fail(err)
	}
	if len(o.filenames) > 0 {
		in.Sources, err = o.readStreams(ctx)
	} else {
		if o.charts == "" {
			o.charts = o.platform.helmfile
		}
		err = o.readReleases(ctx, &in, o.releases, managed, client)
	}
	if err != nil {
		return fail(err)
	}
	return in, repo, nil
}

func readObjects(ctx context.Context, flag string, in input) (*artifact.Stream, error) {
	file, err := in.open()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, in.name, plainPathError(err))
	}
	defer file.Close()
	read, err := artifact.Read(interruptible{ctx, file})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, in.name, err)
	}
	return read, nil
}

// readStreams reads what -f names. Input without any object is an error: a command that failed before the pipe looks like that. With
// --prune a release may render nothing, and then its input is not empty.
func (o *artifactsOptions) readStreams(ctx context.Context) (out []publish.Source, err error) {
	streams, err := inputs(o.filenames, o.streams.In)
	if err != nil {
		return nil, err
	}
	some := false
	for _, in := range streams {
		read, err := readObjects(ctx, "-f", in)
		if err != nil {
			return nil, err
		}
		if o.prune && publish.Nothing(read) {
			return nil, fmt.Errorf("-f %s: it is empty; did the command that wrote it fail? --prune would remove the release's files; an empty line says that it renders nothing", in.name)
		}
		some = some || len(read.Objects)+len(read.Problems) > 0
		out = append(out, publish.Source{Source: artifact.Source{Release: app.ID{Namespace: o.namespace, Release: o.release}, Name: in.name, Stream: read}})
	}
	if !some && !o.prune {
		return nil, errors.New("the input of -f holds no object; did the command that wrote it fail?")
	}
	return out, nil
}

// registry reads the release registry, and the managed values where they are asked for.
func (o *artifactsOptions) registry(ctx context.Context) (*release.Registry, publish.Managed, error) {
	p := o.platform
	switch {
	case p.helmfile != "":
		if err := isFolder("helmfile", p.helmfile); err != nil {
			return nil, nil, err
		}
		return readHelmfile(ctx, release.NewHelmfile(p.helmfile, release.WithMask(secret.New().Mask), release.WithStage(o.streams.During)))
	case p.releases == "":
		return nil, nil, nil
	}
	registry, err := readRegistry(p.releases)
	if err != nil || p.managed == "" {
		return registry, nil, err
	}
	if err := isFolder("managed", p.managed); err != nil {
		return nil, nil, err
	}
	return registry, release.NewManaged(os.DirFS(p.managed)), nil
}
