// Package argocd owns Argo CD's Application: it reads Applications from a stream, says where the values of one come from,
// and builds the form in which one is kept in git. An Application is a plain tree here, so that fields which this
// version does not know survive. The package refuses to know clusters, disks and charts, and how values are merged.
package argocd

import (
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const (
	apiGroup   = "argoproj.io"
	apiVersion = apiGroup + "/v1alpha1"
	kind       = "Application"

	// Namespace is where the platform's Argo CD looks for Applications.
	Namespace = "argocd"
)

// ErrApplication is wrapped by New for a tree that is no Application.
var ErrApplication = errors.New("not an Application")

// Application is one Argo CD Application, as it was read. Nothing here changes it.
type Application struct {
	// File and Line say where it was read: the name that Read was given, and the line from 1; 0 means unknown.
	File string
	Line int

	object map[string]any
}

// New returns the Application that a tree holds. The tree is kept, not copied: the caller no longer changes it. The error
// wraps ErrApplication for another kind, and for one without a name or a spec.
func New(object map[string]any) (*Application, error) {
	if text(object, "apiVersion") != apiVersion || text(object, "kind") != kind {
		return nil, fmt.Errorf("%w: its apiVersion and kind are %q and %q", ErrApplication, text(object, "apiVersion"), text(object, "kind"))
	}
	a := &Application{object: object}
	if a.Name() == "" {
		return nil, fmt.Errorf("%w: it has no metadata.name", ErrApplication)
	}
	if _, present, err := field[map[string]any](object, "spec"); err != nil || !present {
		return nil, fmt.Errorf("%w: %s has no spec", ErrApplication, a.Name())
	}
	return a, nil
}

// Object returns the whole tree. It is not to be changed.
func (a *Application) Object() map[string]any { return a.object }

// Name returns metadata.name.
func (a *Application) Name() string { return text(a.metadata(), "name") }

// Namespace returns metadata.namespace: where the Application is, not where it deploys to.
func (a *Application) Namespace() string { return text(a.metadata(), "namespace") }

// Label returns the value of a label, or "".
func (a *Application) Label(key string) string { return text(child(a.metadata(), "labels"), key) }

// Labels returns the labels whose value is text, as the API server demands.
func (a *Application) Labels() map[string]string {
	out := map[string]string{}
	for key, value := range child(a.metadata(), "labels") {
		if s, ok := value.(string); ok {
			out[key] = s
		}
	}
	return out
}

// Annotation returns the value of an annotation, or "".
func (a *Application) Annotation(key string) string {
	return text(child(a.metadata(), "annotations"), key)
}

// Project returns spec.project; an empty one is the project "default" to Argo CD.
func (a *Application) Project() string {
	if project := text(a.spec(), "project"); project != "" {
		return project
	}
	return "default"
}

// DestinationNamespace returns the namespace that the Application deploys to, or "".
func (a *Application) DestinationNamespace() string {
	return text(child(a.spec(), "destination"), "namespace")
}

// Owner returns the name of the ApplicationSet that made the Application, and whether there is one. Such an Application
// is not to be written: the set's controller puts its own form back.
func (a *Application) Owner() (name string, owned bool) {
	references, _ := a.metadata()["ownerReferences"].([]any)
	for _, reference := range references {
		r, _ := reference.(map[string]any)
		if text(r, "kind") == "ApplicationSet" {
			return text(r, "name"), true
		}
	}
	return "", false
}

// Deleting reports whether the Application is on its way out of the cluster.
func (a *Application) Deleting() bool { return text(a.metadata(), "deletionTimestamp") != "" }

// Release returns the Helm release name: helm.releaseName of the source that renders, or else the Application's own name,
// which is what Argo CD uses.
func (a *Application) Release() string {
	// Why a source cannot be used is for LiveValues to say; a name is wanted all the same.
	sources, _, err := a.sources()
	if name := text(child(child(a.spec(), "source"), "helm"), "releaseName"); err != nil && name != "" {
		return name
	}
	for _, s := range sources {
		if name := text(s.helm, "releaseName"); name != "" && s.renders() {
			return name
		}
	}
	return a.Name()
}

// ID returns the app's identity: destination namespace and release name (DESIGN 3). The error wraps app.ErrInvalid when
// those are no identity, as of an Application that names no destination namespace.
func (a *Application) ID() (app.ID, error) {
	id := app.ID{Namespace: a.DestinationNamespace(), Release: a.Release()}
	if id.Namespace == "" {
		return app.ID{}, fmt.Errorf("%w: Application %s names no destination namespace", app.ErrInvalid, a.Name())
	}
	if err := id.Validate(); err != nil {
		return app.ID{}, fmt.Errorf("identify Application %s: %w", a.Name(), err)
	}
	return id, nil
}

func (a *Application) metadata() map[string]any { return child(a.object, "metadata") }
func (a *Application) spec() map[string]any     { return child(a.object, "spec") }

// finding returns a finding about the Application. It names the identity where there is one, and the Application otherwise.
func (a *Application) finding(severity finding.Severity, rule, path, message, next string) finding.Finding {
	name := a.Name()
	if id, err := a.ID(); err == nil {
		name = id.String()
	}
	return finding.Finding{
		Rule: rule, Severity: severity, App: name,
		File: a.File, Line: a.Line, Path: path,
		Message: message, Next: next,
	}
}
