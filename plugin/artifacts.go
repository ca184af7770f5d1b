package plugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// builtInKubernetes is the Kubernetes whose own kinds are known without a cluster, and so the one to render for.
const builtInKubernetes = "1.36.0"

type artifactsOptions struct {
	objectReader
	env Env

	filenames  []string
	namespace  string
	release    string
	platform   platformFlags
	protect    string
	prune      bool
	dryRunMode string
	repo       repoFlags
	output     string

	releases []string
	dryRun   bool
	format   printer.Format
}

// NewCmdArtifacts returns the command kubectl apl artifacts.
func NewCmdArtifacts(streams Streams, env Env, connection *connection) *cobra.Command {
	o := &artifactsOptions{objectReader: objectReader{streams: streams, connection: connection}, env: env}
	cmd := &cobra.Command{
		Use: `artifacts -f FILE|DIR|- -n NAMESPACE [--release NAME] [--repo DIR]
  kubectl apl artifacts [RELEASE...] --releases FILE --rendered DIR [--repo DIR]
  kubectl apl artifacts [RELEASE...] --releases FILE --charts DIR --managed DIR [--repo DIR]`,
		DisableFlagsInUseLine: true,
		Short:                 "Write rendered objects to git, one object a file",
		Long: `Writes the objects of -artifacts releases to the values repo, each to a file of its own below env/manifests: one
commit. The objects come from a stream of YAML (-f), from a folder with what was rendered (--rendered), or are rendered here
by Helm's library with the platform's chart (--charts, --managed). RELEASE is namespace/releaseName; without any, all
-artifacts releases of the platform are written, less those of teams.

An object without a namespace gets that of its release, where its kind lives in namespaces. That is asked of the cluster that the
connection flags, KUBECONFIG or the kubeconfig name, if there is one, then of the CustomResourceDefinitions in the input
and of --crds; Kubernetes' own kinds and those of the platform's components are known. An unknown kind is an error.

A Secret with data is refused, and nothing is written; an entry under secrets: in .apl.yaml leaves it out. Objects in a team's
namespace are left out. Kinds whose loss loses data are protected against pruning and deletion (--protect).

Exit codes: 0 done, nothing to do, or a dry run of what could be done; 1 findings stand against it, and nothing was
written; 2 it could not be done.`,
		Example: `  # What would be written of a stream of objects
  helm template web-artifacts apl-core/charts/raw -n web -f web.yaml > web-rendered.yaml
  kubectl apl artifacts -f web-rendered.yaml -n web --release web-artifacts --repo values --dry-run

  # Write the objects of all -artifacts releases, rendered here, and remove the files of those that are rendered no more
  helmfile list --output json > releases.json
  helmfile write-values --output-file-template 'managed/{{ .Release.Namespace }}-{{ .Release.Name }}.yaml'
  kubectl apl artifacts --releases releases.json --charts apl-core --managed managed --repo values --prune

  # Write one release, from standard input, whose kinds only its own CustomResourceDefinitions tell
  helm template api-artifacts apl-core/charts/raw -n api -f api.yaml | kubectl apl artifacts -f - -n api --crds crds --repo values`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func protections() []string {
	return []string{string(artifact.ProtectData), string(artifact.ProtectAll), string(artifact.ProtectNone)}
}

func (o *artifactsOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.filenames, "filename", "f", nil, `file, folder or "-" (standard input) with rendered objects`)
	f.StringVarP(&o.namespace, "namespace", "n", "", "namespace of the release whose objects -f has")
	f.StringVar(&o.release, "release", "", "name of the release whose objects -f has (default: what their labels say)")
	o.platform.add(cmd)
	f.Lookup("helmfile").Usage = "folder with the platform's helmfile, a checkout of apl-core; helmfile is run there for registry and managed values, and its charts are taken"
	f.StringVar(&o.rendered, "rendered", "", "folder with what releases render, <namespace>-<releaseName>.yaml")
	f.StringVar(&o.charts, "charts", "", "checkout that holds the platform's charts, to render releases with")
	f.StringSliceVar(&o.crds, "crds", nil, "file or folder with CustomResourceDefinitions, which tell whether objects of their kinds live in namespaces")
	f.StringVar(&o.kubeVersion, "kube-version", "", "Kubernetes version to render for (default: the cluster's, or "+builtInKubernetes+")")
	f.StringSliceVar(&o.apiVersions, "api-versions", nil, "API versions to render for, as group/version or group/version/Kind, on top of Helm's own (default: the cluster's)")
	f.BoolVar(&o.offline, "offline", false, "ask no cluster, although one is configured")
	f.StringVar(&o.protect, "protect", string(artifact.ProtectData), "protect against pruning and deletion: data (kinds whose loss loses data), all, none")
	f.BoolVar(&o.prune, "prune", false, "remove the files of objects that their release renders no more, as the labels of the chart raw tell; with -f it needs --release and --releases")
	f.StringVar(&o.dryRunMode, "dry-run", dryRunNone, "client: print the plan and write nothing; none: do it")
	f.Lookup("dry-run").NoOptDefVal = dryRunClient
	o.repo.add(cmd)
	f.StringVarP(&o.output, "output", "o", string(printer.Table), "how to print the plan: "+strings.Join(printer.Formats(), ", "))
	for flag, values := range map[string][]string{"output": printer.Formats(), "protect": protections(), "dry-run": {dryRunNone, dryRunClient}} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag only
	}
	for _, flag := range []string{"rendered", "charts"} {
		_ = cmd.MarkFlagDirname(flag) // as above
	}
	for _, flag := range []string{"namespace", "release", "kube-version", "api-versions"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions) // as above; none of them is a file
	}
}

