package remove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// The rules of findings.
const (
	RuleNotPlatform = "remove-not-platform"
	RuleOtherApp    = "remove-other-app"
	RuleOwner       = "remove-owner"
	RuleInGit       = "remove-in-git"
	RuleGate        = "remove-gate-on"
	RuleRootApp     = "remove-root-app"
	RuleOperator    = "remove-operator"
	RuleWriter      = "remove-writer"
	RuleProject     = "remove-project"
	RuleItself      = "remove-argocd"
	RuleData        = "remove-data"
	RuleUnseen      = "remove-unseen"
	RuleLeft        = "remove-left"
	RuleStuck       = "remove-stuck"
	RuleUnknown     = "remove-unknown"
)

// ErrApp is wrapped for an APP that is neither an identity nor an app name.
var ErrApp = errors.New("no app")

// ErrNamespace is wrapped for a namespace in which there are no apps of the platform: none would look as if it were gone.
var ErrNamespace = errors.New("the platform's Applications are in namespace " + argocd.Namespace)

// New looks at the Application, at what goes with it, and at who would make it anew, and plans. It writes nothing. The error is for
// an APP that is none, and for a repo or a cluster that cannot be read.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	options.RootApp = cmp.Or(options.RootApp, argocd.RootApp)
	p := &Plan{
		APIVersion: APIVersion, Kind: Kind, Resources: []Count{}, Data: []Resource{}, Steps: []Step{}, Left: []Resource{},
		in: in, options: options,
	}
	if in.Namespace != argocd.Namespace {
		return nil, fmt.Errorf("look for Applications in namespace %s: %w; leave out --namespace", in.Namespace, ErrNamespace)
	}
	if err := p.choose(); err != nil {
		return nil, err
	}
	live, err := in.Cluster.Application(ctx, in.Namespace, p.name)
	if errors.Is(err, cluster.ErrNotFound) {
		live, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.live = live
	if err := p.decide(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// choose reads the APP.
func (p *Plan) choose() error {
	p.App, p.name = p.options.App, p.options.App
	if strings.Contains(p.options.App, "/") {
		id, err := app.Parse(p.options.App)
		if err != nil {
			return err
		}
		p.id, p.name = id, id.Name()
	}
	p.Application = p.name
	if _, ok := layout.Parse(layout.Application{Name: p.name}.Path()); !ok {
		return fmt.Errorf("%q: %w; an APP is namespace/releaseName, or the name of its Application", p.options.App, ErrApp)
	}
	return nil
}

// heardOf warns of an app that nothing speaks of: what is misspelt is not there either. An app that was moved and switched off has its
// value files in the repo.
func (p *Plan) heardOf() error {
	if p.id == (app.ID{}) || p.in.Repo == nil {
		return nil
	}
	for _, path := range []string{layout.ManagedFile(p.id), layout.CustomFile(p.id)} {
		_, here, err := p.in.Repo.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if here {
			return nil
		}
	}
	p.add(finding.Warning, RuleUnknown, "there is no Application of "+p.App+", and no value file of it in the values repo either", "see whether it is spelled right: it is namespace/releaseName")
	return nil
}

// decide says what is to be done with the Application, as it is now.
func (p *Plan) decide(ctx context.Context) error {
	p.Findings = []finding.Finding{}
	if p.live == nil {
		p.Action, p.Reason = Gone, "there is no Application "+p.name
		if err := p.heardOf(); err != nil {
			return err
		}
		return p.inGit(ctx, finding.Warning)
	}
	p.resources()
	p.Action, p.Reason = Remove, "it is deleted with what it deploys"
	switch {
	case p.options.Orphan:
		p.Action, p.Reason = Orphan, "it is deleted, and what it deploys stays"
	case p.live.Deleting():
		p.Action, p.Reason = Going, "it is being deleted already"
	}
	if err := p.guard(ctx); err != nil {
		return err
	}
	if at := slices.IndexFunc(p.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error }); at >= 0 {
		p.Action, p.Reason = Refused, p.Findings[at].Message
		return nil
	}
	p.Steps = []Step{}
	if _, text := p.prepare(p.live); text != "" {
		p.Steps = append(p.Steps, Step{Name: Prepare, Text: text})
	}
	if !p.live.Deleting() {
		p.Steps = append(p.Steps, Step{Name: Delete, Text: "delete the Application, as it was read"})
	}
	p.Steps = append(p.Steps, Step{Name: Wait, Text: "wait until it is gone"})
	return nil
}

// resources counts what the Application deploys, and names what holds data.
func (p *Plan) resources() {
	counts := map[string]int{}
	p.Data = []Resource{}
	for _, r := range p.live.Resources() {
		counts[kindName(r.ObjectRef)]++
		if losesData(r.ObjectRef) {
			p.Data = append(p.Data, Resource{Kind: kindName(r.ObjectRef), Namespace: r.Namespace, Name: r.Name})
		}
	}
	p.Resources = []Count{}
	for kind, n := range counts {
		p.Resources = append(p.Resources, Count{kind, n})
	}
	slices.SortFunc(p.Resources, func(a, b Count) int { return cmp.Compare(a.Kind, b.Kind) })
	slices.SortFunc(p.Data, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

func kindName(ref argocd.ObjectRef) string { return strings.TrimSuffix(ref.Kind+"."+ref.Group, ".") }

// losesData tells the objects whose deletion loses data, or takes objects of others along (DESIGN 10). A StatefulSet is none: the
// claims that it makes stay.
func losesData(ref argocd.ObjectRef) bool {
	kind := artifact.GroupKind{Group: ref.Group, Kind: ref.Kind}
	return kind.HoldsData() || kind == artifact.GroupKind{Group: "argoproj.io", Kind: "Application"}
}
