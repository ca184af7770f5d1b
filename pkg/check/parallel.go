package check

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 to n-1, each once, on as many goroutines as there are processors, and waits for them. It stops early, and
// returns its error, when ctx ends. What is done at one time is far apart in the order: neighbours may have a chart in common, whose schema
// judges one after the other.
func parallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	workers := max(min(n, runtime.GOMAXPROCS(0)), 1)
	stretch := (n + workers - 1) / workers
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				turn := int(next.Add(1)) - 1
				if turn >= workers*stretch {
					return
				}
				if i := turn%workers*stretch + turn/workers; i < n {
					do(i)
				}
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
