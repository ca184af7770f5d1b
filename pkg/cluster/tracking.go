package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// ErrTracking is wrapped where nobody can tell how an Argo CD keeps whose an object is.
var ErrTracking = errors.New("how Argo CD tells whose an object is cannot be told")

// InstanceLabel returns the key of the label in which Argo CD keeps the name of the Application that synced an object. It reads
// argocd-cm; unlike ArgoCD it fails where that cannot be read: whoever is about to change what decides on deletions must
// know it. A key that is not set has Argo CD's default.
func (c *Client) InstanceLabel(ctx context.Context, namespace string) (string, error) {
	settings, err := c.settings(ctx, namespace)
	if err != nil {
		return "", err
	}
	return instanceLabel(settings), nil
}

// Tracking returns how Argo CD tells whose an object is, by argocd-cm, and where that names no method, by the default of the
// version that runs. Nothing of it is guessed: the error wraps ErrTracking where neither tells, and ErrForbidden or
// ErrNotFound where argocd-cm cannot be read.
func (c *Client) Tracking(ctx context.Context, namespace string) (argocd.Tracking, error) {
	settings, err := c.settings(ctx, namespace)
	if err != nil {
		return argocd.Tracking{}, err
	}
	t := argocd.Tracking{LabelKey: instanceLabel(settings), InstallationID: settings["installationID"]}
	const key = "application.resourceTrackingMethod"
	if said := settings[key]; said != "" {
		if t.Method, err = argocd.ParseMethod(said); err != nil {
			return argocd.Tracking{}, fmt.Errorf("%w: %s of argocd-cm: %w; correct it", ErrTracking, key, err)
		}
		return t, nil
	}
	const next = "set " + key + " in argocd-cm to the method that is used"
	var running ArgoCD
	if err := c.argoVersion(ctx, namespace, &running); err != nil {
		return argocd.Tracking{}, fmt.Errorf("%w: argocd-cm does not say, and the version, whose default counts, cannot be read: %w; %s", ErrTracking, err, next)
	}
	var known bool
	if t.Method, known = argocd.DefaultMethod(running.Version); !known {
		return argocd.Tracking{}, fmt.Errorf("%w: argocd-cm does not say, and no Deployment in namespace %s tells the version, whose default counts; %s", ErrTracking, namespace, next)
	}
	return t, nil
}

func instanceLabel(settings map[string]string) string {
	return cmp.Or(settings["application.instanceLabelKey"], argocd.DefaultInstanceLabel)
}

// settings returns what argocd-cm holds.
func (c *Client) settings(ctx context.Context, namespace string) (map[string]string, error) {
	what := call{verb: "get", resource: "configmaps", namespace: namespace, name: "argocd-cm"}
	ctx, cancel := c.request(ctx)
	defer cancel()
	config, err := c.kubernetes.CoreV1().ConfigMaps(namespace).Get(ctx, what.name, metav1.GetOptions{})
	if err != nil {
		return nil, c.explain(ctx, what, err)
	}
	return config.Data, nil
}
