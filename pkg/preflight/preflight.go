// Package preflight owns the checks that are about the cluster and the plan as a whole rather than about one app: who would
// undo the move, who else syncs what it writes, and whether Argo CD can carry it. It takes what was read and returns
// findings. It refuses to know how a cluster is asked, what values mean, and how a plan is made.
//
// Its rules come from what Argo CD, Kubernetes and the platform's operator were seen to do (DESIGN 10), and from Argo CD's
// source where a rule says so.
package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// Facts are what a living cluster tells.
type Facts struct {
	ArgoCD   cluster.ArgoCD
	Operator cluster.Operator
	Projects cluster.Projects
}

// Input is what the checks look at.
type Input struct {
	// Cluster is nil when no cluster was asked.
	Cluster *Facts
	// Applications are all that were read, Moving those of them that the plan is about.
	Applications, Moving []*argocd.Application
	// ValuesRepoURL and ValuesRevision are what written Applications refer to as $values.
	ValuesRepoURL, ValuesRevision string
	// RootApp is the name of the Application that will reconcile the Application files; OperatorMakesIt tells that the
	// platform's operator makes it once its folder is pushed.
	RootApp         string
	OperatorMakesIt bool
	// Push tells that the run pushes what it commits, AcceptOperator that it may do so while the operator runs.
	Push, AcceptOperator bool
}

// The rules.
const (
	RuleUnknown       = "preflight-unknown"
	RuleOperator      = "operator-running"
	RulePaused        = "operator-paused"
	RuleNoOperator    = "operator-missing"
	RuleOperatorBlind = "operator-unknown"
	RuleVersion       = "argocd-version"
	RuleSourceOwner   = "source-owner"
	RuleOverlap       = "path-overlap"
	RuleValuesOverlap = "values-overlap"
	RuleRepo          = "values-repo-unknown"
	RuleRootStalls    = "root-app-stalls"
	RuleProject       = "project-forbids"
	RuleNewApp        = "push-makes-app"
)

// Check looks at everything, and returns what it found, worst first. A finding of severity error stands against the whole
// plan: nothing may be written before it is solved.
func Check(in Input) []finding.Finding {
	c := &checker{Input: in}
	c.operator()
	c.version()
	c.projects()
	c.overlaps()
	c.rootApp()
	c.valuesRepo()
	c.owners()
	c.newApp()
	c.unknown()
	slices.SortStableFunc(c.findings, func(a, b finding.Finding) int { return cmp.Compare(weight(a.Severity), weight(b.Severity)) })
	return c.findings
}

// Stops tells whether some finding stands against the plan.
func Stops(findings []finding.Finding) bool {
	return finding.HasError(findings)
}

func weight(s finding.Severity) int {
	return slices.Index([]finding.Severity{finding.Error, finding.Warning, finding.Info}, s)
}

// checker collects findings.
type checker struct {
	Input
	findings []finding.Finding
}

func (c *checker) add(severity finding.Severity, rule, next, format string, args ...any) {
	c.findings = append(c.findings, finding.Finding{Rule: rule, Severity: severity, Message: fmt.Sprintf(format, args...), Next: next})
}

// ids are the identities of what moves; an Application without one is blocked for that, and writes nothing.
func (c *checker) ids() []app.ID {
	var out []app.ID
	for _, a := range c.Moving {
		if id, err := a.ID(); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// unknown says in one line what could not be looked at.
func (c *checker) unknown() {
	if c.Cluster == nil {
		what := "the platform's operator, Argo CD's version and settings, its repositories and AppProjects"
		next := "leave out -f to read a cluster"
		if c.unowned() == len(c.Moving) && len(c.Moving) > 0 {
			what += ", and who owns spec.source"
			next += "; or record with kubectl get applications.argoproj.io -A -o yaml --show-managed-fields"
		}
		c.add(finding.Info, RuleUnknown, next, "without a cluster nobody looked at %s", what)
		return
	}
	for _, why := range c.Cluster.ArgoCD.Unknown {
		c.add(finding.Warning, RuleUnknown, "", "not looked at: %s", why)
	}
	if why := c.Cluster.Projects.Unknown; why != "" {
		c.add(finding.Warning, RuleUnknown, "", "not looked at: whether the AppProjects permit the values repo: %s", why)
	}
}

// maxNamed bounds how many apps a message names.
const maxNamed = 3

// named lists some names, and counts the rest.
func named(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// label names an Application as a plan does.
func label(a *argocd.Application) string {
	if id, err := a.ID(); err == nil {
		return id.String()
	}
	return a.Name()
}

// files are the files of what moves.
func (c *checker) files() (applications, values []string) {
	for _, id := range c.ids() {
		applications = append(applications, layout.ApplicationFile(id))
		values = append(values, layout.ManagedFile(id), layout.CustomFile(id))
	}
	return applications, values
}
