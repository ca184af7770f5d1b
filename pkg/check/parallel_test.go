package check

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestParallel(t *testing.T) {
	for n := range 40 {
		done := make([]atomic.Int32, n)
		if err := parallel(t.Context(), n, func(i int) { done[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("of %d, %d is done %d times", n, i, done[i].Load())
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := parallel(ctx, 9, func(int) { t.Error("nothing is done once it is over") }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
