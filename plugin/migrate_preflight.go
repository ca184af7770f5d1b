package plugin

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// preflightFlags accept risks that the preflight refuses.
type preflightFlags struct {
	acceptOperator bool
}

func (p *preflightFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&p.acceptOperator, "accept-operator", false, "push although the platform's operator runs, and goes on writing the Applications that the root app takes over")
}

// readFacts reads what the preflight looks at. What may not be read is told in the facts; the error is for a cluster that
// does not answer.
func readFacts(ctx context.Context, client *cluster.Client, namespace string) (*preflight.Facts, error) {
	var (
		facts preflight.Facts
		err   error
	)
	if facts.ArgoCD, err = client.ArgoCD(ctx, namespace); err != nil {
		return nil, err
	}
	if facts.Operator, err = client.Operator(ctx); err != nil {
		return nil, err
	}
	if facts.Projects, err = client.Projects(ctx, namespace); err != nil {
		return nil, err
	}
	return &facts, nil
}
