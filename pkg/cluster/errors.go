package cluster

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

var (
	// ErrForbidden is wrapped where the cluster's RBAC denies a request. The error names the verb and the resource.
	ErrForbidden = errors.New("forbidden")
	// ErrNoKind is wrapped where the cluster does not serve Applications.
	ErrNoKind = errors.New("the cluster has no Applications (applications.argoproj.io)")
	// ErrUnreachable is wrapped where no answer came from the API server.
	ErrUnreachable = errors.New("the cluster does not answer")
	// ErrNotFound is wrapped where an object is not there.
	ErrNotFound = errors.New("not found")
)

// call says what a request does, for errors.
type call struct{ verb, resource, namespace, name string }

func (c call) String() string {
	text := c.verb + " " + c.resource
	if c.name != "" {
		text += " " + c.name
	}
	if c.namespace != "" {
		text += " in namespace " + c.namespace
	}
	return text
}

// can is the command by which a person sees whether the request is allowed.
func (c call) can() string {
	text := "kubectl auth can-i " + c.verb + " " + c.resource
	if c.name != "" {
		text = "kubectl auth can-i " + c.verb + " " + c.resource + "/" + c.name
	}
	switch {
	case c.namespace != "":
		text += " -n " + c.namespace
	case c.name == "" && !strings.HasPrefix(c.resource, "/"):
		text += " -A"
	}
	return text
}

// explain says why a request failed, in one line, and what to do. The text of an API server's refusal is not passed on where
// something shorter says it: it can quote what was sent.
func (c *Client) explain(ctx context.Context, what call, err error) error {
	var dns *net.DNSError
	var certificate x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var transport *url.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTooSlow):
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s: %w: whoever connects may not %s; have it granted, and see with: %s", what, ErrForbidden, what, what.can())
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s: the cluster does not accept the credentials (401 Unauthorized); log in again, or choose another context with --context", what)
	case apierrors.IsNotFound(err) && what.name == "" && strings.HasSuffix(what.resource, ".argoproj.io"):
		return fmt.Errorf("%s: %w; is this the cluster that runs Argo CD? choose another with --context", what, ErrNoKind)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: %w", what, ErrNotFound)
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		plugin := ""
		if c.config.ExecProvider != nil {
			plugin = ", or whether the kubeconfig's credential plugin waits for something"
		}
		return fmt.Errorf("%s: %w: no answer from %s within %s; see whether it is up%s, or wait longer with --request-timeout", what, ErrUnreachable, c.host, c.bound(), plugin)
	case errors.As(err, &certificate), errors.As(err, &invalid), errors.As(err, &name):
		return fmt.Errorf("%s: the certificate of %s cannot be trusted (%w); see certificate-authority in the kubeconfig", what, c.host, rootCause(err))
	case errors.As(err, &transport) && strings.HasPrefix(transport.Err.Error(), "getting credentials:"):
		// client-go has no type for it. What it says can end in an advice of several lines.
		line, _, _ := strings.Cut(transport.Err.Error(), "\n")
		return fmt.Errorf("%s: the kubeconfig's credential plugin gave no credentials (%s); see that it is installed, and log in again", what, line)
	case errors.As(err, &dns), errors.As(err, &transport):
		return fmt.Errorf("%s: %w: %s: %w; see whether the cluster is up, and whether --context names the right one", what, ErrUnreachable, c.host, rootCause(err))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// rootCause drops what a client wraps around a network error: method and URL, which are said already.
func rootCause(err error) error {
	var transport *url.Error
	if errors.As(err, &transport) {
		return transport.Err
	}
	return err
}
