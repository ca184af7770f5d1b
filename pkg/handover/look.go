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
)

// look reads an Application and each of its objects, and decides anew what is left to do.
func (p *Plan) look(ctx context.Context, a *App) error {
	a.Findings, a.early, a.pending = []finding.Finding{}, nil, nil
	live, err := p.in.Cluster.Application(ctx, p.in.Namespace, a.Application)
	if errors.Is(err, cluster.ErrNotFound) {
		a.gone("the Application is gone")
		return nil
	}
	if err != nil {
		return err
	}
	a.live = live
	if live.Deleting() && len(live.CascadeFinalizers()) == 0 {
		a.gone("the Application is on its way out, and takes nothing along")
		return nil
	}
	a.Action, a.Reason = HandOver, ""
	p.checkOld(a)
	if err := p.lookAtObjects(ctx, a); err != nil {
		return err
	}
	if err := p.checkAdopters(ctx, a); err != nil {
		return err
	}
	if a.pending = p.stepsOf(a); a.Action == HandOver {
		a.Reason = a.summary()
	}
	a.Steps = slices.Clone(a.done)
	for _, s := range a.pending {
		a.Steps = append(a.Steps, Step{Name: s.name, Text: s.text})
	}
	return nil
}

func (a *App) gone(reason string) {
	a.Action, a.Reason, a.Steps = Done, reason, slices.Clone(a.done)
	if len(a.done) > 0 {
		a.Reason = "handed over: " + a.summary()
	}
}

// checkOld refuses an Application that somebody makes, or that is taking its objects along.
func (p *Plan) checkOld(a *App) {
	live := a.live
	annotations := map[string]string{}
	for _, key := range argocd.TrackingAnnotations() {
		annotations[key] = live.Annotation(key)
	}
	owner := p.Tracking.Owner(live.Labels(), annotations)
	set, owned := live.Owner()
	switch {
	case live.Deleting():
		a.refuse(RuleDeleting, "the Application is being deleted, and takes along what it owns",
			"take its finalizers off at once to keep the objects: "+strings.Join(live.CascadeFinalizers(), ", "))
	case owned:
		a.refuse(RuleOwned, fmt.Sprintf("ApplicationSet %s makes the Application, and would make it anew", set), "change the template of the ApplicationSet")
	case owner != "" && owner != a.Application:
		a.refuse(RuleOwned, fmt.Sprintf("Application %s syncs the Application, and would make it anew", owner), "take it out of what "+owner+" syncs")
	}
	if !live.Compared() {
		a.add(finding.Warning, RuleStatus, "see that all of its objects are listed here (-o wide)",
			"the Application has not compared the cluster with its source, or cannot: what it has is told by the marks on objects alone, of the kinds that the values repo has or other such Applications list")
	}
}

// lookAtObjects reads what the status lists, and what was found to be marked as the Application's.
func (p *Plan) lookAtObjects(ctx context.Context, a *App) error {
	var refs []argocd.ObjectRef
	for _, r := range a.live.Resources() {
		refs = append(refs, r.ObjectRef)
	}
	refs = append(refs, p.tracked[a.Application]...)
	a.Objects = []Object{}
	seen := map[argocd.ObjectRef]bool{}
	for _, ref := range refs {
		o := Object{ref: ref}
		meta, err := p.in.Cluster.Metadata(ctx, ref)
		switch {
		case errors.Is(err, cluster.ErrNotFound), errors.Is(err, cluster.ErrUnserved):
			o.State = Gone
		case err != nil:
			return fmt.Errorf("look at the objects of %s: %w", a.App, err)
		default:
			o.ref, o.meta = meta.ObjectRef, meta // a status can name a namespace for what is in none
		}
		if seen[o.ref] {
			continue
		}
		seen[o.ref] = true
		o.Group, o.Kind, o.Namespace, o.Name = o.ref.Group, o.ref.Kind, o.ref.Namespace, o.ref.Name
		if o.State != Gone {
			p.judge(a, &o)
		}
		a.Objects = append(a.Objects, o)
	}
	slices.SortFunc(a.Objects, compareObjects)
	p.tell(a)
	return nil
}

