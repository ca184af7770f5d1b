package bootstrap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// guard finds what stands against the plan, and what will act on it.
func (p *Plan) guard(ctx context.Context, files []string) error {
	for i := range p.Objects {
		if o := &p.Objects[i]; o.app != nil && o.app.left == "" {
			p.overlaps(o.app, files)
			if o.Sync == SyncAuto && (o.app.live == nil || !o.app.live.Automated()) {
				p.twoOwners(o.app, files)
			}
		}
	}
	p.operator()
	p.project()
	p.preflight()
	if p.in.Unseen != "" {
		p.add(finding.Finding{Rule: RuleUnseen, Severity: finding.Warning,
			Message: "whether an Application of another namespace applies one of the folders was not looked at: " + p.in.Unseen,
			Next:    "have somebody look who may list Applications in all namespaces"})
	}
	return p.notPushed(ctx, files)
}

// overlaps finds live Applications that apply what an Application is to apply: two owners of one object take it from each
// other (DESIGN 10).
func (p *Plan) overlaps(f *folderApp, files []string) {
	for _, other := range p.in.Applications {
		if other.Name() == f.Name && other.Namespace() == f.Namespace {
			continue
		}
		for _, d := range other.Directories() {
			if !d.Overlaps(f.Directory()) || d.Filtered() && !takes(d, f.Directory(), files) {
				continue
			}
			next := "let one of them own the path: take it from " + other.Name() + " (its path, directory.recurse or directory.exclude)"
			if f.root {
				next += ", or make it the root app with --root-app=" + other.Name()
			}
			p.add(finding.Finding{Rule: preflight.RuleOverlap, Severity: finding.Error, App: f.Name, Next: next,
				Message: fmt.Sprintf("Application %s of namespace %s applies %s of the values repo, and %s is to apply %s: two owners of one path take its objects from each other",
					other.Name(), other.Namespace(), orRoot(d.Path), f.Name, f.Path)})
			break
		}
	}
}

// takes tells whether some file of a folder is applied by both, where patterns decide.
func takes(d, folder argocd.Directory, files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool { return d.Takes(file) && folder.Takes(file) })
}

// operator tells what the platform's operator makes of the plan. It applies the gitops apps of the folders that its checkout has,
// automation and all: what is synced by hand would not stay so.
func (p *Plan) operator() {
	o := p.in.Facts.Operator
	writes := slices.ContainsFunc(p.Objects, func(o Object) bool { return o.app != nil && o.pending() })
	if !writes || !o.Running() && o.Unknown == "" {
		return
	}
	who := "the platform's operator runs"
	if o.Unknown != "" {
		who = "nobody knows whether the platform's operator runs (" + o.Unknown + "), and if it does"
	}
	own, _ := argocd.Find(p.in.Applications, argocd.OperatorApp)
	f := finding.Finding{Rule: RuleOperator, Severity: finding.Warning, Next: "pause it to have them stay as they are applied: " + argocd.PauseOperator(own)}
	f.Message = who + ": about every five minutes it applies the gitops apps of the folders in its checkout, server-side and with force, as field manager " +
		operatorManager + ": " + argocd.StallOption + " comes back, and so does automation"
	manual := slices.ContainsFunc(p.Objects, func(o Object) bool { return o.pending() && o.Sync == SyncManual })
	if manual && !p.options.AcceptOperator {
		f.Severity = finding.Error
		f.Message += ": a first sync would wait for nobody"
		f.Next += "; or go on with --accept-operator"
	}
	p.add(f)
	if p.RootApp != argocd.RootApp {
		p.add(finding.Finding{Rule: RuleOperator, Severity: finding.Warning, App: p.RootApp,
			Message: fmt.Sprintf("the operator makes %s of the folder %s as soon as its checkout has it: the root app %s would then be the second one on that path", argocd.RootApp, rootFolder(), p.RootApp),
			Next:    "leave out --root-app, or keep the operator paused"})
	}
}

// project looks at the AppProject of the Applications.
func (p *Plan) project() {
	const name = "default"
	projects := p.in.Facts.Projects
	if projects.Unknown != "" || p.Pending() == 0 {
		return
	}
	at := slices.IndexFunc(projects.List, func(project argocd.Project) bool { return project.Name == name })
	switch {
	case at < 0:
		p.add(finding.Finding{Rule: RuleProject, Severity: finding.Warning,
			Message: "AppProject default is not there: the Applications show InvalidSpecError until it is",
			Next:    "Argo CD makes it when it starts; see whether it runs"})
	case !projects.List[at].Permits(p.ValuesRepo.URL):
		f := finding.Finding{Rule: preflight.RuleProject, Severity: finding.Error, Next: "add the URL to spec.sourceRepos of AppProject default",
			Message: fmt.Sprintf("AppProject default does not permit the values repo %s as a source", p.ValuesRepo.URL)}
		if projects.Inherited {
			f.Severity, f.Message = finding.Warning, f.Message+" itself; what it inherits by globalProjects of argocd-cm was not looked at"
		}
		p.add(f)
	}
}

// preflight adds what the preflight of a move finds that holds here too: the version of Argo CD, whether it can read the repo,
// what could not be looked at, and whether a root app that stays as it is can stall.
func (p *Plan) preflight() {
	rules := []string{preflight.RuleVersion, preflight.RuleRepo, preflight.RuleUnknown}
	for i := range p.Objects {
		if o := &p.Objects[i]; o.app != nil && o.app.root && !o.pending() {
			rules = append(rules, preflight.RuleRootStalls)
		}
	}
	for _, f := range p.around {
		if slices.Contains(rules, f.Rule) {
			p.add(f)
		}
	}
}

// stalls tells that the root app as it is live can stop: it has the option that does that, and argocd-cm does not prevent it.
func (p *Plan) stalls() bool {
	return slices.ContainsFunc(p.around, func(f finding.Finding) bool { return f.Rule == preflight.RuleRootStalls })
}

// notPushed tells of folders that HEAD has and the remote, as it was last seen, has not: Argo CD reads the remote.
func (p *Plan) notPushed(ctx context.Context, files []string) error {
	var folders []string
	for i := range p.Objects {
		if o := &p.Objects[i]; o.pending() && o.app != nil && below(files, o.From) {
			folders = append(folders, o.From)
		}
	}
	if len(folders) == 0 {
		return nil
	}
	tracked, known, err := p.in.Repo.TrackedFiles(ctx, layout.ManifestsDir)
	if err != nil {
		return err
	}
	folders = slices.DeleteFunc(folders, func(folder string) bool { return !known || below(tracked, folder) })
	if len(folders) == 0 {
		return nil
	}
	p.add(finding.Finding{Rule: RuleNotPushed, Severity: finding.Warning,
		Message: "the remote, as it was last seen, does not have " + strings.Join(folders, ", ") + ": the Applications of them show a ComparisonError until it does",
		Next:    "push, or fetch if somebody else has"})
	return nil
}

var _ Cluster = (*cluster.Client)(nil)
