package handover

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
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// The rules by which a hand-over is refused, or a person is told something.
const (
	RuleOperator   = "handover-operator"
	RuleOwned      = "handover-owned"
	RuleDeleting   = "handover-deleting"
	RuleNoFile     = "handover-no-file"
	RuleTwoFiles   = "handover-two-files"
	RuleUnreadable = "handover-unreadable"
	RuleUnpushed   = "handover-unpushed"
	RuleAdopter    = "handover-adopter"
	RuleMissing    = "handover-adopter-missing"
	RuleNotAdopted = "handover-not-adopted"
	RuleGone       = "handover-gone"
	RuleStatus     = "handover-status"
)

// New looks at the -artifacts Applications that are wanted, at each object that they have, at the files of the values repo and at
// what would undo the hand-over, and plans. It writes nothing. It returns an error for what makes the whole plan impossible: an
// APP that is no -artifacts release, a cluster or a repo that cannot be read, a remote that cannot be asked.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	p := &Plan{APIVersion: APIVersion, Kind: Kind, Apps: []App{}, Findings: []finding.Finding{}, Next: []string{}, in: in, options: options}
	if err := p.choose(); err != nil {
		return nil, err
	}
	if p.Pending() == 0 {
		return p, nil
	}
	var err error
	if p.Tracking, err = in.Cluster.Tracking(ctx, in.Namespace); err != nil {
		return nil, fmt.Errorf("what tells Argo CD whose an object is must be known before one is handed over: %w", err)
	}
	if p.files, err = readInventory(ctx, in.Repo); err != nil {
		return nil, err
	}
	if err := p.scan(ctx); err != nil {
		return nil, err
	}
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.Action != HandOver {
			continue
		}
		if err := p.look(ctx, a); err != nil {
			return nil, err
		}
	}
	p.hinder()
	if p.Pending() > 0 {
		if err := p.guard(ctx); err != nil && !errors.Is(err, ErrRefused) {
			return nil, err
		}
	}
	p.next()
	return p, nil
}

// hinder refuses Applications whose objects it makes no sense to wait for. While some Application is still to be marked or held it only
// tells of them: that comes first, of all.
func (p *Plan) hinder() {
	holding := slices.ContainsFunc(p.Apps, func(a App) bool { return a.Action == HandOver && rank(a.pending[0].name) <= rank(Hold) })
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.Action != HandOver {
			continue
		}
		for _, f := range a.early {
			if holding {
				f.Severity, f.Message = finding.Warning, f.Message+"; first the old Application is marked and held"
				a.Findings = append(a.Findings, f)
				continue
			}
			a.refuse(f.Rule, f.Message, f.Next)
		}
	}
}

// stop refuses, once all are held, Applications that wait for what only a person does: a push, or an Application that is made.
func (p *Plan) stop() error {
	var stopped []string
	for i := range p.Apps {
		a := &p.Apps[i]
		for _, f := range a.early {
			if f.Rule == RuleUnpushed || f.Rule == RuleMissing {
				a.refuse(f.Rule, f.Message, f.Next)
			}
		}
		if a.Action == Refused {
			stopped = append(stopped, a.App)
		}
	}
	if len(stopped) == 0 {
		return nil
	}
	return fmt.Errorf("%w until what %s waits for is done; the old Applications are held", ErrRefused, named(stopped))
}

