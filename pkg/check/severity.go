package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// severities are those that .apl.yaml gives rules; "" switches one off.
type severities map[string]finding.Severity

// newSeverities reads them. The error names each rule that does not exist, and its place.
func newSeverities(c *config.Config) (severities, error) {
	var known []string
	for _, r := range Rules() {
		known = append(known, r.ID)
	}
	out := severities{}
	var problems []error
	for _, r := range c.Rules {
		if !slices.Contains(known, r.Rule) {
			problems = append(problems, fmt.Errorf("%s:%d:%d: there is no rule %q; the rules are %s",
				layout.ConfigFile, r.Line, r.Column, r.Rule, strings.Join(known, ", ")))
		}
		out[r.Rule] = r.Severity
	}
	return out, errors.Join(problems...)
}

// apply returns the findings with the severities that .apl.yaml gives their rules.
func (s severities) apply(list []finding.Finding) []finding.Finding {
	out := make([]finding.Finding, 0, len(list))
	for _, f := range list {
		switch severity, given := s[f.Rule]; {
		case !given:
		case severity == config.Off:
			continue
		default:
			f.Severity = severity
		}
		out = append(out, f)
	}
	return out
}
