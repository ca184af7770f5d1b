package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	ruleNoLive = "no-live-values"
	// ruleRelease is about a Helm release that stands in for values that an Application does not hold.
	ruleRelease = "helm-release"
)

// readRelease reads the live values of an Application that holds none from its Helm release (DESIGN 5). Argo CD renders with
// helm template and writes no release, so that what is found is of a time before it: that is said, and none at all is
// never taken for empty values.
func (d *decision) readRelease(ctx context.Context) error {
	const next = `give it inline values (helm.values: "" when it has none)`
	if d.in.Releases == nil {
		d.block(ruleNoLive, "the Application holds no inline values, and there is no cluster to read its Helm release from", next)
		return nil
	}
	release, err := d.in.Releases.HelmRelease(ctx, d.id)
	switch {
	case errors.Is(err, cluster.ErrNoRelease), errors.Is(err, cluster.ErrCorruptRelease), errors.Is(err, cluster.ErrForbidden):
		d.block(ruleNoLive, "the Application holds no inline values, and no Helm release says what they are: "+err.Error(), next)
		return nil
	case err != nil:
		return err
	}
	warn := func(message, next string) {
		d.add(finding.Finding{Rule: ruleRelease, Severity: finding.Warning, Message: message, Next: next})
	}
	warn(fmt.Sprintf("the Application holds no inline values; those of Helm release %s, revision %d, stand in", d.id, release.Revision),
		"see that they are what runs")
	for _, w := range release.Warnings {
		warn(fmt.Sprintf("Helm release %s: %s", d.id, w), "")
	}
	d.compareRelease(ctx, release)
	doc, err := releaseValues(release, d.id)
	if err == nil {
		d.warn(doc)
	}
	d.setLive(doc, err)
	return nil
}

// compareRelease warns of a release of another chart, or chart version, than the one that Argo CD renders: then its values are
// those of an older install, and perhaps not what runs.
func (d *decision) compareRelease(ctx context.Context, release cluster.HelmRelease) {
	source, err := d.source.ChartSource()
	if err != nil {
		return // readLive has blocked the app
	}
	name, version := path.Base(source.Chart), source.TargetRevision
	if source.Chart == "" {
		if d.in.Charts == nil || !d.in.Charts.Local(chartSource(source)) {
			return // a path does not say which version it has
		}
		c := d.chart(ctx)
		if c == nil {
			return
		}
		version = c.Version()
		name = strings.TrimSuffix(c.Name(), "-"+version)
	}
	same := strings.TrimPrefix(version, "v") == strings.TrimPrefix(release.ChartVersion, "v")
	is, of, renders := "is stale", "chart version "+release.ChartVersion, version
	switch {
	case name != release.Chart:
		of, renders = "chart "+release.Chart+" "+release.ChartVersion, name+" "+version
	case same:
		return
	case !exactVersion.MatchString(version):
		is, renders = "can be stale", fmt.Sprintf("what %q stands for", version)
	}
	d.add(finding.Finding{Rule: ruleRelease, Severity: finding.Warning,
		Message: fmt.Sprintf("Helm release %s %s: it is of %s, and Argo CD renders %s", d.id, is, of, renders),
		Next:    "see that its values are what runs"})
}

// exactVersion is a chart's version as opposed to a range of them, or a tag that moves.
var exactVersion = regexp.MustCompile(`^v?[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]*)?$`)

// releaseValues returns a release's user-supplied values, every digit kept; null is none.
func releaseValues(release cluster.HelmRelease, id app.ID) (*values.Document, error) {
	var tree map[string]any
	decoder := json.NewDecoder(bytes.NewReader(release.Config))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, fmt.Errorf("the values of Helm release %s are no map", id)
	}
	return values.FromTree(fmt.Sprintf("Secret %s in namespace %s", release.Secret, id.Namespace), tree)
}
