package drift

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
)

// crds compares what lies in crds/ of both charts and of their subcharts: no values decide about it, and Argo CD applies it.
func (c *comparison) crds() {
	before, after := crdTexts(c.in.Old.Chart), crdTexts(c.in.New.Chart)
	for _, side := range []struct {
		source Source
		texts  []manifest.Text
	}{{c.in.Old, before}, {c.in.New, after}} {
		if _, err := manifest.Compare(side.texts, nil); err != nil {
			c.add(finding.Finding{Rule: "chart-crd-unread", Severity: finding.Error, File: side.source.Origin,
				Message: fmt.Sprintf("a file in crds/ cannot be read, so that nothing is known of what becomes of the objects of its kind: %v", plain(err)), Next: "correct the file in the chart"})
			return
		}
	}
	differences, err := manifest.Compare(before, after)
	if err != nil {
		c.add(finding.Finding{Rule: "chart-crd-unread", Severity: finding.Error, File: c.in.New.Origin,
			Message: fmt.Sprintf("the files in crds/ cannot be compared: %v", plain(err)), Next: "compare them by hand"})
		return
	}
	c.crdsDiffer = len(differences) > 0
	for _, d := range differences {
		if d.Breaking == "" {
			continue
		}
		f := finding.Finding{Rule: "crd-breaking", Severity: finding.Error, File: c.in.New.Origin, Path: d.Object.String(),
			Message: fmt.Sprintf("%s: %s", d.Source, d.Breaking), Next: "move the objects that are stored to a version that stays, before the chart is upgraded"}
		if d.Change == manifest.Removed {
			f.Message = fmt.Sprintf("%s is gone from crds/: where it is pruned, %s", d.Source, d.Breaking)
			f.Next = "see whether a template or another chart brings it now, and protect it until then"
		}
		c.add(f)
	}
}

// plain returns the innermost words of an error that are fit to be shown.
func plain(err error) error {
	if errors.Is(err, manifest.ErrObject) {
		return err // it names the file, and quotes nothing
	}
	return errors.New("it is no Kubernetes object")
}

func crdTexts(c *chart.Chart) []manifest.Text {
	var out []manifest.Text
	for _, d := range c.CRDs() {
		out = append(out, manifest.Text{Source: d.Source, Content: d.Text})
	}
	return slices.Clip(out)
}
