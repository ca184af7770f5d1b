package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// maxRestarts bounds how often a list in chunks begins anew because its continue token expired (410 Gone). After that
// the list is asked for whole: slower and larger, but it cannot expire.
const maxRestarts = 3

// maxChunks bounds a list against a server that never ends it: at kubectl's chunk size that is five million objects.
const maxChunks = 10_000

// ListOptions says which Applications are wanted.
type ListOptions struct {
	// Namespace is where they are; "" means all namespaces.
	Namespace string
	// Progress is told how many there are so far; nil is fine.
	Progress func(done int)
}

// Applications lists Applications in chunks. All come from one state of the cluster: a list whose continue token expires
// on the way begins anew. What they hold is exactly what the server sent; every digit of a number, nulls, and fields that
// nobody here knows.
//
// The error wraps ErrForbidden, ErrNoKind or ErrUnreachable, and names what to do.
func (c *Client) Applications(ctx context.Context, options ListOptions) ([]*argocd.Application, error) {
	what := call{verb: "list", resource: "applications.argoproj.io", namespace: options.Namespace}
	for range maxRestarts {
		apps, err := c.listApplications(ctx, options, c.chunk)
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			continue
		}
		return apps, c.explain(ctx, what, err)
	}
	apps, err := c.listApplications(ctx, options, 0)
	return apps, c.explain(ctx, what, err)
}

// Everywhere lists the Applications of all namespaces, as kubectl get applications.argoproj.io -A does; for whoever may not,
// it lists those of one namespace, Argo CD's own, and denied says what is missing to see the others. The error is that of Applications.
func (c *Client) Everywhere(ctx context.Context, namespace string, progress func(done int)) (apps []*argocd.Application, denied, err error) {
	apps, err = c.Applications(ctx, ListOptions{Progress: progress})
	if !errors.Is(err, ErrForbidden) {
		return apps, nil, err
	}
	denied = err
	apps, err = c.Applications(ctx, ListOptions{Namespace: namespace, Progress: progress})
	if err != nil {
		return nil, nil, err
	}
	return apps, denied, nil
}

// listApplications lists once, in chunks of a size; 0 means in one.
func (c *Client) listApplications(ctx context.Context, options ListOptions, size int64) ([]*argocd.Application, error) {
	var (
		apps  []*argocd.Application
		token string
	)
	for range maxChunks {
		body, err := c.chunkOf(ctx, options.Namespace, size, token)
		if err != nil {
			return nil, err
		}
		// First, since it sees whether the answer is one of an API server at all.
		if token, err = continueToken(body); err != nil {
			return nil, fmt.Errorf("%w; is %s an API server?", err, c.host)
		}
		if apps, err = readChunk(body, apps); err != nil {
			return nil, err
		}
		if options.Progress != nil {
			options.Progress(len(apps))
		}
		if token == "" {
			return apps, nil
		}
	}
	return nil, fmt.Errorf("the list does not end after %d requests", maxChunks)
}

func (c *Client) chunkOf(ctx context.Context, namespace string, size int64, token string) ([]byte, error) {
	ctx, cancel := c.request(ctx)
	defer cancel()
	request := c.argoproj.Get().NamespaceIfScoped(namespace, namespace != "").Resource("applications")
	if size > 0 {
		request = request.Param("limit", strconv.FormatInt(size, 10))
	}
	if token != "" {
		request = request.Param("continue", token)
	}
	return request.Do(ctx).Raw()
}

func readChunk(body []byte, apps []*argocd.Application) ([]*argocd.Application, error) {
	_, err := argocd.Read("the cluster's list", bytes.NewReader(body), func(a *argocd.Application) error {
		a.File, a.Line = "", 0 // lines of a chunk say nothing to anyone
		apps = append(apps, a)
		return nil
	})
	return apps, err
}

// continueToken returns by what the next chunk is asked for, "" after the last one.
func continueToken(body []byte) (string, error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return "", errors.New("the answer is no list of objects")
	}
	return list.Metadata.Continue, nil
}
