package cluster

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Kind is a kind of objects that a cluster serves. Group is "" for the core group.
type Kind struct {
	Group, Kind string
	// Namespaced tells that its objects live in namespaces.
	Namespaced bool
}

// Kinds asks the API server for all kinds that it serves, in whatever version, and returns them sorted. What a broken aggregated
// API would serve is left out.
func (c *Client) Kinds(ctx context.Context) ([]Kind, error) {
	what := call{verb: "get", resource: "/apis"}
	client, err := c.discovery(ctx)
	if err != nil {
		return nil, c.explain(ctx, what, err)
	}
	_, lists, err := client.ServerGroupsAndResources()
	if len(lists) == 0 && err != nil {
		return nil, c.explain(ctx, what, err)
	}
	var out []Kind
	for _, list := range lists {
		group, _, grouped := strings.Cut(list.GroupVersion, "/")
		if !grouped {
			group = ""
		}
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") { // a subresource
				out = append(out, Kind{group, resource.Kind, resource.Namespaced})
			}
		}
	}
	slices.SortFunc(out, func(a, b Kind) int { return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind)) })
	return slices.Compact(out), nil
}
