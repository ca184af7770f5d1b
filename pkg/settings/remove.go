package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// remove plans the removal of env/apps, where it is asked for and safe: a platform that reads env/apps alone falls back to
// its defaults, which say enabled: false for most apps, and its operator then deletes them.
func (p *planner) remove() {
	if !p.options.RemoveEnvApps {
		return
	}
	if !p.options.PlatformReads {
		p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "settings-remove", Severity: finding.Error, File: layout.AppsDir,
			Message: fmt.Sprintf("it is not known that the platform%s reads %s: one that reads %s alone goes back to its defaults, which have most apps off, and its operator deletes them%s",
				p.plan.Platform.words(), layout.AppsFile, layout.AppsDir, p.wouldGo()),
			Next: "leave out --remove-env-apps; when the platform's release notes say that this version reads " + layout.AppsFile + ", add --platform-reads-apps-yaml"})
		return
	}
	for _, e := range p.envelopes {
		p.plan.Removed = append(p.plan.Removed, e.file)
		p.plan.changes = append(p.plan.changes, Change{Path: e.file, Delete: true})
	}
	slices.Sort(p.plan.Removed)
	for _, f := range p.in.Files {
		if !slices.Contains(p.plan.Removed, f.Path) && !SecretFile(f.Path) && !isEnvelope(f.Path) {
			p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "settings-left", Severity: finding.Warning, File: f.Path,
				Message: "this is no app's file, and stays when " + layout.AppsDir + " goes", Next: "move or remove it by hand"})
		}
	}
}

// words names the version of a platform, or nothing.
func (p Platform) words() string {
	var parts []string
	if p.Version != "" {
		parts = append(parts, "version "+p.Version)
	}
	if p.SpecVersion != "" {
		parts = append(parts, "settings of version "+p.SpecVersion)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// wouldGo names the apps that are on by env/apps.
func (p *planner) wouldGo() string {
	var names []string
	for _, e := range p.envelopes {
		if on, ok := e.spec[enabledKey].(bool); ok && on {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; on are " + strings.Join(names, ", ")
}
