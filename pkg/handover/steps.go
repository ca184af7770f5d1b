package handover

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// ownManager is the field manager of what this tool writes.
const ownManager = "kubectl-apl"

// step is one that is to be done. do is nil for the one that is waited for.
type step struct {
	name StepName
	text string
	do   func(ctx context.Context, c Cluster, dryRun bool) error
}

// stepsOf returns the steps that are left, by what the cluster shows. Only the first of them is to be done before it is looked
// at again.
func (p *Plan) stepsOf(a *App) []step {
	var steps []step
	var bare []*Object
	for _, o := range a.with(Kept) {
		if _, done := argocd.ProtectObject(o.meta.Annotations[argocd.SyncOptionsAnnotation]); !done {
			bare = append(bare, o)
		}
	}
	if len(bare) > 0 {
		steps = append(steps, step{Mark, "put Prune=false,Delete=false on " + named(names(bare)), mark(bare)})
	}
	policy, _ := spec(a.live)["syncPolicy"].(map[string]any)
	if automated := policy["automated"]; automated != nil { // one that is switched off counts too: older versions do not know that
		steps = append(steps, step{Hold, "take away spec.syncPolicy.automated: the Application takes nothing back", patch(a.live,
			cluster.Test(automated, "spec", "syncPolicy", "automated"), cluster.Remove("spec", "syncPolicy", "automated"))})
	}
	if text := a.awaited(); text != "" {
		steps = append(steps, step{Adopt, "wait until " + text, nil})
	}
	if cascade := a.live.CascadeFinalizers(); len(cascade) > 0 {
		steps = append(steps, step{Release, "take away finalizer " + strings.Join(cascade, ", ") + ": its deletion deletes nothing else", dropFinalizers(a.live, policy)})
	}
	return append(steps, step{Delete, "delete the Application", func(ctx context.Context, c Cluster, dryRun bool) error {
		return c.DeleteApplication(ctx, a.live, cluster.WriteOptions{Manager: ownManager, DryRun: dryRun})
	}})
}

// awaited says what has to come by itself before the Application may go, "" for nothing.
func (a *App) awaited() string {
	var parts, adopters []string
	waiting := a.with(Waiting)
	for _, o := range waiting {
		if !slices.Contains(adopters, o.Adopter) {
			adopters = append(adopters, o.Adopter)
		}
	}
	slices.Sort(adopters)
	if len(waiting) == 1 {
		parts = append(parts, "1 object is tracked by "+adopters[0])
	} else if len(waiting) > 1 {
		parts = append(parts, fmt.Sprintf("%d objects are tracked by %s", len(waiting), strings.Join(adopters, ", ")))
	}
	if a.live.Syncing() {
		parts = append(parts, "the sync of the Application that is under way has ended")
	}
	return strings.Join(parts, ", and ")
}

func spec(a *argocd.Application) map[string]any {
	tree, _ := a.Object()["spec"].(map[string]any)
	return tree
}

// patch is a step that writes a JSON patch, on the very Application that was looked at.
func patch(live *argocd.Application, operations ...cluster.Operation) func(context.Context, Cluster, bool) error {
	operations = append([]cluster.Operation{cluster.Test(live.UID(), "metadata", "uid")}, operations...)
	return func(ctx context.Context, c Cluster, dryRun bool) error {
		_, err := c.Patch(ctx, live.Namespace(), live.Name(), operations, cluster.WriteOptions{Manager: ownManager, DryRun: dryRun})
		return err
	}
}

// dropFinalizers takes the finalizers away that delete objects, while nothing syncs the Application by itself: what was tested on the
// whole of syncPolicy was without automation.
func dropFinalizers(live *argocd.Application, policy map[string]any) func(context.Context, Cluster, bool) error {
	var operations []cluster.Operation
	if policy != nil {
		operations = append(operations, cluster.Test(policy, "spec", "syncPolicy"))
	}
	all, cascade := live.Finalizers(), live.CascadeFinalizers()
	operations = append(operations, cluster.Test(all, "metadata", "finalizers"))
	left := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(cascade, name) })
	if len(left) == 0 {
		operations = append(operations, cluster.Remove("metadata", "finalizers"))
	} else {
		operations = append(operations, cluster.Add(left, "metadata", "finalizers"))
	}
	return patch(live, operations...)
}

// mark protects objects. A test on all annotations stands for one on a value that may not be there.
func mark(objects []*Object) func(context.Context, Cluster, bool) error {
	return func(ctx context.Context, c Cluster, dryRun bool) error {
		for _, o := range objects {
			operations := []cluster.Operation{cluster.Test(o.meta.UID, "metadata", "uid")}
			if o.meta.Annotations == nil {
				operations = append(operations, cluster.Test(nil, "metadata", "annotations"), cluster.Add(map[string]string{}, "metadata", "annotations"))
			} else {
				operations = append(operations, cluster.Test(o.meta.Annotations, "metadata", "annotations"))
			}
			value, _ := argocd.ProtectObject(o.meta.Annotations[argocd.SyncOptionsAnnotation])
			operations = append(operations, cluster.Add(value, "metadata", "annotations", argocd.SyncOptionsAnnotation))
			if _, err := c.PatchMetadata(ctx, o.ref, operations, cluster.WriteOptions{Manager: ownManager, DryRun: dryRun}); err != nil {
				return err
			}
		}
		return nil
	}
}
