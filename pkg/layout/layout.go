// Package layout owns the paths of a values repo: it makes the path of a thing from the thing's identity, and reads
// the path back. It knows no contents, and never touches a disk.
//
// Every path is relative to the root of the values repo and is separated by slashes, on every operating system.
package layout

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// The fixed places of a values repo (DESIGN 3).
const (
	// ValuesDir holds the value files, a folder for each namespace and in it one for each release.
	ValuesDir = "env/values"
	// ManifestsDir holds everything that Argo CD reconciles as plain manifests.
	ManifestsDir = "env/manifests"
	// ApplicationsDir holds the Application files. The platform's operator syncs its parent as gitops-ns-argocd.
	ApplicationsDir = NamespacesDir + "/argocd/applications"
	// SettingsFile names the platform's version and, on older platforms, the values repo's own URL.
	SettingsFile = "env/settings/otomi.yaml"
	// AppsFile says which of the platform's apps are on, and holds their settings.
	AppsFile = "env/settings/apps.yaml"
	// AppsDir is what AppsFile takes the place of: an envelope for each app. It is read, and removed; nothing is written there.
	AppsDir = "env/apps"
	// AlertsFile, DNSFile and VersionsFile are settings that are only read: what some releases depend on besides the apps,
	// and the version of the settings themselves.
	AlertsFile   = "env/settings/alerts.yaml"
	DNSFile      = "env/settings/dns.yaml"
	VersionsFile = "env/settings/versions.yaml"
	// ConfigFile holds the exceptions and exclusions that people keep for this tool.
	ConfigFile = ".apl.yaml"

	// ValuesRef is the name by which an Application's chart source refers to the values repo.
	ValuesRef = "values"

	managedName = "values.managed.yaml"
	customName  = "values.custom.yaml"
	extension   = ".yaml"
)

// ManagedFile returns the path of the values that the platform computes for an app.
func ManagedFile(id app.ID) string { return valueFolder(id) + "/" + managedName }

// CustomFile returns the path of the values that people own for an app.
func CustomFile(id app.ID) string { return valueFolder(id) + "/" + customName }

// ApplicationFile returns the path of an app's Application. It is named by the app name, so two identities can meet
// here: see SharedApplications.
func ApplicationFile(id app.ID) string { return ApplicationsDir + "/" + id.Name() + extension }

// ValueFiles returns what spec.sources[].helm.valueFiles of an app's Application must hold, exactly and in this order:
// managed, then custom, which therefore wins.
func ValueFiles(id app.ID) []string {
	return []string{"$" + ValuesRef + "/" + ManagedFile(id), "$" + ValuesRef + "/" + CustomFile(id)}
}

func valueFolder(id app.ID) string { return ValuesDir + "/" + id.Namespace + "/" + id.Release }

// SharedApplications returns the groups of identities that would share one Application file, because their app names are
// the same: "a-b/c" and "a/b-c" are both called "a-b-c". Groups and their members are sorted; an identity that is
// given twice counts once. Their value files never meet.
func SharedApplications(ids []app.ID) [][]app.ID {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, app.Compare)
	sorted = slices.Compact(sorted)

	byName := make(map[string][]app.ID, len(sorted))
	for _, id := range sorted {
		byName[id.Name()] = append(byName[id.Name()], id)
	}
	var groups [][]app.ID
	for _, group := range byName {
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b []app.ID) int { return app.Compare(a[0], b[0]) })
	return groups
}
