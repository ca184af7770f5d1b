package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// DeleteApplication deletes one Application, exactly as it was read: the error wraps ErrChanged where it has another uid or
// resourceVersion by now. One that has finalizers stays until they are gone. Of options, DryRun alone counts. The other errors
// are those of Patch.
func (c *Client) DeleteApplication(ctx context.Context, a *argocd.Application, options WriteOptions) error {
	uid, version := a.UID(), a.ResourceVersion()
	if uid == "" || version == "" {
		return fmt.Errorf("delete Application %s: it was not read from a cluster", a.Name())
	}
	how := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(uid)}
	how.APIVersion, how.Kind = "v1", "DeleteOptions"
	how.Preconditions.ResourceVersion = &version
	if options.DryRun {
		how.DryRun = []string{metav1.DryRunAll}
	}
	body, err := json.Marshal(how)
	if err != nil {
		return fmt.Errorf("delete Application %s: %w", a.Name(), err)
	}
	what := call{verb: "delete", resource: "applications.argoproj.io", namespace: a.Namespace(), name: a.Name()}
	ctx, cancel := c.request(ctx)
	defer cancel()
	answer, err := c.argoproj.Delete().Namespace(a.Namespace()).Resource("applications").Name(a.Name()).Body(body).Do(ctx).Raw()
	if err != nil {
		return c.explainWrite(ctx, what, "", answer, err)
	}
	return nil
}
