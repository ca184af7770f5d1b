package argocd

import (
	"slices"
	"strings"
)

// FolderApp is an Application that applies a folder of the values repo: what the platform's operator makes of each folder below
// env/manifests (getArgocdGitopsManifest of apl-core).
type FolderApp struct {
	// Name and Namespace are the Application's own.
	Name, Namespace string
	// RepoURL, Revision and Path say which folder it applies.
	RepoURL, Revision, Path string
	// Destination is the namespace of objects that name none, "" for those that are in none. Objects of a namespace are
	// pruned, others are not: gitops-global outlives every file.
	Destination string
	// Automated tells that Argo CD is to sync it by itself.
	Automated bool
}

// The sync options of a gitops app.
const (
	serverSideApply = "ServerSideApply=true"
	createNamespace = "CreateNamespace=true"
	respectIgnore   = "RespectIgnoreDifferences=true"
	serverSideDiff  = "ServerSideDiff=true,IncludeMutationWebhook=true"
	compareOptions  = "argocd.argoproj.io/compare-options"

	defaultProject   = "default"
	inClusterAddress = "https://kubernetes.default.svc"
)

// Object returns the Application as the operator writes it, less RespectIgnoreDifferences, which can stop a root app (DESIGN
// 10). The tree is new with each call.
func (f FolderApp) Object() map[string]any {
	destination := map[string]any{"server": inClusterAddress}
	options := []any{serverSideApply}
	if f.Destination != "" {
		destination["namespace"] = f.Destination
		options = append(options, createNamespace)
	}
	policy := map[string]any{"syncOptions": options}
	if f.Automated {
		policy["automated"] = f.Automation()
	}
	return map[string]any{
		"apiVersion": apiVersion,
		"kind":       kind,
		"metadata": map[string]any{
			"name":        f.Name,
			"namespace":   f.Namespace,
			"labels":      map[string]any{ownerLabel: labelGitOps},
			"annotations": map[string]any{compareOptions: serverSideDiff},
			"finalizers":  []any{ResourcesFinalizer},
		},
		"spec": map[string]any{
			"project":     defaultProject,
			"destination": destination,
			"sources": []any{map[string]any{
				"repoURL":        f.RepoURL,
				"targetRevision": f.Revision,
				"path":           f.Path,
				"directory":      map[string]any{"recurse": true},
			}},
			"syncPolicy": policy,
		},
	}
}

// Automation is what the operator writes as spec.syncPolicy.automated.
func (f FolderApp) Automation() map[string]any {
	return map[string]any{"prune": f.Destination != "", "selfHeal": true}
}

// Directory is the folder that the Application applies.
func (f FolderApp) Directory() Directory {
	return Directory{RepoURL: f.RepoURL, Revision: revision(f.Revision), Path: f.Path, Recurse: true}
}

// StallOption is the sync option that the operator gives its gitops apps and that can stop one that applies Applications.
const StallOption = respectIgnore

// PolicyOptions returns spec.syncPolicy.syncOptions.
func (a *Application) PolicyOptions() []string {
	list, _ := child(a.spec(), "syncPolicy")["syncOptions"].([]any)
	var out []string
	for _, o := range list {
		if option, ok := o.(string); ok {
			out = append(out, option)
		}
	}
	return out
}

// Automation returns a copy of spec.syncPolicy.automated; nil where there is none. It can be one that is not enabled: see
// Automated.
func (a *Application) Automation() map[string]any {
	automated := child(child(a.spec(), "syncPolicy"), "automated")
	if automated == nil {
		return nil
	}
	return Copy(automated)
}

// FieldManagers returns the managers that own a field or something below it, as managedFields tell, each once and in their
// order. The keys are those that lead to the field.
func (a *Application) FieldManagers(keys ...string) []Manager {
	var out []Manager
	entries, _ := a.metadata()["managedFields"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		fields, owned := child(entry, "fieldsV1"), true
		for _, key := range keys {
			var value any
			if value, owned = fields["f:"+key]; !owned {
				break
			}
			fields, _ = value.(map[string]any)
		}
		m := Manager{Name: text(entry, "manager"), Operation: text(entry, "operation")}
		if owned && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// Overlaps reports whether two folders of one repo hold files that both would apply, by where they stand: they are one folder,
// or one lies in the other, which recurses. Revisions do not count: of two branches the same objects are applied. Nor do
// patterns: see Filtered.
func (d Directory) Overlaps(other Directory) bool {
	if !sameRepo(d.RepoURL, other.RepoURL) {
		return false
	}
	return d.Path == other.Path || d.Recurse && other.within(d.Path) || other.Recurse && d.within(other.Path)
}

func (d Directory) within(folder string) bool {
	return folder == "" || strings.HasPrefix(d.Path, folder+"/")
}

// Filtered reports whether patterns decide which files of the folder are applied; Takes tells of each.
func (d Directory) Filtered() bool { return d.include != "" || d.exclude != "" }
