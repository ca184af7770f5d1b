// Package cluster owns the connection to a living cluster: it lists Applications, reads Helm releases, and tells what Argo CD,
// the platform's operator and the API server are. It takes a *rest.Config and returns values. It is the only user of
// client-go in pkg, and refuses to know what a plan is, what values mean, and where connections are configured.
//
// Reading needs no other verbs than get and list. Every request has a timeout and ends with its context.
package cluster

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

const (
	// defaultTimeout bounds a request for which --request-timeout says nothing.
	defaultTimeout = 30 * time.Second
	// loginTimeout bounds the first one, in its place, where a credential plugin of the kubeconfig may ask a person to log in.
	loginTimeout = 5 * time.Minute
	// defaultChunk is kubectl's chunk size.
	defaultChunk = 500
	// defaultQPS and defaultBurst bound the rate of requests where config does not: kubectl's for discovery, since client-go's own
	// (5 a second) makes sixty releases wait for half a minute.
	defaultQPS   = 50
	defaultBurst = 300
	// userAgent is what the API server's audit log shows, and the manager of fields where no other is asked for.
	userAgent = "kubectl-apl"
)

// Client reads one cluster. It is safe for several goroutines.
type Client struct {
	config     *rest.Config
	host       string
	timeout    time.Duration
	patient    bool // the first request may wait for a person
	answered   atomic.Bool
	chunk      int64
	kubernetes kubernetes.Interface
	metadata   metadata.Interface
	argoproj   rest.Interface // raw, so that no number goes through a float64

	discovering sync.Mutex
	discovered  *discovered // what the server serves, once it was asked
}

// Option changes how a Client reads.
type Option func(*Client)

// WithChunk sets how many objects of a long list one request asks for; 500 is the default, as kubectl's.
func WithChunk(size int64) Option { return func(c *Client) { c.chunk = size } }

// New returns a Client of the cluster that config connects to. A timeout of config bounds each request; without one it is
// 30 seconds, and five minutes for the first one where a credential plugin may ask a person to log in. It makes no request.
// The error tells what of config cannot be used.
func New(config *rest.Config, options ...Option) (*Client, error) {
	own := rest.CopyConfig(config)
	own.UserAgent = userAgent
	own.WarningHandler = rest.NoWarnings{} // of finalizer names and the like: none is about what is done here
	c := &Client{config: own, host: argocd.RedactURL(own.Host), timeout: own.Timeout, chunk: defaultChunk}
	own.Timeout = 0 // a request's context has it, which covers waiting for the rate limit too
	if c.timeout == 0 {
		c.timeout, c.patient = defaultTimeout, own.ExecProvider != nil
	}
	if own.QPS == 0 && own.RateLimiter == nil {
		own.QPS, own.Burst = defaultQPS, defaultBurst
	}
	for _, option := range options {
		option(c)
	}
	if _, _, err := rest.DefaultServerUrlFor(own); err != nil {
		return nil, fmt.Errorf("connect: the server's address, %s, is no URL; see server in the kubeconfig", c.host) // what err quotes can hold a password
	}
	client, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if own.ExecProvider != nil {
		client.Transport = prompt{client.Transport, &c.answered}
	}
	if c.kubernetes, err = kubernetes.NewForConfigAndClient(own, client); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(own, client); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	raw := rest.CopyConfig(own)
	raw.APIPath = "/apis"
	raw.GroupVersion = &schema.GroupVersion{Group: "argoproj.io", Version: "v1alpha1"}
	raw.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	raw.AcceptContentTypes, raw.ContentType = "application/json", "application/json"
	if c.argoproj, err = rest.RESTClientForConfigAndClient(raw, client); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return c, nil
}

// Host is the address of the API server, without what could be a secret.
func (c *Client) Host() string { return c.host }

// request returns the context of one request.
func (c *Client) request(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.bound(), errTooSlow)
}

// bound returns what bounds the next request.
func (c *Client) bound() time.Duration {
	if c.patient && !c.answered.Load() {
		return loginTimeout
	}
	return c.timeout
}

// errTooSlow tells that it was the bound on one request that ended it, and nothing of the caller's.
var errTooSlow = fmt.Errorf("no answer in time: %w", context.DeadlineExceeded)

// prompt ends a request with its context while a credential plugin of the kubeconfig still runs: client-go waits for one
// without end.
type prompt struct {
	next     http.RoundTripper
	answered *atomic.Bool // set once the plugin is through
}

// RoundTrip implements http.RoundTripper.
func (p prompt) RoundTrip(request *http.Request) (*http.Response, error) {
	type result struct {
		response *http.Response
		err      error
	}
	done := make(chan result)
	go func() {
		response, err := p.next.RoundTrip(request)
		select {
		case done <- result{response, err}:
		case <-request.Context().Done():
			if err == nil {
				_ = response.Body.Close() // nobody reads it any more
			}
		}
	}()
	select {
	case <-request.Context().Done():
		return nil, request.Context().Err()
	case r := <-done:
		if r.err == nil {
			p.answered.Store(true)
		}
		return r.response, r.err
	}
}

// WrappedRoundTripper lets client-go find what it can cancel.
func (p prompt) WrappedRoundTripper() http.RoundTripper { return p.next }
