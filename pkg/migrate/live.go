package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	ruleNoLive = "no-live-values"
	// ruleRelease is about a Helm release that stands in for values that an Application does not hold.
	ruleRelease = "helm-release"
)

// readLive reads the live values: what the Application holds inline, parameters folded in, or else what its Helm release
// was given. The error is for a cluster that no longer answers.
func (d *decision) readLive(ctx context.Context) error {
	live := d.source.LiveValues()
	d.addLive(live)
	if live.Blocked() {
		return nil
	}
	var (
		doc  *values.Document
		err  error
		name = fmt.Sprintf("Application %s %s", d.source.Name(), live.At)
	)
	switch {
	case live.NoInline():
		return d.readRelease(ctx)
	case live.Origin == argocd.OriginFiles:
		d.block("values-repo-other", "the Application reads our value files, but from another values repo or revision",
			"give its own by --values-repo-url and --values-revision")
		return nil
	case live.Origin == argocd.OriginObject:
		doc, err = values.FromTree(name, live.Object)
	default:
		doc, err = values.Parse(name, []byte(live.Text))
	}
	if err == nil {
		doc, err = doc.Set(live.Parameters)
	}
	d.setLive(doc, err)
	return nil
}

// setLive takes a document as the live values, or blocks with why it could not be read.
func (d *decision) setLive(doc *values.Document, err error) {
	if err != nil {
		d.unreadable(err, "correct the live values")
		return
	}
	d.warn(doc)
	d.live = doc
}

// addLive adds what there is to say about where the live values come from.
func (d *decision) addLive(live argocd.Live) {
	for _, f := range slices.Concat(live.Blocking, live.Warnings) {
		d.add(f)
	}
}

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
	if source, err := d.source.ChartSource(); err == nil && source.Chart != "" && source.TargetRevision != release.ChartVersion {
		warn(fmt.Sprintf("Helm release %s is stale: it is of chart version %s, and Argo CD renders %s", d.id, release.ChartVersion, source.TargetRevision),
			"see that its values are what runs")
	}
	d.setLive(releaseValues(release, d.id))
	return nil
}

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
