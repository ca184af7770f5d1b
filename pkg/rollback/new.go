package rollback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// The rules by which an app is refused, or a person is told something.
const (
	RuleGone     = "rollback-gone"
	RuleDeleting = "rollback-deleting"
	RuleChanged  = "rollback-changed"
	RuleFiles    = "rollback-files-changed"
	RuleOwner    = "rollback-owner-unknown"
	RuleForm     = "rollback-form"
	RuleTracked  = "rollback-tracked"
	RuleRootApp  = "rollback-root-app"
	RuleOperator = "rollback-operator"
	RuleAnew     = "rollback-recreated"
)

// New looks at every Application of the backup that is wanted and at what would undo the way back, and plans. It writes
// nothing. It returns an error for what makes the whole plan impossible: an APP that the backup lacks, a cluster that
// cannot be read.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	p := &Plan{APIVersion: APIVersion, Kind: Kind, Apps: []App{}, Files: []string{}, Next: []string{}, in: in, options: options}
	if err := p.choose(); err != nil {
		return nil, err
	}
	var err error
	if p.RootApp, err = p.rootApp(); err != nil {
		return nil, err
	}
	if p.label, err = in.Cluster.InstanceLabel(ctx, in.Namespace); err != nil {
		return nil, fmt.Errorf("what tells Argo CD whose an Application is must be known before it is changed: %w", err)
	}
	for i := range p.Apps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
		if err := p.look(ctx, &p.Apps[i]); err != nil {
			return nil, err
		}
	}
	if err := p.guard(ctx, p.Apps); err != nil {
		return nil, err
	}
	if err := p.files(); err != nil {
		return nil, err
	}
	p.next()
	return p, nil
}

// choose takes the platform's Applications of the backup, or those of them that are named.
func (p *Plan) choose() error {
	named, all := map[string]bool{}, len(p.options.Apps) == 0
	for _, name := range p.options.Apps {
		named[name] = false
	}
	seen := map[app.ID]bool{}
	for _, e := range p.in.Entries {
		id, err := e.Application.ID()
		if class, _ := e.Application.Class(); err != nil || class != argocd.Platform {
			continue // a stream of all Applications is a backup too
		}
		_, byID := named[id.String()]
		_, byName := named[id.Name()]
		if !all && !byID && !byName {
			continue
		}
		named[id.String()], named[id.Name()] = true, true
		if seen[id] {
			return fmt.Errorf("the backup holds %s twice; name one backup", id)
		}
		seen[id] = true
		p.Apps = append(p.Apps, App{App: id.String(), Application: e.Application.Name(), Steps: []Step{}, Findings: []finding.Finding{}, id: id, entry: e})
	}
	for _, name := range p.options.Apps {
		if !named[name] {
			return fmt.Errorf("%s: %w; an APP is namespace/releaseName", name, ErrApp)
		}
	}
	if len(p.Apps) == 0 {
		return fmt.Errorf("an Application of the platform: %w; name the backup that migrate wrote", ErrApp)
	}
	slices.SortFunc(p.Apps, func(a, b App) int { return app.Compare(a.id, b.id) })
	return nil
}

// rootApp returns the Application that was to take over, as the backup has it unless a person says otherwise.
func (p *Plan) rootApp() (string, error) {
	if p.options.RootApp != "" {
		return p.options.RootApp, nil
	}
	var recorded []string
	for i := range p.Apps {
		if r := p.Apps[i].entry.Record; r != nil && r.RootApp != "" && !slices.Contains(recorded, r.RootApp) {
			recorded = append(recorded, r.RootApp)
		}
	}
	if len(recorded) > 1 {
		return "", fmt.Errorf("the backup names several root apps: %s; name apps of one of them, or the root app by --root-app", strings.Join(recorded, ", "))
	}
	return cmp.Or(strings.Join(recorded, ""), argocd.RootApp), nil
}

