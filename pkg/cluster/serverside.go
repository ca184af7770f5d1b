package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// naming is what of an object says which one it is.
type naming struct{ apiVersion, kind, namespace, name string }

// place is where the API server keeps an object, and what a request for it is about.
type place struct {
	path string
	what call
}

// place finds the place of an object, in the very version that it is written in. The error wraps ErrUnserved for a kind that the
// server does not serve in that version.
func (c *Client) place(ctx context.Context, verb string, object map[string]any) (place, error) {
	n := nameOf(object)
	version, err := schema.ParseGroupVersion(n.apiVersion)
	if err != nil || n.kind == "" || n.name == "" {
		return place{}, fmt.Errorf("%s %s %s: it names no apiVersion, no kind or no name", verb, n.kind, n.name)
	}
	found, err := c.discover(ctx)
	if err != nil {
		return place{}, err
	}
	list := found.lists[version]
	if list == nil {
		list = &metav1.APIResourceList{}
	}
	at := slices.IndexFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == n.kind && !strings.Contains(r.Name, "/") })
	if at < 0 {
		return place{}, fmt.Errorf("find kind %s in version %s: %w", kindName(version.Group, n.kind), version.Version, ErrUnserved)
	}
	k := mapping{version.WithResource(list.APIResources[at].Name), list.APIResources[at].Namespaced}
	switch {
	case k.namespaced && n.namespace == "":
		return place{}, fmt.Errorf("%s %s %s: it names no namespace, and an object of its kind is in one", verb, n.kind, n.name)
	case !k.namespaced && verb == "get":
		n.namespace = "" // the status of an Application can give one to an object that is in none
	case !k.namespaced && n.namespace != "":
		return place{}, fmt.Errorf("%s %s %s: it names a namespace, and an object of its kind is in none", verb, n.kind, n.name)
	}
	parts := []string{"/apis", version.Group, version.Version}
	if version.Group == "" {
		parts = []string{"/api", version.Version}
	}
	if k.namespaced {
		parts = append(parts, "namespaces", n.namespace)
	}
	parts = append(parts, k.resource.Resource, n.name)
	return place{strings.Join(parts, "/"), k.call(verb, n.namespace, n.name)}, nil
}

func nameOf(object map[string]any) naming {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	metadata, _ := object["metadata"].(map[string]any)
	return naming{text(object, "apiVersion"), text(object, "kind"), text(metadata, "namespace"), text(metadata, "name")}
}

// Live reads the object that has the apiVersion, kind, namespace and name of a tree, with every digit of a number. The error wraps
// ErrNotFound, ErrUnserved, ErrForbidden or ErrUnreachable.
func (c *Client) Live(ctx context.Context, object map[string]any) (map[string]any, error) {
	at, err := c.place(ctx, "get", object)
	if err != nil {
		return nil, err
	}
	ctx, cancel := c.request(ctx)
	defer cancel()
	body, err := c.argoproj.Get().AbsPath(at.path).Do(ctx).Raw()
	if err != nil {
		return nil, c.explain(ctx, at.what, err)
	}
	return decodeTree(at.what, body)
}

func decodeTree(what call, body []byte) (tree map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil || tree == nil {
		return nil, fmt.Errorf("%s: the answer is no object", what)
	}
	return tree, nil
}

// Conflict is a field that belongs to another manager, who wants another value there.
type Conflict struct {
	Manager string `json:"manager"`
	Field   string `json:"field"`
}

// ConflictError is what ServerSideApply returns for fields that it would have to take from others. Nothing was written.
type ConflictError struct {
	what call
	// Conflicts are sorted by manager and field.
	Conflicts []Conflict
}

// Error names managers and fields, and no value.
func (e *ConflictError) Error() string {
	var list []string
	for _, c := range e.Conflicts {
		list = append(list, c.Field+" belongs to "+c.Manager)
	}
	return fmt.Sprintf("%s: conflict: %s", e.what, strings.Join(list, ", "))
}

// ServerSideApply applies an object of any kind server-side, and makes it where there is none. With force, fields that belong to
// others are taken from them; without it that is a *ConflictError. The answer is what the server then has. The other errors are
// those of Live and of Patch; a namespace that is not there is an ErrNotFound.
func (c *Client) ServerSideApply(ctx context.Context, object map[string]any, options WriteOptions, force bool) (map[string]any, error) {
	at, err := c.place(ctx, "patch", object)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at.what, err)
	}
	ctx, cancel := c.request(ctx)
	defer cancel()
	request := c.argoproj.Patch(types.ApplyYAMLPatchType).AbsPath(at.path).Param("fieldManager", options.Manager).
		Param("force", strconv.FormatBool(force)).Body(body)
	if options.DryRun {
		request = request.Param("dryRun", metav1.DryRunAll)
	}
	answer, err := request.Do(ctx).Raw()
	if err == nil {
		return decodeTree(at.what, answer)
	}
	var s metav1.Status
	if json.Unmarshal(answer, &s) == nil && s.Details != nil {
		switch {
		case s.Code == http.StatusConflict && len(conflicts(s)) > 0:
			return nil, &ConflictError{what: at.what, Conflicts: conflicts(s)}
		case s.Code == http.StatusNotFound && s.Details.Kind == "namespaces":
			return nil, fmt.Errorf("%s: the namespace itself: %w", at.what, ErrNotFound)
		}
	}
	return nil, c.explainWrite(ctx, at.what, types.ApplyYAMLPatchType, answer, err)
}

// conflicts reads who owns what from the causes of a conflict: conflict with "NAME" using VERSION.
func conflicts(s metav1.Status) []Conflict {
	var out []Conflict
	for _, cause := range s.Details.Causes {
		if cause.Type != metav1.CauseTypeFieldManagerConflict {
			continue
		}
		manager := cause.Message
		if _, rest, ok := strings.Cut(manager, `"`); ok {
			manager, _, _ = strings.Cut(rest, `"`)
		}
		out = append(out, Conflict{Manager: manager, Field: strings.TrimPrefix(cause.Field, ".")})
	}
	slices.SortFunc(out, func(a, b Conflict) int {
		return strings.Compare(a.Manager+"\x00"+a.Field, b.Manager+"\x00"+b.Field)
	})
	return out
}
