package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// publishManager is the field manager of the catalog's ConfigMaps.
const publishManager = "kubectl-apl"

func (o *schemaPublishOptions) run(ctx context.Context) error {
	client, apps, err := o.applications(ctx)
	if err != nil {
		return err
	}
	store, err := o.charts.store()
	if err != nil {
		return err
	}
	p := &publication{namespace: o.namespace()}
	progress := func(done, of int) { o.streams.Progress("reading charts", done, of) }
	if err := p.readCharts(ctx, &loadedCharts{store: store}, p.sourcesOf(apps), progress); err != nil {
		return err
	}
	if o.repo != "" {
		if err := p.readManaged(ctx, o.repo); err != nil {
			return err
		}
	}
	slices.SortFunc(p.objects, func(a, b *corev1.ConfigMap) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(p.findings, finding.Compare)
	o.streams.Quiet()
	if o.objectsOnly() {
		err = printer.SchemaObjects(o.streams.Out, o.format, p.objects)
	} else {
		err = printer.SchemaPublish(o.streams.Out, o.format, printer.Style{Color: colored(o.streams.Out, o.env.Lookup)}, p.rows)
	}
	if err != nil {
		return err
	}
	if err := printer.Findings(o.streams.ErrOut, printer.Style{Color: colored(o.streams.ErrOut, o.env.Lookup)}, p.findings); err != nil {
		return err
	}
	if len(p.rows) == 0 {
		fmt.Fprintln(o.streams.ErrOut, "Nothing was written: there is no chart to publish, and what was published before stays.") // the exit code says it too
		return errFindings
	}
	if err := o.publish(ctx, client, p); err != nil {
		return err
	}
	if finding.HasError(p.findings) {
		return errFindings
	}
	return nil
}

// applications reads them, and connects unless nobody is to be asked.
func (o *schemaPublishOptions) applications(ctx context.Context) (*cluster.Client, []*argocd.Application, error) {
	var client *cluster.Client
	var err error
	alone := o.objectsOnly() || o.dryRun == string(cluster.DryRunClient)
	if len(o.filenames) == 0 || !alone {
		if client, err = o.connection.client(); err != nil {
			return nil, nil, err
		}
	}
	if len(o.filenames) > 0 {
		apps, err := readApplications(ctx, o.streams, o.filenames)
		return client, apps, err
	}
	apps, err := client.Applications(ctx, cluster.ListOptions{Namespace: argocd.Namespace, Progress: func(done int) { o.streams.Progress("reading Applications", done, 0) }})
	if err == nil && len(apps) == 0 {
		err = fmt.Errorf("namespace %s of the cluster holds no Application; name another cluster by --context", argocd.Namespace)
	}
	return client, apps, err
}

// publish writes to the cluster what differs: first what is new, then it deletes.
func (o *schemaPublishOptions) publish(ctx context.Context, client *cluster.Client, p *publication) error {
	if o.objectsOnly() {
		return nil
	}
	var live []corev1.ConfigMap
	if client != nil {
		var err error
		if live, err = client.ConfigMaps(ctx, p.namespace, catalog.Label); err != nil {
			return err
		}
	}
	changes := catalog.Compare(live, p.objects, p.kept, p.managed)
	if !o.prune {
		changes.Delete = nil
	}
	if o.dryRun != string(cluster.DryRunClient) {
		options := cluster.WriteOptions{Manager: publishManager, DryRun: o.dryRun == string(cluster.DryRunServer)}
		if err := o.carry(ctx, client, changes, options); err != nil {
			return err
		}
	}
	fmt.Fprintln(o.streams.ErrOut, o.outcome(changes, o.dryRun != string(cluster.DryRunNone))) // the exit code says it too
	return nil
}

func (o *schemaPublishOptions) carry(ctx context.Context, client *cluster.Client, changes catalog.Changes, options cluster.WriteOptions) error {
	const again = "what is done is done, and running it again goes on from there"
	for i, object := range changes.Apply {
		o.streams.Progress("applying ConfigMaps", i, len(changes.Apply))
		tree, err := treeOf(object)
		if err != nil {
			return err
		}
		_, err = client.ServerSideApply(ctx, tree, options, true)
		switch {
		case errors.Is(err, cluster.ErrNotFound):
			return fmt.Errorf("namespace %s is not there: make the namespace of apl-webhook first, or name another one by -n", object.Namespace)
		case err != nil:
			return fmt.Errorf("%w; %s", err, again)
		}
	}
	for i := range changes.Delete {
		err := client.DeleteConfigMap(ctx, &changes.Delete[i], options)
		if err != nil && !errors.Is(err, cluster.ErrNotFound) {
			return fmt.Errorf("%w; %s", err, again)
		}
	}
	return nil
}

// treeOf returns an object as server-side apply takes it, without what the API server alone writes.
func treeOf(object *corev1.ConfigMap) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("write ConfigMap %s: %w", object.Name, err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("write ConfigMap %s: %w", object.Name, err)
	}
	if metadata, ok := tree["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
	}
	return tree, nil
}
