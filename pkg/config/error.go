package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing wrong with the file: where, what, and what to do next. Line and Column count from 1; 0 means that
// the place is not known.
type Problem struct {
	Line    int
	Column  int
	Message string
	Next    string
}

// Error is returned for a file that cannot be used. It holds every problem of the file, sorted by place, so that one run
// shows all there is to repair.
type Error struct {
	Name     string // the file, as given to Parse
	Problems []Problem
}

// Error writes one line for each problem: file:line:column: what; what to do next.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Name)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		if p.Line > 0 && p.Column > 0 {
			fmt.Fprintf(&b, ":%d", p.Column)
		}
		fmt.Fprintf(&b, ": %s; %s", p.Message, p.Next)
	}
	return b.String()
}

// newError sorts the problems by place.
func newError(name string, problems []Problem) *Error {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &Error{Name: name, Problems: problems}
}
