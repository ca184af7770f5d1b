// Package admission owns what the webhook says to one object: which rules hold for it, by what it was before, and which findings refuse it. The
// rules themselves are pkg/check's. It knows no HTTP and no cluster; who else asks it (kubectl apl collect) gets the same verdict.
package admission

import "github.com/kubectl-apl/kubectl-apl/pkg/finding"

// Verdict is what is said to an object. It is refused where Denied holds something, whatever the mode.
type Verdict struct {
	Denied   []finding.Finding // sorted; each a violation, with its path and line where it has one
	Warnings []finding.Finding // sorted; advice, also to who is refused
}

// Policy is what happens to values that cannot be judged: those of a chart that nobody published, or by a schema that cannot be evaluated.
type Policy string

// The policies. The zero Policy is PolicyWarn.
const (
	PolicyWarn Policy = "warn"
	PolicyDeny Policy = "deny"
)
