package check

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkApps checks each app that is selected: its Application, and its values.
func (r *run) checkApps(ctx context.Context) error {
	var selected []*unit
	for _, u := range r.units {
		if u.selected {
			selected = append(selected, u)
			r.checked = append(r.checked, u.checked()...)
		}
	}
	return r.each(ctx, len(selected), func(ctx context.Context, i int) []finding.Finding {
		u := selected[i]
		return append(r.checkApplication(u), r.checkValues(ctx, u)...)
	})
}
