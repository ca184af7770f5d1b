package migrate

import (
	"cmp"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
)

// findValuesRepo decides by which URL and revision Argo CD reads the values repo (DESIGN 5). Where nobody says so, or gitops
// Applications contradict each other, there is no plan.
func (p *planner) findValuesRepo(plan *Plan) error {
	data, found, err := p.in.Repo.ReadFile(layout.SettingsFile)
	if err != nil {
		return fmt.Errorf("read %s: %w", layout.SettingsFile, err)
	}
	var settings argocd.Settings
	if found {
		if settings, err = argocd.ReadSettings(data); err != nil {
			return err
		}
	}
	p.platform = settings.Version
	if p.settings, err = valuefile.Settings(p.in.Repo); err != nil {
		return err
	}
	flags := argocd.ValuesRepo{URL: p.options.ValuesRepoURL, Revision: p.options.ValuesRevision}
	choice, err := argocd.ChooseValuesRepo(p.in.Applications, flags, settings.Repo)
	if err != nil {
		return err
	}
	plan.ValuesRepo = ValuesRepo{URL: choice.URL, Revision: choice.Revision, Source: choice.Source}
	plan.Findings = append(plan.Findings, choice.Findings...)
	p.form = argocd.Form{ValuesRepoURL: choice.URL, ValuesRevision: choice.Revision}
	return nil
}

// rootApp tells what takes over the Application files once they are pushed (DESIGN 10).
func (p *planner) rootApp() RootApp {
	name := cmp.Or(p.options.RootApp, DefaultRootApp)
	root := RootApp{Name: name}
	live, found := argocd.Find(p.in.Applications, name)
	root.Live = found
	switch {
	case found && live.Syncs(layout.ApplicationsDir):
		root.Note = "It is live: once the commit is pushed it takes over the Applications in it."
	case found:
		root.Note = "It is live, but does not sync " + layout.ApplicationsDir + ": nothing takes over the Applications until it does."
	case name == DefaultRootApp:
		root.Note = "It is not live yet: once the commit is pushed the platform's operator makes it, and it takes over the Applications in it."
	default:
		root.Note = "It is not live: nothing takes over the Applications until it is."
	}
	return root
}
