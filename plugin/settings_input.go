package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// maxEnvApps bounds how many files below env/apps are read: a platform has some fifty.
const maxEnvApps = 5000

// input reads env/apps, the exceptions and the registry.
func (o *settingsMigrateOptions) input(repo *gitrepo.Repo) (settings.Input, error) {
	in := settings.Input{Read: repo.ReadFile, Secrets: settingsSecrets{secret.New()}}
	if !o.repo.noCommit {
		in.Head = repo.HeadFile
	}
	config, err := readConfig(repo)
	if err != nil {
		return in, err
	}
	for _, e := range config.Secrets {
		if e.File == layout.AppsFile {
			in.Exceptions = append(in.Exceptions, settings.Exception{Path: e.Path, Rule: e.Rule, Reason: e.Reason, Line: e.Line, Column: e.Column})
		}
	}
	if in.Files, err = readEnvApps(repo); err != nil {
		return in, err
	}
	if o.releases != "" {
		in.Releases, err = readReleases(o.releases)
	}
	return in, err
}

// readEnvApps reads all files below env/apps. A folder that is missing has none.
func readEnvApps(repo *gitrepo.Repo) ([]settings.File, error) {
	paths, err := repo.List(layout.AppsDir)
	if err != nil {
		return nil, err
	}
	if len(paths) > maxEnvApps {
		return nil, fmt.Errorf("read %s: it holds more than %d files; check that this is the folder you mean", layout.AppsDir, maxEnvApps)
	}
	var out []settings.File
	for _, path := range paths {
		data, found, err := repo.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if found {
			out = append(out, settings.File{Path: path, Data: data})
		}
	}
	return out, nil
}

// committed returns an error that names the envelopes which are not as HEAD has them, or which HEAD alone has; and apps.yaml, where it
// stays as it is in the work tree: without its envelopes it has to be in git.
func committed(ctx context.Context, repo *gitrepo.Repo, files []settings.File, plan *settings.Plan) error {
	data := map[string][]byte{}
	for _, f := range files {
		data[f.Path] = f.Data
	}
	var paths []string
	for i := range plan.Apps {
		paths = append(paths, plan.Apps[i].File)
	}
	if plan.Effect == settings.Same {
		text, _, err := repo.ReadFile(layout.AppsFile)
		if err != nil {
			return fmt.Errorf("read %s: %w", layout.AppsFile, err)
		}
		data[layout.AppsFile] = text
		paths = append(paths, layout.AppsFile)
	}
	var problems []error
	for _, path := range paths {
		head, found, err := repo.HeadFile(path)
		if err != nil {
			return fmt.Errorf("read %s in HEAD: %w", path, err)
		}
		if !found || !bytes.Equal(withoutCR(head), withoutCR(data[path])) {
			problems = append(problems, fmt.Errorf("%s: it has changes that are not committed; commit or stash them", path))
		}
	}
	there, err := repo.HeadFiles(ctx, layout.AppsDir)
	if err != nil {
		return err
	}
	for _, path := range there {
		if _, ok := data[path]; !ok && strings.HasSuffix(path, ".yaml") {
			problems = append(problems, fmt.Errorf("%s: it was deleted, and that is not committed; commit that, or restore the file", path))
		}
	}
	return errors.Join(problems...)
}

// withoutCR drops what a checkout adds on some systems.
func withoutCR(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// readReleases returns the identities of a registry's releases, teams' apart.
func readReleases(file string) ([]app.ID, error) {
	registry, err := readRegistry(file)
	if err != nil {
		return nil, err
	}
	return releaseIDs(registry), nil
}

// releaseIDs returns the identities of a registry's releases, teams' apart.
func releaseIDs(registry *release.Registry) []app.ID {
	out := []app.ID{}
	for r := range registry.All() {
		if !app.IsTeam(r.ID.Namespace) {
			out = append(out, r.ID)
		}
	}
	return out
}

// settingsSecrets finds secrets by pkg/secret.
type settingsSecrets struct{ detector *secret.Detector }

// Tree searches a tree of values.
func (s settingsSecrets) Tree(tree any) []settings.Hit { return settingsHits(s.detector.Scan(tree)) }

// Text searches text.
func (s settingsSecrets) Text(text string) []settings.Hit {
	return settingsHits(s.detector.ScanText(text))
}

// Knows reports whether there is such a rule.
func (s settingsSecrets) Knows(rule string) bool { return s.detector.Knows(rule) }

func settingsHits(hits []secret.Hit) []settings.Hit {
	out := make([]settings.Hit, 0, len(hits))
	for _, h := range hits {
		out = append(out, settings.Hit{Path: h.Path, Finding: h.Finding()})
	}
	return out
}

func gitChanges(plan *settings.Plan) []gitrepo.Change {
	var out []gitrepo.Change
	for _, c := range plan.Changes() {
		out = append(out, gitrepo.Change{Path: c.Path, Data: c.Data, Delete: c.Delete})
	}
	return out
}
