package check

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkRepo checks what no single file shows: files that nothing reads, and names that meet.
func (r *run) checkRepo(context.Context) error {
	r.found = append(r.found, r.cases()...)
	explained := r.standIns()
	for _, file := range r.strays {
		if !r.selected.touches(file.Path) {
			continue
		}
		if f, ok := r.stray(file); ok && (!explained[file.Path] || f.Severity == finding.Error && !file.Irregular) {
			r.found = append(r.found, f)
		}
		r.checked = append(r.checked, finding.Unit{File: file.Path})
	}
	return nil
}
