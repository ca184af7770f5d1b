package rollback

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// ownManager is the field manager of what this tool writes for itself; argoManager the one under which Argo CD applies what
// an Application syncs.
const (
	ownManager  = "kubectl-apl"
	argoManager = "argocd-controller"

	operationApply = "Apply"
)

// target is what an Application is to be again.
type target struct {
	// plain is the declared form of the backup, protected the same with the protection on.
	plain, protected map[string]any
	app              *argocd.Application // plain
	owner            argocd.Manager
	// tracker is the Application that synced this one before. It may go on; where it is the root app, it may not, since its
	// file goes.
	tracker string
}

func newTarget(e backup.Entry, root string) (target, error) {
	plain := e.Application.Declared()
	a, err := argocd.New(plain)
	if err != nil {
		return target{}, err
	}
	protected := argocd.Copy(plain)
	annotations := maps.Clone(annotationsOf(plain))
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[argocd.SyncOptionsAnnotation] = a.Protection()
	child(protected, "metadata")["annotations"] = annotations
	t := target{plain: plain, protected: protected, app: a, tracker: e.Application.TrackedBy()}
	if e.Record != nil {
		t.tracker = e.Record.TrackedBy
	}
	if t.tracker == root {
		t.tracker = ""
	}
	return t, nil
}

func child(tree map[string]any, key string) map[string]any {
	c, _ := tree[key].(map[string]any)
	return c
}

func spec(a *argocd.Application) map[string]any { return child(a.Object(), "spec") }

func annotationsOf(tree map[string]any) map[string]any {
	return child(child(tree, "metadata"), "annotations")
}

// chooseOwner tells which field manager the inline form goes back to, and false when nobody knows: the one that owned
// spec.source when the backup was made, or else the one that owns the leftover spec.source, or the rest of the spec, now.
// Whoever applies is chosen before those that changed something once.
func chooseOwner(e backup.Entry, live *argocd.Application, override string) (argocd.Manager, bool) {
	if override != "" {
		return argocd.Manager{Name: override, Operation: operationApply}, true
	}
	var recorded []argocd.Manager
	if e.Record != nil {
		recorded = e.Record.SourceOwners
	}
	for _, managers := range [][]argocd.Manager{recorded, e.Application.SourceOwners(), live.SourceOwners(), specOwners(live)} {
		managers = slices.DeleteFunc(slices.Clone(managers), func(m argocd.Manager) bool { return m.Name == ownManager })
		slices.SortStableFunc(managers, func(a, b argocd.Manager) int { return cmp.Compare(rank(a), rank(b)) })
		if len(managers) > 0 {
			return managers[0], true
		}
	}
	return argocd.Manager{}, false
}

func rank(m argocd.Manager) int {
	switch {
	case m.Operation == operationApply && m.Name != argoManager:
		return 0
	case m.Operation == operationApply:
		return 1
	}
	return 2
}

// specOwners are the managers, other than Argo CD itself, that apply a part of the spec.
func specOwners(a *argocd.Application) (list []argocd.Manager) {
	for _, e := range entries(a) {
		m := argocd.Manager{Name: text(e, "manager"), Operation: text(e, "operation")}
		if m.Operation == operationApply && m.Name != argoManager && child(child(e, "fieldsV1"), "f:spec") != nil {
			list = append(list, m)
		}
	}
	return list
}

// entries are those of managedFields.
func entries(a *argocd.Application) (list []map[string]any) {
	all, _ := child(a.Object(), "metadata")["managedFields"].([]any)
	for _, e := range all {
		entry, _ := e.(map[string]any)
		list = append(list, entry)
	}
	return list
}

func text(tree map[string]any, key string) string {
	s, _ := tree[key].(string)
	return s
}

// owns tells whether the manager owns spec.source, as it did. One that once changed something has nothing to come back for.
func (t target) owns(live *argocd.Application) bool {
	return t.owner.Operation != operationApply || slices.Contains(live.SourceOwners(), t.owner)
}

// foreign tells whether an entry of managedFields is there since the migration only: what the root app applied, or what
// this tool wrote on the way.
func (t target) foreign(entry map[string]any) bool {
	name := text(entry, "manager")
	return text(entry, "subresource") == "" && (name == argoManager || name == ownManager) && name != t.owner.Name
}

// maxPaths bounds how many differences are named.
const maxPaths = 5

// changed returns the paths at which a live Application is neither in the form that the migration gave it nor in that of the
// backup, nor on the way back: what somebody has changed since. Values are not shown.
func (t target) changed(live *argocd.Application) []string {
	var paths []string
	add := func(prefix string, is, was map[string]any) {
		for _, p := range values.Differences(is, was, maxPaths) {
			paths = append(paths, prefix+"."+p.String())
		}
	}
	now, was := withoutNull(spec(live)), spec(t.app)
	switch form, moved := live.InNewForm(); {
	case now["sources"] == nil:
		add("spec", now, withoutNull(was))
	case !moved:
		paths = append(paths, "spec.sources")
	default:
		built, _, err := t.app.Build(form)
		if err != nil {
			return []string{"spec"}
		}
		want := maps.Clone(child(built, "spec"))
		if now["source"] != nil { // the leftover of before, or the step inline
			want["source"] = was["source"]
		}
		add("spec", now, want)
	}
	meta := child(live.Object(), "metadata")
	for _, kind := range []string{"labels", "annotations"} {
		for _, key := range slices.Sorted(maps.Keys(child(child(t.plain, "metadata"), kind))) {
			is, there := child(meta, kind)[key]
			if there && !values.Equal(is, child(child(t.plain, "metadata"), kind)[key]) && !(key == argocd.SyncOptionsAnnotation && is == t.app.Protection()) {
				paths = append(paths, "metadata."+kind+"["+key+"]")
			}
		}
	}
	if !sameSet(live.Finalizers(), t.app.Finalizers()) {
		paths = append(paths, "metadata.finalizers")
	}
	return paths
}

// withoutNull drops keys that hold null at the top: the server keeps them, and they say nothing.
func withoutNull(tree map[string]any) map[string]any {
	out := maps.Clone(tree)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

func sameSet(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// tracked returns what records that another Application has synced this one since: annotations, and the instance label where it
// is not the backup's own.
func (t target) tracked(live *argocd.Application, labelKey string) (annotations []string, label, by string) {
	if by := live.TrackedBy(); by != "" && by == t.tracker {
		return nil, "", ""
	}
	for _, key := range argocd.TrackingAnnotations() {
		if live.Annotation(key) != "" {
			annotations = append(annotations, key)
		}
	}
	if value := live.Label(labelKey); value != t.app.Label(labelKey) {
		label = value
	}
	return annotations, label, cmp.Or(live.TrackedBy(), label)
}

// otherForm tells whether what kubectl apply has left is of the form in git: whoever applies next would take it for what
// was there.
func otherForm(live *argocd.Application) bool {
	var object struct {
		Spec struct {
			Sources []any `json:"sources"`
		} `json:"spec"`
	}
	return json.Unmarshal([]byte(live.Annotation(argocd.LastApplied)), &object) == nil && len(object.Spec.Sources) > 0
}
