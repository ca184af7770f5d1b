package handover

import (
	"context"
	"fmt"
)

// await waits until every object of every Application in the plan is adopted. It looks at the objects themselves, and each time
// at the operator. What was put back meanwhile, such as an Application's automation, is taken away again.
func (p *Plan) await(ctx context.Context, said func(a *App, s Step)) error {
	ends := p.options.Now().Add(p.options.Timeout)
	for {
		total, left, late, err := p.adopted(ctx, said)
		if err != nil {
			return err
		}
		if p.options.Progress != nil {
			p.options.Progress("waiting for objects to be adopted", total-left, total)
		}
		if len(late) == 0 {
			return nil
		}
		if !p.options.Now().Before(ends) {
			return p.late(late)
		}
		if err := p.guard(ctx); err != nil {
			return err
		}
		if err := sleep(ctx, min(p.options.Poll, max(ends.Sub(p.options.Now()), 0))); err != nil {
			return err
		}
	}
}

// adopted looks at each Application that waits for something, and counts: the objects that have a file, and those of them that are
// not adopted. late are the Applications that still wait.
func (p *Plan) adopted(ctx context.Context, said func(a *App, s Step)) (total, left int, late []*App, err error) {
	err = p.each(func(a *App) error {
		if waited := a.pending[0]; waited.name == Adopt {
			if err := p.advance(ctx, a, Hold, said); err != nil {
				return err
			}
			switch {
			case a.Action != HandOver:
			case a.pending[0].name == Adopt:
				late = append(late, a)
			default:
				p.did(a, waited, said)
			}
		}
		n := len(a.with(Waiting))
		total, left = total+n+len(a.with(Adopted)), left+n
		return nil
	})
	return total, left, late, err
}

// late says of every Application what was waited for in vain.
func (p *Plan) late(apps []*App) error {
	var waiting []string
	for _, a := range apps {
		p.addNotAdopted(a)
		waiting = append(waiting, names(a.with(Waiting))...)
	}
	if len(waiting) == 0 {
		return fmt.Errorf("%w within %s, so that nothing was deleted: a sync of %s does not end", ErrNotAdopted, p.options.Timeout, apps[0].App)
	}
	return fmt.Errorf("%w within %s, so that nothing was deleted: %s", ErrNotAdopted, p.options.Timeout, named(waiting))
}