// complete checks the flags against each other. It reads nothing.
func (o *artifactsOptions) complete(args []string) (err error) {
	o.releases = args
	if o.format, err = printer.ParseFormat(o.output); err != nil {
		return err
	}
	if o.dryRun = o.dryRunMode == dryRunClient; !o.dryRun && o.dryRunMode != dryRunNone {
		return fmt.Errorf("--dry-run %q: it is one of %s, %s; artifacts writes nothing to the cluster, so that there is no other", o.dryRunMode, dryRunNone, dryRunClient)
	}
	if !slices.Contains(protections(), o.protect) {
		return fmt.Errorf("--protect %q: it is one of %s", o.protect, strings.Join(protections(), ", "))
	}
	if o.kubeVersion != "" {
		if _, err := version.ParseGeneric(o.kubeVersion); err != nil {
			return fmt.Errorf("--kube-version %q: it is no version like 1.34.0", o.kubeVersion)
		}
	}
	if len(o.filenames) > 0 {
		return o.completeStream()
	}
	return o.completeRegistry()
}

// completeStream checks the flags of -f.
func (o *artifactsOptions) completeStream() error {
	for _, flag := range []struct{ name, value string }{{"--rendered", o.rendered}, {"--charts", o.charts}, {"--managed", o.platform.managed}, {"--helmfile", o.platform.helmfile}} {
		if flag.value != "" {
			return fmt.Errorf("-f and %s exclude each other: both say where objects come from", flag.name)
		}
	}
	switch {
	case len(o.releases) > 0:
		return fmt.Errorf("-f has the objects of one release; name it by -n and --release, and not as %s", o.releases[0])
	case o.namespace != "" && (app.ID{Namespace: o.namespace, Release: "x"}).Validate() != nil:
		return fmt.Errorf("-n %q: no namespace can be called that", o.namespace)
	case o.release != "" && o.namespace == "":
		return errors.New("--release says which release -f has the objects of; its namespace is missing, -n")
	case o.release != "" && (app.ID{Namespace: "x", Release: o.release}).Validate() != nil:
		return fmt.Errorf("--release %q: no release can be called that", o.release)
	case o.prune && (o.release == "" || o.platform.releases == ""):
		return errors.New("--prune with -f needs --release, whose files they are, and --releases, which tells whether another release has the same name")
	case !o.prune && o.platform.releases != "":
		return errors.New("--releases says nothing about -f without --prune")
	}
	return nil
}

// completeRegistry checks the flags for releases.
func (o *artifactsOptions) completeRegistry() error {
	switch p := o.platform; {
	case o.namespace != "" || o.release != "":
		return errors.New("-n and --release say which release -f has the objects of; name releases as arguments, namespace/releaseName")
	case p.helmfile == "" && p.releases == "":
		return errors.New("nothing says where objects come from: give -f, or --releases (what helmfile list --output json prints), or --helmfile; see kubectl apl artifacts --help")
	case p.helmfile != "" && p.releases+p.managed != "":
		return errors.New("--helmfile and --releases, --managed exclude each other: both say what the platform computes")
	case o.rendered != "" && o.charts+p.managed != "":
		return errors.New("--rendered and --charts, --managed exclude each other: both say what releases render")
	case o.rendered == "" && p.helmfile == "" && (o.charts == "" || p.managed == ""):
		return errors.New("nothing says what releases render: give --rendered, the folder that has it, or --charts and --managed, to render it here")
	}
	return nil
}

func (o *artifactsOptions) run(ctx context.Context) error {
	boundTexts(o.env)
	in, repo, err := o.input(ctx)
	if err != nil {
		return err
	}
	return o.carryOut(ctx, repo, in)
}
