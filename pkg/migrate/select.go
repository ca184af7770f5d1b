package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// isOperator tells whether an app is the platform's operator, which is skipped unless it is named: the operator patches
// its own spec.source on every upgrade (DESIGN 3).
func isOperator(id app.ID) bool {
	return id == app.ID{Namespace: "apl-operator", Release: "apl-operator"}
}

// selectApps finds the Applications that the user named. It returns an error for a name that fits none. Where a name
// fits Applications of the platform and others (one of the same name in another namespace), the platform's are meant.
func (p *planner) selectApps() error {
	p.named = map[*argocd.Application]bool{}
	for _, want := range append(slices.Clone(p.options.Apps), ids(p.options.Accept)...) {
		var found, platform []*argocd.Application
		for _, a := range p.in.Applications {
			id, err := a.ID()
			if a.Name() != want && (err != nil || id.String() != want) {
				continue
			}
			found = append(found, a)
			if class, _ := a.Class(); class == argocd.Platform {
				platform = append(platform, a)
			}
		}
		if len(found) == 0 {
			return fmt.Errorf("app %q is none of the %d Applications read; name it namespace/releaseName%s", want, len(p.in.Applications), p.suggest(want))
		}
		if len(platform) > 0 {
			found = platform
		}
		for _, a := range found {
			p.named[a] = p.named[a] || slices.Contains(p.options.Apps, want)
		}
	}
	return nil
}

func ids(list []app.ID) []string {
	out := make([]string, len(list))
	for i, id := range list {
		out[i] = id.String()
	}
	return out
}

// suggest names platform apps that share a half with a name that fits none.
func (p *planner) suggest(want string) string {
	var near []string
	for _, a := range p.in.Applications {
		id, err := a.ID()
		if err != nil {
			continue
		}
		namespace, release, _ := strings.Cut(want, "/")
		if id.Release == release || id.Namespace == namespace || id.Release == want {
			near = append(near, id.String())
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return "; did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"
}

// findTwins finds identities that several Applications claim, and identities that would share an Application file.
func (p *planner) findTwins() {
	p.shared, p.clashes = map[app.ID][]string{}, map[app.ID]app.ID{}
	var all []app.ID
	for _, a := range p.in.Applications {
		class, _ := a.Class()
		id, err := a.ID()
		if class != argocd.Platform || err != nil {
			continue
		}
		p.shared[id] = append(p.shared[id], a.Name())
		all = append(all, id)
	}
	for _, names := range p.shared {
		slices.Sort(names)
	}
	// helmfile names the managed values by the app name too, so that a release without an Application clashes as well.
	for r := range p.in.Registry.All() {
		if r.Present() {
			all = append(all, r.ID)
		}
	}
	for _, group := range layout.SharedApplications(all) {
		for i, id := range group {
			p.clashes[id] = group[(i+1)%len(group)]
		}
	}
}

// passOver tells why an Application is left alone, "" when it is in the plan.
func (p *planner) passOver(a *argocd.Application, id app.ID, idErr error) string {
	class, why := a.Class()
	named := p.named[a]
	switch {
	case class != argocd.Platform:
		return why
	case len(p.options.Apps) > 0 && !named:
		return "not named"
	case !named && p.options.Selected != nil && !p.options.Selected(a.Labels()):
		return "its labels are not selected"
	case idErr != nil:
		return ""
	case isOperator(id) && !named:
		return "the platform's operator patches its spec.source on every upgrade; name it to move it"
	}
	if reason, ok := p.in.Config.Excluded(id); ok {
		return "excluded by " + layout.ConfigFile + ": " + reason
	}
	if r, ok := p.in.Registry.Get(id); ok && r.Artifacts() {
		return "an -artifacts release: its objects become plain manifests, not an app"
	}
	return ""
}

// anythingToMove tells whether some Application is not passed over.
func (p *planner) anythingToMove() bool {
	return slices.ContainsFunc(p.in.Applications, func(a *argocd.Application) bool {
		id, err := a.ID()
		return p.passOver(a, id, err) == ""
	})
}

// withoutApplication warns of releases that the platform has installed and that no Application deploys.
func (p *planner) withoutApplication() []finding.Finding {
	if len(p.options.Apps) > 0 {
		return nil
	}
	have := map[app.ID]bool{}
	for _, a := range p.in.Applications {
		if id, err := a.ID(); err == nil {
			have[id] = true
		}
	}
	var out []finding.Finding
	for r := range p.in.Registry.All() {
		if r.Present() && !have[r.ID] && !app.IsTeam(r.ID.Namespace) {
			out = append(out, finding.Finding{
				Rule: "release-without-application", Severity: finding.Warning, App: r.ID.String(),
				Message: fmt.Sprintf("release %s is installed, but none of the Applications read deploys it", r.ID),
				Next:    "see whether the input holds all Applications (kubectl get applications.argoproj.io -A -o yaml)",
			})
		}
	}
	return out
}
