package rollback

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const (
	// maxLooks bounds how often one Application is looked at: five steps, and as many that somebody else's write came
	// before.
	maxLooks = 25
	// pause is what somebody else gets to finish writing.
	pause = 100 * time.Millisecond
)

// ErrNotDone is wrapped for an Application that does not become what it is to be.
var ErrNotDone = errors.New("it does not stay as it is put")

// Carry does what the plan says, app by app, and then removes the files. said is told of each step that was done. A plan with a
// refused app does nothing and returns ErrRefused; an error ends it before the next write, and the plan then says what was
// done: the next run goes on from there.
func (p *Plan) Carry(ctx context.Context, dryRun cluster.DryRun, said func(a *App, s Step)) error {
	if dryRun != cluster.DryRunNone {
		p.DryRun = dryRun
	}
	if p.Refused() {
		return ErrRefused
	}
	if dryRun == cluster.DryRunClient {
		return nil
	}
	if err := p.Check(ctx); err != nil {
		return err
	}
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.Action != Restore {
			continue
		}
		var err error
		if dryRun == cluster.DryRunServer {
			err = p.try(ctx, a)
		} else {
			err = p.restore(ctx, a, said)
		}
		if err != nil {
			return fmt.Errorf("put %s back: %w", a.App, err)
		}
	}
	if dryRun != cluster.DryRunNone {
		return nil
	}
	err := p.removeFiles(ctx)
	p.next()
	return err
}

// try has the server check every step of an app as if it were the next. A step tests nothing that the one before it makes.
func (p *Plan) try(ctx context.Context, a *App) error {
	live, err := p.in.Cluster.Application(ctx, p.in.Namespace, a.Application)
	if err != nil {
		return err
	}
	for i, s := range a.target.pending(live, p.label) {
		if err := s.do(ctx, p.in.Cluster, true); err != nil {
			return fmt.Errorf("step %s: %w", s.name, err)
		}
		if i < len(a.Steps) {
			a.Steps[i].Done = true
		}
	}
	return nil
}

// restore does the steps of one app. Before each it looks at the live Application again, and decides anew: so it never
// writes over what somebody else has written meanwhile.
func (p *Plan) restore(ctx context.Context, a *App, said func(a *App, s Step)) error {
	var (
		before *argocd.Application
		done   []Step
		failed error
		told   = a.Findings
	)
	for range maxLooks {
		live, err := p.in.Cluster.Application(ctx, p.in.Namespace, a.Application)
		if err != nil {
			return err
		}
		if before == nil {
			before = live
		}
		err = p.decide(a, live)
		left := a.Steps
		a.Steps = append(append([]Step{}, done...), left...)
		if err != nil {
			return err
		}
		if a.Action == Restore {
			guarded := []App{*a}
			if err := p.guard(ctx, guarded); err != nil {
				return err
			}
			*a = guarded[0]
		}
		switch {
		case a.Action == Refused:
			return fmt.Errorf("%w: %s", ErrRefused, a.Reason)
		case len(left) == 0:
			a.Findings, a.Reason = told, "put back: "+finding.Count(len(done), "step")
			return a.target.verify(live, p.label, before)
		}
		s := a.target.pending(live, p.label)[0]
		failed = s.do(ctx, p.in.Cluster, false)
		if errors.Is(failed, cluster.ErrChanged) {
			if err := sleep(ctx, pause); err != nil {
				return err
			}
			continue
		}
		if failed != nil {
			return fmt.Errorf("step %s: %w", s.name, failed)
		}
		step := Step{Name: s.name, Text: s.text, Done: true}
		a.Steps[len(done)] = step // the plan says so also when the next look fails
		done = append(done, step)
		said(a, step)
	}
	if failed != nil {
		return failed
	}
	return fmt.Errorf("%w; see who writes it: kubectl get applications.argoproj.io %s -n %s -o yaml --show-managed-fields", ErrNotDone, a.Application, p.in.Namespace)
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

// next says what is left for a person.
func (p *Plan) next() {
	p.Next = []string{}
	if p.Commit != "" {
		p.Next = append(p.Next, "push the commit: until then the files are in git, and the root app, once it syncs by itself again, would apply them")
	}
	if p.in.Repo != nil && p.options.WorkTree && len(p.changes) > 0 {
		p.Next = append(p.Next, "commit and push the removal of the files: until then the root app would apply them")
	}
	if p.in.Repo == nil {
		p.Next = append(p.Next, "remove the files of the apps from the values repo, and push that: until then the root app would apply them")
	}
	if len(p.Next) > 0 {
		p.Next = append(p.Next, "then let the root app "+p.RootApp+" sync by itself again, and have the platform's operator run, if you turned them off: "+argocd.ResumeOperator)
	}
}
