package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkAppsFile checks env/settings/apps.yaml, and what is left of env/apps beside it.
func (r *run) checkAppsFile() []finding.Finding {
	left := slices.DeleteFunc(slices.Clone(r.settings), func(file string) bool { return !strings.HasPrefix(file, layout.AppsDir+"/") })
	selected := r.selected.touches(layout.AppsFile)
	if !selected && !r.selected.touches(left...) {
		return nil
	}
	text, err := r.in.Read(layout.AppsFile)
	if err != nil {
		return r.appsFindings([]finding.Finding{{Severity: finding.Error, File: layout.AppsFile, Message: "it cannot be read: " + err.Error(), Next: "see that it is a regular file of UTF-8 text"}})
	}
	var out []finding.Finding
	apps, err := settings.Parse(layout.AppsFile, text)
	var broken *settings.Error
	switch {
	case errors.As(err, &broken):
		out = r.appsFindings(broken.Findings)
	case err != nil:
		return r.appsFindings([]finding.Finding{{Severity: finding.Error, File: layout.AppsFile, Message: err.Error()}}) // not reached
	default:
		out = append(r.appsFindings(r.unknownApps(apps)), r.leftover(apps, text, left)...)
	}
	if !selected {
		return out
	}
	r.checked = append(r.checked, finding.Unit{File: layout.AppsFile})
	if doc, err := values.Parse(layout.AppsFile, text); err == nil {
		out = append(out, r.settingsSecrets(layout.AppsFile, doc)...)
	}
	return out
}

// appsFindings makes findings of the rule about apps.yaml of what is wrong with it, where it is selected.
func (r *run) appsFindings(list []finding.Finding) []finding.Finding {
	if !r.selected.touches(layout.AppsFile) {
		return nil
	}
	out := slices.Clone(list)
	for i := range out {
		out[i].Rule, out[i].App = RuleApps, "" // the name of an app of the settings is no identity; the path has it
	}
	return out
}

// maxUnknown bounds what is told of a file that is something else.
const maxUnknown = 100

// unknownApps tells of apps whose settings no release of the platform reads, and of keys that were probably meant to be a flag.
func (r *run) unknownApps(apps *settings.Apps) []finding.Finding {
	var releases []app.ID // nil stands for those that pkg/settings knows
	if r.in.Registry != nil {
		for release := range r.in.Registry.All() {
			if !app.IsTeam(release.ID.Namespace) {
				releases = append(releases, release.ID)
			}
		}
	}
	var out []finding.Finding
	add := func(severity finding.Severity, name string, path values.Path, message, next string) {
		_, line, column := apps.Position(name, path)
		out = append(out, finding.Finding{Severity: severity, App: name, File: layout.AppsFile, Line: line, Column: column,
			Path: join(values.Path{}.Key("apps").Key(name), path...).String(), Message: message, Next: next})
	}
	known, former, names := settings.Known(releases), settings.Former(), apps.Names()
	for _, name := range names {
		if _, read := slices.BinarySearch(known, name); read {
			r.unknownFlags(apps, name, add)
			continue
		}
		if len(out) == maxUnknown {
			out[maxUnknown-1].Message += "; what else is unknown in this file is not told"
			break
		}
		const message = "no release of the platform reads the settings of this app"
		switch near := schema.Nearest(name, known); {
		case slices.Contains(former, name):
			add(finding.Info, name, nil, message+": it is one that the platform had", "remove them")
		case near != "" && !slices.Contains(names, near):
			add(finding.Warning, name, nil, message, "did you mean "+near+"?")
		default:
			add(finding.Warning, name, nil, message, "remove them if the app is gone for good")
		}
	}
	return out
}

// unknownFlags tells of keys that stand where a flag of the app could, and are nearly called as it is.
func (r *run) unknownFlags(apps *settings.Apps, name string, add func(finding.Severity, string, values.Path, string, string)) {
	flags := settings.Flags(name)
	for _, flag := range flags {
		if _, stated := apps.Lookup(name, flag); stated {
			continue
		}
		last := flag[len(flag)-1].Key
		beside, _ := apps.Lookup(name, flag[:len(flag)-1])
		tree, _ := beside.(map[string]any)
		for key, value := range tree {
			at := join(flag[:len(flag)-1], values.Step{Key: key})
			if _, nested := value.(map[string]any); nested || slices.ContainsFunc(flags, func(f values.Path) bool { return f.HasPrefix(at) }) {
				continue
			}
			if schema.Nearest(key, []string{last}) == last {
				add(finding.Warning, name, at, fmt.Sprintf("nothing reads this key, and %s decides what is installed", last), "did you mean "+last+"?")
			}
		}
	}
}
