package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
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
		err = o.readReleases(ctx, &in, managed, client)
	}
	if err != nil {
		return fail(err)
	}
	return in, repo, nil
}

// cluster connects, nil where no cluster is configured.
func (o *artifactsOptions) cluster() (*cluster.Client, error) {
	if o.offline {
		return nil, nil //nolint:nilnil // nobody is to be asked
	}
	client, err := o.connection.client()
	switch {
	case errors.Is(err, errNoCluster):
		return nil, nil //nolint:nilnil // there is nobody to ask
	case err != nil:
		return nil, fmt.Errorf("%w; or ask no cluster, with --offline", err)
	}
	return client, nil
}

// scopes asks the cluster, if there is one, and reads --crds.
func (o *artifactsOptions) scopes(ctx context.Context, client *cluster.Client) (*artifact.Scopes, error) {
	var served map[artifact.GroupKind]bool
	if client != nil {
		kinds, err := client.Kinds(ctx)
		if err != nil {
			return nil, fmt.Errorf("%w; or ask no cluster, with --offline", err)
		}
		served = make(map[artifact.GroupKind]bool, len(kinds))
		for _, kind := range kinds {
			served[artifact.GroupKind{Group: kind.Group, Kind: kind.Kind}] = kind.Namespaced
		}
	}
	scopes := artifact.NewScopes(served)
	streams, err := flagInputs("--crds", o.crds, nil)
	if err != nil {
		return nil, err
	}
	for _, in := range streams {
		read, err := readObjects(ctx, "--crds", in)
		if err != nil {
			return nil, err
		}
		for _, p := range read.Problems {
			return nil, fmt.Errorf("--crds %s:%d: %s", in.name, p.Line, p.Message)
		}
		for _, object := range read.Objects {
			if err := scopes.Define(object); err != nil {
				return nil, fmt.Errorf("--crds %s:%d: CustomResourceDefinition %s: %w", in.name, object.Line, object.ID.Name, err)
			}
		}
	}
	return scopes, nil
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

// readStreams reads what -f names. Input without any document is an error: a command that failed before the pipe looks like that.
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
	data, err := os.ReadFile(p.releases)
	if err != nil {
		return nil, nil, fmt.Errorf("--releases %s: %w", p.releases, plainPathError(err))
	}
	registry, err := release.ParseRegistry(p.releases, data)
	if err != nil || p.managed == "" {
		return registry, nil, err
	}
	if err := isFolder("managed", p.managed); err != nil {
		return nil, nil, err
	}
	return registry, release.NewManaged(os.DirFS(p.managed)), nil
}

// readReleases reads what releases render, or renders them.
func (o *artifactsOptions) readReleases(ctx context.Context, in *publish.Input, managed publish.Managed, client *cluster.Client) error {
	var selected []release.Release
	var err error
	if selected, in.Skipped, err = publish.Select(in.Registry, o.releases); err != nil {
		return err
	}
	if o.rendered != "" {
		if err := isFolder("rendered", o.rendered); err != nil {
			return err
		}
		in.Sources, err = publish.Rendered(o.rendered, os.DirFS(o.rendered), selected)
		return err
	}
	charts := o.charts
	if charts == "" {
		charts = o.platform.helmfile
	}
	if err := isFolder("charts", charts); err != nil {
		return err
	}
	r := publish.Renderer{Charts: chart.NewFolder(charts), Managed: managed, KubeVersion: o.kubeVersion, APIVersions: o.apiVersions}
	if client != nil && (r.KubeVersion == "" || len(r.APIVersions) == 0) {
		asked, err := client.Capabilities(ctx)
		if err != nil {
			return fmt.Errorf("%w; or ask no cluster, with --offline", err)
		}
		if r.KubeVersion == "" {
			r.KubeVersion = asked.KubeVersion
		}
		if len(r.APIVersions) == 0 {
			r.APIVersions = asked.APIVersions
		}
	}
	if r.KubeVersion == "" {
		r.KubeVersion = builtInKubernetes
	}
	r.Progress = o.streams.Progress
	in.Sources, err = r.Sources(ctx, selected)
	return err
}
