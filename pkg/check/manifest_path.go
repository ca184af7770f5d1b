package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// placer says of objects where they belong, once all definitions of kinds are known.
type placer struct {
	*run
	scopes *artifact.Scopes
	files  map[string]bool // all of the repo
}

// place reports what of a file is not where it belongs: an error for a file at a path that the layout gives to one object. People also keep
// manifests at other paths, and several objects in a file: Argo CD applies these, so that it is a warning, one for each file. again are the
// objects that are reported as duplicates, as Applications in a second file are too.
func (p *placer) place(m *manifest, again map[*object]bool) []finding.Finding {
	severity := finding.Warning
	if _, laid := layout.Parse(m.path); laid || strings.HasPrefix(m.path, layout.ApplicationsDir+"/") {
		severity = finding.Error
	}
	var out []finding.Finding
	for _, o := range m.objects {
		if _, excluded := p.in.Config.Excluded(o.release); excluded || again[o] || o.platformApp && p.second[m.path] {
			continue
		}
		w, ok := p.misplaced(o)
		switch {
		case !ok, len(m.objects) > 1 && !o.platformApp:
			continue
		case o.platformApp:
			severity = finding.Error
		}
		out = append(out, finding.Finding{Rule: RulePath, Severity: severity, App: appOf(o.release), File: o.path, Line: w.at.line, Column: w.at.column, Path: w.key,
			Message: o.place() + " does not belong here: " + w.why, Next: w.next})
	}
	if len(m.objects) < 2 || len(out) > 0 || slices.ContainsFunc(m.objects, func(o *object) bool { return again[o] }) {
		return out
	}
	second := m.objects[1]
	return []finding.Finding{{Rule: RulePath, Severity: finding.Warning, File: m.path, Line: second.begin.line, Column: second.begin.column,
		Message: fmt.Sprintf("the file holds %d objects, and the layout has a file for each: kubectl apl neither writes nor changes such a file", len(m.objects)),
		Next:    "split it by kubectl apl artifacts -f, which writes a file for each object, and remove this one"}}
}

// misplaced is why an object is not where it belongs.
type misplaced struct {
	at        position
	key       string // of the object, which tells
	why, next string
}

// misplaced tells whether an object is not where it belongs. A kind of which nobody knows whether it lives in namespaces lives where the
// object says, or else where its file is.
func (p *placer) misplaced(o *object) (misplaced, bool) {
	kind, id := o.groupKind(), o.ID
	namespaced, known := p.scopes.Namespaced(kind)
	id.Namespace = o.home()
	switch {
	case o.platformApp:
		want := layout.Application{Name: id.Name}.Path()
		return misplaced{o.kind, "kind", "Applications of platform apps have a folder of their own", p.move(o, want)}, true
	case known && !namespaced:
		id.Namespace = ""
	case app.IsTeam(id.Namespace):
		return misplaced{o.namespace, "metadata.namespace", "its namespace is a team's, and what teams have is none of the platform's",
			"take it out of the folder: the team's own Applications apply what the team has"}, true
	case known && id.Namespace == "":
		return misplaced{o.kind, "kind", fmt.Sprintf("kind %s lives in namespaces, and it names none", kind),
			fmt.Sprintf("name its namespace in metadata.namespace, and move it to %s/<namespace>/%s/", layout.NamespacesDir, id.Files()[0].Folder)}, true
	}
	return p.elsewhere(o, id)
}

// elsewhere compares the path of an object's file with those that are its own.
func (p *placer) elsewhere(o *object, id layout.ObjectID) (misplaced, bool) {
	want, folders, stem := "", []string{}, path.Base(o.path)
	for _, f := range id.Files() {
		own := f.Path()
		if o.Generated { // its file is called as people like
			own = path.Dir(own) + "/" + stem
		}
		if own == o.path {
			return misplaced{}, false
		}
		if folders = append(folders, path.Dir(own)); want == "" || p.files[want] {
			want = own
		}
	}
	m := misplaced{o.name, "metadata.name", "its file is called " + path.Base(want), p.move(o, want)}
	switch in := o.folder; {
	case in != "" && id.Namespace == "":
		m.at, m.key, m.why = o.kind, "kind", fmt.Sprintf("kind %s lives in no namespace", o.groupKind())
	case in != id.Namespace:
		m.at, m.key, m.why = o.namespace, "metadata.namespace", fmt.Sprintf("it lives in namespace %s, which has a folder of its own", id.Namespace)
	case !slices.Contains(folders, path.Dir(o.path)):
		m.at, m.key, m.why = o.kind, "kind", "the folder of its kind is "+folders[0]
	}
	return m, true
}

// move says how an object gets to its own path.
func (p *placer) move(o *object, want string) string {
	if p.files[want] {
		return want + " is there already: see which of the two is right"
	}
	return gitMove(o.path, want)
}
