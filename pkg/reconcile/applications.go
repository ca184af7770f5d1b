package reconcile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// applicationFile is an Application in the repo.
type applicationFile struct {
	path        string
	text        []byte
	application *argocd.Application
}

func isApplication(path string) bool {
	place, _ := layout.Parse(path)
	_, ok := place.(layout.Application)
	return ok
}

// isOperator tells whether an app is the platform's operator, which patches its own Application (DESIGN 3).
func isOperator(id app.ID) bool {
	return id == app.ID{Namespace: "apl-operator", Release: "apl-operator"}
}

// readApplications reads the Application files of platform apps. One that cannot be read blocks nothing but its app, which is known by
// its file's name.
func (p *planner) readApplications() error {
	paths, err := p.in.Repo.List(layout.ApplicationsDir)
	if err != nil {
		return err
	}
	p.files = map[app.ID]*applicationFile{}
	for _, path := range paths {
		text, found, err := p.in.Repo.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if !found || !isApplication(path) {
			continue
		}
		file, id, err := readApplication(path, text)
		switch {
		case err != nil:
			f := finding.Finding{Rule: ruleOtherFile, Severity: finding.Warning, File: path, Message: err.Error(), Next: "correct the file: Argo CD syncs nothing of the folder while it cannot read one of its files"}
			var at *values.Error
			if errors.As(err, &at) {
				f.Line, f.Column, f.Message = at.Line, at.Column, at.Message
			}
			p.plan.Findings = append(p.plan.Findings, f)
			if id, ok := byFile(p, path); ok {
				p.files[id] = &applicationFile{path: path, text: text}
			}
		case file != nil:
			p.files[id] = file
		}
	}
	return nil
}

// byFile returns the identity of the release whose Application file has a path, and whether there is one.
func byFile(p *planner, path string) (app.ID, bool) {
	for r := range p.in.Registry.All() {
		if layout.ApplicationFile(r.ID) == path {
			return r.ID, true
		}
	}
	return app.ID{}, false
}

// readApplication returns the Application of a platform app, nil for one of somebody else.
func readApplication(path string, text []byte) (*applicationFile, app.ID, error) {
	object, err := values.DecodeObject(path, text)
	if err != nil {
		return nil, app.ID{}, err
	}
	a, err := argocd.New(object)
	if err != nil {
		return nil, app.ID{}, err
	}
	if class, _ := a.Class(); class != argocd.Platform {
		return nil, app.ID{}, nil
	}
	id, err := a.ID()
	switch {
	case err != nil:
		return nil, app.ID{}, err
	case layout.ApplicationFile(id) != path:
		return nil, app.ID{}, fmt.Errorf("the file holds the Application of %s, which belongs to %s", id, layout.ApplicationFile(id))
	}
	return &applicationFile{path: path, text: text, application: a}, id, nil
}

// readRepos finds which repos the Application files refer to: what a new one is to refer to as well. Of several charts' repos the one
// that most apps come from is the platform's.
func (p *planner) readRepos() error {
	charts, repos := map[string]int{}, map[[2]string]int{}
	for _, file := range p.files {
		if file.application == nil {
			continue
		}
		if chart, err := file.application.ChartSource(); err == nil && chart.Path != "" {
			charts[chart.RepoURL]++
		}
		if url, revision, ok := file.application.ValuesSource(); ok {
			repos[[2]string{url, revision}]++
		}
	}
	p.charts = cmp.Or(p.options.ChartsURL, most(charts))
	p.form = argocd.Form{ValuesRepoURL: p.options.ValuesURL, ValuesRevision: p.options.ValuesRevision}
	var all []string
	for repo := range repos {
		all = append(all, argocd.RedactURL(repo[0])+" at "+repo[1])
		if p.options.ValuesURL == "" {
			p.form.ValuesRepoURL = repo[0]
		}
		if p.options.ValuesRevision == "" {
			p.form.ValuesRevision = repo[1]
		}
	}
	if len(all) > 1 && (p.options.ValuesURL == "" || p.options.ValuesRevision == "") {
		slices.Sort(all)
		return fmt.Errorf("the Application files refer to different values repos: %s; decide with --values-repo-url and --values-revision", strings.Join(all, "; "))
	}
	for _, url := range []string{p.charts, p.form.ValuesRepoURL} {
		if url == "" {
			continue
		}
		if err := argocd.CheckRepoURL(url); err != nil {
			return err
		}
		if shown := argocd.RedactURL(url); shown != url {
			return fmt.Errorf("the URL %s holds credentials, which would be written to git; give it without them", shown)
		}
	}
	return nil
}

// most returns the text that counts most, the first in order of several.
func most(counts map[string]int) string {
	best := ""
	for text, n := range counts {
		if n > counts[best] || n == counts[best] && text < best {
			best = text
		}
	}
	return best
}
