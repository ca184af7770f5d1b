package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// ArgoCD is how Argo CD is set up on a cluster. A field that could not be read is empty, and Unknown says why.
type ArgoCD struct {
	// Version is that of the running repo server, which is what renders, or else of argocd-server: v3.2.11; "" when it cannot
	// be told.
	Version string
	// TrackingMethod is application.resourceTrackingMethod of argocd-cm: annotation, label or annotation+label; "" is the default of
	// the version.
	TrackingMethod string
	// InstanceLabelKey is application.instanceLabelKey, "" for the default.
	InstanceLabelKey string
	// InstallationID is installationID, by which several Argo CDs that deploy to one cluster tell their objects apart; "" for none.
	InstallationID string
	// CompareOptions is resource.compareoptions as it stands, YAML.
	CompareOptions string
	// Repositories are the URLs of the repositories and credential templates that Argo CD knows, without credentials, sorted: those
	// of its Secrets, and, before Argo CD 3.0, those of argocd-cm.
	Repositories []string
	// Unknown says what could not be read and why.
	Unknown []string
}

// Operator is the platform's operator as a cluster has it.
type Operator struct {
	// Found tells that its Deployment is there, Replicas how many are wanted, Ready how many are.
	Found           bool
	Replicas, Ready int32
	// Unknown says why it could not be looked at.
	Unknown string
}

// Running tells whether the operator acts, or is about to.
func (o Operator) Running() bool { return o.Found && (o.Replicas > 0 || o.Ready > 0) }

// ArgoCD reads how Argo CD in a namespace is set up. What may not be read, or is not there, is told in Unknown: none of it
// stops a plan. The error is for a cluster that does not answer.
func (c *Client) ArgoCD(ctx context.Context, namespace string) (ArgoCD, error) {
	var out ArgoCD
	for _, read := range []func(context.Context, string, *ArgoCD) error{c.argoVersion, c.configMap, c.repositories} {
		err := read(ctx, namespace, &out)
		switch {
		case err == nil:
		case errors.Is(err, ErrForbidden), errors.Is(err, ErrNotFound):
			out.Unknown = append(out.Unknown, err.Error())
		default:
			return ArgoCD{}, err
		}
	}
	slices.Sort(out.Repositories)
	out.Repositories = slices.Compact(out.Repositories)
	return out, nil
}

func (c *Client) configMap(ctx context.Context, namespace string, out *ArgoCD) error {
	what := call{verb: "get", resource: "configmaps", namespace: namespace, name: "argocd-cm"}
	ctx, cancel := c.request(ctx)
	defer cancel()
	config, err := c.kubernetes.CoreV1().ConfigMaps(namespace).Get(ctx, what.name, metav1.GetOptions{})
	if err != nil {
		return c.explain(ctx, what, err)
	}
	out.TrackingMethod = config.Data["application.resourceTrackingMethod"]
	out.InstanceLabelKey = config.Data["application.instanceLabelKey"]
	out.InstallationID = config.Data["installationID"]
	out.CompareOptions = config.Data["resource.compareoptions"]
	for _, key := range []string{"repositories", "repository.credentials", "helm.repositories"} {
		if later, _ := argocd.AtLeast(out.Version, 3, 0); later || config.Data[key] == "" {
			continue // Argo CD 3.0 no longer reads them (its upgrade notes)
		}
		urls, err := argocd.RepositoryURLs(config.Data[key])
		if err != nil {
			out.Unknown = append(out.Unknown, what.String()+": its key "+key+" is no list of repositories")
		}
		out.Repositories = append(out.Repositories, urls...)
	}
	return nil
}

// argoVersion reads the tag of the image that argocd-server, or else the repo server, runs.
func (c *Client) argoVersion(ctx context.Context, namespace string, out *ArgoCD) error {
	what := call{verb: "list", resource: "deployments.apps", namespace: namespace}
	ctx, cancel := c.request(ctx)
	defer cancel()
	const selector = "app.kubernetes.io/name in (argocd-repo-server,argocd-server)"
	list, err := c.kubernetes.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector, Limit: defaultChunk})
	if err != nil {
		return c.explain(ctx, what, err)
	}
	for _, deployment := range list.Items {
		version := imageVersion(deployment.Spec.Template.Spec.Containers)
		// The repo server is what renders.
		if version != "" && (out.Version == "" || deployment.Labels["app.kubernetes.io/name"] == "argocd-repo-server") {
			out.Version = version
		}
	}
	if out.Version == "" {
		out.Unknown = append(out.Unknown, "no Deployment in namespace "+namespace+" tells which version of Argo CD runs")
	}
	return nil
}

// imageVersion returns the tag, as a version, of the container that runs Argo CD.
func imageVersion(containers []corev1.Container) string {
	for _, container := range containers {
		image, _, _ := strings.Cut(container.Image, "@")
		slash := strings.LastIndexByte(image, '/')
		name, tag, tagged := strings.Cut(image[slash+1:], ":")
		if tagged && strings.Contains(name, "argocd") && strings.HasPrefix(tag, "v") {
			return tag
		}
	}
	return ""
}

// repositories reads which repositories Argo CD knows, from the Secrets that it keeps them in. Only URLs are kept.
func (c *Client) repositories(ctx context.Context, namespace string, out *ArgoCD) error {
	what := call{verb: "list", resource: "secrets", namespace: namespace}
	const selector = "argocd.argoproj.io/secret-type in (repository,repo-creds)"
	options := metav1.ListOptions{LabelSelector: selector, Limit: c.chunk}
	for range maxChunks {
		list, err := c.secrets(ctx, what, options)
		if err != nil {
			return err
		}
		for _, secret := range list.Items {
			if url := string(secret.Data["url"]); url != "" {
				out.Repositories = append(out.Repositories, argocd.RedactURL(url))
			}
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return nil
		}
	}
	return fmt.Errorf("%s: the list does not end after %d requests", what, maxChunks)
}

func (c *Client) secrets(ctx context.Context, what call, options metav1.ListOptions) (*corev1.SecretList, error) {
	ctx, cancel := c.request(ctx)
	defer cancel()
	list, err := c.kubernetes.CoreV1().Secrets(what.namespace).List(ctx, options)
	return list, c.explain(ctx, what, err)
}

// Operator looks at the platform's operator, Deployment apl-operator in namespace apl-operator. The error is for a
// cluster that does not answer.
func (c *Client) Operator(ctx context.Context) (Operator, error) {
	what := call{verb: "get", resource: "deployments.apps", namespace: "apl-operator", name: "apl-operator"}
	ctx, cancel := c.request(ctx)
	defer cancel()
	deployment, err := c.kubernetes.AppsV1().Deployments(what.namespace).Get(ctx, what.name, metav1.GetOptions{})
	err = c.explain(ctx, what, err)
	switch {
	case errors.Is(err, ErrNotFound):
		return Operator{}, nil
	case errors.Is(err, ErrForbidden):
		return Operator{Unknown: err.Error()}, nil
	case err != nil:
		return Operator{}, err
	}
	replicas := int32(1) // what none means
	if deployment.Spec.Replicas != nil {
		replicas = *deployment.Spec.Replicas
	}
	return Operator{Found: true, Replicas: replicas, Ready: deployment.Status.ReadyReplicas}, nil
}
