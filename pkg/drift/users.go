package drift

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Repo is a values repo, as far as it is looked at.
type Repo struct {
	// Files are the paths of its files.
	Files []string
	// Read returns the text of one; the error wraps fs.ErrNotExist where there is none.
	Read func(path string) ([]byte, error)
}

// Names returns the names by which an Application can refer to either chart: those that the charts give themselves, and those of the folders or
// packages that they are from.
func Names(old, new *chart.Chart, folders ...string) []string {
	list := append([]string{old.Title(), new.Title()}, folders...)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(name string) bool { return name == "" || name == "." })
}

// ErrNoApp is wrapped where an app that is asked for has no Application in the repo.
var ErrNoApp = errors.New("no such app in the values repo")

// Users returns the apps of a repo that use a chart of one of some names, by what their Application files say, with their value files; or the wanted ones,
// whatever chart they use. Apps of teams are left alone. A file that cannot be read is a finding: what it says is not known. The error
// wraps ErrNoApp for a wanted app that is not there.
func Users(repo Repo, names []string, wanted []app.ID) ([]App, []finding.Finding, error) {
	var out []App
	var unread []finding.Finding
	open := slices.Clone(wanted)
	for _, file := range repo.Files {
		place, ok := layout.Parse(file)
		if _, is := place.(layout.Application); !ok || !is {
			continue
		}
		found, bad := readApplication(repo, file)
		if bad != nil {
			unread = append(unread, *bad)
		}
		for _, a := range found {
			id, err := a.ID()
			if err != nil || app.IsTeam(id.Namespace) {
				continue
			}
			if len(wanted) > 0 && !slices.Contains(wanted, id) || len(wanted) == 0 && !uses(a, names) {
				continue
			}
			open = slices.DeleteFunc(open, func(o app.ID) bool { return o == id })
			one, more := valueFiles(repo, id)
			out, unread = append(out, one), append(unread, more...)
		}
	}
	if len(open) > 0 {
		return nil, nil, fmt.Errorf("%w: %s", ErrNoApp, open[0])
	}
	return out, unread, nil
}

// readApplication returns the Applications of a file; it should hold one.
func readApplication(repo Repo, file string) ([]*argocd.Application, *finding.Finding) {
	bad := finding.Finding{Rule: "application-unread", Severity: finding.Error, File: file,
		Message: "the Application cannot be read, so that nobody knows whether its app uses the chart", Next: "correct the file; kubectl apl validate says more"}
	text, err := repo.Read(file)
	if err != nil {
		return nil, &bad
	}
	var out []*argocd.Application
	_, err = argocd.Read(file, bytes.NewReader(text), func(a *argocd.Application) error {
		out = append(out, a)
		return nil
	})
	if err == nil {
		return out, nil
	}
	var placed *values.Error
	if errors.As(err, &placed) {
		bad.Line, bad.Column = placed.Line, placed.Column
		bad.Message += ": " + placed.Message
	}
	return out, &bad
}

// uses tells whether an Application's chart has one of some names.
func uses(a *argocd.Application, names []string) bool {
	source, err := a.ChartSource()
	if err != nil {
		return false // it renders no chart
	}
	name := source.Chart
	if name == "" {
		name = source.Path
	}
	return slices.Contains(names, path.Base(path.Clean(name)))
}

// valueFiles reads the value files of an app. One that is missing holds nothing.
func valueFiles(repo Repo, id app.ID) (App, []finding.Finding) {
	out := App{ID: id, Managed: File{Path: layout.ManagedFile(id)}, Custom: File{Path: layout.CustomFile(id)}}
	var unread []finding.Finding
	for _, f := range []*File{&out.Managed, &out.Custom} {
		data, err := repo.Read(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			unread = append(unread, finding.Finding{Rule: "values-parse", Severity: finding.Error, App: id.String(), File: f.Path,
				Message: "the file cannot be read", Next: "correct the file"})
		default:
			f.Data = data
		}
	}
	return out, unread
}
