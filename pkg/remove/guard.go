package remove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// guard finds who would make the Application anew, and what would hold its deletion up. Of one that is on its way out
// already, the former is told and stops nothing.
func (p *Plan) guard(ctx context.Context) error {
	if !p.ours() {
		return nil // nothing else counts
	}
	severity := finding.Error
	if p.live.Deleting() {
		severity = finding.Warning
	}
	if err := p.inGit(ctx, severity); err != nil {
		return err
	}
	known := p.gates(severity)
	if err := p.parents(ctx, severity); err != nil {
		return err
	}
	if err := p.operator(ctx, severity, known); err != nil {
		return err
	}
	p.writers()
	if p.options.Orphan {
		return nil
	}
	if p.live.DestinationNamespace() == p.in.Namespace && p.live.Release() == "argocd" {
		p.add(severity, RuleItself, "it is Argo CD itself, which would have to delete itself, and could not end that", "keep what runs with --orphan, then delete it yourself")
	}
	p.data()
	return p.project(ctx, severity)
}

// ours refuses what is not for this tool to remove.
func (p *Plan) ours() bool {
	class, reason := p.live.Class()
	id, err := p.live.ID()
	owner, owned := p.live.Owner()
	switch {
	case owned:
		p.add(finding.Error, RuleOwner, "ApplicationSet "+owner+" owns it, and makes it anew", "take it out of its ApplicationSet")
	case class != argocd.Platform:
		p.add(finding.Error, RuleNotPlatform, "it is no app of the platform: "+reason, "whoever owns it removes it")
	case err != nil:
		p.add(finding.Error, RuleNotPlatform, err.Error(), "remove it by kubectl")
	case p.id.Release != "" && id != p.id:
		p.add(finding.Error, RuleOtherApp, fmt.Sprintf("Application %s is app %s, not %s", p.name, id, p.id), "name the app that is meant")
	default:
		p.App, p.id = id.String(), id
		return true
	}
	return false
}

