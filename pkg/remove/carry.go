package remove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	manager = "kubectl-apl"
	// maxTries bounds how often somebody else's write may come before ours: Argo CD writes the status every few seconds.
	maxTries = 25
	// pause is what somebody else gets to finish writing.
	pause = 100 * time.Millisecond
)

// Carry does what the plan says and waits, no longer than timeout, until the Application is gone; 0 waits for nothing. said is
// told of each step that was done. A plan that is refused does nothing and returns ErrRefused, also where that is so by now;
// the errors of waiting are ErrStuck and ErrAnew. ErrChanged of package cluster says that it is not what the plan was made of.
func (p *Plan) Carry(ctx context.Context, dryRun cluster.DryRun, timeout time.Duration, said func(Step)) error {
	if dryRun != cluster.DryRunNone {
		p.DryRun = dryRun
	}
	switch {
	case p.Refused():
		return ErrRefused
	case p.Action == Gone, dryRun == cluster.DryRunClient:
		return nil
	case dryRun == cluster.DryRunServer:
		return p.try(ctx)
	}
	if p.Writes() {
		if err := p.again(ctx); err != nil {
			return err
		}
		// Before the protection goes: without it the root app would prune what nobody was allowed to delete.
		if err := p.mayDelete(ctx); err != nil && !errors.Is(err, cluster.ErrNotFound) {
			return err
		}
		if err := p.delete(ctx, said); err != nil {
			return err
		}
	}
	return p.wait(ctx, timeout, said)
}

// again looks once more, since a person may have thought about it for long.
func (p *Plan) again(ctx context.Context) error {
	now, err := p.in.Cluster.Application(ctx, p.in.Namespace, p.name)
	if errors.Is(err, cluster.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !p.same(now) {
		return fmt.Errorf("remove %s: %w since it was shown; run again", p.App, cluster.ErrChanged)
	}
	shown, data := p.live, p.Data
	p.live = now
	if err := p.decide(ctx); err != nil {
		return err
	}
	if p.Refused() {
		return ErrRefused
	}
	more := slices.DeleteFunc(slices.Clone(p.Data), func(r Resource) bool { return slices.Contains(data, r) })
	if len(more) > 0 && p.Action == Remove {
		return fmt.Errorf("remove %s: %w since it was shown: %s %s goes with it too; run again", p.App, cluster.ErrChanged, more[0].Kind, more[0].Name)
	}
	if now.Deleting() && !shown.Deleting() {
		p.Reason = "somebody else deletes it"
	}
	return nil
}

// same tells whether what was read now is the Application that was shown, as far as anybody declares it.
func (p *Plan) same(now *argocd.Application) bool {
	return now.UID() == p.live.UID() && values.Equal(now.Declared(), p.live.Declared())
}

// mayDelete has the server say whether it would delete the Application.
func (p *Plan) mayDelete(ctx context.Context) error {
	live := p.live
	for range maxTries {
		if live.Deleting() {
			return nil
		}
		err := p.in.Cluster.DeleteApplication(ctx, live, cluster.WriteOptions{Manager: manager, DryRun: true})
		if !errors.Is(err, cluster.ErrChanged) {
			return err
		}
		if live, err = p.in.Cluster.Application(ctx, p.in.Namespace, p.name); err != nil {
			return err
		}
	}
	return p.busy()
}

// busy says that somebody else always writes first.
func (p *Plan) busy() error {
	return fmt.Errorf("delete %s: %w, again and again; see who writes it: kubectl get applications.argoproj.io %s -n %s -o yaml --show-managed-fields",
		p.App, cluster.ErrChanged, p.name, p.in.Namespace)
}

// try has the server check each write, as if it were the next.
func (p *Plan) try(ctx context.Context) error {
	operations, _ := p.prepare(p.live)
	if len(operations) > 0 {
		if _, err := p.in.Cluster.Patch(ctx, p.in.Namespace, p.name, operations, cluster.WriteOptions{Manager: manager, DryRun: true}); err != nil {
			return err
		}
		p.done(Prepare, nil)
	}
	if err := p.mayDelete(ctx); err != nil {
		return err
	}
	p.done(Delete, nil)
	return nil
}

// delete prepares and deletes. Both are done anew where somebody else has written the status in between, and not at all where it is
// no longer what was shown.
func (p *Plan) delete(ctx context.Context, said func(Step)) error {
	for range maxTries {
		live, err := p.in.Cluster.Application(ctx, p.in.Namespace, p.name)
		if errors.Is(err, cluster.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if live.UID() != p.live.UID() {
			return fmt.Errorf("delete %s: %w: it is another Application by now", p.App, ErrAnew)
		}
		if !live.Deleting() && !p.same(live) {
			return fmt.Errorf("delete %s: %w since it was shown; run again", p.App, cluster.ErrChanged)
		}
		operations, _ := p.prepare(live)
		if len(operations) > 0 {
			operations = slices.Insert(operations, 0, cluster.Test(live.ResourceVersion(), "metadata", "resourceVersion"))
			live, err = p.in.Cluster.Patch(ctx, p.in.Namespace, p.name, operations, cluster.WriteOptions{Manager: manager})
		}
		if err == nil && len(operations) > 0 {
			p.live = live
			p.done(Prepare, said)
		}
		if err == nil && !live.Deleting() {
			err = p.in.Cluster.DeleteApplication(ctx, live, cluster.WriteOptions{Manager: manager})
		}
		switch {
		case errors.Is(err, cluster.ErrNotFound):
			return nil
		case !errors.Is(err, cluster.ErrChanged):
			if err == nil {
				p.done(Delete, said)
			}
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
	return p.busy()
}

// done marks a step, and tells of it once.
func (p *Plan) done(name StepName, said func(Step)) {
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Name == name && !s.Done {
			if s.Done = true; said != nil {
				said(*s)
			}
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
