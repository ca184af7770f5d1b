package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// Metadata is that of an object of any kind. What the object holds is never read.
type Metadata struct {
	argocd.ObjectRef
	UID                 string
	Labels, Annotations map[string]string
	// Owned tells that another object of the cluster owns it, so that it comes and goes with that.
	Owned bool
	// Deleting tells that it is on its way out of the cluster.
	Deleting bool
}

// Metadata reads the metadata of one object, in the version of its kind that the server prefers. The error wraps ErrNotFound where
// there is none, ErrUnserved where there can be none, and ErrForbidden.
func (c *Client) Metadata(ctx context.Context, ref argocd.ObjectRef) (Metadata, error) {
	k, err := c.resourceOf(ctx, ref.Group, ref.Kind)
	if err != nil {
		return Metadata{}, err
	}
	what := k.call("get", k.namespaceOf(ref), ref.Name)
	ctx, cancel := c.request(ctx)
	defer cancel()
	found, err := c.objects(k, what.namespace).Get(ctx, ref.Name, metav1.GetOptions{})
	if err != nil {
		return Metadata{}, c.explain(ctx, what, err)
	}
	return metadataOf(ref.Group, ref.Kind, found), nil
}

// ListMetadata lists the metadata of all objects of a kind, in all namespaces, in chunks. The errors are those of Metadata; a list that
// expired on the way begins anew.
func (c *Client) ListMetadata(ctx context.Context, group, kindName string) ([]Metadata, error) {
	k, err := c.resourceOf(ctx, group, kindName)
	if err != nil {
		return nil, err
	}
	what := k.call("list", "", "")
	for range maxRestarts {
		out, err := c.listMetadata(ctx, k, what, group, kindName)
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			continue
		}
		return out, err
	}
	return nil, fmt.Errorf("%s: the list expired %d times before it was read; try again when the cluster is less busy", what, maxRestarts)
}

func (c *Client) listMetadata(ctx context.Context, k mapping, what call, group, kindName string) ([]Metadata, error) {
	options := metav1.ListOptions{Limit: c.chunk}
	var out []Metadata
	for range maxChunks {
		list, err := c.chunkOfMetadata(ctx, k, what, options)
		if err != nil {
			return nil, err
		}
		for i := range list.Items {
			out = append(out, metadataOf(group, kindName, &list.Items[i]))
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return out, nil
		}
	}
	return nil, fmt.Errorf("%s: the list does not end after %d requests", what, maxChunks)
}

func (c *Client) chunkOfMetadata(ctx context.Context, k mapping, what call, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	ctx, cancel := c.request(ctx)
	defer cancel()
	list, err := c.metadata.Resource(k.resource).List(ctx, options)
	return list, c.explain(ctx, what, err)
}

// PatchMetadata writes a JSON patch to one object, and returns what the server then has. The errors are those of Patch.
func (c *Client) PatchMetadata(ctx context.Context, ref argocd.ObjectRef, patch []Operation, options WriteOptions) (Metadata, error) {
	body, err := json.Marshal(patch)
	if err != nil {
		return Metadata{}, fmt.Errorf("patch %s %s: %w", ref.Kind, ref.Name, err)
	}
	k, err := c.resourceOf(ctx, ref.Group, ref.Kind)
	if err != nil {
		return Metadata{}, err
	}
	what := k.call("patch", k.namespaceOf(ref), ref.Name)
	ctx, cancel := c.request(ctx)
	defer cancel()
	own := metav1.PatchOptions{FieldManager: options.Manager}
	if options.DryRun {
		own.DryRun = []string{metav1.DryRunAll}
	}
	found, err := c.objects(k, what.namespace).Patch(ctx, ref.Name, types.JSONPatchType, body, own)
	if err != nil {
		return Metadata{}, c.explainWrite(ctx, what, types.JSONPatchType, answerOf(err), err)
	}
	return metadataOf(ref.Group, ref.Kind, found), nil
}

// namespaceOf is the namespace to ask in: none for a cluster-scoped kind, whatever somebody says of the object.
func (k mapping) namespaceOf(ref argocd.ObjectRef) string {
	if k.namespaced {
		return ref.Namespace
	}
	return ""
}

func (c *Client) objects(k mapping, namespace string) metadata.ResourceInterface {
	if k.namespaced {
		return c.metadata.Resource(k.resource).Namespace(namespace)
	}
	return c.metadata.Resource(k.resource)
}

// answerOf is the server's answer that a client has made an error of.
func answerOf(err error) []byte {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return nil
	}
	s := status.Status()
	s.Kind = "Status" // which the client drops
	answer, encodeErr := json.Marshal(s)
	if encodeErr != nil {
		return nil
	}
	return answer
}

func metadataOf(group, kindName string, found *metav1.PartialObjectMetadata) Metadata {
	return Metadata{
		ObjectRef: argocd.ObjectRef{Group: group, Kind: kindName, Namespace: found.Namespace, Name: found.Name},
		UID:       string(found.UID), Labels: found.Labels, Annotations: found.Annotations,
		Owned: len(found.OwnerReferences) > 0, Deleting: found.DeletionTimestamp != nil,
	}
}
