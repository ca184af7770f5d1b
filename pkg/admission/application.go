package admission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Application judges what becomes of an Application: old is nil for one that is created. The rules are check.Application's, for the Applications that
// check.Binds names; all others are allowed, and nothing is said. Who writes plays no part, and neither does status or operation.
//
// Always allowed is an update that leaves the spec as it is, and any of an Application that is being deleted: Argo CD writes its status through
// the same resource. One that is not moved yet gets a warning. One that was moved may not go back to spec.source alone, unless it says why
// (argocd.AllowInlineAnnotation). Findings about metadata are warnings, since a change of metadata alone is never refused; the name of one that is
// created is none of them, since it cannot be changed later (docs/adr/0044).
func Application(old, updated *argocd.Application) Verdict {
	switch {
	case updated.Deleting(), !check.Binds(updated), old != nil && values.Equal(old.Object()["spec"], updated.Object()["spec"]):
		return Verdict{}
	}
	created := old == nil
	var out Verdict
	for _, f := range check.Application(updated) {
		if f.Severity == finding.Error && denies(f, created) {
			out.Denied = append(out.Denied, f)
			continue
		}
		out.Warnings = append(out.Warnings, advice(f))
	}
	if !updated.HasSources() && inline(updated) {
		out = inlineVerdict(out, !created && old.HasSources(), updated.AllowsInline())
	}
	if set, owned := updated.Owner(); owned {
		generated(out.Denied, set)
		generated(out.Warnings, set)
	}
	slices.SortFunc(out.Denied, finding.Compare)
	slices.SortFunc(out.Warnings, finding.Compare)
	return out
}

// denies tells whether an error of check.Application refuses an object: that of its spec, and the name of one that is made.
func denies(f finding.Finding, created bool) bool {
	if !slices.Contains([]string{check.RuleShape, check.RuleOrder, check.RuleInline}, f.Rule) {
		return false
	}
	return !strings.HasPrefix(f.Path, "metadata.") || created && f.Path == "metadata.name"
}

// advice is a finding that refuses nothing.
func advice(f finding.Finding) finding.Finding {
	if f.Severity == finding.Error {
		f.Severity = finding.Warning
	}
	return f
}

// inline reports whether the Application has a spec.source.
func inline(a *argocd.Application) bool {
	spec, _ := a.Object()["spec"].(map[string]any)
	_, there := spec["source"].(map[string]any)
	return there
}

const sourcePath = "spec.source"

// inlineVerdict is what is said to an Application of which Argo CD reads spec.source: nothing refuses one that is not moved yet, and the way back
// of one that was needs a reason.
func inlineVerdict(v Verdict, back, reason bool) Verdict {
	var out Verdict
	for _, f := range v.Denied {
		if back && f.Rule == check.RuleInline && f.Path == sourcePath {
			continue // which is told below
		}
		out.Warnings = append(out.Warnings, advice(f))
	}
	out.Warnings = append(out.Warnings, v.Warnings...)
	if !back {
		return out
	}
	f := finding.Finding{Rule: check.RuleInline, Severity: finding.Error, Path: sourcePath,
		Message: "the Application goes back from value files to inline values, and what people wrote in the custom file would have no effect",
		Next:    fmt.Sprintf("keep spec.sources; to go back on purpose use kubectl apl rollback, or write the annotation %s with the reason", argocd.AllowInlineAnnotation)}
	if len(v.Denied) > 0 {
		f.App = v.Denied[0].App
	}
	if !reason {
		out.Denied = append(out.Denied, f)
		return out
	}
	f.Severity, f.Next = finding.Warning, "it is allowed by the annotation "+argocd.AllowInlineAnnotation+"; kubectl apl migrate moves it again"
	out.Warnings = append(out.Warnings, f)
	return out
}

// generated has the next step of each finding name what makes the Application: what is changed in the Application itself is put back.
func generated(list []finding.Finding, set string) {
	for i := range list {
		next := fmt.Sprintf("change ApplicationSet %q, which makes this Application", set)
		if list[i].Next != "" {
			next += ": " + list[i].Next
		}
		list[i].Next = next
	}
}
