package rollback

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// step is one that is to be done: what it says, and the write.
type step struct {
	name StepName
	text string
	do   func(ctx context.Context, c Cluster, dryRun bool) error
}

// pending returns the steps that are left, by what the live Application shows. Only the first of them is to be done before
// it is looked at again.
func (t target) pending(live *argocd.Application, labelKey string) []step {
	var steps []step
	add := func(name StepName, text string, do func(context.Context, Cluster, bool) error) {
		steps = append(steps, step{name, text, do})
	}
	annotations, label, by := t.tracked(live, labelKey)
	isTracked := len(annotations) > 0 || label != ""
	if isTracked && !live.Protected() {
		add(Protect, "put on "+live.Protection()+": the Application outlives its file", t.patch(live, ownManager, t.protect(live)))
	}
	if disown := t.disown(live); isTracked || otherForm(live) || len(disown) > 0 {
		operations := append(t.release(live, annotations, label, labelKey), disown...)
		add(Release, release(annotations, label, labelKey, by, live), t.patch(live, ownManager, operations))
	}
	if !t.isThere(live) || !t.owns(live) {
		add(Inline, "put spec.source back, as field manager "+t.owner.Name, t.inline(live, t.protected))
	}
	if operations, text := t.switchOver(live); len(operations) > 0 {
		add(Switch, text, t.patch(live, ownManager, operations))
	}
	if is, was := live.Annotation(argocd.SyncOptionsAnnotation), t.app.Annotation(argocd.SyncOptionsAnnotation); is != was {
		add(Unprotect, "give annotation "+argocd.SyncOptionsAnnotation+" back its value: "+orNone(was), t.unprotect(live))
	}
	return steps
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// patch is a step that writes a JSON patch, on the very object that was looked at.
func (t target) patch(live *argocd.Application, manager string, operations []cluster.Operation) func(context.Context, Cluster, bool) error {
	operations = append([]cluster.Operation{cluster.Test(live.UID(), "metadata", "uid")}, operations...)
	return func(ctx context.Context, c Cluster, dryRun bool) error {
		_, err := c.Patch(ctx, live.Namespace(), live.Name(), operations, cluster.WriteOptions{Manager: manager, DryRun: dryRun})
		return err
	}
}

// protect puts the protection on. A test on all annotations stands for one on a value that may not be there.
func (t target) protect(live *argocd.Application) []cluster.Operation {
	annotations := maps.Clone(annotationsOf(live.Object()))
	var operations []cluster.Operation
	if annotations == nil {
		operations = append(operations, cluster.Add(map[string]any{}, "metadata", "annotations"))
	} else {
		operations = append(operations, cluster.Test(annotations, "metadata", "annotations"))
	}
	return append(operations, cluster.Add(live.Protection(), "metadata", "annotations", argocd.SyncOptionsAnnotation))
}

// release takes away what records who synced the Application. The first test demands that the protection is on at that very
// moment: whatever Argo CD is about to do, it does not delete.
func (t target) release(live *argocd.Application, annotations []string, label, labelKey string) []cluster.Operation {
	var operations []cluster.Operation
	if len(annotations) > 0 || label != "" {
		operations = append(operations, cluster.Test(live.Annotation(argocd.SyncOptionsAnnotation), "metadata", "annotations", argocd.SyncOptionsAnnotation))
	}
	if otherForm(live) {
		annotations = append(slices.Clone(annotations), argocd.LastApplied)
	}
	for _, key := range annotations {
		at := []string{"metadata", "annotations", key}
		operations = append(operations, cluster.Test(live.Annotation(key), at...), cluster.Remove(at...))
	}
	if label == "" {
		return operations
	}
	at := []string{"metadata", "labels", labelKey}
	operations = append(operations, cluster.Test(label, at...))
	if was := t.app.Label(labelKey); was != "" {
		return append(operations, cluster.Add(was, at...))
	}
	return append(operations, cluster.Remove(at...))
}

// disown takes status and operation out of what the owner is recorded to have applied. An apply of the declared form would
// wipe them, and with them the history that Argo CD keeps there.
func (t target) disown(live *argocd.Application) (operations []cluster.Operation) {
	for i, entry := range entries(live) {
		if text(entry, "manager") != t.owner.Name || text(entry, "operation") != operationApply || text(entry, "subresource") != "" {
			continue
		}
		for _, field := range []string{"f:operation", "f:status"} {
			if owned, ok := child(entry, "fieldsV1")[field]; ok {
				at := []string{"metadata", "managedFields", strconv.Itoa(i), "fieldsV1", field}
				operations = append(operations, cluster.Test(owned, at...), cluster.Remove(at...))
			}
		}
	}
	return operations
}

func release(annotations []string, label, labelKey, by string, live *argocd.Application) string {
	what := slices.Clone(annotations)
	if label != "" {
		what = append(what, "label "+labelKey)
	}
	if otherForm(live) {
		what = append(what, argocd.LastApplied)
	}
	if len(what) == 0 {
		return "take status and operation out of what the field manager is recorded to have applied"
	}
	text := "take away " + strings.Join(what, ", ")
	if by != "" {
		text += ": the Application is no longer one of " + by
	}
	return text
}

// isThere tells whether the live Application holds all that the backup declares, whatever else it holds, and whether the
// protection is on.
func (t target) isThere(live *argocd.Application) bool {
	meta, was := child(live.Object(), "metadata"), argocd.Copy(child(t.plain, "metadata"))
	delete(child(was, "annotations"), argocd.SyncOptionsAnnotation)
	for _, f := range t.app.Finalizers() {
		if !slices.Contains(live.Finalizers(), f) {
			return false
		}
	}
	return covers(spec(live), spec(t.app)) && covers(child(meta, "labels"), child(was, "labels")) &&
		covers(child(meta, "annotations"), child(was, "annotations"))
}

// covers tells whether a value holds all that is wanted: maps may hold more.
func covers(is, want any) bool {
	wanted, ok := want.(map[string]any)
	if !ok {
		return values.Equal(is, want)
	}
	there, ok := is.(map[string]any)
	if !ok {
		return false
	}
	for key, value := range wanted {
		if !covers(there[key], value) {
			return false
		}
	}
	return true
}

// inline gives an owner its form back. One that applies does so again; for one that once changed something, the same is
// written as that manager.
func (t target) inline(live *argocd.Application, tree map[string]any) func(context.Context, Cluster, bool) error {
	if t.owner.Operation != operationApply {
		return t.patch(live, t.owner.Name, t.additions(live, tree))
	}
	return func(ctx context.Context, c Cluster, dryRun bool) error {
		_, err := t.apply(ctx, c, live, tree, dryRun)
		return err
	}
}

// apply has the owner apply a tree to the very object that was looked at, as it was then: an apply takes back whatever somebody
// has written meanwhile. A dry run takes nothing back, and the controller's writes would only be in its way.
func (t target) apply(ctx context.Context, c Cluster, live *argocd.Application, tree map[string]any, dryRun bool) (*argocd.Application, error) {
	object := argocd.Copy(tree)
	meta := child(object, "metadata")
	meta["uid"] = live.UID()
	if !dryRun {
		meta["resourceVersion"] = text(child(live.Object(), "metadata"), "resourceVersion")
	}
	return c.Apply(ctx, object, cluster.WriteOptions{Manager: t.owner.Name, DryRun: dryRun})
}

// additions set all of a tree that a live Application lacks or has otherwise. They take nothing away but what stands inside
// of spec.source.
func (t target) additions(live *argocd.Application, tree map[string]any) []cluster.Operation {
	var operations []cluster.Operation
	set := func(is, want map[string]any, path ...string) {
		if is == nil {
			operations = append(operations, cluster.Add(want, path...))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if was, ok := is[key]; !ok || !values.Equal(was, want[key]) {
				operations = append(operations, cluster.Add(want[key], append(slices.Clone(path), key)...))
			}
		}
	}
	set(spec(live), child(tree, "spec"), "spec")
	meta, want := child(live.Object(), "metadata"), child(tree, "metadata")
	for _, kind := range []string{"labels", "annotations"} {
		if child(want, kind) != nil {
			set(child(meta, kind), child(want, kind), "metadata", kind)
		}
	}
	if !sameSet(live.Finalizers(), t.app.Finalizers()) && want["finalizers"] != nil {
		operations = append(operations, cluster.Add(want["finalizers"], "metadata", "finalizers"))
	}
	return operations
}

// switchOver takes away what the backup does not have: spec.sources first of all, and what the migration has left in the
// records of who owns what. All of it is one patch: Argo CD sees the new form, or the old one.
func (t target) switchOver(live *argocd.Application) (operations []cluster.Operation, text string) {
	is, was := spec(live), spec(t.app)
	var gone, other []string
	for _, key := range slices.Sorted(maps.Keys(is)) {
		at := []string{"spec", key}
		if _, ok := was[key]; !ok {
			operations = append(operations, cluster.Test(is[key], at...), cluster.Remove(at...))
			gone = append(gone, "spec."+key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		// The step before leaves a difference only where somebody else owns what is inside too.
		if value, ok := is[key]; was[key] != nil && (!ok || !values.Equal(value, was[key])) {
			operations = append(operations, cluster.Add(was[key], "spec", key))
			other = append(other, "spec."+key)
		}
	}
	if _, ok := is["source"]; ok && len(operations) > 0 && !slices.Contains(other, "spec.source") {
		operations = append([]cluster.Operation{cluster.Test(was["source"], "spec", "source")}, operations...)
	}
	records := t.takeRecords(live)
	switch {
	case len(gone) > 0:
		text = "take away " + strings.Join(gone, ", ") + ": spec.source is what Argo CD reads"
	case len(other) > 0:
		text = "put back " + strings.Join(other, ", ")
	case len(records) > 0:
		text = "take away what records the root app as an owner of fields"
	}
	return append(operations, records...), text
}

// takeRecords takes entries of managedFields away: of fields that are gone, or that the owner of before owns too. Without
// them nothing that the root app once applied keeps a field alive that the owner drops.
func (t target) takeRecords(live *argocd.Application) (operations []cluster.Operation) {
	all := entries(live)
	if !slices.ContainsFunc(all, func(e map[string]any) bool { return !t.foreign(e) }) {
		return nil // a server that is left without any record restores them
	}
	for i, entry := range slices.Backward(all) { // from the end: the indexes before it stay
		if t.foreign(entry) {
			at := []string{"metadata", "managedFields", strconv.Itoa(i)}
			operations = append(operations, cluster.Test(entry, at...), cluster.Remove(at...))
		}
	}
	return operations
}

// unprotect gives the annotation its value back. The owner applies its own form; where another manager owns the annotation
// too, and it stays, it is written.
func (t target) unprotect(live *argocd.Application) func(context.Context, Cluster, bool) error {
	is, was := live.Annotation(argocd.SyncOptionsAnnotation), t.app.Annotation(argocd.SyncOptionsAnnotation)
	at := []string{"metadata", "annotations", argocd.SyncOptionsAnnotation}
	return func(ctx context.Context, c Cluster, dryRun bool) error {
		if t.owner.Operation == operationApply {
			after, err := t.apply(ctx, c, live, t.plain, dryRun)
			if err != nil || dryRun || after.Annotation(argocd.SyncOptionsAnnotation) == was {
				return err
			}
		}
		operations := []cluster.Operation{cluster.Test(live.UID(), "metadata", "uid"), cluster.Test(is, at...)}
		if was == "" {
			operations = append(operations, cluster.Remove(at...))
		} else {
			operations = append(operations, cluster.Add(was, at...))
		}
		_, err := c.Patch(ctx, live.Namespace(), live.Name(), operations, cluster.WriteOptions{Manager: t.owner.Name, DryRun: dryRun})
		return err
	}
}

// verify looks at an Application that has no step left, once more and as a whole.
func (t target) verify(live *argocd.Application, labelKey string, before *argocd.Application) error {
	annotations, label, _ := t.tracked(live, labelKey)
	switch {
	case live.UID() != before.UID():
		return fmt.Errorf("it is another object: its uid is %s, and was %s", live.UID(), before.UID())
	case live.Deleting():
		return errors.New("it is being deleted")
	case !values.Equal(withoutNull(spec(live)), withoutNull(spec(t.app))):
		return errors.New("its spec is not that of the backup")
	case len(annotations) > 0 || label != "":
		return errors.New("it is tracked again")
	case !sameSet(live.Finalizers(), t.app.Finalizers()):
		return errors.New("its finalizers are not those of the backup")
	case otherForm(live):
		return errors.New("annotation " + argocd.LastApplied + " holds the form of git")
	}
	return nil
}
