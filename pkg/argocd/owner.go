package argocd

import (
	"slices"
)

// Manager is who has written a field, as the API server keeps it.
type Manager struct {
	Name string `json:"name"`
	// Operation is Apply or Update; "" where only an annotation tells of the manager.
	Operation string `json:"operation,omitempty"`
}

// lastApplied is the annotation that kubectl apply leaves, and clientSideApply its name as a manager.
const (
	lastApplied     = "kubectl.kubernetes.io/last-applied-configuration"
	clientSideApply = "kubectl-client-side-apply"
)

// SourceOwners returns the managers that own spec.source or something below it, as managedFields tell, each once. An
// Application with the annotation of kubectl apply is owned by that too, whether managedFields were recorded or not. One
// without a spec.source is owned by nobody.
func (a *Application) SourceOwners() []Manager {
	if a.spec()["source"] == nil {
		return nil
	}
	var out []Manager
	entries, _ := a.metadata()["managedFields"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		if _, owns := child(child(entry, "fieldsV1"), "f:spec")["f:source"]; !owns {
			continue
		}
		m := Manager{Name: text(entry, "manager"), Operation: text(entry, "operation")}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	byApply := slices.ContainsFunc(out, func(m Manager) bool { return m.Name == clientSideApply })
	if a.Annotation(lastApplied) != "" && !byApply {
		out = append(out, Manager{Name: clientSideApply})
	}
	return out
}

// HasManagedFields reports whether the server's record of who owns which field was read.
func (a *Application) HasManagedFields() bool {
	entries, _ := a.metadata()["managedFields"].([]any)
	return len(entries) > 0
}

// Heals reports whether Argo CD undoes changes that others make to what the Application deploys.
func (a *Application) Heals() bool {
	heals, _ := child(child(a.spec(), "syncPolicy"), "automated")["selfHeal"].(bool)
	return heals
}

// HasSyncOption reports whether spec.syncPolicy.syncOptions holds an option, such as ServerSideApply=true.
func (a *Application) HasSyncOption(option string) bool {
	options, _ := child(a.spec(), "syncPolicy")["syncOptions"].([]any)
	return slices.Contains(options, any(option))
}

// RepoURLs returns the URLs of the Application's sources. They can hold credentials.
func (a *Application) RepoURLs() []string {
	sources, _, err := a.sources()
	if err != nil {
		return nil // such an Application reads nothing
	}
	out := make([]string, len(sources))
	for i, s := range sources {
		out[i] = s.RepoURL
	}
	return out
}
