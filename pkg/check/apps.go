package check

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkApps checks each app that is selected: its values. Their Applications are a stage of their own.
func (r *run) checkApps(ctx context.Context) error {
	var selected []*unit
	for _, u := range r.units {
		if u.selected {
			selected = append(selected, u)
			r.checked = append(r.checked, u.checked()...)
		}
	}
	if err := r.loadCharts(ctx, selected); err != nil {
		return err
	}
	return r.each(ctx, len(selected), func(ctx context.Context, i int) []finding.Finding {
		return r.checkValues(ctx, selected[i])
	})
}