// inGit finds the Application file where somebody would take it from.
func (p *Plan) inGit(ctx context.Context, severity finding.Severity) error {
	path := layout.Application{Name: p.name}.Path()
	_, work, err := p.in.Repo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	_, head, err := p.in.Repo.HeadFile(path)
	if err != nil {
		return fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	pushed, known, err := p.in.Repo.TrackedFiles(ctx, layout.ApplicationsDir)
	if err != nil {
		return err
	}
	if !known && p.live != nil {
		p.add(finding.Warning, RuleUnseen, "whether the remote has the Application file was not looked at: the branch follows none that was fetched", "fetch it, and run again; or look there")
	}
	var places []string
	next := "remove it (git rm), commit and push"
	if work {
		places = append(places, "the work tree")
	}
	if head {
		places = append(places, "HEAD")
	}
	if slices.Contains(pushed, path) {
		if places = append(places, "the branch of the remote, as it was last seen"); !head {
			next = "push the removal, or fetch if that was done elsewhere"
		}
	}
	if len(places) > 0 {
		p.Findings = append(p.Findings, finding.Finding{Rule: RuleInGit, Severity: severity, App: p.App, File: path,
			Message: "the Application file is in " + strings.Join(places, ", ") + ": the root app makes the Application anew", Next: next})
	}
	return nil
}

// gates asks whether the platform has the app switched on, and tells whether anything is known.
func (p *Plan) gates(severity finding.Severity) (known bool) {
	for _, gate := range p.in.Gates {
		on, ok, why := gate(p.id)
		known = known || ok
		if ok && on {
			p.add(severity, RuleGate, "the platform has it switched on: "+why, "switch it off first, in the settings of the platform")
		}
	}
	return known
}

// parents looks at the Applications that sync this one: the root app, and whichever it is that has synced it.
func (p *Plan) parents(ctx context.Context, severity finding.Severity) error {
	names := []string{p.options.RootApp}
	if by := p.live.TrackedBy(); by != "" && by != p.options.RootApp {
		names = append(names, by)
	}
	for _, name := range names {
		parent, err := p.in.Cluster.Application(ctx, p.in.Namespace, name)
		if errors.Is(err, cluster.ErrNotFound) {
			if name != argocd.RootApp && name == p.options.RootApp {
				p.add(severity, RuleRootApp, "there is no Application "+name+", which is to be the root app: whether the root app has it was not looked at", "correct --root-app")
			}
			continue
		}
		if err != nil {
			return err
		}
		child := parent.Child(p.in.Namespace, p.name)
		switch {
		case child.Listed && !child.Gone:
			p.add(severity, RuleRootApp, "Application "+name+" has it in git, as of its last comparison, and makes it anew",
				"push the removal of the file, then wait for a comparison, or ask for one: "+
					fmt.Sprintf("kubectl annotate applications.argoproj.io %s -n %s argocd.argoproj.io/refresh=normal", name, p.in.Namespace))
		case parent.Syncing():
			p.add(severity, RuleRootApp, "Application "+name+" is being synced, perhaps from a commit that has it", "wait until that has ended")
		}
	}
	return nil
}

// operator tells what the platform's operator makes of the removal. It makes the Applications of all releases that are
// installed, about every five minutes.
func (p *Plan) operator(ctx context.Context, severity finding.Severity, gated bool) error {
	o, err := p.in.Cluster.Operator(ctx)
	if err != nil {
		return err
	}
	if !o.Running() && o.Unknown == "" {
		return nil
	}
	who := "the platform's operator runs"
	if o.Unknown != "" {
		who = "nobody knows whether the platform's operator runs (" + o.Unknown + "), and if it does"
	}
	if gated {
		p.add(finding.Warning, RuleOperator, who+": as field manager apl-operator it makes the Application anew as long as its checkout has the app switched on",
			"see that what switched it off is pushed")
		return nil
	}
	own, err := p.in.Cluster.Application(ctx, p.in.Namespace, argocd.OperatorApp)
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	next := "tell by --releases what it installs (helmfile list --output json); or pause it: " + argocd.PauseOperator(own)
	if p.options.AcceptOperator {
		severity, next = finding.Warning, ""
	} else {
		next += "; or go on with --accept-operator"
	}
	p.add(severity, RuleOperator, who+": as field manager apl-operator it makes the Applications of all releases anew that are installed, and nobody told whether this one is", next)
	return nil
}

// writers names who else has written the spec, and so may apply the whole again: a person's file, a pipeline, another tool.
func (p *Plan) writers() {
	known := []string{manager, "apl-operator", "argocd-controller", "argocd-application-controller", "argocd-server", "kubectl-edit", "kubectl-patch"}
	var names []string
	for _, m := range p.live.FieldManagers("spec") {
		if !slices.Contains(known, m.Name) && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		p.add(finding.Warning, RuleWriter, "field manager "+strings.Join(names, ", ")+" has written its spec, and may make it anew", "see what that is, and take the Application out of it")
	}
}

// data tells of what is lost for good.
func (p *Plan) data() {
	if len(p.Data) > 0 {
		p.add(finding.Warning, RuleData, "data is lost, or objects of others go along: see the list", "back up what is wanted; --orphan keeps all")
	}
	if len(p.Resources) == 0 {
		p.add(finding.Warning, RuleUnseen, "the Application does not tell what it deploys: Argo CD has not compared it with git", "see kubectl get all -n "+p.live.DestinationNamespace())
	}
}

// project demands the AppProject: without it Argo CD deletes nothing, and the Application hangs (DESIGN 10).
func (p *Plan) project(ctx context.Context, severity finding.Severity) error {
	projects, err := p.in.Cluster.Projects(ctx, p.in.Namespace)
	if err != nil {
		return err
	}
	if projects.Unknown != "" {
		p.add(finding.Warning, RuleUnseen, "whether AppProject "+p.live.Project()+" is there, without which Argo CD deletes nothing, was not looked at: "+projects.Unknown, "")
	}
	if missing(projects, p.live.Project()) {
		p.add(severity, RuleProject, "AppProject "+p.live.Project()+" is not there: without it Argo CD deletes nothing, and the Application hangs",
			"make it again; or keep what runs, with --orphan")
	}
	return nil
}

func missing(projects cluster.Projects, name string) bool {
	return projects.Unknown == "" && !slices.ContainsFunc(projects.List, func(p argocd.Project) bool { return p.Name == name })
}
