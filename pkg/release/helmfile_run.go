package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

const (
	// helmfileGrace is how long helmfile has to end after it was told to, and what it has started to close its output.
	helmfileGrace = 5 * time.Second
	// saidLines and saidBytes bound what of helmfile's messages is shown: the end, where errors stand.
	saidLines = 20
	saidBytes = 4000
	keptBytes = 256 << 10
)

// executable returns the helmfile of a folder of the PATH, "" for none.
func executable(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	path, err := exec.LookPath(filepath.Join(dir, "helmfile"))
	if err != nil {
		return ""
	}
	return path
}

// run runs helmfile and returns what it prints. It has no terminal to ask on, and ends, with all that it has started, with
// ctx or after the timeout.
func (h *Helmfile) run(ctx context.Context, binary, scratch string, args ...string) ([]byte, error) {
	command := "helmfile " + args[0]
	over := h.stage(ctx, command)
	defer over()
	limited, cancel := context.WithTimeout(ctx, h.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, binary, args...)
	cmd.Dir = h.dir
	cmd.Env = append(h.environ[:len(h.environ):len(h.environ)], "TMPDIR="+scratch)
	cmd.WaitDelay = helmfileGrace
	out, said := &bounded{limit: MaxSize}, &ending{}
	cmd.Stdout, cmd.Stderr = out, said
	ownGroup(cmd)
	err := cmd.Run()
	endGroup(cmd)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s in %s: %w", command, h.dir, ctx.Err())
	case limited.Err() != nil:
		return nil, fmt.Errorf("%w: %s in %s did not end within %s, and was ended%s", ErrHelmfile, command, h.dir, h.timeout, h.shown(said))
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // helmfile itself ended well
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%w: %s in %s: %w%s\nsee that it works there: ENV_DIR and helmfile's other environment are handed on as they are", ErrHelmfile, command, h.dir, exit, h.shown(said))
	case err != nil:
		return nil, fmt.Errorf("%w: run %s: %w", ErrHelmfile, command, err)
	case out.over:
		return nil, fmt.Errorf("%w: %s in %s prints more than %d MiB", ErrHelmfile, command, h.dir, MaxSize>>20)
	}
	return out.data.Bytes(), nil
}

// shown returns the end of what helmfile said, masked, and without what a terminal would obey.
func (h *Helmfile) shown(said *ending) string {
	if h.mask == nil {
		return ""
	}
	// All of it is masked before it is cut: what makes a line a secret can stand in a line before.
	text := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(said.data), "?"))
	var lines []string
	for line := range strings.SplitSeq(h.mask(text), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, "  "+strings.TrimRight(line, " \t"))
		}
	}
	lines = lines[max(0, len(lines)-saidLines):]
	end := strings.Join(lines, "\n")
	if len(end) > saidBytes {
		end = "  ..." + strings.ToValidUTF8(end[len(end)-saidBytes:], "")
	}
	if end == "" {
		return "; it says nothing"
	}
	return "; it says:\n" + end
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	data  bytes.Buffer
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - b.data.Len()
	if len(p) > room {
		b.over = true
	}
	b.data.Write(p[:min(len(p), room)])
	return len(p), nil
}

// ending keeps the end of what is written to it.
type ending struct{ data []byte }

func (e *ending) Write(p []byte) (int, error) {
	e.data = append(e.data, p...)
	if len(e.data) > 2*keptBytes {
		e.data = bytes.Clone(e.data[len(e.data)-keptBytes:])
	}
	return len(p), nil
}
