// Package secret owns the question whether a tree of Helm values, a Kubernetes object or a piece of text holds secret
// material. It refuses to know files, apps and where a tree came from, and it never hands out what it found: a Hit names
// the place and the rule, not the value.
package secret

import (
	"cmp"
	"slices"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Hit is one place that holds secret material, or that looks as if it did. It has no field for the value, so that no
// way of printing a Hit can leak it; a map key that itself holds a secret stands in the paths as "***".
type Hit struct {
	// Path is the place in the tree; nil for a hit of ScanText.
	Path values.Path
	// Inside is the place in the YAML or JSON document that the string at Path holds; nil when the hit is the string
	// itself. Where the string holds several documents, its first step is the document's index.
	Inside values.Path
	// Line is the line of the text that ScanText was given, from 1; 0 for a hit in a tree.
	Line int
	// Rule is the id of one of Rules.
	Rule string
	// Severity is Error for a literal secret, Warning for a default that everyone knows and Info for a placeholder.
	Severity finding.Severity
}

// Place writes where the hit is, as the exceptions of .apl.yaml name it: auth.password, or extraObjects[0]#stringData.p
// for a place inside a document that a string holds. A hit of ScanText stands at ".", as the text has no places.
func (h Hit) Place() string {
	if h.Inside == nil {
		return h.Path.String()
	}
	return h.Path.String() + "#" + h.Inside.String()
}

// Finding returns the hit as a finding with rule, severity, path, message and next step. Which app, file and line it
// belongs to is the caller's to fill in; of a hit of ScanText, Line is set and Path is empty.
func (h Hit) Finding() finding.Finding {
	message, next := describe(h)
	f := finding.Finding{Rule: h.Rule, Severity: h.Severity, Line: h.Line, Message: message, Next: next}
	if h.Line == 0 {
		f.Path = h.Place()
	}
	return f
}

// Compare orders hits by place, then by rule.
func Compare(a, b Hit) int {
	return cmp.Or(
		a.Path.Compare(b.Path),
		a.Inside.Compare(b.Inside),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Rule, b.Rule),
	)
}

// Detector finds secret material with the list of rules it was made with. It holds no state of a scan, so one Detector
// may serve many goroutines.
type Detector struct {
	rules []textRule // tried on every string
	leaks func() (*leakRules, error)
}

// New returns a Detector with the structural rules and those of gitleaks; Rules lists them. Gitleaks' rules are read when
// they are first needed, once for each Detector.
func New() *Detector {
	return &Detector{rules: structuralRules(), leaks: sync.OnceValues(loadLeakRules)}
}

// Scan returns the hits of a tree as a YAML or JSON parser gives it: map[string]any, []any, string, bool, numbers
// (json.Number, float64, int64, int, uint64) and nil; anything else is passed over. The hits are sorted, at most one for
// each place and rule. The time is linear in the size of the tree. Rules: DESIGN 6.
func (d *Detector) Scan(tree any) []Hit {
	leaks := newLeakFinder(d.leaks)
	hits := d.walk(tree, leaks)
	if leaks.wake() {
		hits = d.walk(tree, leaks) // a word that calls a rule to every text stands in one of them
	}
	return tidy(hits)
}

func (d *Detector) walk(tree any, leaks *leakFinder) []Hit {
	w := &walker{rules: d.rules, leaks: leaks, tiers: map[string]tier{}, keys: map[string]bool{}}
	w.walk(tree, 0)
	return w.hits
}

// tidy sorts the hits and keeps the worst one for each place and rule.
func tidy(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(Compare(a, b), cmp.Compare(rank(b.Severity), rank(a.Severity)))
	})
	return slices.CompactFunc(hits, func(a, b Hit) bool { return Compare(a, b) == 0 })
}

func rank(s finding.Severity) int {
	switch s {
	case finding.Error:
		return 2
	case finding.Warning:
		return 1
	default:
		return 0
	}
}
