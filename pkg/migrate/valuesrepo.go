package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// fromFlags is the source of a values repo that flags name whole.
const fromFlags = "flags"

// findValuesRepo decides by which URL and revision Argo CD reads the values repo: flags, then the live gitops
// Applications, which are what Argo CD really syncs, then env/settings/otomi.yaml, which can be a leftover of an older
// platform (DESIGN 5). Where gitops Applications contradict each other and no flag decides, there is no plan.
func (p *planner) findValuesRepo(plan *Plan) error {
	settings, err := p.readSettings()
	if err != nil {
		return err
	}
	p.platform = settings.version
	if p.settings, err = valuefile.Settings(p.in.Repo); err != nil {
		return err
	}
	live, err := p.liveValuesRepo(plan)
	if err != nil {
		return err
	}
	repo := ValuesRepo{URL: p.options.ValuesRepoURL, Revision: p.options.ValuesRevision, Source: fromFlags}
	fallback, source := live, "the live gitops Applications"
	if live.URL == "" {
		fallback, source = settings.repo, layout.SettingsFile
	}
	if repo.URL == "" || repo.Revision == "" {
		repo.Source = source
		if repo.URL != "" || repo.Revision != "" {
			repo.Source = fromFlags + " and " + source
		}
	}
	repo.URL, repo.Revision = cmp.Or(repo.URL, fallback.URL), cmp.Or(repo.Revision, fallback.Revision)
	if repo.URL == "" || repo.Revision == "" {
		return errors.New("it is not known by which URL and branch Argo CD reads the values repo: the input has no gitops-* Application" +
			" and the repo no spec.git in " + layout.SettingsFile + "; say it with --values-repo-url and --values-revision")
	}
	if err := errors.Join(argocd.CheckRepoURL(repo.URL), argocd.CheckRevision(repo.Revision)); err != nil {
		return fmt.Errorf("the values repo (from %s): %w; say it with --values-repo-url and --values-revision", repo.Source, err)
	}
	if argocd.RedactURL(repo.URL) != repo.URL {
		return fmt.Errorf("the values repo's URL %s holds credentials, which would be written to git; give it without them by --values-repo-url", argocd.RedactURL(repo.URL))
	}
	plan.ValuesRepo = repo
	plan.warnOfOther(live, finding.Finding{Message: "the live gitops Applications sync another values repo"})
	plan.warnOfOther(settings.repo, finding.Finding{Message: "it names another values repo", File: layout.SettingsFile, Path: "spec.git"})
	p.form = argocd.Form{ValuesRepoURL: repo.URL, ValuesRevision: repo.Revision}
	return nil
}

// warnOfOther adds a finding when a source names another values repo than the one that was decided on.
func (p *Plan) warnOfOther(other argocd.ValuesRepo, f finding.Finding) {
	repo := p.ValuesRepo
	if other.URL == "" || other.URL == repo.URL && other.Revision == repo.Revision {
		return
	}
	f.Rule, f.Severity = "values-repo-differs", finding.Warning
	f.Message += fmt.Sprintf(", %s; written Applications refer to %s at %s (from %s)", other, repo.URL, repo.Revision, repo.Source)
	if repo.Source != fromFlags {
		f.Next = "decide with --values-repo-url and --values-revision if that is not the repo that this commit is pushed to"
	}
	p.Findings = append(p.Findings, f)
}

// liveValuesRepo returns what the gitops Applications agree on.
func (p *planner) liveValuesRepo(plan *Plan) (argocd.ValuesRepo, error) {
	found := argocd.ValuesRepos(p.in.Applications)
	switch len(found) {
	case 0:
		return argocd.ValuesRepo{}, nil
	case 1:
		return found[0], nil
	}
	var list []string
	for _, r := range found {
		list = append(list, fmt.Sprintf("%s (%s)", r, strings.Join(r.Applications, ", ")))
	}
	message := "the live gitops Applications sync different values repos: " + strings.Join(list, "; ")
	if p.options.ValuesRepoURL == "" || p.options.ValuesRevision == "" {
		return argocd.ValuesRepo{}, errors.New(message + "; decide with --values-repo-url and --values-revision")
	}
	plan.Findings = append(plan.Findings, finding.Finding{Rule: "values-repo-differs", Severity: finding.Warning, Message: message})
	return argocd.ValuesRepo{}, nil
}

// platformSettings is what env/settings/otomi.yaml says.
type platformSettings struct {
	version string
	repo    argocd.ValuesRepo
}

func (p *planner) readSettings() (platformSettings, error) {
	data, ok, err := p.in.Repo.ReadFile(layout.SettingsFile)
	if err != nil {
		return platformSettings{}, fmt.Errorf("read %s: %w", layout.SettingsFile, err)
	}
	if !ok {
		return platformSettings{}, nil
	}
	tree, err := values.DecodeObject(layout.SettingsFile, data)
	if err != nil {
		return platformSettings{}, err
	}
	text := func(keys ...string) string {
		path := values.Path{}.Key("spec")
		for _, key := range keys {
			path = path.Key(key)
		}
		v, _ := values.Lookup(tree, path)
		s, _ := v.(string)
		return s
	}
	return platformSettings{
		version: text("version"),
		repo:    argocd.ValuesRepo{URL: text("git", "repoUrl"), Revision: text("git", "branch")},
	}, nil
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
