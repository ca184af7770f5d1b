package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// platformFlags say what the platform computes: by its helmfile, or by what that printed.
type platformFlags struct {
	helmfile string
	releases string
	managed  string
}

func (p *platformFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.helmfile, "helmfile", "", "folder with the platform's helmfile, a checkout of apl-core; helmfile is run there for registry and managed values, in place of --releases and --managed")
	f.StringVar(&p.releases, "releases", "", "file with the release registry, as helmfile list --output json prints it")
	f.StringVar(&p.managed, "managed", "", "folder with the managed values, <namespace>-<releaseName>.yaml, as helmfile write-values writes them")
	_ = cmd.MarkFlagFilename("releases", "json") // fails for an unknown flag only
	_ = cmd.MarkFlagDirname("managed")           // as above
	_ = cmd.MarkFlagDirname("helmfile")          // as above
}

// complete checks the flags against each other. It reads nothing.
func (p *platformFlags) complete(command string) error {
	var given, missing []string
	for _, flag := range []struct{ value, name, what string }{
		{p.releases, "--releases", "what helmfile list --output json prints"},
		{p.managed, "--managed", "the folder that helmfile write-values filled"},
	} {
		if flag.value != "" {
			given = append(given, flag.name)
			continue
		}
		missing = append(missing, fmt.Sprintf("%s (%s)", flag.name, flag.what))
	}
	switch {
	case p.helmfile != "" && len(given) > 0:
		return fmt.Errorf("--helmfile and %s exclude each other: both say what the platform computes", strings.Join(given, ", "))
	case p.helmfile == "" && len(missing) > 0:
		return fmt.Errorf("missing %s; or --helmfile, the folder in which helmfile says both; see kubectl apl %s --help", strings.Join(missing, ", "), command)
	}
	return nil
}

// read reads registry and managed values.
func (p *platformFlags) read(ctx context.Context, streams Streams) (*release.Registry, migrate.Managed, error) {
	if p.helmfile != "" {
		if err := isFolder("helmfile", p.helmfile); err != nil {
			return nil, nil, err
		}
		return readHelmfile(ctx, release.NewHelmfile(p.helmfile, release.WithMask(secret.New().Mask), release.WithStage(streams.During)))
	}
	registry, err := readRegistry(p.releases)
	if err != nil {
		return nil, nil, err
	}
	if err := isFolder("managed", p.managed); err != nil {
		return nil, nil, err
	}
	return registry, release.NewManaged(os.DirFS(p.managed)), nil
}

// readRegistry reads the registry from a file.
func readRegistry(file string) (*release.Registry, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--releases %s: %w", file, plainPathError(err))
	}
	return release.ParseRegistry(file, data)
}

func readHelmfile(ctx context.Context, helmfile *release.Helmfile) (*release.Registry, migrate.Managed, error) {
	registry, managed, err := helmfile.Read(ctx)
	if errors.Is(err, context.Canceled) {
		return nil, nil, context.Canceled // how it was to end is no news
	}
	if err != nil {
		return nil, nil, err
	}
	return registry, managed, nil
}
