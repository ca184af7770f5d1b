package plugin

import (
	"context"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// readCluster reads the live Applications of Argo CD's namespace, which is where those of the platform are: whoever runs
// this needs no right beyond it.
func (o *migrateOptions) readCluster(ctx context.Context, in *migrate.Input) error {
	client, err := o.connection.client()
	if err != nil {
		return err
	}
	in.Releases = client
	namespace := o.connection.namespace()
	progress := func(done int) { o.streams.Progress("reading Applications", done, 0) }
	if in.Applications, err = client.Applications(ctx, cluster.ListOptions{Namespace: namespace, Progress: progress}); err != nil {
		return err
	}
	if in.Cluster, err = readFacts(ctx, client, namespace); err != nil {
		return err
	}
	in.ArgoCD = in.Cluster.ArgoCD.Version
	if in.Capabilities, err = o.proof.capabilities(ctx, client); err != nil {
		return err
	}
	if len(in.Applications) == 0 {
		return fmt.Errorf("namespace %s of the cluster holds no Application; name Argo CD's namespace by -n, or another cluster by --context", namespace)
	}
	return nil
}
