package handover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const (
	// maxLooks bounds how often one Application is looked at for its steps, somebody else's writes included.
	maxLooks = 25
	// pause is what somebody else gets to finish writing.
	pause = 100 * time.Millisecond
)

// ErrNotDone is wrapped for an Application that does not become what it is to be.
var ErrNotDone = errors.New("it does not stay as it is put")

// ErrLost is wrapped where an object went although nothing that was done here deletes it.
var ErrLost = errors.New("an object is gone")

// Carry does what the plan says. said is told of each step that was done. First nothing of any Application that could hold up
// the others is deleted: all are marked and held, all objects are waited for, and only then the Applications go, one after the
// other.
//
// A plan that is refused does nothing, and returns ErrRefused; so does one against which something comes to stand meanwhile.
// ErrNotAdopted says that the wait was in vain; the findings name the objects. Whatever ends it, the plan says what was done,
// and the next run goes on from there.
func (p *Plan) Carry(ctx context.Context, dryRun cluster.DryRun, said func(a *App, s Step)) error {
	if dryRun != cluster.DryRunNone {
		p.DryRun = dryRun
	}
	switch {
	case p.Refused():
		return ErrRefused
	case dryRun == cluster.DryRunClient:
		return nil
	case dryRun == cluster.DryRunServer:
		return p.each(func(a *App) error { return p.try(ctx, a) })
	}
	if err := p.each(func(a *App) error { return p.advance(ctx, a, Hold, said) }); err != nil {
		return err
	}
	if err := p.stop(); err != nil {
		return err
	}
	if err := p.await(ctx, said); err != nil {
		return err
	}
	if p.Pending() > 0 { // what came to be marked meanwhile counts too
		if err := p.scan(ctx); err != nil {
			return err
		}
	}
	if err := p.each(func(a *App) error { return p.ready(ctx, a) }); err != nil {
		return err
	}
	err := p.each(func(a *App) error { return p.advance(ctx, a, Delete, said) })
	p.next()
	return err
}

// each does the same with every Application that is to be handed over.
func (p *Plan) each(do func(a *App) error) error {
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.Action != HandOver {
			continue
		}
		if err := do(a); err != nil {
			return fmt.Errorf("hand %s over: %w", a.App, err)
		}
	}
	return nil
}

// try has the server check every write of an Application as if it were the next. A step tests nothing that the one before it
// makes.
func (p *Plan) try(ctx context.Context, a *App) error {
	for i, s := range a.pending {
		if s.do == nil {
			continue
		}
		if err := s.do(ctx, p.in.Cluster, true); err != nil {
			return fmt.Errorf("step %s: %w", s.name, err)
		}
		a.Steps[i].Done = true
	}
	return nil
}

// advance does the steps of an Application up to and with one. Before each it looks at everything again, and decides anew: so
// it never writes over what somebody else has written meanwhile.
func (p *Plan) advance(ctx context.Context, a *App, last StepName, said func(a *App, s Step)) error {
	var failed error
	for range maxLooks {
		if err := p.look(ctx, a); err != nil {
			return err
		}
		switch {
		case a.Action == Refused:
			return fmt.Errorf("%w: %s", ErrRefused, a.Reason)
		case a.Action == Done:
			return p.verify(ctx, a)
		}
		s := a.pending[0]
		if s.do == nil && last == Delete {
			return p.notAdopted(a)
		}
		if s.do == nil || rank(s.name) > rank(last) {
			return nil
		}
		if err := p.guard(ctx); err != nil {
			return err
		}
		failed = s.do(ctx, p.in.Cluster, false)
		if errors.Is(failed, cluster.ErrChanged) || errors.Is(failed, cluster.ErrNotFound) {
			if err := sleep(ctx, pause); err != nil {
				return err
			}
			continue
		}
		if failed != nil {
			return fmt.Errorf("step %s: %w", s.name, failed)
		}
		p.did(a, s, said)
	}
	if failed != nil {
		return failed
	}
	return fmt.Errorf("%w; see who writes it: kubectl get applications.argoproj.io %s -n %s -o yaml --show-managed-fields", ErrNotDone, a.Application, p.in.Namespace)
}

// did records a step that was done: the plan says so also when the next look fails.
func (p *Plan) did(a *App, s step, said func(a *App, s Step)) {
	step := Step{Name: s.name, Text: s.text, Done: true}
	a.Steps = append(append(slices.Clone(a.done), step), a.Steps[min(len(a.done)+1, len(a.Steps)):]...)
	a.done = append(a.done, step)
	said(a, step)
}

func rank(name StepName) int {
	return slices.Index([]StepName{Mark, Hold, Adopt, Release, Delete}, name)
}

// ready looks once more whether an Application may go: after the wait, and before any other goes.
func (p *Plan) ready(ctx context.Context, a *App) error {
	if err := p.look(ctx, a); err != nil {
		return err
	}
	switch {
	case a.Action == Refused:
		return fmt.Errorf("%w: %s", ErrRefused, a.Reason)
	case a.Action == HandOver && rank(a.pending[0].name) < rank(Release):
		return p.notAdopted(a)
	}
	return nil
}

// notAdopted says that an Application may not go, and why.
func (p *Plan) notAdopted(a *App) error {
	p.addNotAdopted(a)
	if waiting := a.with(Waiting); len(waiting) > 0 {
		return fmt.Errorf("%w: %s", ErrNotAdopted, named(names(waiting)))
	}
	return fmt.Errorf("%w: somebody has begun to sync the Application, or has changed it, meanwhile", ErrNotAdopted)
}

// addNotAdopted says what an Application waits for.
func (p *Plan) addNotAdopted(a *App) {
	for _, o := range a.with(Waiting) {
		a.add(finding.Error, RuleNotAdopted, fmt.Sprintf("see why it does not sync: kubectl get applications.argoproj.io %s -n %s -o yaml", o.Adopter, p.in.Namespace),
			"%s is not tracked by %s: %s", o, o.Adopter, o.Why)
	}
	if a.live.Syncing() {
		a.add(finding.Error, RuleNotAdopted, fmt.Sprintf("wait until it has ended, or end it: kubectl get applications.argoproj.io %s -n %s -o yaml", a.Application, p.in.Namespace),
			"a sync of the Application is under way, and can take objects back")
	}
}

// verify looks, after an Application went, whether all that it had is still there.
func (p *Plan) verify(ctx context.Context, a *App) error {
	if len(a.done) == 0 {
		return nil
	}
	var lost []string
	for i := range a.Objects {
		o := &a.Objects[i]
		if o.State == Gone || o.State == Other {
			continue
		}
		meta, err := p.in.Cluster.Metadata(ctx, o.ref)
		switch {
		case errors.Is(err, cluster.ErrNotFound), errors.Is(err, cluster.ErrUnserved):
			lost = append(lost, o.String())
		case err != nil:
			return err
		case meta.Deleting, meta.UID != o.meta.UID:
			lost = append(lost, o.String())
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("%w after the Application went, or was made anew: %s; see who deletes it", ErrLost, strings.Join(lost, ", "))
	}
	return nil
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
