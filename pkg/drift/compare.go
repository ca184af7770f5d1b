package drift

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Compare looks at what an upgrade does. It returns an error where a chart's own values cannot be computed, or the version of Kubernetes is none.
func Compare(in Input) (*Report, error) {
	before, err := newFace(in.Old, in.Schemas, in.Secrets)
	if err != nil {
		return nil, fmt.Errorf("read chart %s: %w", in.Old.Origin, err)
	}
	after, err := newFace(in.New, in.Schemas, in.Secrets)
	if err != nil {
		return nil, fmt.Errorf("read chart %s: %w", in.New.Origin, err)
	}
	c := &comparison{in: in, before: before, after: after, report: &Report{Old: before.side(), New: after.side(), Repo: in.Repo,
		Changes: []Change{}, Findings: append([]finding.Finding{}, in.Unread...), Apps: []AppReport{}}}
	c.interfaces()
	if err := c.kubernetes(); err != nil {
		return nil, err
	}
	c.crds()
	for _, a := range slices.SortedStableFunc(slices.Values(in.Apps), func(a, b App) int { return app.Compare(a.ID, b.ID) }) {
		c.report.Apps = append(c.report.Apps, c.app(a))
	}
	c.conclude()
	return c.report, nil
}

// comparison is what Compare works on.
type comparison struct {
	in            Input
	before, after *face
	report        *Report
	crdsDiffer    bool
}

func (c *comparison) add(f finding.Finding) { c.report.Findings = append(c.report.Findings, f) }

// conclude gives the verdict.
func (c *comparison) conclude() {
	r := c.report
	sortFindings(r.Findings)
	r.Findings = slices.Compact(r.Findings)
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Kind, b.Kind))
	})
	broken := finding.HasError(r.Findings) || slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Breaking })
	said := len(r.Findings) > 0
	for _, a := range r.Apps {
		broken = broken || finding.HasError(a.Findings)
		said = said || len(a.Findings) > 0
	}
	switch {
	case r.Old.empty() && r.New.empty():
		r.Verdict = Nothing
		c.add(finding.Finding{Rule: "chart-nothing-compared", Severity: finding.Error, File: r.New.Origin,
			Message: "neither chart has a schema, values of its own or CRDs: nothing was compared, which does not say that they are alike",
			Next:    "see whether both are the charts that you mean, with their files"})
	case broken:
		r.Verdict = Breaking
	case len(r.Changes) > 0 || said || c.crdsDiffer:
		r.Verdict = Compatible
	default:
		r.Verdict = Same
	}
}

func (s Side) empty() bool { return s.Keys == 0 && s.Defaults == 0 && s.CRDs == 0 }

func sortFindings(list []finding.Finding) { slices.SortFunc(list, finding.Compare) }

// kubernetes looks at the versions of Kubernetes that both charts take.
func (c *comparison) kubernetes() error {
	const rule = "chart-kube-version"
	old, new := c.in.Old.Chart, c.in.New.Chart
	if version := c.in.KubeVersion; version != "" {
		takes, err := new.Takes(version)
		if err != nil {
			return errors.New("--kube-version: " + err.Error())
		}
		if !takes {
			c.add(finding.Finding{Rule: rule, Severity: finding.Error, File: c.in.New.Origin,
				Message: fmt.Sprintf("the new chart wants Kubernetes %s, and the cluster has %s: it would not render", new.KubeVersion(), version),
				Next:    "upgrade Kubernetes first, or stay with the old chart"})
		}
		return nil
	}
	if lost := old.Refused(new); lost != "" {
		c.add(finding.Finding{Rule: rule, Severity: finding.Warning, File: c.in.New.Origin,
			Message: fmt.Sprintf("the new chart wants Kubernetes %s, the old one %s: it does not take %s", orAny(new.KubeVersion()), orAny(old.KubeVersion()), lost),
			Next:    "see that no cluster has such a version; --kube-version tells which one counts"})
	}
	return nil
}

func orAny(text string) string { return cmp.Or(text, "of any version") }
