package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// declared is an Application that stands in a file of the repo.
type declared struct {
	*argocd.Application

	file     string
	position func(values.Path) (line, column int)
	bound    bool // a platform app's, in the folder of those
	id       app.ID
	second   bool // it has been told that another one is to be kept
}

// checkOwners checks that nothing of the repo is applied twice: no Application stands in two files, no two deploy one release or are
// called alike, and none applies a folder that an Application of the platform applies.
func (r *run) checkOwners(ctx context.Context) error {
	all, err := r.declared(ctx)
	if err != nil {
		return err
	}
	r.second = map[string]bool{}
	groups := map[string][]*declared{}
	for _, d := range all {
		if d.namespace() == argocd.Namespace {
			groups["name "+d.Name()] = append(groups["name "+d.Name()], d)
		}
	}
	r.tellSecond(groups, func(first, d *declared) (values.Path, string) {
		if first.bound && d.bound && first.id != d.id {
			return keys("metadata", "name"), fmt.Sprintf("%s and %s, whose Application %s holds, have one app name, and so the same Application", d.id, first.id, first.file)
		}
		return keys("metadata", "name"), fmt.Sprintf("Application %s stands in %s too, and Argo CD applies one of both", d.Name(), first.file)
	})
	groups = map[string][]*declared{}
	for _, d := range all {
		if id, err := d.ID(); err == nil && !d.second && d.deploys(id) {
			groups["app "+id.String()] = append(groups["app "+id.String()], d)
		}
	}
	maps.DeleteFunc(groups, func(_ string, list []*declared) bool {
		return !slices.ContainsFunc(list, func(d *declared) bool { return d.bound }) // somebody else's
	})
	r.tellSecond(groups, func(first, d *declared) (values.Path, string) {
		id, _ := d.ID()
		return keys("metadata", "name"), fmt.Sprintf("Application %s of %s deploys release %s too: both take its objects from each other", first.Name(), first.file, id)
	})
	r.sharedNames()
	r.checkFolders(all)
	return nil
}

// namespace is where Argo CD makes the Application: that of its folder where it names none.
func (d *declared) namespace() string {
	if _, folder := argocd.FolderAppOf(d.file); d.Namespace() == "" {
		return folder
	}
	return d.Namespace()
}

// deploys tells whether the Application deploys a release as an app does, and is no mistaken form of another app.
func (d *declared) deploys(id app.ID) bool {
	return newSubject(d.Application).chart >= 0 && (!d.bound || d.id == id) && !app.IsTeam(id.Namespace)
}

// tellSecond tells of every Application of a group but the one to keep: that which stands where it belongs, or else the first one.
func (r *run) tellSecond(groups map[string][]*declared, say func(first, d *declared) (values.Path, string)) {
	for _, list := range groups {
		if len(list) < 2 {
			continue
		}
		keep := max(slices.IndexFunc(list, func(d *declared) bool { return d.bound && d.file == layout.ApplicationFile(d.id) }), 0)
		for i, d := range list {
			if i == keep {
				continue
			}
			at, message := say(list[keep], d)
			d.second = true
			r.second[d.file] = true
			r.tell(d, at, RuleOwnedTwice, message, "keep one of both, and remove the other one from git", list[keep].file)
		}
	}
}

// tell adds an error about an Application, if its file or one of the others is selected.
func (r *run) tell(d *declared, at values.Path, rule, message, next string, others ...string) {
	if _, excluded := r.in.Config.Excluded(d.id); excluded || !r.selected.touches(append(others, d.file)...) {
		return
	}
	f := finding.Finding{Rule: rule, Severity: finding.Error, App: cmp.Or(name(d.id), d.Name()), File: d.file, Path: at.String(), Message: message, Next: next}
	f.Line, f.Column = d.position(at)
	r.found = append(r.found, f)
}

// declared returns all Applications of the repo by their files, those outside of their folder too.
func (r *run) declared(ctx context.Context) ([]*declared, error) {
	var out []*declared
	for _, a := range r.applications {
		if a.app != nil {
			out = append(out, &declared{Application: a.app, file: a.path, position: a.position, bound: a.bound, id: a.id})
		}
	}
	lists := make([][]*declared, len(r.manifests))
	if err := parallel(ctx, len(lists), func(i int) { lists[i] = r.declaredIn(r.manifests[i]) }); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	out = append(out, slices.Concat(lists...)...)
	slices.SortStableFunc(out, func(a, b *declared) int { return cmp.Compare(a.file, b.file) })
	return out, nil
}

// declaredIn returns the Applications in a file of other manifests. What cannot be read of it is told with those.
func (r *run) declaredIn(file string) []*declared {
	text, err := r.in.Read(file)
	if err != nil || strings.HasSuffix(file, ".jsonnet") || !bytes.Contains(text, []byte(argocd.APIVersion)) || !bytes.Contains(text, []byte(argocd.Kind)) {
		return nil
	}
	var out []*declared
	_ = documents(file, text, func(d stream.Document, object map[string]any, doc *values.Document) {
		_ = d.Objects(object, func(at stream.Item) error {
			a, err := argocd.New(at.Object)
			if err != nil {
				return nil //nolint:nilerr // it is another kind
			}
			position := func(values.Path) (int, int) { return at.Line, 1 }
			if at.Whole {
				position = (&applicationFile{doc: doc, above: d.Line - 1, first: at.Line}).position
			}
			out = append(out, &declared{Application: a, file: file, position: position})
			return nil
		}, func(*values.Error) error { return nil })
	})
	return out
}

// sharedNames tells of apps without an Application whose file another app's has taken, as their names are the same.
func (r *run) sharedNames() {
	ids := make([]app.ID, 0, len(r.units))
	for _, u := range r.units {
		ids = append(ids, u.id)
	}
	for _, group := range layout.SharedApplications(ids) {
		first := slices.IndexFunc(group, func(id app.ID) bool { return r.unitOf(id).application != nil })
		if first < 0 {
			continue
		}
		for _, id := range group {
			u := r.unitOf(id)
			if u.application != nil || !r.selected.touches(append(u.files(), r.unitOf(group[first]).files()...)...) {
				continue
			}
			file := layout.CustomFile(id)
			if !u.custom {
				file = layout.ManagedFile(id)
			}
			r.found = append(r.found, finding.Finding{Rule: RuleOwnedTwice, Severity: finding.Error, App: id.String(), File: file,
				Message: fmt.Sprintf("%s and %s have one app name, and so the same Application, which is that of %s", id, group[first], group[first]),
				Next:    "rename one of the releases, or remove the values of the one that is gone"})
		}
	}
}
