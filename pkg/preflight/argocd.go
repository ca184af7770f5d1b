package preflight

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// firstMinor is the minor version of Argo CD 2 that brought spec.sources with $ref value files.
const firstMinor = 6

// version demands an Argo CD that knows several sources. An older one drops spec.sources as a field that it does not know,
// and so the values with it.
func (c *checker) version() {
	if c.Cluster == nil || c.Cluster.ArgoCD.Version == "" {
		return // the reader says why it could not tell
	}
	version := c.Cluster.ArgoCD.Version
	major, minor, ok := parseVersion(version)
	switch {
	case !ok:
		c.add(finding.Warning, RuleVersion, "see that it is 2.6 or newer", "the version of Argo CD, %q, says nothing about whether it knows several sources", version)
	case major < 2 || major == 2 && minor < firstMinor:
		c.add(finding.Error, RuleVersion, "upgrade Argo CD first", "Argo CD %s does not know spec.sources, which came with 2.6: it would take no values from git", version)
	}
}

// parseVersion reads the first two numbers of v3.2.11 or 2.6.0-rc1.
func parseVersion(text string) (major, minor int, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	minor, err = strconv.Atoi(second)
	return major, minor, err == nil
}

// rootApp looks for the two options that together stop a root app (DESIGN 10): RespectIgnoreDifferences makes it write
// the stale status of its children back, and its server-side diff then fails. Measured: it stopped in six of six rounds
// with both, in none without the first, and in none when argocd-cm tells Argo CD not to ignore status.
func (c *checker) rootApp() {
	root, live := argocd.Find(c.Applications, c.RootApp)
	will := "has"
	if !live {
		if root = c.sibling(); root == nil || !c.OperatorMakesIt {
			return
		}
		will = "will have, as the platform's operator makes its gitops apps,"
	}
	if !root.HasSyncOption("RespectIgnoreDifferences=true") || !hasOption(root.Annotation(compareOptions), "ServerSideDiff=true") {
		return
	}
	const next = `set "ignoreResourceStatusField: none" in resource.compareoptions of ConfigMap argocd-cm, on the platform by configs.cm in the values of argocd/argocd`
	switch {
	case c.Cluster == nil, c.Cluster.ArgoCD.CompareOptions == "" && len(c.Cluster.ArgoCD.Unknown) > 0:
		c.add(finding.Warning, RuleRootStalls, next,
			"the root app %s %s RespectIgnoreDifferences with ServerSideDiff: it stops syncing while its children sync, unless argocd-cm says otherwise, which nobody looked at", c.RootApp, will)
	case !keepsStatus(c.Cluster.ArgoCD.CompareOptions):
		c.add(finding.Warning, RuleRootStalls, next,
			"the root app %s %s RespectIgnoreDifferences with ServerSideDiff: it stops syncing (Unknown: status.operationState.phase is required) while its children sync", c.RootApp, will)
	}
}

const compareOptions = "argocd.argoproj.io/compare-options"

// sibling is one of the apps that the operator has made for a folder of the values repo: the next one looks like it.
func (c *checker) sibling() *argocd.Application {
	i := slices.IndexFunc(c.Applications, func(a *argocd.Application) bool {
		return a.Namespace() == argocd.Namespace && strings.HasPrefix(a.Name(), "gitops-ns-")
	})
	if i < 0 {
		return nil
	}
	return c.Applications[i]
}

// hasOption looks for one of a list with commas.
func hasOption(list, option string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(o string) bool { return strings.TrimSpace(o) == option })
}

// keepsStatus tells whether argocd-cm's resource.compareoptions let Argo CD compare the status of Applications (its
// GetResourceOverrides): "none" and two spellings of it do, and "crd" ignores that of CustomResourceDefinitions alone. What
// cannot be read counts as unset, which ignores all.
func keepsStatus(options string) bool {
	tree, err := values.DecodeObject("resource.compareoptions", []byte(options))
	if err != nil {
		return false
	}
	switch tree["ignoreResourceStatusField"] {
	case "none", "off", "false", "crd", false:
		return true
	}
	return false
}
