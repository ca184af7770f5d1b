package argocd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Settings is what env/settings/otomi.yaml says that Applications need. A field that it does not name is "".
type Settings struct {
	// Version is the platform's.
	Version string
	// Repo is spec.git, which can be a leftover of an older platform (DESIGN 5).
	Repo ValuesRepo
}

// ReadSettings reads the text of env/settings/otomi.yaml. The error names the place where it does not parse.
func ReadSettings(data []byte) (Settings, error) {
	tree, err := values.DecodeObject(layout.SettingsFile, data)
	if err != nil {
		return Settings{}, err
	}
	spec := child(tree, "spec")
	git := child(spec, "git")
	return Settings{Version: text(spec, "version"), Repo: ValuesRepo{URL: text(git, "repoUrl"), Revision: text(git, "branch")}}, nil
}

// FromFlags is the source of a values repo that flags name whole, FromGitOps of one that live Applications name.
const (
	FromFlags  = "flags"
	FromGitOps = "the live gitops Applications"
)

// RuleRepoDiffers is the rule of a source that names another values repo than the one that was decided on.
const RuleRepoDiffers = "values-repo-differs"

// RepoChoice is the values repo that was decided on. Its URL holds no credentials.
type RepoChoice struct {
	URL, Revision string
	// Source says who names it: FromFlags, FromGitOps, layout.SettingsFile, or flags and one of the others.
	Source string
	// Findings are warnings about sources that name another one.
	Findings []finding.Finding
}

// FromSettings reports whether the settings had a word in it, which nobody else confirms.
func (c RepoChoice) FromSettings() bool { return strings.HasSuffix(c.Source, layout.SettingsFile) }

// ChooseValuesRepo decides by which URL and revision Argo CD reads the values repo: flags, then the live gitops Applications
// among apps, which are what Argo CD really syncs, then the settings (DESIGN 5). An empty field of flags or settings says
// nothing. It is an error when gitops Applications contradict each other and flags do not decide, when nobody names it, when
// it is no address that Argo CD clones from, and when the URL holds credentials: they would be written.
func ChooseValuesRepo(apps []*Application, flags, settings ValuesRepo) (RepoChoice, error) {
	choice := RepoChoice{URL: flags.URL, Revision: flags.Revision, Source: FromFlags}
	live, err := choice.live(apps)
	if err != nil {
		return RepoChoice{}, err
	}
	fallback, source := live, FromGitOps
	if live.URL == "" {
		fallback, source = settings, layout.SettingsFile
	}
	if choice.URL == "" || choice.Revision == "" {
		if choice.Source = source; choice.URL != "" || choice.Revision != "" {
			choice.Source = FromFlags + " and " + source
		}
	}
	choice.URL, choice.Revision = cmp.Or(choice.URL, fallback.URL), cmp.Or(choice.Revision, fallback.Revision)
	if choice.URL == "" || choice.Revision == "" {
		return RepoChoice{}, errors.New("it is not known by which URL and branch Argo CD reads the values repo: the input has no gitops-* Application" +
			" and the repo no spec.git in " + layout.SettingsFile + "; say it with --values-repo-url and --values-revision")
	}
	if err := errors.Join(CheckRepoURL(choice.URL), CheckRevision(choice.Revision)); err != nil {
		return RepoChoice{}, fmt.Errorf("the values repo (from %s): %w; say it with --values-repo-url and --values-revision", choice.Source, err)
	}
	if RedactURL(choice.URL) != choice.URL {
		return RepoChoice{}, fmt.Errorf("the values repo's URL %s holds credentials, which would be written to git; give it without them by --values-repo-url", RedactURL(choice.URL))
	}
	choice.warnOfOther(live, finding.Finding{Message: "the live gitops Applications sync another values repo"})
	choice.warnOfOther(settings, finding.Finding{Message: "it names another values repo", File: layout.SettingsFile, Path: "spec.git"})
	return choice, nil
}

// live returns what the gitops Applications agree on, nothing where there are none.
func (c *RepoChoice) live(apps []*Application) (ValuesRepo, error) {
	found := ValuesRepos(apps)
	switch len(found) {
	case 0:
		return ValuesRepo{}, nil
	case 1:
		return found[0], nil
	}
	var list []string
	for _, r := range found {
		list = append(list, fmt.Sprintf("%s (%s)", r, strings.Join(r.Applications, ", ")))
	}
	message := "the live gitops Applications sync different values repos: " + strings.Join(list, "; ")
	if c.URL == "" || c.Revision == "" {
		return ValuesRepo{}, errors.New(message + "; decide with --values-repo-url and --values-revision")
	}
	c.Findings = append(c.Findings, finding.Finding{Rule: RuleRepoDiffers, Severity: finding.Warning, Message: message})
	return ValuesRepo{}, nil
}

// warnOfOther adds a finding when a source names another values repo than the one that was decided on.
func (c *RepoChoice) warnOfOther(other ValuesRepo, f finding.Finding) {
	if other.URL == "" || other.URL == c.URL && other.Revision == c.Revision {
		return
	}
	f.Rule, f.Severity = RuleRepoDiffers, finding.Warning
	f.Message += fmt.Sprintf(", %s; written Applications refer to %s at %s (from %s)", other, c.URL, c.Revision, c.Source)
	if c.Source != FromFlags {
		f.Next = "decide with --values-repo-url and --values-revision if that is not the repo that Argo CD is to read"
	}
	c.Findings = append(c.Findings, f)
}
