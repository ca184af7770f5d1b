package plugin

import (
	"context"
	"io"
)

// interruptible ends a read when ctx ends. A read of a terminal or a pipe to which nobody writes cannot be woken up, so
// that each runs in a goroutine of its own, into a buffer of its own; one that is left behind ends with the process,
// which is about to.
type interruptible struct {
	ctx    context.Context //nolint:containedctx // io.Reader has no room for it
	reader io.Reader
}

// Read reads, or returns the error of ctx.
func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	type result struct {
		n   int
		err error
	}
	buffer := make([]byte, len(p))
	done := make(chan result, 1)
	go func() {
		n, err := r.reader.Read(buffer)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(p, buffer[:got.n]), got.err
	}
}
