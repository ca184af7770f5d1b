package cluster

import (
	"cmp"
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InstanceLabel returns the key of the label in which Argo CD keeps the name of the Application that synced an object. It reads
// argocd-cm; unlike ArgoCD it fails where that cannot be read: whoever is about to change what decides on deletions must
// know it. A key that is not set has Argo CD's default.
func (c *Client) InstanceLabel(ctx context.Context, namespace string) (string, error) {
	what := call{verb: "get", resource: "configmaps", namespace: namespace, name: "argocd-cm"}
	ctx, cancel := c.request(ctx)
	defer cancel()
	config, err := c.kubernetes.CoreV1().ConfigMaps(namespace).Get(ctx, what.name, metav1.GetOptions{})
	if err != nil {
		return "", c.explain(ctx, what, err)
	}
	return cmp.Or(config.Data["application.instanceLabelKey"], "app.kubernetes.io/instance"), nil
}
