package plugin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// maxRedraw is how often the line of progress is drawn at most.
const maxRedraw = 100 * time.Millisecond

// status is standard error with a line at its end that says how far long work is. Where it is no terminal that a person
// looks at, the line is never drawn, and all that remains is an io.Writer. It is safe for several goroutines.
type status struct {
	out io.Writer
	// width asks how wide the terminal is; nil draws nothing.
	width func() int
	now   func() time.Time

	mu    sync.Mutex
	drawn int // how many characters the line that is drawn has
	last  time.Time
}

// newStatus returns the status of a command. It draws on a terminal only, unless the environment says that nobody looks.
func newStatus(out io.Writer, env Env) *status {
	s := &status{out: out, now: env.Now}
	if env.Now != nil && env.Lookup != nil && mayDraw(env.Lookup) {
		s.width = terminalWidth(out)
	}
	return s
}

// mayDraw tells whether the environment lets a line be drawn anew. TERM=dumb cannot, CI keeps what is written, and NO_COLOR
// asks for nothing but text.
func mayDraw(lookup func(string) (string, bool)) bool {
	for _, name := range []string{"CI", "NO_COLOR"} {
		if value, set := lookup(name); set && value != "" && value != "false" {
			return false
		}
	}
	kind, set := lookup("TERM")
	return !set || kind != "dumb"
}

// Write takes the line away and writes.
func (s *status) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	return s.out.Write(p)
}

// progress draws how far a stage is: done of total, or done alone where total is 0. It does nothing when it comes too soon
// after the last one, so that it can be called for everything that happens.
func (s *status) progress(stage string, done, total int) {
	text := stage
	switch {
	case total > 0:
		text = fmt.Sprintf("%s: %d/%d", stage, done, total)
	case done > 0:
		text = fmt.Sprintf("%s: %d", stage, done)
	}
	s.draw(text)
}

func (s *status) draw(text string) {
	if s.width == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.drawn > 0 && now.Sub(s.last) < maxRedraw {
		return
	}
	s.last = now
	if room := s.width() - 1; len(text) > room { // a full line would wrap, and could not be taken away
		text = text[:max(room, 0)]
	}
	// No escape sequence: a carriage return and blanks do on every terminal. What cannot be drawn does not matter.
	fmt.Fprint(s.out, "\r", text, strings.Repeat(" ", max(s.drawn-len(text), 0)))
	s.drawn = max(s.drawn, len(text))
}

// clear takes the line away; the lock is held.
func (s *status) clear() {
	if s.drawn > 0 {
		fmt.Fprint(s.out, "\r", strings.Repeat(" ", s.drawn), "\r")
		s.drawn = 0
	}
}

// during draws for how long a stage takes, second by second, until it is told that it is over. The function that it returns
// waits for the last line, and is to be called.
func (s *status) during(ctx context.Context, stage string) (over func()) {
	if s.width == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	began := s.now()
	s.draw(stage)
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				s.draw(fmt.Sprintf("%s: %d s", stage, int(s.now().Sub(began).Seconds())))
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// Progress says how far a stage is, to a person at a terminal and to nobody else.
func (s Streams) Progress(stage string, done, total int) {
	if line, ok := s.ErrOut.(*status); ok {
		line.progress(stage, done, total)
	}
}

// During says for how long a stage takes, until over is called.
func (s Streams) During(ctx context.Context, stage string) (over func()) {
	if line, ok := s.ErrOut.(*status); ok {
		return line.during(ctx, stage)
	}
	return func() {}
}

// Quiet takes the line of progress away, before a result goes to what can be the same terminal.
func (s Streams) Quiet() {
	if line, ok := s.ErrOut.(*status); ok {
		line.mu.Lock()
		defer line.mu.Unlock()
		line.clear()
	}
}
