package check

import "context"

// checkRepo checks what no single file shows: files that nothing reads, and names that meet.
func (r *run) checkRepo(context.Context) error { return nil }
