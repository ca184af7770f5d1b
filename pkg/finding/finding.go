// Package finding owns the result of a check: which rule, how bad, where, and what to do next.
// It knows no rule and checks nothing.
package finding

import (
	"cmp"
	"slices"
)

// Severity says how bad a finding is.
type Severity string

// The severities, worst last.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Finding is one result of a check (DESIGN 2). Message and Next never hold a secret's value.
// File is relative to the root of the values repo, or names an input. Line and Column count from 1; 0 means unknown.
// Path is a place in a values tree or an object, as values.Path writes it.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	App      string   `json:"app,omitempty"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
	Path     string   `json:"path,omitempty"`
	Message  string   `json:"message"`
	Next     string   `json:"next,omitempty"`
}

// HasError tells whether one of severity error is among findings.
func HasError(list []Finding) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return f.Severity == Error })
}

// Compare orders findings by app, file, place, rule and text, so that a list of them is stable.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.App, b.App),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}
