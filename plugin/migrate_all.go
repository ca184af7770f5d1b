package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// allFlags make migrate bring the rest of the layout along: artifacts and settings, in the same commit.
type allFlags struct {
	wanted   bool
	rendered string
	crds     []string
	protect  string
}

func (a *allFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&a.wanted, "all", false, "the whole layout in one commit: the apps, the objects of -artifacts releases (as artifacts writes them), and "+layout.AppsFile+" (as settings migrate does)")
	f.StringVar(&a.rendered, "rendered", "", "with --all, folder with what -artifacts releases render, <namespace>-<releaseName>.yaml (default: they are rendered with --charts)")
	f.StringSliceVar(&a.crds, "crds", nil, "with --all, file or folder with CustomResourceDefinitions, which tell whether objects of their kinds live in namespaces")
	f.StringVar(&a.protect, "protect", string(artifact.ProtectData), "with --all, protect objects against pruning and deletion: data (kinds whose loss loses data), all, none")
	_ = cmd.MarkFlagDirname("rendered")                                                                                      // fails for an unknown flag only
	_ = cmd.RegisterFlagCompletionFunc("protect", cobra.FixedCompletions(protections(), cobra.ShellCompDirectiveNoFileComp)) // as above
}

// complete checks the flags against each other. It reads nothing.
func (a *allFlags) complete(o *migrateOptions) error {
	switch {
	case !a.wanted && (a.rendered != "" || len(a.crds) > 0 || a.protect != string(artifact.ProtectData)):
		return errors.New("--rendered, --crds and --protect are about artifacts; give --all too, or see kubectl apl artifacts")
	case !a.wanted:
		return nil
	case len(o.apps) > 0 || !o.labels.Empty():
		return errors.New("--all is all of the platform; leave out the apps and -l, or --all")
	case a.rendered == "" && o.charts.dir == "" && o.platform.helmfile == "":
		return errors.New("--all needs to know what -artifacts releases render: give --charts, the checkout with the platform's charts, or --rendered")
	case !slices.Contains(protections(), a.protect):
		return fmt.Errorf("--protect %q: it is one of %s", a.protect, strings.Join(protections(), ", "))
	}
	return nil
}

// parts plans artifacts and settings, as they are once the files of the apps are written.
func (a *allFlags) parts(ctx context.Context, o *migrateOptions, repo *gitrepo.Repo, in migrate.Input, written map[string][]byte) (out migrate.Parts, err error) {
	if out.Artifacts, err = a.planArtifacts(ctx, o, repo, in); err != nil {
		return out, err
	}
	out.Settings, err = a.planSettings(ctx, o, repo, in, written)
	return out, err
}

func (a *allFlags) planArtifacts(ctx context.Context, o *migrateOptions, repo *gitrepo.Repo, in migrate.Input) (*publish.Plan, error) {
	reader := objectReader{
		streams: o.streams, connection: o.connection, rendered: a.rendered, charts: o.charts.dir, crds: a.crds,
		kubeVersion: o.proof.kubeVersion, apiVersions: o.proof.apiVersions, offline: len(o.filenames) > 0,
	}
	if reader.charts == "" {
		reader.charts = o.platform.helmfile
	}
	client, err := reader.cluster()
	if err != nil {
		return nil, err
	}
	objects := publish.Input{Repo: repo, Config: in.Config, Registry: in.Registry}
	if objects.Scopes, err = reader.scopes(ctx, client); err != nil {
		return nil, err
	}
	if err := reader.readReleases(ctx, &objects, nil, in.Managed, client); err != nil {
		return nil, err
	}
	return publish.New(ctx, objects, publish.Options{Protect: artifact.Protection(a.protect), WorkTree: o.noCommit, Progress: o.streams.Progress})
}

// planSettings returns nil for a repo that has no settings of apps.
func (a *allFlags) planSettings(ctx context.Context, o *migrateOptions, repo *gitrepo.Repo, in migrate.Input, written map[string][]byte) (*settings.Plan, error) {
	read := func(path string) ([]byte, bool, error) {
		if data, ok := written[path]; ok {
			return data, true, nil
		}
		return repo.ReadFile(path)
	}
	input := settings.Input{Read: read, Secrets: settingsSecrets{secret.New()}, Releases: releaseIDs(in.Registry)}
	for _, e := range in.Config.Secrets {
		if e.File == layout.AppsFile {
			input.Exceptions = append(input.Exceptions, settings.Exception{Path: e.Path, Rule: e.Rule, Reason: e.Reason, Line: e.Line, Column: e.Column})
		}
	}
	var err error
	if input.Files, err = readEnvApps(repo); err != nil {
		return nil, err
	}
	plan, err := settings.NewPlan(input, settings.Options{})
	if errors.Is(err, settings.ErrNoApps) {
		return nil, nil //nolint:nilnil // there is no such part
	}
	if err != nil || o.noCommit {
		return plan, err
	}
	return plan, committed(ctx, repo, input.Files, plan)
}
