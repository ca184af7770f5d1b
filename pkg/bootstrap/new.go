package bootstrap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// The rules of findings, beside those of the preflight.
const (
	RuleSettings  = "bootstrap-settings"
	RuleFolder    = "bootstrap-folder"
	RuleNotPushed = "bootstrap-not-pushed"
	RulePlace     = "bootstrap-other-place"
	RuleDeleting  = "bootstrap-deleting"
	RuleManual    = "bootstrap-manual"
	RuleOperator  = "bootstrap-operator"
	RuleConflict  = "bootstrap-conflict"
	RuleMissing   = "bootstrap-missing"
	RuleProject   = "bootstrap-project"
	RuleCustomCA  = "bootstrap-custom-ca"
	RuleUnseen    = "bootstrap-unseen"
)

// New looks at the values repo and at the cluster, and plans. It writes nothing; unless it is a dry run of the client, it has
// the server check each write. What stands against the plan is told in its findings. The error is for what makes a
// plan impossible: a values repo that nobody names, a repo or a cluster that cannot be read.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	options.RootApp = cmp.Or(options.RootApp, argocd.RootApp)
	p := &Plan{APIVersion: APIVersion, Kind: Kind, RootApp: options.RootApp, Objects: []Object{}, Findings: []finding.Finding{}, in: in, options: options}
	if options.DryRun != cluster.DryRunNone {
		p.DryRun = options.DryRun
	}
	if err := p.checkRootApp(); err != nil {
		return nil, err
	}
	if err := p.valuesRepo(); err != nil {
		return nil, err
	}
	files, err := in.Repo.HeadFiles(ctx, layout.ManifestsDir)
	if err != nil {
		return nil, err
	}
	p.around = preflight.Check(preflight.Input{
		Cluster: &in.Facts, Applications: in.Applications,
		ValuesRepoURL: p.ValuesRepo.URL, ValuesRevision: p.ValuesRepo.Revision, RootApp: p.RootApp,
	})
	if err := p.customCA(ctx); err != nil {
		return nil, err
	}
	for _, f := range p.folders(files) {
		p.Objects = append(p.Objects, p.decide(f))
	}
	if err := p.guard(ctx, files); err != nil {
		return nil, err
	}
	if !p.Refused() && options.DryRun != cluster.DryRunClient {
		if err := p.probe(ctx); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.Findings, func(a, b finding.Finding) int { return cmp.Compare(weight(a.Severity), weight(b.Severity)) })
	return p, nil
}

func weight(s finding.Severity) int {
	return slices.Index([]finding.Severity{finding.Error, finding.Warning, finding.Info}, s)
}

// checkRootApp refuses a root app that is called as the Application of another folder is: one of both would take the other's place.
func (p *Plan) checkRootApp() error {
	if _, ok := layout.Parse(layout.Application{Name: p.RootApp}.Path()); !ok {
		return fmt.Errorf("%q: %w", p.RootApp, ErrRootApp)
	}
	if p.RootApp == argocd.GlobalApp || p.RootApp != argocd.RootApp && strings.HasPrefix(p.RootApp, argocd.NamespaceApp("")) {
		return fmt.Errorf("%q: %w: the Application of another folder is called so; %s is that of the Application files, or choose a name of your own", p.RootApp, ErrRootApp, argocd.RootApp)
	}
	return nil
}

// valuesRepo decides by which URL and revision Argo CD is to read the values repo.
func (p *Plan) valuesRepo() error {
	data, found, err := p.in.Repo.HeadFile(layout.SettingsFile)
	if err != nil {
		return fmt.Errorf("read %s in HEAD: %w", layout.SettingsFile, err)
	}
	var settings argocd.Settings
	if found {
		if settings, err = argocd.ReadSettings(data); err != nil {
			return err
		}
	}
	flags := argocd.ValuesRepo{URL: p.options.ValuesRepoURL, Revision: p.options.ValuesRevision}
	choice, err := argocd.ChooseValuesRepo(p.in.Applications, flags, settings.Repo)
	if err != nil {
		return err
	}
	p.ValuesRepo = ValuesRepo{URL: choice.URL, Revision: choice.Revision, Source: choice.Source}
	p.Findings = append(p.Findings, choice.Findings...)
	if choice.FromSettings() {
		p.add(finding.Finding{
			Rule: RuleSettings, Severity: finding.Warning, File: layout.SettingsFile, Path: "spec.git",
			Message: fmt.Sprintf("no live Application tells which repo Argo CD reads; it is to read %s at %s, which can be a leftover of an older platform", choice.URL, choice.Revision),
			Next:    "say it with --values-repo-url and --values-revision",
		})
	}
	return nil
}

// probe has the server check each write, so that a conflict with the fourth object is known before the first is written.
func (p *Plan) probe(ctx context.Context) error {
	for i := range p.Objects {
		o := &p.Objects[i]
		if !o.pending() {
			continue
		}
		_, err := p.in.Cluster.ServerSideApply(ctx, o.want, cluster.WriteOptions{Manager: Manager, DryRun: true}, false)
		var conflict *cluster.ConflictError
		switch {
		case errors.As(err, &conflict):
			p.conflict(o, conflict)
		case errors.Is(err, cluster.ErrNotFound):
			p.add(finding.Finding{
				Rule: RuleMissing, Severity: finding.Error, App: o.Name,
				Message: fmt.Sprintf("namespace %s, of %s %s, is not there", o.Namespace, o.Kind, o.Name),
				Next:    "install what it belongs to first; or make it: kubectl create namespace " + o.Namespace,
			})
		case err != nil:
			return fmt.Errorf("check %s %s: %w", o.Kind, o.Name, err)
		default:
			o.Done = p.options.DryRun == cluster.DryRunServer
		}
	}
	return nil
}

// conflict tells of fields that belong to others.
func (p *Plan) conflict(o *Object, conflict *cluster.ConflictError) {
	for _, c := range conflict.Conflicts {
		f := finding.Finding{
			Rule: RuleConflict, Severity: finding.Error, App: o.Name, Path: c.Field,
			Message: fmt.Sprintf("%s of %s %s belongs to field manager %s", c.Field, o.Kind, o.Name, c.Manager),
			Next:    "see which of both is right; --force-conflicts takes it from " + c.Manager,
		}
		if c.Manager == operatorManager {
			f.Next += ", which puts it back in each of its rounds unless it is paused"
		}
		if o.app != nil && o.app.root && c.Field == "spec.syncPolicy.syncOptions" && p.stalls() {
			f.Next += "; or leave " + argocd.StallOption + " there, which does no harm with ignoreResourceStatusField: none in resource.compareoptions of ConfigMap argocd-cm"
		}
		if p.options.Force {
			f.Severity, f.Next = finding.Warning, ""
			f.Message += "; it is taken (--force-conflicts)"
		}
		p.add(f)
	}
}
