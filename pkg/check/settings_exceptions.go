package check

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// idleExceptions warns of exceptions about settings files that accept nothing: what they were made for is gone, or they are misspelt. searched
// are the files that were searched for secrets.
func (r *run) idleExceptions(searched []string) []finding.Finding {
	var out []finding.Finding
	for i, e := range r.in.Config.Secrets {
		gone := !slices.Contains(r.settings, e.File) && !r.selected.some
		if e.File == "" || r.scanner.Used(i) || !gone && !slices.Contains(searched, e.File) {
			continue
		}
		message := fmt.Sprintf("the exception for rule %s accepts nothing: there is no such finding", e.Rule)
		if gone {
			message = "the exception accepts nothing: there is no file " + e.File
		}
		out = append(out, finding.Finding{Rule: RuleException, Severity: finding.Warning, File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path,
			Message: message, Next: "remove or correct it"})
	}
	return out
}
