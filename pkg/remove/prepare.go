package remove

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// prepare returns what has to be written before the Application may be deleted, and says so; nothing where it is as it must
// be. The patch tests that the Application is the one that was read.
func (p *Plan) prepare(live *argocd.Application) (operations []cluster.Operation, text string) {
	var texts []string
	operations = []cluster.Operation{cluster.Test(live.UID(), "metadata", "uid")}
	finalizers, cascading := live.Finalizers(), live.CascadeFinalizers()
	switch {
	case p.options.Orphan:
		left := slices.DeleteFunc(slices.Clone(finalizers), ofArgoCD)
		if len(left) == len(finalizers) {
			return nil, ""
		}
		operations = append(operations, cluster.Test(toList(finalizers), "metadata", "finalizers"), cluster.Add(toList(left), "metadata", "finalizers"))
		return operations, "take off the finalizers by which Argo CD deletes what it deploys"
	case live.Deleting():
		return nil, "" // a finalizer cannot be added any more
	}
	if value := live.Annotation(argocd.SyncOptionsAnnotation); live.Protected() {
		texts = append(texts, "drop the protection")
		rest := strings.Join(slices.DeleteFunc(live.SyncOptions(), protects), ",")
		operations = append(operations, cluster.Test(value, "metadata", "annotations", argocd.SyncOptionsAnnotation))
		if rest == "" {
			operations = append(operations, cluster.Remove("metadata", "annotations", argocd.SyncOptionsAnnotation))
		} else {
			operations = append(operations, cluster.Add(rest, "metadata", "annotations", argocd.SyncOptionsAnnotation))
		}
	}
	if len(cascading) == 0 {
		texts = append(texts, "set the finalizer by which Argo CD deletes what it deploys")
		if len(finalizers) > 0 {
			operations = append(operations, cluster.Test(toList(finalizers), "metadata", "finalizers"))
		}
		operations = append(operations, cluster.Add(toList(append(finalizers, argocd.ResourcesFinalizer)), "metadata", "finalizers"))
	}
	if len(texts) == 0 {
		return nil, ""
	}
	return operations, strings.Join(texts, ", ")
}

// ofArgoCD tells the finalizers on which Argo CD acts: what deletes, and hooks that run after it.
func ofArgoCD(finalizer string) bool {
	name, _, _ := strings.Cut(finalizer, "/")
	return strings.HasSuffix(name, ".argocd.argoproj.io")
}

// protects tells the sync options of the protection.
func protects(option string) bool {
	key, _, _ := strings.Cut(option, "=")
	return key == "Prune" || key == "Delete"
}

func toList(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}
