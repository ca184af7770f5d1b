package rollback

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// guard refuses apps that somebody would bring back into git's form at once: a root app that syncs by itself while it has
// their files, one that is at work, and the platform's operator, where it makes the root app sync by itself again.
//
// An operator that runs is no harm otherwise: what it applies is the inline form, and what a platform wants that goes back
// to it. It harms as long as the root app has the files, since it applies the root app too, automation and all, in each of its
// rounds. So once the files are gone from git it may run.
func (p *Plan) guard(ctx context.Context, apps []App) error {
	if !hasPending(apps) {
		return nil
	}
	root, err := p.in.Cluster.Application(ctx, p.in.Namespace, p.RootApp)
	if errors.Is(err, cluster.ErrNotFound) {
		root, err = nil, nil
	}
	if err != nil {
		return err
	}
	operator, err := p.in.Cluster.Operator(ctx)
	if err != nil {
		return err
	}
	pause := ""
	for i := range apps {
		a := &apps[i]
		if a.Action != Restore {
			continue
		}
		inGit, err := p.inGit(root, a)
		if err != nil {
			return err
		}
		if root != nil {
			p.guardRoot(a, root, inGit)
		}
		if !inGit || !p.operatorMakes(root) || !operator.Running() && operator.Unknown == "" {
			continue
		}
		if pause == "" {
			if pause, err = p.pause(ctx); err != nil {
				return err
			}
		}
		p.guardOperator(a, operator, pause)
	}
	return nil
}

func hasPending(apps []App) bool {
	for i := range apps {
		if apps[i].Action == Restore {
			return true
		}
	}
	return false
}

// inGit tells whether the root app would apply the file of an app, by what it last found in git. One that has found nothing
// yet is asked of the values repo instead, and without one it is taken for granted.
func (p *Plan) inGit(root *argocd.Application, a *App) (bool, error) {
	if root != nil {
		if c := root.Child(p.in.Namespace, a.Application); c.Listed || root.Compared() {
			return c.Listed && !c.Gone, nil
		}
	}
	if p.in.Repo == nil {
		return true, nil
	}
	path := layout.ApplicationFile(a.id)
	_, found, err := p.in.Repo.HeadFile(path)
	if err != nil {
		return false, fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	return found, nil
}

func (p *Plan) guardRoot(a *App, root *argocd.Application, inGit bool) {
	name := root.Name()
	switch {
	case root.Deleting():
		a.refuse(RuleRootApp, fmt.Sprintf("the root app %s is being deleted", name), "wait until it is gone: what carries the protection outlives it")
	case root.Syncing():
		a.refuse(RuleRootApp, fmt.Sprintf("the root app %s is being synced", name), "wait until that has ended")
	case inGit && root.Automated():
		a.refuse(RuleRootApp, fmt.Sprintf("the root app %s syncs by itself, and has the file of this app: it would undo the way back", name),
			fmt.Sprintf("turn that off: %s; or take the files out of git first", argocd.EndAutomation(p.in.Namespace, name)))
	}
}

// operatorMakes tells whether the root app is one that the platform's operator applies in each of its rounds.
func (p *Plan) operatorMakes(root *argocd.Application) bool {
	if root == nil {
		return strings.HasPrefix(p.RootApp, "gitops-ns-")
	}
	class, _ := root.Class()
	return class == argocd.GitOps
}

func (p *Plan) guardOperator(a *App, operator cluster.Operator, pause string) {
	next := "pause it until the removal of the files is pushed: " + pause
	if operator.Running() {
		a.refuse(RuleOperator, fmt.Sprintf("the platform's operator runs, and about every five minutes makes the root app %s sync by itself again, which would undo the way back", p.RootApp), next)
		return
	}
	message := "nobody knows whether the platform's operator runs, which would make the root app sync by itself again: " + operator.Unknown
	if p.options.AcceptOperator {
		a.add(finding.Finding{Rule: RuleOperator, Severity: finding.Warning, Message: message})
		return
	}
	a.refuse(RuleOperator, message, "have it looked at by someone who may; "+next+"; or go on with --accept-operator")
}

// pause says how the operator is paused.
func (p *Plan) pause(ctx context.Context) (string, error) {
	own, err := p.in.Cluster.Application(ctx, p.in.Namespace, argocd.OperatorApp)
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return "", err
	}
	return argocd.PauseOperator(own), nil
}
