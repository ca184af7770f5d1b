package remove

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	if now.UID() != p.live.UID() || !values.Equal(now.Declared(), p.live.Declared()) {
		return fmt.Errorf("remove %s: %w since it was shown; run again", p.App, cluster.ErrChanged)
	}
	shown := p.live
	p.live = now
	if err := p.decide(ctx); err != nil {
		return err
	}
	if p.Refused() {
		return ErrRefused
	}
	if now.Deleting() && !shown.Deleting() {
		p.Reason = "somebody else deletes it"
	}
	return nil
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
	if p.live.Deleting() {
		return nil
	}
	for range maxTries {
		err := p.in.Cluster.DeleteApplication(ctx, p.live, cluster.WriteOptions{Manager: manager, DryRun: true})
		if !errors.Is(err, cluster.ErrChanged) {
			if err == nil {
				p.done(Delete, nil)
			}
			return err
		}
		if p.live, err = p.in.Cluster.Application(ctx, p.in.Namespace, p.name); err != nil {
			return err
		}
	}
	return fmt.Errorf("delete %s: %w, again and again", p.App, cluster.ErrChanged)
}

// delete prepares and deletes. Both are done anew where somebody else has written in between.
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
		operations, _ := p.prepare(live)
		if len(operations) > 0 {
			live, err = p.in.Cluster.Patch(ctx, p.in.Namespace, p.name, operations, cluster.WriteOptions{Manager: manager})
		}
		if err == nil && len(operations) > 0 {
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
	return fmt.Errorf("delete %s: %w, again and again; see who writes it: kubectl get applications.argoproj.io %s -n %s -o yaml --show-managed-fields",
		p.App, cluster.ErrChanged, p.name, p.in.Namespace)
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
