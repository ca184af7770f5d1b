package artifact

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// The labels that the chart raw puts on every object of a release. They name the release without its namespace.
const (
	instanceLabel  = "app.kubernetes.io/instance"
	managedByLabel = "app.kubernetes.io/managed-by"
	chartLabel     = "helm.sh/chart"
	rawPrefix      = "raw-"
)

// Owner returns the name of the release whose chart raw rendered the object, as its labels tell; "" where they do not.
func (o Object) Owner() (string, error) {
	metadata, err := o.metadata()
	if err != nil {
		return "", err
	}
	return owner(metadata), nil
}

func owner(metadata map[string]any) string {
	labels := texts(metadata["labels"])
	if labels[managedByLabel] != "Helm" || !strings.HasPrefix(labels[chartLabel], rawPrefix) {
		return ""
	}
	return labels[instanceLabel]
}

// texts returns the texts of a map, less what is none.
func texts(v any) map[string]string {
	tree, _ := v.(map[string]any)
	out := make(map[string]string, len(tree))
	for key, value := range tree {
		if text, ok := value.(string); ok {
			out[key] = text
		}
	}
	return out
}

// Kind returns the object's kind, whatever its version.
func (o Object) Kind() GroupKind { return GroupKind{o.ID.Group, o.ID.Kind} }

// Place names the object as findings and .apl.yaml do: Kind/namespace/name or Kind/name, the kind with its group.
func (o Object) Place() string { return PlaceOf(o.ID) }

// appOf names a release, as far as it is known.
func appOf(id app.ID) string {
	if id.Release == "" {
		return ""
	}
	return id.String()
}
