package plugin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// proofFlags say how to show that nothing changes.
type proofFlags struct {
	verify      string
	kubeVersion string
	apiVersions []string
}

func verifyModes() []string {
	return []string{string(migrate.VerifyValues), string(migrate.VerifyManifests), string(migrate.VerifyNone)}
}

func (p *proofFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.verify, "verify", string(migrate.VerifyValues), "how to show that nothing changes: values (what templates see), manifests (render both sides, and compare the objects), none")
	f.StringVar(&p.kubeVersion, "kube-version", "", "Kubernetes version to render for with --verify=manifests (default: the cluster's)")
	f.StringSliceVar(&p.apiVersions, "api-versions", nil, "API versions to render for with --verify=manifests, as group/version or group/version/Kind, on top of Helm's own (default: the cluster's)")
	_ = cmd.RegisterFlagCompletionFunc("verify", cobra.FixedCompletions(verifyModes(), cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
	for _, name := range []string{"kube-version", "api-versions"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions) // as above; a version is no file
	}
}

// complete checks the flags. It reads nothing.
func (p *proofFlags) complete() error {
	if !slices.Contains(verifyModes(), p.verify) {
		return fmt.Errorf("--verify %q: it is one of %s", p.verify, strings.Join(verifyModes(), ", "))
	}
	if p.kubeVersion != "" {
		if _, err := version.ParseGeneric(p.kubeVersion); err != nil {
			return fmt.Errorf("--kube-version %q: it is no version like 1.34.0", p.kubeVersion)
		}
	}
	return nil
}

// capabilities returns what to render for, nil when that is neither said nor to be asked of a cluster. client is nil
// when there is none.
func (p *proofFlags) capabilities(ctx context.Context, client *cluster.Client) (*migrate.Capabilities, error) {
	if p.verify != string(migrate.VerifyManifests) {
		return nil, nil //nolint:nilnil // nothing is rendered
	}
	out := &migrate.Capabilities{KubeVersion: p.kubeVersion, APIVersions: p.apiVersions, Source: "flags"}
	if client == nil {
		if p.kubeVersion == "" {
			return nil, migrate.ErrNoKubernetes
		}
		return out, nil
	}
	if p.kubeVersion != "" && len(p.apiVersions) > 0 {
		return out, nil
	}
	asked, err := client.Capabilities(ctx)
	if err != nil {
		return nil, err
	}
	out.Source = "the cluster"
	if p.kubeVersion == "" {
		out.KubeVersion = asked.KubeVersion
	}
	if len(p.apiVersions) == 0 {
		out.APIVersions = asked.APIVersions
	}
	if p.kubeVersion != "" || len(p.apiVersions) > 0 {
		out.Source = "flags and the cluster"
	}
	return out, nil
}
