package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// objectReader reads the objects of -artifacts releases, rendered or to be rendered here, and tells where their kinds live.
type objectReader struct {
	streams    Streams
	connection *connection

	rendered    string
	charts      string
	crds        []string
	kubeVersion string
	apiVersions []string
	offline     bool
}

// cluster connects, nil where no cluster is configured.
func (o *objectReader) cluster() (*cluster.Client, error) {
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
func (o *objectReader) scopes(ctx context.Context, client *cluster.Client) (*artifact.Scopes, error) {
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
	some := false
	for _, in := range streams {
		read, err := readObjects(ctx, "--crds", in)
		if err != nil {
			return nil, err
		}
		for _, p := range read.Problems {
			return nil, fmt.Errorf("--crds %s:%d: %s", in.name, p.Line, p.Message)
		}
		for _, object := range read.Objects {
			some = some || object.ID.Kind == "CustomResourceDefinition"
			if err := scopes.Define(object); err != nil {
				return nil, fmt.Errorf("--crds %s:%d: CustomResourceDefinition %s: %w", in.name, object.Line, object.ID.Name, err)
			}
		}
	}
	if len(streams) > 0 && !some {
		return nil, fmt.Errorf("--crds %s: it holds no CustomResourceDefinition", strings.Join(o.crds, ","))
	}
	return scopes, nil
}

// readReleases reads what releases render, or renders them.
func (o *objectReader) readReleases(ctx context.Context, in *publish.Input, names []string, managed publish.Managed, client *cluster.Client) error {
	var selected []release.Release
	var err error
	if selected, in.Skipped, err = publish.Select(in.Registry, names); err != nil {
		return err
	}
	if o.rendered != "" {
		if err := isFolder("rendered", o.rendered); err != nil {
			return err
		}
		in.Sources, err = publish.Rendered(o.rendered, os.DirFS(o.rendered), selected)
		return err
	}
	if err := isFolder("charts", o.charts); err != nil {
		return err
	}
	r := publish.Renderer{Charts: chart.NewFolder(o.charts), Managed: managed, KubeVersion: o.kubeVersion, APIVersions: o.apiVersions}
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
