// Package config owns .apl.yaml, the file at the root of a values repo in which people keep what they have decided for
// this tool: apps that it leaves alone, and findings that they accept. It says what the file holds and what is wrong
// in it; what an exclusion or an exception does is for others to know.
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// MaxSize bounds the file, in bytes. A list of decisions that people write comes nowhere near.
const MaxSize = 1 << 20

// Config is what .apl.yaml says. The zero Config says nothing.
type Config struct {
	// Exclude are the apps that are left out of every run.
	Exclude []Exclusion
	// Secrets are the findings about secrets that are accepted.
	Secrets []Exception
}

// Exclusion leaves an app out.
type Exclusion struct {
	App    app.ID
	Reason string
}

// Exception accepts the findings of one rule at one place of one app.
type Exception struct {
	App app.ID
	// Path is the place as a finding writes it.
	Path string
	Rule string
	// Reason says why it is accepted.
	Reason string
	// Line is where it stands in the file, from 1.
	Line int
}

// Excluded returns the reason why an app is left out, and whether it is.
func (c *Config) Excluded(id app.ID) (reason string, excluded bool) {
	for _, e := range c.Exclude {
		if e.App == id {
			return e.Reason, true
		}
	}
	return "", false
}

// Problem is one thing that is wrong in the file. Line and Column count from 1.
type Problem struct {
	Line, Column int
	Message      string
}

// Error lists all that is wrong in the file, by place.
type Error struct {
	Name     string
	Problems []Problem
}

// Error returns a line for each problem, "name:line:column: message".
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.Name, p.Line, p.Column, p.Message)
	}
	return strings.Join(lines, "\n")
}

// Parse reads the text of .apl.yaml; name is how errors name it. No text is the zero Config. It returns an *Error for
// text that is not YAML, for keys that it does not know, and for entries that lack a part: an exception without a
// reason is none.
func Parse(name string, text []byte) (*Config, error) {
	p := &parser{}
	if root := p.root(text); root != nil {
		p.file(root)
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, &Error{Name: name, Problems: p.problems}
	}
	return &p.config, nil
}
