package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// Parts are what lands in the same commit as the apps. Each is nil where it was not asked for, or there is nothing of it.
type Parts struct {
	// Artifacts are the objects of -artifacts releases.
	Artifacts *publish.Plan `json:"artifacts,omitempty"`
	// Settings is env/settings/apps.yaml.
	Settings *settings.Plan `json:"settings,omitempty"`
}

// GitOpsApp is an Application that applies a folder of the commit.
type GitOpsApp struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	// Live tells whether it was among the Applications that were read.
	Live bool `json:"live"`
}

// PartRefused tells that something stands against a part.
func (p Parts) PartRefused() bool { return len(p.RefusedParts()) > 0 }

// RefusedParts names the parts that something stands against: of each, nothing is written.
func (p Parts) RefusedParts() (names []string) {
	if p.Artifacts != nil && p.Artifacts.Refused() {
		names = append(names, "artifacts")
	}
	if p.Settings != nil && p.Settings.Refused() {
		names = append(names, "settings")
	}
	return names
}

// changes returns the files of the parts that nothing stands against.
func (p Parts) changes() (out []gitrepo.Change) {
	if p.Settings != nil && !p.Settings.Refused() {
		for _, c := range p.Settings.Changes() {
			out = append(out, gitrepo.Change{Path: c.Path, Data: c.Data, Delete: c.Delete})
		}
	}
	if p.Artifacts != nil {
		out = append(out, p.Artifacts.Changes()...)
	}
	return out
}

// subject names the parts that change something.
func (p Parts) subject() (out []string) {
	if p.Artifacts != nil && len(p.Artifacts.Changes()) > 0 {
		out = append(out, finding.Count(len(p.Artifacts.Changes()), "artifact"))
	}
	if p.Settings != nil && !p.Settings.Refused() && len(p.Settings.Changes()) > 0 {
		out = append(out, "the apps' settings")
	}
	return out
}

// message is what the commit's message says of the parts.
func (p Parts) message() string {
	var b strings.Builder
	if p.Artifacts != nil && len(p.Artifacts.Changes()) > 0 {
		b.WriteString("\nArtifacts, one object a file:\n" + p.Artifacts.Body())
	}
	if p.Settings != nil && !p.Settings.Refused() && len(p.Settings.Changes()) > 0 {
		b.WriteString("\n" + p.Settings.Subject() + "\n" + p.Settings.Body())
	}
	return b.String()
}

// parts makes the other parts of the commit.
func (p *planner) parts(ctx context.Context, plan *Plan) (err error) {
	written := map[string][]byte{}
	for _, c := range plan.Changes() {
		written[c.Path] = c.Data
	}
	if plan.Parts, err = p.in.Parts(ctx, written); err != nil {
		return err
	}
	plan.GitOps = p.gitOps(plan.Changes())
	return nil
}

// gitOps returns the Applications that apply the folders of a plan's files, sorted.
func (p *planner) gitOps(changes []gitrepo.Change) []GitOpsApp {
	out := []GitOpsApp{}
	for _, c := range changes {
		name, folder := argocd.FolderAppOf(c.Path)
		if name == "" || slices.ContainsFunc(out, func(a GitOpsApp) bool { return a.Name == name }) {
			continue
		}
		_, live := argocd.Find(p.in.Applications, name)
		out = append(out, GitOpsApp{Name: name, Folder: cmp.Or(folder, "global"), Live: live})
	}
	slices.SortFunc(out, func(a, b GitOpsApp) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// twoOwners tells of -artifacts Applications that sync by themselves while their objects are to be files: what is pushed is synced by a
// second owner within seconds where its folder has an Application, and objects were deleted and made anew then (DESIGN 10).
func (p *planner) twoOwners(plan *Plan) {
	if plan.Parts.Artifacts == nil || plan.Parts.Artifacts.Refused() {
		return
	}
	filed := map[app.ID]bool{}
	for _, r := range plan.Parts.Artifacts.Releases {
		if id, err := app.Parse(r.App); err == nil {
			filed[id] = slices.ContainsFunc(r.Objects, func(o publish.Object) bool { return o.File != "" && o.Action != publish.Refused })
		}
	}
	var owners []string
	for _, a := range p.in.Applications {
		id, err := a.ID()
		class, _ := a.Class()
		if err == nil && class == argocd.Platform && filed[id] && a.Automated() {
			owners = append(owners, a.Name())
		}
	}
	if len(owners) == 0 {
		return
	}
	slices.Sort(owners)
	const most = 3
	which := strings.Join(owners[:min(len(owners), most)], ", ")
	if more := len(owners) - most; more > 0 {
		which = fmt.Sprintf("%s and %d more", which, more)
	}
	f := finding.Finding{Rule: "artifacts-two-owners", Severity: finding.Warning,
		Message: "objects that become files are owned by Applications that sync by themselves, " + which + ": once the files are pushed both owners take them from each other, and objects can be deleted and made anew",
		Next:    "before the push: kubectl apl migrate --artifacts, which holds the old ones, with the platform's operator paused"}
	if p.options.Push {
		f.Severity = finding.Error
		f.Next = "commit without --push; then " + strings.TrimPrefix(f.Next, "before the push: ")
	}
	at := slices.IndexFunc(plan.Preflight, func(other finding.Finding) bool { return worse(f.Severity, other.Severity) })
	if at < 0 {
		at = len(plan.Preflight)
	}
	plan.Preflight = slices.Insert(plan.Preflight, at, f)
}

// worse tells whether a severity stands before another one.
func worse(a, b finding.Severity) bool {
	order := []finding.Severity{finding.Error, finding.Warning, finding.Info}
	return slices.Index(order, a) < slices.Index(order, b)
}
