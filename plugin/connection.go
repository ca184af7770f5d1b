package plugin

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// connection is how a command reaches the cluster: kubectl's connection flags, KUBECONFIG, or the service account of
// the pod that the command runs in. Nothing is read, and nobody is asked, until a command wants to connect.
type connection struct {
	flags *genericclioptions.ConfigFlags
}

// newConnection adds kubectl's connection flags to a command and all below it.
func newConnection(root *cobra.Command) *connection {
	flags := genericclioptions.NewConfigFlags(true).WithDeprecatedPasswordFlag()
	flags.CacheDir = nil // nothing of a cluster is cached
	flags.AddFlags(root.PersistentFlags())
	namespace := root.PersistentFlags().Lookup("namespace")
	namespace.Usage = "namespace of Argo CD and of the Applications (default " + argocd.Namespace + ")"
	c := &connection{flags: flags}
	c.complete(root)
	return c
}

// errNoCluster says that nothing names a cluster.
var errNoCluster = errors.New("no cluster is configured; name a kubeconfig by --kubeconfig or KUBECONFIG")

// config returns what to connect by. The error says how to name a cluster when there is none.
func (c *connection) config() (*rest.Config, error) {
	config, err := c.flags.ToRESTConfig()
	switch {
	case clientcmd.IsEmptyConfig(err), err == nil && c.guessed(config):
		return nil, errNoCluster
	case errors.Is(err, io.EOF): // it asks for a user, as kubectl does, and nobody answers
		return nil, errors.New("nothing says who connects to the cluster: give --token, or --client-certificate and --client-key, or a kubeconfig that does")
	case err != nil && strings.Contains(err.Error(), "proxy-url"):
		return nil, errors.New("read the kubeconfig: the proxy-url of its cluster is no URL") // which can hold a password
	case err != nil:
		return nil, fmt.Errorf("read the kubeconfig: %w", err)
	}
	return config, nil
}

// guessed tells that nothing named a cluster, and that the host is kubectl's default, http://localhost:8080.
func (c *connection) guessed(config *rest.Config) bool {
	raw, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	return err == nil && len(raw.Clusters) == 0 && *c.flags.APIServer == "" && config.Host == clientcmd.ClusterDefaults.Server
}

// client connects. It makes no request.
func (c *connection) client() (*cluster.Client, error) {
	config, err := c.config()
	if err != nil {
		return nil, err
	}
	return cluster.New(config)
}

// namespace returns the namespace of Argo CD. That of the kubeconfig's context says nothing about it.
func (c *connection) namespace() string {
	if *c.flags.Namespace != "" {
		return *c.flags.Namespace
	}
	return argocd.Namespace
}
