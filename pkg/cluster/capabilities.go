package cluster

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// Capabilities are what Argo CD tells Helm of a cluster when it renders.
type Capabilities struct {
	// KubeVersion is the server's version: v1.36.4.
	KubeVersion string
	// APIVersions are group/version and group/version/Kind of all that is served, sorted (Argo CD's
	// GetAPIVersions and helm template --api-versions).
	APIVersions []string
}

// Capabilities asks the API server for its version and for all that it serves. What a broken aggregated API would serve is
// left out.
func (c *Client) Capabilities(ctx context.Context) (Capabilities, error) {
	what := call{verb: "get", resource: "/version"}
	client, err := c.discovery(ctx)
	if err != nil {
		return Capabilities{}, c.explain(ctx, what, err)
	}
	version, err := client.ServerVersion()
	if err != nil {
		return Capabilities{}, c.explain(ctx, what, err)
	}
	out := Capabilities{KubeVersion: version.GitVersion}
	_, lists, err := client.ServerGroupsAndResources()
	if len(lists) == 0 && err != nil {
		return Capabilities{}, c.explain(ctx, call{verb: "get", resource: "/apis"}, err)
	}
	for _, list := range lists {
		out.APIVersions = append(out.APIVersions, list.GroupVersion)
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") { // a subresource
				out.APIVersions = append(out.APIVersions, list.GroupVersion+"/"+resource.Kind)
			}
		}
	}
	slices.Sort(out.APIVersions)
	out.APIVersions = slices.Compact(out.APIVersions)
	return out, nil
}

// discovery returns a client whose requests end with ctx, which client-go's have no argument for. The client's own timeout
// bounds each.
func (c *Client) discovery(ctx context.Context) (*discovery.DiscoveryClient, error) {
	own := rest.CopyConfig(c.config)
	own.Timeout = c.timeout
	own.Wrap(func(next http.RoundTripper) http.RoundTripper { return within{next, ctx} })
	return discovery.NewDiscoveryClientForConfig(own)
}

// within ends each request with a context of its own.
type within struct {
	next http.RoundTripper
	ctx  context.Context // lent to whoever takes none
}

// RoundTrip implements http.RoundTripper.
func (w within) RoundTrip(request *http.Request) (*http.Response, error) {
	return w.next.RoundTrip(request.WithContext(w.ctx))
}

// WrappedRoundTripper lets client-go find what it can cancel; without it, it complains on stderr.
func (w within) WrappedRoundTripper() http.RoundTripper { return w.next }
