package plugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/term"
)

// errNotConfirmed says that a person was asked, and did not say yes.
var errNotConfirmed = errors.New("not confirmed")

// errNobody says that there is nobody to ask.
var errNobody = errors.New("standard input is no terminal, so that nobody can be asked; say yes with --yes")

// maxAnswer bounds an answer.
const maxAnswer = 1024

// confirm asks a person at a terminal, and returns nil for one of the answers that mean yes.
func (s Streams) confirm(ctx context.Context, question string, yes ...string) error {
	file, ok := s.In.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return errNobody
	}
	s.Quiet()
	fmt.Fprintln(s.ErrOut, question) // an answer that does not come says enough
	line, err := bufio.NewReader(io.LimitReader(interruptible{ctx, s.In}, maxAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if !slices.Contains(yes, strings.TrimSpace(line)) {
		return errNotConfirmed
	}
	return nil
}
