// Package config owns .apl.yaml, the settings that stand at the root of a values repo: which apps every run leaves out,
// which findings of secrets are accepted, and how bad the findings of a rule are. It refuses to know where the file is, and
// what an app, a path or a rule that it names stands for.
package config

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// MaxSize is the size in bytes beyond which Parse refuses a text. People write this file; one that is larger is another.
const MaxSize = 1 << 20

// Config is what the file says. The zero Config is that of an empty file.
type Config struct {
	Exclude []Exclusion // key exclude, in the file's order
	Secrets []Exception // key secrets, in the file's order
	Rules   []Rule      // key rules, in the file's order
}

// Off is the severity of a rule whose findings are not told.
const Off finding.Severity = "off"

// Rule gives all findings of a rule of validate another severity, or Off. Line and Column, from 1, are where its entry stands.
type Rule struct {
	Rule     string
	Severity finding.Severity
	Reason   string
	Line     int
	Column   int
}

// Exclusion leaves an app out of every run. Line and Column, from 1, are where its entry stands.
type Exclusion struct {
	App    app.ID
	Reason string
	Line   int
	Column int
}

// Exception accepts findings of one rule at one place of an app's values (DESIGN 6), or, with File in place of App, of a
// settings file that belongs to no app (docs/adr/0018). One of the two, path and rule have to be given, so that accepting a known default password does not hide a private key that is put in its place later, nor the
// same password in another place. Path is as findings write it, Rule is the finding's rule. Line and Column, from 1, are
// where its entry stands, to point at an exception that accepts nothing any more.
type Exception struct {
	App    app.ID // the zero ID with File
	File   string // relative to the root of the values repo; "" with App
	Path   string
	Rule   string
	Reason string
	Line   int
	Column int
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
