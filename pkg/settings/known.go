package settings

import (
	"maps"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Known lists the names of apps whose settings any of the releases reads, sorted; nil stands for the releases that this package knows.
func Known(releases []app.ID) []string {
	if releases == nil {
		releases = platform()
	}
	names := map[string]bool{"alertmanager": true, "oauth2-proxy-redis": true}
	for _, name := range gatedApps() {
		names[name] = true
	}
	for _, id := range releases {
		names[id.Release] = true
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return len(releasesOf(name, releases)) == 0 })
	return slices.Sorted(maps.Keys(names))
}

// Former lists apps that the platform has had, so that repos still hold settings of theirs, which no release reads any more.
func Former() []string { return []string{"opencost", "promtail", "redis-shared"} }

// Flags lists the paths, below an app's name, of what decides on something as a boolean, sorted.
func Flags(name string) []values.Path { return flagsOf(name) }

// platform lists the releases that the table of gates knows.
func platform() []app.ID {
	var out []app.ID
	for _, g := range Gates() {
		out = append(out, g.ID)
	}
	return out
}
