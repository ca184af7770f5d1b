package cluster

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Namespaces returns the names of all namespaces, as the server sorts them. The error wraps ErrForbidden or ErrUnreachable.
func (c *Client) Namespaces(ctx context.Context) ([]string, error) {
	what := call{verb: "list", resource: "namespaces"}
	options := metav1.ListOptions{Limit: c.chunk}
	var out []string
	for range maxChunks {
		list, err := c.namespaces(ctx, what, options)
		if err != nil {
			return nil, err
		}
		for _, item := range list.Items {
			out = append(out, item.Name)
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return out, nil
		}
	}
	return nil, fmt.Errorf("%s: the list does not end after %d requests", what, maxChunks)
}

func (c *Client) namespaces(ctx context.Context, what call, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	ctx, cancel := c.request(ctx)
	defer cancel()
	list, err := c.metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).List(ctx, options)
	return list, c.explain(ctx, what, err)
}
