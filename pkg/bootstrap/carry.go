package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// ErrNotKept is wrapped for an object that is not as it was applied.
var ErrNotKept = errors.New("it is not as it was applied")

// Carry applies what differs, one object after the other, and tells said of each. A plan against which something stands does
// nothing and returns ErrRefused; a dry run does nothing more than New did. An error ends it before the next write, and the plan
// then says what was done: the next run goes on from there.
func (p *Plan) Carry(ctx context.Context, said func(o *Object)) error {
	if p.Refused() {
		return ErrRefused
	}
	if p.DryRun != "" {
		return nil
	}
	for i := range p.Objects {
		o := &p.Objects[i]
		if !o.pending() {
			continue
		}
		got, err := p.in.Cluster.ServerSideApply(ctx, o.want, cluster.WriteOptions{Manager: Manager}, p.options.Force)
		if err != nil {
			return fmt.Errorf("apply %s %s: %w", o.Kind, o.Name, err)
		}
		o.Done = true
		if left := differences(o.want, got); len(left) > 0 {
			return fmt.Errorf("apply %s %s: %w: %s; see which webhook or policy changes it", o.Kind, o.Name, ErrNotKept, strings.Join(left, ", "))
		}
		if o.Sync == SyncManual && automated(got) { // applying takes away only what the server keeps as ours
			return fmt.Errorf("apply %s %s: %w: it still syncs by itself, and nobody is recorded as who has it so; end that by %s",
				o.Kind, o.Name, ErrNotKept, argocd.EndAutomation(o.Namespace, o.Name))
		}
		said(o)
	}
	return nil
}

func automated(object map[string]any) bool {
	a, err := argocd.New(object)
	return err == nil && a.Automated()
}
