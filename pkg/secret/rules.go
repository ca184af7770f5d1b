package secret

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// The ids of the rules. They are part of the product's interface: exceptions in .apl.yaml and SARIF reports name them.
const (
	RuleObject        = "secret-object"
	RulePrivateKey    = "secret-private-key"
	RuleDockerConfig  = "secret-docker-config"
	RuleURLPassword   = "secret-url-password"
	RuleAuthorization = "secret-authorization"
	RuleNamedKey      = "secret-named-key"
	RuleNamedEnv      = "secret-named-env"
	RuleArgument      = "secret-argument"
	RuleJavaProperty  = "secret-java-property"
	RuleAssignment    = "secret-assignment"
	RulePasswordHash  = "secret-password-hash"
	RuleUnscanned     = "secret-unscanned"
	// RuleGitleaks stands for all rules of gitleaks: a hit names one of them, by its id.
	RuleGitleaks = "secret-gitleaks-<id>"
)

// Rule is one rule of the detector: its id, and what a hit of it says about the place.
type Rule struct {
	ID  string
	Doc string
}

// Rules lists every rule that a hit can name, the most specific first; those of gitleaks are one entry, RuleGitleaks.
func Rules() []Rule {
	return []Rule{
		{RuleObject, "an object of kind Secret holds data"},
		{RulePrivateKey, "a private key, as PEM text or as its base64 form"},
		{RuleDockerConfig, "a docker config holds the credentials of a registry"},
		{RuleURLPassword, "a URL holds a password"},
		{RuleAuthorization, "an Authorization header holds its credentials"},
		{RulePasswordHash, "the hash of a password, which passwords can be tried on"},
		{RuleNamedKey, "a key whose name says secret holds a literal value"},
		{RuleNamedEnv, "an entry (name, value) whose name says secret holds a literal value"},
		{RuleArgument, "a command-line argument whose name says secret holds a literal value"},
		{RuleJavaProperty, "a Java system property whose name says secret holds a literal value"},
		{RuleAssignment, "text that sets a name which says secret to a literal value"},
		{RuleUnscanned, "nested too deep, or repeated too often by aliases, to be searched for secrets"},
		{RuleGitleaks, "a secret of a kind that gitleaks knows"},
	}
}

// Knows reports whether a hit can name the rule. RuleGitleaks itself is none: gitleaks has rules that are surer
// than others, and what accepts one does not accept all.
func (d *Detector) Knows(rule string) bool {
	if id, ok := strings.CutPrefix(rule, leakPrefix); ok {
		l, err := d.leaks()
		return err == nil && slices.ContainsFunc(l.rules, func(r *leakRule) bool { return r.id == id })
	}
	return slices.ContainsFunc(Rules(), func(r Rule) bool { return r.ID == rule })
}

// describe returns the message and the next step of a hit.
func describe(h Hit) (message, next string) {
	message = h.Rule
	for _, r := range Rules() {
		switch id, isLeak := strings.CutPrefix(h.Rule, leakPrefix); {
		case r.ID == h.Rule:
			message = r.Doc
		case isLeak && r.ID == RuleGitleaks:
			message = r.Doc + ", " + id
		}
	}
	switch {
	case h.Severity == finding.Info:
		return message + ": a placeholder", "nothing to do, if something replaces it before it is used"
	case h.Rule == RuleUnscanned:
		return message, "write it less deeply nested, or accept the place under secrets: in .apl.yaml, with a reason"
	case h.Rule == RuleObject:
		return message, "use a SealedSecret or an ExternalSecret, or accept the place under secrets: in .apl.yaml, with a reason"
	case h.Severity == finding.Warning:
		return message + ": a default that everyone knows", "use a reference, such as existingSecret or valueFrom.secretKeyRef"
	default:
		return message, "use a reference, such as existingSecret or valueFrom.secretKeyRef, or accept the place under secrets: in .apl.yaml, with a reason"
	}
}

// verdict says what a rule thinks of a value, the worst last.
type verdict int8

const (
	clean verdict = iota
	placeholder
	wellKnown
	literal
)

func (v verdict) severity() finding.Severity {
	switch v {
	case literal:
		return finding.Error
	case wellKnown:
		return finding.Warning
	default:
		return finding.Info
	}
}

// reporter takes what a rule found at a byte offset of a text.
type reporter func(rule string, offset int, v verdict)

// found passes a verdict on, unless it is clean.
func (report reporter) found(rule string, offset int, v verdict) {
	if v != clean {
		report(rule, offset, v)
	}
}

// textRule searches one string. It reports places, never what stands there, and takes time linear in the string.
type textRule func(text string, report reporter)

func structuralRules() []textRule {
	return []textRule{findPrivateKeys, findHashes, findURLPasswords, findAuthorization, findArguments, findAssignments, findBelow}
}
