package artifact

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Identity is what names an object, as the object itself says it.
type Identity struct {
	// ID has the Namespace "" where the object names none, and the Name "" where it is Generated.
	ID layout.ObjectID
	// Version is that of the group's API.
	Version string
	// Generated tells that the API server would make up the name.
	Generated bool
}

// IdentityError is returned for what has no identity.
type IdentityError struct {
	// At is the key that is wrong, in the object; where one is missing, it is the path that the key would have.
	At      values.Path
	Message string
}

// Error returns the message.
func (e *IdentityError) Error() string { return e.Message }

func identityError(at, format string, args ...any) error {
	path := values.Path{}
	for key := range strings.SplitSeq(at, ".") {
		path = path.Key(key)
	}
	return &IdentityError{At: path, Message: fmt.Sprintf(format, args...)}
}

// Identify reads what names an object, as a parser gives it. The error is an *IdentityError.
func Identify(tree map[string]any) (id Identity, err error) {
	apiVersion, ok := tree["apiVersion"].(string)
	if !ok || apiVersion == "" {
		return id, identityError("apiVersion", "the object that begins here has no apiVersion")
	}
	if id.ID.Kind, ok = tree["kind"].(string); !ok || id.ID.Kind == "" {
		return id, identityError("kind", "the object that begins here has no kind")
	}
	id.Version = apiVersion
	if group, rest, ok := strings.Cut(apiVersion, "/"); ok {
		id.ID.Group, id.Version = group, rest
	}
	if id.Version == "" || strings.Contains(id.Version, "/") || id.Version != apiVersion && id.ID.Group == "" {
		return id, identityError("apiVersion", "the apiVersion of the %s that begins here is not of the form group/version", id.ID.Kind)
	}
	metadata, ok := tree["metadata"].(map[string]any)
	if !ok {
		return id, identityError("metadata", "the %s that begins here has no metadata", id.ID.Kind)
	}
	for _, f := range []struct {
		key string
		to  *string
	}{{"name", &id.ID.Name}, {"namespace", &id.ID.Namespace}} {
		value := metadata[f.key]
		if *f.to, ok = value.(string); !ok && value != nil {
			return id, identityError("metadata."+f.key, "metadata.%s of the %s that begins here is no text; quote it", f.key, id.ID.Kind)
		}
	}
	prefix, ok := metadata["generateName"].(string)
	id.Generated = id.ID.Name == ""
	if id.Generated && (!ok || prefix == "") {
		return id, identityError("metadata.name", "the %s that begins here has no metadata.name", id.ID.Kind)
	}
	return id, nil
}

// OwnerOf is Object.Owner for an object as a parser gives it.
func OwnerOf(tree map[string]any) string {
	metadata, _ := tree["metadata"].(map[string]any)
	return owner(metadata)
}

// PlaceOf is Object.Place for an object of that name.
func PlaceOf(id layout.ObjectID) string {
	kind := GroupKind{id.Group, id.Kind}
	if id.Namespace == "" {
		return fmt.Sprintf("%s/%s", kind, id.Name)
	}
	return fmt.Sprintf("%s/%s/%s", kind, id.Namespace, id.Name)
}

// SecretData returns the top-level keys under which a Secret holds data, sorted; none for one without, and for every other kind. Where
// a field is none of a Secret's, such as the binaryData of a ConfigMap, nobody knows what it holds: it is data, unless it is an empty map.
func SecretData(tree map[string]any) (keys []string) {
	if version, _ := tree["apiVersion"].(string); tree["kind"] != "Secret" || strings.Contains(version, "/") {
		return nil
	}
	for key, value := range tree {
		switch data := value.(type) {
		case nil:
		case map[string]any:
			if key != "metadata" && len(data) > 0 {
				keys = append(keys, key)
			}
		default:
			if !slices.Contains([]string{"apiVersion", "kind", "type", "immutable"}, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// Definition returns the kind that a CustomResourceDefinition defines, and whether its objects live in namespaces.
func Definition(tree map[string]any) (kind GroupKind, namespaced bool, err error) {
	spec, _ := tree["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	kind.Group, _ = spec["group"].(string)
	kind.Kind, _ = names["kind"].(string)
	scope, _ := spec["scope"].(string)
	if kind.Group == "" || kind.Kind == "" || scope != "Namespaced" && scope != "Cluster" {
		return kind, false, errors.New("it does not say which kind it defines, and where its objects live: spec.group, spec.names.kind and spec.scope (Namespaced or Cluster)")
	}
	return kind, scope == "Namespaced", nil
}
