package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// readLive reads the live values: what the Application holds inline, parameters folded in, or else what its Helm release
// was given. The error is for a cluster that no longer answers.
func (d *decision) readLive(ctx context.Context) error {
	live := d.source.LiveValues()
	d.addLive(live)
	if live.Blocked() {
		return nil
	}
	switch {
	case live.NoInline():
		return d.readRelease(ctx)
	case live.Origin == argocd.OriginFiles:
		d.block("values-repo-other", "the Application reads our value files, but from another values repo or revision",
			"give its own by --values-repo-url and --values-revision")
		return nil
	}
	layers, ok := d.readFiles(ctx, live.Files)
	if !ok {
		return stopped(ctx)
	}
	inline, err := d.readInline(live)
	if err != nil {
		d.unreadable(err, "correct the live values")
		return nil
	}
	d.warn(inline)
	doc := inline
	if len(layers) > 0 {
		doc = values.Overlay(inline.Name, append(layers, inline)...)
	}
	doc, err = doc.Set(live.Parameters)
	d.setLive(doc, err)
	return nil
}

// readInline reads what the Application holds inline; nothing, where it holds nothing.
func (d *decision) readInline(live argocd.Live) (*values.Document, error) {
	name := strings.TrimSpace(fmt.Sprintf("Application %s %s", d.source.Name(), live.At))
	if live.Origin == argocd.OriginObject {
		return values.FromTree(name, live.Object)
	}
	return values.Parse(name, []byte(live.Text))
}

// stopped returns why ctx is done, if it is.
func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read live values: %w", err)
	}
	return nil
}

// setLive takes a document as the live values, or blocks with why it could not be read.
func (d *decision) setLive(doc *values.Document, err error) {
	if err != nil {
		d.unreadable(err, "correct the live values")
		return
	}
	d.live = doc
}

// addLive adds what there is to say about where the live values come from.
func (d *decision) addLive(live argocd.Live) {
	for _, f := range slices.Concat(live.Blocking, live.Warnings) {
		d.add(f)
	}
}
