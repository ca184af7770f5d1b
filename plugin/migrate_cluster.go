package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// readCluster reads the live Applications: those of all namespaces, as a recording has them, or, for whoever may not, those
// of Argo CD's own, where all of the platform's are. What nobody looked at then is told by the preflight.
func (o *migrateOptions) readCluster(ctx context.Context, in *migrate.Input) error {
	client, err := o.connection.client()
	if errors.Is(err, errNoCluster) {
		return fmt.Errorf("%w, or give the Applications by -f", err)
	}
	if err != nil {
		return err
	}
	in.Releases = client
	namespace := o.connection.namespace()
	progress := func(done int) { o.streams.Progress("reading Applications", done, 0) }
	var denied error
	if in.Applications, denied, err = client.Everywhere(ctx, namespace, progress); err != nil {
		return err
	}
	if !slices.ContainsFunc(in.Applications, func(a *argocd.Application) bool { return a.Namespace() == namespace }) {
		return noApplications(namespace)
	}
	if in.Cluster, err = readFacts(ctx, client, namespace); err != nil {
		return err
	}
	if denied != nil {
		in.Cluster.ArgoCD.Unknown = append(in.Cluster.ArgoCD.Unknown, fmt.Sprintf("Applications outside namespace %s: %v", namespace, denied))
	}
	in.ArgoCD = in.Cluster.ArgoCD.Version
	if in.Capabilities, err = o.proof.capabilities(ctx, client); err != nil {
		return err
	}
	return nil
}

// noApplications says that a namespace holds nothing to plan for.
func noApplications(namespace string) error {
	return fmt.Errorf("namespace %s of the cluster holds no Application; name Argo CD's namespace by -n, or another cluster by --context", namespace)
}