// look decides about one app, as its live Application is now.
func (p *Plan) look(ctx context.Context, a *App) error {
	live, err := p.in.Cluster.Application(ctx, p.in.Namespace, a.Application)
	if errors.Is(err, cluster.ErrNotFound) {
		a.refuse(RuleGone, "the Application is gone from the cluster",
			"nothing is put back to lose its uid and history for: apply it from the backup by kubectl apply, if it is to be made anew")
		return nil
	}
	if err != nil {
		return err
	}
	if err := p.decide(a, live); err != nil {
		return err
	}
	return p.filesChanged(a)
}

// decide says what is to be done with a live Application.
func (p *Plan) decide(a *App, live *argocd.Application) error {
	a.Findings, a.Steps, a.Action, a.Reason = []finding.Finding{}, []Step{}, "", ""
	t, err := newTarget(a.entry, p.RootApp)
	if err != nil {
		return fmt.Errorf("read the backup of %s: %w", a.App, err)
	}
	if live.Deleting() {
		a.refuse(RuleDeleting, "the Application is being deleted", "see who deletes it; wait until it is gone, or take its finalizers off to keep what it deploys")
		return nil
	}
	if spec(t.app)["sources"] != nil || spec(t.app)["source"] == nil {
		a.refuse(RuleForm, "the backup holds no inline form: its spec has sources, or no source", "find the backup of the run that moved the app")
		return nil
	}
	owner, known := chooseOwner(a.entry, live, p.options.Manager)
	if !known {
		a.refuse(RuleOwner, "neither the backup nor the cluster tells which field manager owned spec.source",
			"name it: --field-manager=apl-operator for an Application that the platform's operator made")
		return nil
	}
	t.owner = owner
	a.target, a.Manager = t, owner.Name
	if was := a.entry.UID(); was != "" && was != live.UID() {
		p.another(a)
	}
	steps := t.pending(live, p.label)
	for _, s := range steps {
		a.Steps = append(a.Steps, Step{Name: s.name, Text: s.text})
	}
	if _, _, by := t.tracked(live, p.label); by != "" && !trackedBy(live, by, p.RootApp) {
		a.refuse(RuleTracked, fmt.Sprintf("Application %s syncs it, not the root app %s", by, p.RootApp), "name the root app by --root-app="+by+" if that is what it is")
		return nil
	}
	p.lost(a, t.changed(live), RuleChanged, "the live Application is neither as the migration left it nor as it was: ", "take what is wanted into the backup, or lose it, with --force")
	switch {
	case a.Action == Refused:
	case len(steps) == 0:
		a.Action, a.Reason = Restored, "it is as it was in the backup"
	default:
		a.Action, a.Reason = Restore, finding.Count(len(steps), "step")
	}
	return nil
}

// another refuses an Application that is not the one of the backup. That of another cluster has the same name, the same form in
// git, and mostly other values.
func (p *Plan) another(a *App) {
	const message = "the live Application is not the one of the backup: its uid is another"
	if p.options.Force {
		a.add(finding.Finding{Rule: RuleAnew, Severity: finding.Warning, Message: message + " (--force)"})
		return
	}
	a.refuse(RuleAnew, message, "see whether --context names the cluster of the backup; if the Application was deleted and made anew since, go on with --force")
}

// trackedBy tells whether what tracks a live Application is the root app.
func trackedBy(live *argocd.Application, by, root string) bool {
	return by == root || live.TrackedBy() == "" && argocd.LabelNames(by, root)
}

// lost refuses what would be lost, unless it is given up.
func (p *Plan) lost(a *App, places []string, rule, message, next string) {
	if len(places) == 0 {
		return
	}
	message += strings.Join(places, ", ")
	if p.options.Force {
		a.add(finding.Finding{Rule: rule, Severity: finding.Warning, Message: message + "; it is lost (--force)"})
		return
	}
	a.refuse(rule, message, next)
}

func (a *App) add(f finding.Finding) {
	f.App = a.App
	a.Findings = append(a.Findings, f)
}

// refuse records why an app must not be put back. The first reason is the one that a table shows.
func (a *App) refuse(rule, message, next string) {
	a.add(finding.Finding{Rule: rule, Severity: finding.Error, Message: message, Next: next})
	if a.Action != Refused {
		a.Action, a.Reason = Refused, message
	}
}

var _ Cluster = (*cluster.Client)(nil)
