package finding

import (
	"fmt"
	"slices"
	"strings"
)

// FailOn says which findings make a run fail, so that it exits with 1 (DESIGN 7). The zero FailOn is FailOnError.
type FailOn string

// The values of --fail-on.
const (
	// FailOnError lets findings of severity error fail a run. It is the default.
	FailOnError FailOn = "error"
	// FailOnWarning lets warnings fail a run too.
	FailOnWarning FailOn = "warning"
	// FailOnNever lets no finding fail a run.
	FailOnNever FailOn = "never"
)

// FailOns lists the values of --fail-on, the default first.
func FailOns() []string {
	return []string{string(FailOnError), string(FailOnWarning), string(FailOnNever)}
}

// ParseFailOn reads the value of --fail-on.
func ParseFailOn(text string) (FailOn, error) {
	if !slices.Contains(FailOns(), text) {
		return "", fmt.Errorf("--fail-on %q: use one of %s", text, strings.Join(FailOns(), ", "))
	}
	return FailOn(text), nil
}

// Fails tells whether a finding of the report makes the run fail.
func (r *Report) Fails(on FailOn) bool { return slices.ContainsFunc(r.Findings, on.fails) }

// fails tells whether a finding makes a run fail. A severity that nobody knows counts as an error: it is no reason to pass.
func (on FailOn) fails(f Finding) bool {
	switch on {
	case FailOnNever:
		return false
	case FailOnWarning:
		return f.Severity != Info
	}
	return f.Severity != Info && f.Severity != Warning
}