func compareObjects(x, y Object) int {
	return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Group, y.Group))
}

// judge says how far an object is.
func (p *Plan) judge(a *App, o *Object) {
	o.Owner = p.Tracking.Owner(o.meta.Labels, o.meta.Annotations)
	files := p.files.byRef[o.ref]
	if len(files) == 0 {
		switch o.State = Kept; {
		case o.Owner != "" && !p.Tracking.Owns(a.Application, o.meta.Labels, o.meta.Annotations):
			o.State, o.Why = Other, "it belongs to Application "+o.Owner
		case o.ref.Group == "" && o.ref.Kind == "Secret":
			o.Why = "git holds no plain Secret"
		case app.IsTeam(o.ref.Namespace):
			o.Why = "it is in a team's namespace"
		default:
			o.Why = "it has no file in the values repo"
		}
		return
	}
	o.File, o.Adopter, o.State = files[0].path, files[0].adopter, Waiting
	if len(files) > 1 {
		a.refuse(RuleTwoFiles, fmt.Sprintf("%s stands in two files, %s and %s: two Applications would take it from each other", o, files[0].path, files[1].path), "remove one of them, and push that")
	}
	switch {
	case o.meta.Deleting:
		o.Why = "it is being deleted"
	case p.Tracking.Owns(o.Adopter, o.meta.Labels, o.meta.Annotations):
		o.State = Adopted
	case o.Owner == "":
		o.Why = "it belongs to no Application"
	default:
		o.Why = "it belongs to Application " + o.Owner
	}
}

// with returns the objects of a state.
func (a *App) with(state State) (list []*Object) {
	for i := range a.Objects {
		if a.Objects[i].State == state {
			list = append(list, &a.Objects[i])
		}
	}
	return list
}

func names(list []*Object) (out []string) {
	for _, o := range list {
		out = append(out, o.String())
	}
	return out
}

// tell says what a person should know of objects that nobody takes over.
func (p *Plan) tell(a *App) {
	const write = "write their files by kubectl apl artifacts, push them, and run this again"
	var unfiled []*Object
	filed := len(a.with(Adopted)) + len(a.with(Waiting))
	for _, o := range a.with(Kept) {
		if !(o.ref.Group == "" && o.ref.Kind == "Secret") && !app.IsTeam(o.ref.Namespace) {
			unfiled = append(unfiled, o)
		}
	}
	switch {
	case len(unfiled) == 0:
	case filed == 0:
		a.refuse(RuleNoFile, fmt.Sprintf("none of its objects has a file in the values repo: %s", named(names(unfiled))), write)
	default:
		a.add(finding.Warning, RuleNoFile, "if git is to hold them, "+write,
			"no file in the values repo, so that they stay as they are and nobody syncs them any more: %s", named(names(unfiled)))
	}
	if gone := a.with(Gone); len(gone) > 0 {
		a.add(finding.Info, RuleGone, "", "the status of the Application lists what the cluster does not have: %s", named(names(gone)))
	}
	var unpushed []string
	for _, o := range append(a.with(Waiting), a.with(Adopted)...) {
		if p.files.unpushed[o.File] && !slices.Contains(unpushed, o.File) {
			unpushed = append(unpushed, o.File)
		}
	}
	if slices.Sort(unpushed); len(unpushed) > 0 {
		a.early = append(a.early, a.finding(finding.Error, RuleUnpushed, "run git push, and run this again",
			fmt.Sprintf("%s does not have these files as HEAD has them: %s", p.files.upstream, named(unpushed))))
	}
}

// summary counts the objects by state.
func (a *App) summary() string {
	var parts []string
	for _, state := range []State{Adopted, Waiting, Kept, Other, Gone} {
		if n := len(a.with(state)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(parts) == 0 {
		return "no objects"
	}
	return strings.Join(parts, ", ")
}