// choose takes the live Applications of -artifacts releases, or those of them that are named.
func (p *Plan) choose() error {
	named := map[string]bool{}
	for _, name := range p.options.Apps {
		named[name] = false
	}
	wanted := func(id app.ID) bool {
		_, byID := named[id.String()]
		_, byName := named[id.Name()]
		if byID {
			named[id.String()] = true
		}
		if byName {
			named[id.Name()] = true
		}
		return byID || byName || len(named) == 0
	}
	live := map[app.ID]bool{}
	for _, a := range p.in.Applications {
		id, err := a.ID()
		class, _ := a.Class()
		if err != nil || class != argocd.Platform || a.Namespace() != p.in.Namespace {
			continue
		}
		if r, ok := p.in.Registry.Get(id); !ok || !r.Artifacts() || !wanted(id) {
			continue
		}
		live[id] = true
		p.add(id, a.Name(), HandOver, "")
		if reason, ok := p.in.Config.Excluded(id); ok {
			last := &p.Apps[len(p.Apps)-1]
			last.Action, last.Reason = Skipped, "excluded by "+layout.ConfigFile+": "+reason
		}
	}
	for r := range p.in.Registry.All() {
		if len(named) > 0 && r.Artifacts() && !live[r.ID] && wanted(r.ID) {
			p.add(r.ID, r.ID.Name(), Done, "there is no Application of it")
		}
	}
	for _, name := range p.options.Apps {
		if !named[name] {
			return fmt.Errorf("%s: %w that the registry knows; an APP is namespace/releaseName", name, ErrApp)
		}
	}
	slices.SortFunc(p.Apps, func(a, b App) int { return cmp.Or(app.Compare(a.id, b.id), cmp.Compare(a.Application, b.Application)) })
	return nil
}

func (p *Plan) add(id app.ID, application string, action Action, reason string) {
	p.Apps = append(p.Apps, App{App: id.String(), Application: application, Action: action, Reason: reason,
		Objects: []Object{}, Steps: []Step{}, Findings: []finding.Finding{}, id: id})
}

// scan finds all objects that are marked as those of an Application in the plan, of each kind that such an Application or the
// values repo has. The status of an Application is as old as its last comparison.
func (p *Plan) scan(ctx context.Context) error {
	type kind struct{ group, name string }
	kinds := map[kind]bool{}
	for _, ref := range p.files.refs() {
		kinds[kind{ref.Group, ref.Kind}] = true
	}
	for _, a := range p.in.Applications {
		if !slices.ContainsFunc(p.Apps, func(other App) bool { return other.Application == a.Name() }) {
			continue
		}
		for _, r := range a.Resources() {
			kinds[kind{r.Group, r.Kind}] = true
		}
	}
	p.tracked = map[string][]argocd.ObjectRef{}
	for k := range kinds {
		list, err := p.in.Cluster.ListMetadata(ctx, k.group, k.name)
		if errors.Is(err, cluster.ErrUnserved) {
			continue
		}
		if err != nil {
			return fmt.Errorf("find what is marked as an object of the Applications: %w", err)
		}
		for _, m := range list {
			for i := range p.Apps {
				// What has an owner in the cluster comes and goes with that, and Argo CD does not count it.
				if a := &p.Apps[i]; !m.Owned && a.Action == HandOver && p.Tracking.Owns(a.Application, m.Labels, m.Annotations) {
					p.tracked[a.Application] = append(p.tracked[a.Application], m.ObjectRef)
				}
			}
		}
	}
	return nil
}

// next says what is left for a person.
func (p *Plan) next() {
	p.Next = []string{}
	if len(p.Apps) == 0 || p.Refused() {
		return
	}
	p.Next = append(p.Next, "keep the platform's operator paused until the platform's version no longer makes these Applications: it would make them anew, "+
		"and they would take their objects back. Then have it run again: "+argocd.ResumeOperator)
}

func (a *App) add(severity finding.Severity, rule, next, format string, args ...any) {
	a.Findings = append(a.Findings, a.finding(severity, rule, next, fmt.Sprintf(format, args...)))
}

func (a *App) finding(severity finding.Severity, rule, next, message string) finding.Finding {
	return finding.Finding{Rule: rule, Severity: severity, App: a.App, Message: message, Next: next}
}

// refuse records why nothing may be done with an Application. The first reason is the one that a table shows.
func (a *App) refuse(rule, message, next string) {
	a.add(finding.Error, rule, next, "%s", message)
	if a.Action != Refused {
		a.Action, a.Reason = Refused, message
	}
}

// maxNamed bounds how many objects or files a message names.
const maxNamed = 5

// named lists some names, and counts the rest.
func named(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}

var _ Cluster = (*cluster.Client)(nil)
