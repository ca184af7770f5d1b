package remove

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

var (
	// ErrStuck is wrapped where the Application is still there when the time to wait is over. The plan says what is left.
	ErrStuck = errors.New("it is not gone yet")
	// ErrAnew is wrapped where somebody has made the Application anew.
	ErrAnew = errors.New("somebody has made it anew")
)

const (
	// poll is how often the Application is looked at while it goes.
	poll = time.Second
	// maxLooked bounds how many of its objects are looked for where it does not go.
	maxLooked = 200
)

// wait looks until the Application is gone.
func (p *Plan) wait(ctx context.Context, timeout time.Duration, said func(Step)) error {
	deadline, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for { // ends with the deadline
		live, err := p.in.Cluster.Application(ctx, p.in.Namespace, p.name)
		switch {
		case errors.Is(err, cluster.ErrNotFound):
			p.done(Wait, said)
			return p.left(ctx)
		case err != nil && ctx.Err() == nil:
			return fmt.Errorf("wait until %s is gone: %w; it is on its way out, and running it again waits again", p.App, err)
		case err != nil:
			return err
		case live.UID() != p.live.UID():
			return p.anew(live)
		case timeout == 0:
			p.live = live
			return nil
		}
		p.live = live
		if sleep(deadline, poll) == nil {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.stuck(ctx, live); err != nil {
			return err
		}
		return fmt.Errorf("remove %s: %w after %s; running it again waits again", p.App, ErrStuck, timeout)
	}
}

// anew says who made the Application again.
func (p *Plan) anew(live *argocd.Application) error {
	var by []string
	for _, m := range live.FieldManagers("spec") {
		by = append(by, m.Name)
	}
	return fmt.Errorf("remove %s: the one that was shown is gone, but %w: %s", p.App, ErrAnew, strings.Join(by, ", "))
}

// left tells what of the Application's objects is still there although it is gone: what is protected itself, what others hold,
// and what other Applications deploy as well.
func (p *Plan) left(ctx context.Context) error {
	if p.options.Orphan {
		return nil
	}
	if err := p.look(ctx, p.live.Resources()); err != nil {
		return fmt.Errorf("it is gone; look for what is left: %w", err)
	}
	if len(p.Left) > 0 {
		p.add(finding.Warning, RuleLeft, "not all that it deployed is gone: see the list", "wait for what is on its way out; delete what is kept, if it is not wanted")
	}
	return nil
}

// look finds those of a list of objects that are there.
func (p *Plan) look(ctx context.Context, looked []argocd.Resource) error {
	unseen, more := 0, len(looked)-maxLooked
	for _, r := range looked[:min(len(looked), maxLooked)] {
		object, err := p.in.Cluster.Live(ctx, declaration(r))
		switch {
		case errors.Is(err, cluster.ErrNotFound), errors.Is(err, cluster.ErrUnserved):
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			unseen++
		default:
			p.Left = append(p.Left, Resource{Kind: kindName(r.ObjectRef), Namespace: r.Namespace, Name: r.Name, Note: holds(object)})
		}
	}
	if unseen += max(more, 0); unseen > 0 {
		p.add(finding.Warning, RuleUnseen, fmt.Sprintf("of %d of its objects it is not known whether they are still there: they may not be read, or are too many", unseen), "")
	}
	return nil
}

// stuck finds what holds the Application up.
func (p *Plan) stuck(ctx context.Context, live *argocd.Application) error {
	if err := p.look(ctx, live.Resources()); err != nil {
		return err
	}
	projects, err := p.in.Cluster.Projects(ctx, p.in.Namespace)
	if err != nil {
		return err
	}
	switch held := strings.Join(live.Finalizers(), ", "); {
	case missing(projects, live.Project()):
		p.add(finding.Warning, RuleStuck, "AppProject "+live.Project()+" is not there: without it Argo CD deletes nothing",
			"make it again: Argo CD then goes on by itself")
	case !live.Deleting():
		p.add(finding.Warning, RuleStuck, "the Application is not marked for deletion any more", "run it again")
	case len(p.Left) > 0:
		p.add(finding.Warning, RuleStuck, fmt.Sprintf("finalizers hold the Application (%s), and not all of its objects are gone", held),
			"see what holds these; see the log of argocd-application-controller")
	default:
		p.add(finding.Warning, RuleStuck, "finalizers hold the Application ("+held+"), and none of its objects is there any more",
			"see whether argocd-application-controller runs, and its log")
	}
	return nil
}

// declaration names an object of a status.
func declaration(r argocd.Resource) map[string]any {
	version := r.Version
	if r.Group != "" {
		version = r.Group + "/" + r.Version
	}
	metadata := map[string]any{"name": r.Name}
	if r.Namespace != "" {
		metadata["namespace"] = r.Namespace
	}
	return map[string]any{"apiVersion": version, "kind": r.Kind, "metadata": metadata}
}

// holds says what holds an object, by its metadata alone.
func holds(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	options, _ := annotations[argocd.SyncOptionsAnnotation].(string)
	switch {
	case metadata["deletionTimestamp"] != nil:
	case strings.Contains(options, "Delete=false"):
		return "kept by its sync option Delete=false"
	default:
		return "not marked for deletion"
	}
	var names []string
	list, _ := metadata["finalizers"].([]any)
	for _, f := range list {
		names = append(names, fmt.Sprint(f))
	}
	if len(names) == 0 {
		return "on its way out"
	}
	return "held by finalizers " + strings.Join(names, ", ")
}
