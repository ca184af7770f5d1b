package artifact

import "github.com/kubectl-apl/kubectl-apl/pkg/finding"

// RuleSecret is a Secret with data, which git never holds (DESIGN 6). An exception of .apl.yaml with this rule does not let it
// in: it leaves the Secret out of git, on purpose.
const RuleSecret = "artifact-secret"

// The other rules that objects are held to.
const (
	ruleDocument    = "artifact-document"
	ruleUnknownKind = "artifact-unknown-kind"
	ruleCRD         = "artifact-crd"
	ruleTwice       = "artifact-twice"
	ruleApplication = "artifact-application"
	ruleNoRelease   = "artifact-no-namespace"
	ruleNamespace   = "artifact-namespace-dropped"
	ruleHook        = "artifact-hook"
	ruleGenerated   = "artifact-generated-name"
	ruleWord        = "artifact-name-word"
	ruleSize        = "artifact-size"
	ruleSyncOption  = "artifact-sync-option"
	ruleWrite       = "artifact-write"
)

// note makes a finding about the item's object, at the line where that begins.
func (i *Item) note(severity finding.Severity, rule, message, next string) {
	i.Findings = append(i.Findings, finding.Finding{Rule: rule, Severity: severity, App: appOf(i.Release), File: i.Source, Line: i.Object.Line,
		Path: i.Object.Place(), Message: message, Next: next})
}

// Failed tells that a finding of severity error stands against the object.
func (i *Item) Failed() bool {
	return finding.HasError(i.Findings)
}
