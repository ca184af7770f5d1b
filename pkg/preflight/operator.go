package preflight

import (
	"path"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// whatItDoes is what a running operator does to what a push hands over: it builds every Application from the platform's
// values and applies it server-side with force, in rounds (apl-core, src/cmd/apply-as-apps.ts).
const whatItDoes = "about every five minutes it applies every Application anew, server-side and with force: " +
	"spec.source comes back, which changes nothing while spec.sources is there, since that wins; " +
	"so does what it computes of labels, finalizers and the rest of the spec, over what the Application files say"

// operator looks at the platform's operator. A commit alone cannot race it: nothing in the cluster knows of it. A push can:
// it hands the Applications to the root app, and from then on both write them. So a push waits until somebody has paused
// the operator, or has said that both may write.
func (c *checker) operator() {
	if c.Cluster == nil {
		if c.Push && !c.AcceptOperator {
			c.add(finding.Warning, RuleOperatorBlind, "pause it before a push: "+c.pause()+"; or leave out -f, to have it looked at",
				"a push hands Applications over, and without a cluster nobody looked whether the platform's operator runs and goes on writing them")
		}
		return
	}
	severity := finding.Info
	if c.Push {
		severity = finding.Error
		if c.AcceptOperator {
			severity = finding.Warning
		}
	}
	accept := ""
	if severity == finding.Error {
		accept = "; or let both write, with --accept-operator"
	}
	switch o := c.Cluster.Operator; {
	case o.Unknown != "":
		if severity == finding.Info {
			severity = finding.Warning // what nobody saw is not counted as fine
		}
		c.add(severity, RuleOperatorBlind, "have it looked at by someone who may, and pause it before a push: "+c.pause()+accept,
			"nobody knows whether the platform's operator runs: %s", o.Unknown)
	case o.Running():
		c.add(severity, RuleOperator, "pause it before a push: "+c.pause()+accept, "the platform's operator runs: %s", whatItDoes)
	case o.Found && c.OperatorMakesIt && !c.rootIsLive():
		c.add(finding.Warning, RulePaused, "make it after the push with kubectl apl bootstrap, or scale the operator up, once no -artifacts Application is left to hand over: "+argocd.ResumeOperator,
			"the platform's operator is paused: until it runs again, nobody makes %s, and nothing takes over what is pushed", c.RootApp)
	case o.Found:
		c.add(finding.Info, RulePaused, "when the move is done: "+argocd.ResumeOperator, "the platform's operator is paused")
	case c.OperatorMakesIt && !c.rootIsLive():
		c.add(finding.Warning, RuleNoOperator, "see whether --context names the platform's cluster, or make the root app with kubectl apl bootstrap",
			"the cluster has no Deployment apl-operator in namespace apl-operator, so nobody makes %s", c.RootApp)
	}
}

// pause says how the operator is paused.
func (c *checker) pause() string {
	id := app.ID{Namespace: "apl-operator", Release: "apl-operator"}
	for _, a := range c.Applications {
		if own, err := a.ID(); err == nil && own == id && a.Namespace() == argocd.Namespace {
			return argocd.PauseOperator(a)
		}
	}
	return argocd.PauseOperator(nil)
}

func (c *checker) rootIsLive() bool {
	_, live := argocd.Find(c.Applications, c.RootApp)
	return live
}

// newApp says what app a push makes the operator make: one for each folder under env/manifests/namespaces, which recurses,
// prunes and heals itself. This plan writes one such folder, that of the Applications.
func (c *checker) newApp() {
	const made = "gitops-ns-argocd"
	if _, live := argocd.Find(c.Applications, made); live || c.Cluster != nil && !c.Cluster.Operator.Found && c.Cluster.Operator.Unknown == "" {
		return
	}
	folder := path.Dir(layout.ApplicationsDir)
	also := ""
	if c.RootApp != made {
		also = "; the root app " + c.RootApp + " would then be the second one on that path"
	}
	c.add(finding.Info, RuleNewApp, "see what else lies in that folder: it is applied too",
		"the folder %s is new to the cluster: once it is pushed the platform's operator makes the Application %s of it, which recurses, prunes and heals itself%s", folder, made, also)
}
