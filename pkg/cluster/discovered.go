package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// ErrUnserved is wrapped for a kind that the API server does not serve: no object of it can be there.
var ErrUnserved = errors.New("the API server does not serve the kind")

// discovered is what an API server serves.
type discovered struct {
	groups []*metav1.APIGroup
	lists  map[schema.GroupVersion]*metav1.APIResourceList
	failed map[schema.GroupVersion]error // what a broken aggregated API would serve
}

// mapping is how the objects of a kind are asked for.
type mapping struct {
	resource   schema.GroupVersionResource
	namespaced bool
}

// call says what a request for a kind does. A namespace names the objects of it, "" all of them.
func (k mapping) call(verb, namespace, name string) call {
	return call{verb: verb, resource: k.resource.GroupResource().String(), namespace: namespace, name: name}
}

// resourceOf finds the resource of a kind, in the version of its group that the server prefers and serves it in. The server is asked
// once in a Client's life. The error wraps ErrUnserved.
func (c *Client) resourceOf(ctx context.Context, group, name string) (mapping, error) {
	found, err := c.discover(ctx)
	if err != nil {
		return mapping{}, err
	}
	for _, version := range found.versions(group) {
		gv := schema.GroupVersion{Group: group, Version: version}
		if found.lists[gv] == nil {
			continue
		}
		for _, resource := range found.lists[gv].APIResources {
			if resource.Kind == name && !strings.Contains(resource.Name, "/") && slices.Contains(resource.Verbs, "list") {
				return mapping{gv.WithResource(resource.Name), resource.Namespaced}, nil
			}
		}
	}
	for gv := range found.failed { // which is among no versions then
		if gv.Group == group {
			return mapping{}, fmt.Errorf("find kind %s: what serves its group does not answer; see kubectl get apiservices", kindName(group, name))
		}
	}
	return mapping{}, fmt.Errorf("find kind %s: %w", kindName(group, name), ErrUnserved)
}

func kindName(group, name string) string { return strings.TrimSuffix(name+"."+group, ".") }

// versions are those of a group, the preferred one first.
func (k *discovered) versions(group string) []string {
	for _, g := range k.groups {
		if g.Name != group {
			continue
		}
		out := []string{g.PreferredVersion.Version}
		for _, v := range g.Versions {
			if v.Version != g.PreferredVersion.Version {
				out = append(out, v.Version)
			}
		}
		return out
	}
	return nil
}

// discover asks the API server for all that it serves.
func (c *Client) discover(ctx context.Context) (*discovered, error) {
	c.discovering.Lock()
	defer c.discovering.Unlock()
	if c.discovered != nil {
		return c.discovered, nil
	}
	what := call{verb: "get", resource: "/apis"}
	client, err := c.discovery(ctx)
	if err != nil {
		return nil, c.explain(ctx, what, err)
	}
	out := &discovered{lists: map[schema.GroupVersion]*metav1.APIResourceList{}, failed: map[schema.GroupVersion]error{}}
	groups, lists, err := client.ServerGroupsAndResources()
	var broken *discovery.ErrGroupDiscoveryFailed
	switch {
	case errors.As(err, &broken):
		out.failed = broken.Groups
	case err != nil:
		return nil, c.explain(ctx, what, err)
	}
	out.groups = groups
	for _, list := range lists {
		if gv, err := schema.ParseGroupVersion(list.GroupVersion); err == nil { // what is no version serves nothing
			out.lists[gv] = list
		}
	}
	c.discovered = out
	return out, nil
}
