package plugin

import (
	"io"

	"golang.org/x/term"
)

// defaultWidth is how wide a terminal is that does not say.
const defaultWidth = 80

// terminalWidth returns how to ask for the width of the terminal that out is; nil when it is none.
func terminalWidth(out io.Writer) func() int {
	file, ok := out.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil || width <= 0 {
			return defaultWidth
		}
		return width
	}
}

// colored tells whether results may have colours: on a terminal that can, unless NO_COLOR is set.
func colored(out io.Writer, lookup func(string) (string, bool)) bool {
	if value, set := lookup("NO_COLOR"); set && value != "" {
		return false
	}
	if kind, _ := lookup("TERM"); kind == "dumb" {
		return false
	}
	return terminalWidth(out) != nil
}
