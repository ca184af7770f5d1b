package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// Projects are the AppProjects of an Argo CD.
type Projects struct {
	// List is sorted by name.
	List []argocd.Project
	// Inherited tells that argocd-cm has globalProjects, so that a project can permit more than it says itself.
	Inherited bool
	// Unknown says why they could not be read.
	Unknown string
}

// Projects reads the AppProjects of a namespace. That they may not be read is told in Unknown; the error is for a cluster
// that does not answer.
func (c *Client) Projects(ctx context.Context, namespace string) (Projects, error) {
	out, err := c.projects(ctx, namespace)
	if err == nil {
		out.Inherited, err = c.inheritsProjects(ctx, namespace)
	}
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrNoKind):
		return Projects{Unknown: err.Error()}, nil
	}
	return Projects{}, err
}

func (c *Client) projects(ctx context.Context, namespace string) (Projects, error) {
	what := call{verb: "list", resource: "appprojects.argoproj.io", namespace: namespace}
	ctx, cancel := c.request(ctx)
	defer cancel()
	body, err := c.argoproj.Get().NamespaceIfScoped(namespace, namespace != "").Resource("appprojects").Do(ctx).Raw()
	if err != nil {
		return Projects{}, c.explain(ctx, what, err)
	}
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Spec     struct{ SourceRepos []string }
		}
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return Projects{}, fmt.Errorf("%s: the answer is no list of AppProjects", what)
	}
	var out Projects
	for _, item := range list.Items {
		out.List = append(out.List, argocd.Project{Name: item.Metadata.Name, SourceRepos: item.Spec.SourceRepos})
	}
	slices.SortFunc(out.List, func(a, b argocd.Project) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// inheritsProjects tells whether argocd-cm lets projects inherit from others. Without argocd-cm they do not.
func (c *Client) inheritsProjects(ctx context.Context, namespace string) (bool, error) {
	what := call{verb: "get", resource: "configmaps", namespace: namespace, name: "argocd-cm"}
	ctx, cancel := c.request(ctx)
	defer cancel()
	config, err := c.kubernetes.CoreV1().ConfigMaps(namespace).Get(ctx, what.name, metav1.GetOptions{})
	if err = c.explain(ctx, what, err); err != nil {
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		return false, err
	}
	return strings.TrimSpace(config.Data["globalProjects"]) != "", nil
}
