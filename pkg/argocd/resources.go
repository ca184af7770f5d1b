package argocd

import (
	"slices"
	"strings"
)

// Resource is an object as an Application's status tells of it, as of the last comparison with git.
type Resource struct {
	ObjectRef
	// Version is that of the group's API.
	Version string
	// Gone tells that git no longer has it, so that a sync with pruning deletes it.
	Gone bool
}

// Resources returns the objects of status.resources, in the order of the status. An entry that names no kind or no name is
// none.
func (a *Application) Resources() []Resource {
	list, _ := child(a.object, "status")["resources"].([]any)
	out := make([]Resource, 0, len(list))
	for _, r := range list {
		resource, _ := r.(map[string]any)
		found := Resource{Version: text(resource, "version"), ObjectRef: ObjectRef{
			Group: text(resource, "group"), Kind: text(resource, "kind"),
			Namespace: text(resource, "namespace"), Name: text(resource, "name"),
		}}
		found.Gone, _ = resource["requiresPruning"].(bool)
		if found.Kind != "" && found.Name != "" {
			out = append(out, found)
		}
	}
	return out
}

// ResourcesFinalizer makes the deletion of an Application delete what it deploys; a suffix says how.
const ResourcesFinalizer = "resources-finalizer.argocd.argoproj.io"

// CascadeFinalizers returns those finalizers that make a deletion of the Application delete what it deploys: the plain
// one and its variants /foreground and /background (Argo CD's application_defaults.go). What other variants there may be
// count too.
func (a *Application) CascadeFinalizers() []string {
	return slices.DeleteFunc(a.Finalizers(), func(name string) bool {
		return name != ResourcesFinalizer && !strings.HasPrefix(name, ResourcesFinalizer+"/")
	})
}
