package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ConfigMaps lists the ConfigMaps of a namespace that a label selector takes, in chunks; "" takes all. The error wraps ErrForbidden or
// ErrUnreachable. A namespace that is not there has none.
func (c *Client) ConfigMaps(ctx context.Context, namespace, selector string) ([]corev1.ConfigMap, error) {
	what := call{verb: "list", resource: "configmaps", namespace: namespace}
	for range maxRestarts {
		out, err := c.listConfigMaps(ctx, namespace, selector)
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			continue
		}
		return out, c.explain(ctx, what, err)
	}
	return nil, fmt.Errorf("%s: the list expired %d times before it was read; try again when the cluster is less busy", what, maxRestarts)
}

func (c *Client) listConfigMaps(ctx context.Context, namespace, selector string) ([]corev1.ConfigMap, error) {
	var (
		out   []corev1.ConfigMap
		token string
	)
	for range maxChunks {
		list, err := c.chunkOfConfigMaps(ctx, namespace, selector, token)
		if err != nil {
			return nil, err
		}
		if out, token = append(out, list.Items...), list.Continue; token == "" {
			return out, nil
		}
	}
	return nil, fmt.Errorf("the list does not end after %d requests", maxChunks)
}

func (c *Client) chunkOfConfigMaps(ctx context.Context, namespace, selector, token string) (*corev1.ConfigMapList, error) {
	ctx, cancel := c.request(ctx)
	defer cancel()
	request := c.argoproj.Get().AbsPath("/api/v1/namespaces/"+namespace+"/configmaps").Param("limit", strconv.FormatInt(c.chunk, 10))
	if selector != "" {
		request = request.Param("labelSelector", selector)
	}
	if token != "" {
		request = request.Param("continue", token)
	}
	body, err := request.Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	list := &corev1.ConfigMapList{}
	if err := json.Unmarshal(body, list); err != nil || list.Kind != "ConfigMapList" {
		return nil, fmt.Errorf("the answer is no list of ConfigMaps; is %s an API server?", c.host)
	}
	return list, nil
}

// DeleteConfigMap deletes one ConfigMap, exactly as it was read: the error wraps ErrChanged where it has another uid or resourceVersion by
// now, and ErrNotFound where it is gone. Of options, DryRun alone counts.
func (c *Client) DeleteConfigMap(ctx context.Context, object *corev1.ConfigMap, options WriteOptions) error {
	version := object.ResourceVersion
	how := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(object.UID))}
	how.APIVersion, how.Kind = "v1", "DeleteOptions"
	how.Preconditions.ResourceVersion = &version
	if options.DryRun {
		how.DryRun = []string{metav1.DryRunAll}
	}
	body, err := json.Marshal(how)
	if err != nil {
		return fmt.Errorf("delete ConfigMap %s: %w", object.Name, err)
	}
	what := call{verb: "delete", resource: "configmaps", namespace: object.Namespace, name: object.Name}
	ctx, cancel := c.request(ctx)
	defer cancel()
	answer, err := c.argoproj.Delete().AbsPath("/api/v1/namespaces/" + object.Namespace + "/configmaps/" + object.Name).Body(body).Do(ctx).Raw()
	if err != nil {
		return c.explainWrite(ctx, what, "", answer, err)
	}
	return nil
}
