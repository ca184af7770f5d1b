package gitrepo

import (
	"context"
	"errors"
	"sync"
)

// syncers is how many files are made durable at a time. A file system writes its journal once for all that wait for it: on
// ext4 sixteen at a time took a fifteenth of the time of one by one, and more were no faster.
const syncers = 16

// inParallel calls do for 0 to n-1, and waits for all. It starts no more once ctx has ended or a call has failed.
func inParallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, syncers) {
		workers.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	workers.Wait()
	if ctx.Err() == nil {
		return nil
	}
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return cause
	}
	return ctx.Err()
}
