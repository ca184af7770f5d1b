package argocd

import (
	"slices"
	"strings"
)

// The annotations by which Argo CD knows that an Application synced an object, whatever argocd-cm says of labels.
const (
	trackingID     = "argocd.argoproj.io/tracking-id"
	installationID = "argocd.argoproj.io/installation-id"
)

// TrackingAnnotations returns the annotations that tell which Application an object belongs to.
func TrackingAnnotations() []string { return []string{trackingID, installationID} }

// maxLabel is how much of an Application's name Argo CD puts into a label, where the label does not decide.
const maxLabel = 63

// TrackedBy returns the name of the Application that the tracking annotation says this one belongs to, or "".
func (a *Application) TrackedBy() string {
	name, _, _ := strings.Cut(a.Annotation(trackingID), ":")
	return name
}

// LabelNames reports whether the value of an instance label stands for an Application's name.
func LabelNames(value, application string) bool {
	return value != "" && (value == application || len(value) <= maxLabel && len(application) > maxLabel && strings.HasPrefix(application, value))
}

// Protected reports whether the Application outlives its file and its root app: both options, as Argo CD looks for them.
func (a *Application) Protected() bool {
	options := a.SyncOptions()
	return slices.Contains(options, protectPrune) && slices.Contains(options, protectDelete)
}

// SyncOptions returns the options of the annotation that says what happens to the Application itself.
func (a *Application) SyncOptions() []string {
	var out []string
	for option := range strings.SplitSeq(a.Annotation(syncOptions), ",") {
		if option = strings.TrimSpace(option); option != "" {
			out = append(out, option)
		}
	}
	return out
}

// SyncOptionsAnnotation is the annotation that SyncOptions reads.
const SyncOptionsAnnotation = syncOptions

// Protection returns the annotation's value with the protection joined to the options that are there, as Build writes it.
func (a *Application) Protection() string {
	options, _ := a.protect()
	return options
}

// LastApplied is the annotation that kubectl apply leaves: a whole object, as it was in the file.
const LastApplied = lastApplied

// Automated reports whether Argo CD syncs the Application by itself (its IsAutomatedSyncEnabled).
func (a *Application) Automated() bool {
	automated, set, err := field[map[string]any](child(a.spec(), "syncPolicy"), "automated")
	if err != nil || !set {
		return false
	}
	enabled, said := automated["enabled"].(bool)
	return !said || enabled
}

// Syncing reports whether a sync of the Application is asked for or under way.
func (a *Application) Syncing() bool {
	if a.object["operation"] != nil {
		return true
	}
	phase := text(child(child(a.object, "status"), "operationState"), "phase")
	return phase == "Running" || phase == "Terminating"
}

// UID returns metadata.uid, "" for an Application that no server has.
func (a *Application) UID() string { return text(a.metadata(), "uid") }

// ResourceVersion returns metadata.resourceVersion, "" for an Application that no server has.
func (a *Application) ResourceVersion() string { return text(a.metadata(), "resourceVersion") }

// Finalizers returns metadata.finalizers.
func (a *Application) Finalizers() []string {
	list, _ := a.metadata()["finalizers"].([]any)
	var out []string
	for _, f := range list {
		if name, ok := f.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

// InNewForm reports whether the Application reads our two value files from the source that is called values, whichever repo
// that is, and returns that repo and revision.
func (a *Application) InNewForm() (form Form, moved bool) {
	id, err := a.ID()
	ref, ok := a.valuesRef()
	if err != nil || !ok {
		return Form{}, false
	}
	form = Form{ID: id, ValuesRepoURL: ref.RepoURL, ValuesRevision: ref.TargetRevision}
	return form, a.Moved(form)
}

// Child is an Application as the one that syncs it tells of it.
type Child struct {
	// Listed tells that it is among the resources of the last comparison, Gone that git no longer has it.
	Listed, Gone bool
}

// Child returns what the status of the Application, as of its last comparison with git, tells of an Application that it
// syncs.
func (a *Application) Child(namespace, name string) Child {
	resources, _ := child(a.object, "status")["resources"].([]any)
	for _, r := range resources {
		resource, _ := r.(map[string]any)
		if text(resource, "group") != apiGroup || text(resource, "kind") != kind || text(resource, "name") != name || text(resource, "namespace") != namespace {
			continue
		}
		gone, _ := resource["requiresPruning"].(bool)
		return Child{Listed: true, Gone: gone}
	}
	return Child{}
}

// Compared reports whether the last comparison with git, which the status tells of, could be made.
func (a *Application) Compared() bool {
	status := text(child(child(a.object, "status"), "sync"), "status")
	return status == "Synced" || status == "OutOfSync"
}

// RootApp is the Application that the platform's operator makes for the folder of the Application files (DESIGN 10).
const RootApp = "gitops-ns-argocd"
