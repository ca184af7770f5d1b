package settings

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The keys that mean something to the platform wherever it reads an app's settings.
const (
	appsKey    = "apps"
	enabledKey = "enabled"
	rawKey     = "_rawValues"
)

// namePattern is that of an app: a key that stands in paths of the platform's templates, and a file of env/apps.
var namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Apps holds the settings of the platform's apps by name. The zero Apps has none.
type Apps struct {
	apps map[string]located
}

// located is an app's settings, and the document and place that they stand at.
type located struct {
	tree map[string]any
	doc  *values.Document
	at   values.Path
}

// Error is returned for an apps.yaml that cannot be used. It holds all that is wrong, sorted by place.
type Error struct{ Findings []finding.Finding }

// Error writes a line for each finding: file:line:column: what; what to do next.
func (e *Error) Error() string {
	lines := make([]string, 0, len(e.Findings))
	for _, f := range e.Findings {
		where := values.Error{Name: f.File, Line: f.Line, Column: f.Column, Message: f.Message}
		lines = append(lines, where.Error()+"; "+f.Next)
	}
	return strings.Join(lines, "\n")
}

// Parse reads env/settings/apps.yaml: a map apps, and in it a map of settings for each app, of any shape, in which the
// flags that the platform's gates read are true or false. name is how errors name the file. An empty file has no apps.
// It returns an *Error with all that is wrong.
func Parse(name string, data []byte) (*Apps, error) {
	doc, err := values.Parse(name, data)
	if err != nil {
		return nil, &Error{Findings: []finding.Finding{parseFinding(name, err)}}
	}
	r := reader{doc: doc}
	apps := r.file()
	if len(r.findings) > 0 {
		slices.SortStableFunc(r.findings, finding.Compare)
		return nil, &Error{Findings: r.findings}
	}
	return apps, nil
}

// reader collects what is wrong with a document.
type reader struct {
	doc      *values.Document
	findings []finding.Finding
}

func (r *reader) add(rule string, path values.Path, message, next string) {
	line, column := r.doc.Position(path)
	r.findings = append(r.findings, finding.Finding{Rule: rule, Severity: finding.Error, File: r.doc.Name,
		Line: line, Column: column, Path: path.String(), Message: message, Next: next})
}

// unknown adds a finding about a key that can be anything, even a secret: it is named by its place alone.
func (r *reader) unknown(rule string, path values.Path, message, next string) {
	r.add(rule, path, message, next)
	r.findings[len(r.findings)-1].Path = ""
}

// warnings refuses what Helm's parser passes over in silence, since something would be lost.
func (r *reader) warnings() {
	for _, w := range r.doc.Warnings {
		f := finding.Finding{Rule: "settings-parse", Severity: finding.Error, File: r.doc.Name,
			Line: w.Line, Column: w.Column, Message: w.Message, Next: "keep one of them: the other would be lost"}
		if w.Line == 0 { // it is about the look of all of it
			f.Next = "write it in plainer YAML"
		}
		r.findings = append(r.findings, f)
	}
}

func (r *reader) file() *Apps {
	r.warnings()
	for _, key := range slices.Sorted(maps.Keys(r.doc.Values)) {
		if key != appsKey {
			r.unknown("settings-parse", values.Path{}.Key(key), "the file has an unknown key; the known key is "+appsKey, "put the settings of an app below "+appsKey+", under its name")
		}
	}
	out := &Apps{apps: map[string]located{}}
	root := values.Path{}.Key(appsKey)
	list, ok := r.doc.Values[appsKey].(map[string]any)
	if !ok && r.doc.Values[appsKey] != nil {
		r.add("settings-parse", root, appsKey+" is no map of apps", "write the apps as a map, each under its name")
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		at := root.Key(name)
		tree, ok := list[name].(map[string]any)
		switch {
		case !namePattern.MatchString(name):
			r.unknown("settings-parse", at, "this is no name of an app", "name it in lower case, with letters, digits and hyphens")
		case !ok && list[name] != nil:
			r.add("settings-parse", at, "the settings of an app are no map", "write them as a map, such as enabled: true")
		default:
			r.flags(name, tree, at)
			if _, raw := tree[rawKey]; raw {
				r.add("settings-parse", at.Key(rawKey), rawKey+" has no effect here", "put values of a chart in the custom file of the release")
			}
			out.apps[name] = located{tree: tree, doc: r.doc, at: at}
		}
	}
	return out
}

// flags demands that the flags of an app that gates read are booleans: what is none would be on or off by chance.
func (r *reader) flags(name string, tree map[string]any, at values.Path) {
	for _, flag := range flagsOf(name) {
		switch v, ok := values.Lookup(tree, flag); {
		case !ok, v == nil:
		default:
			if _, boolean := v.(bool); !boolean {
				r.add("settings-flag", append(slices.Clip(at), flag...), "this decides what is installed, and is neither true nor false", "write true or false, without quotes")
			}
		}
	}
}

// Names returns the names of the apps, sorted.
func (a *Apps) Names() []string { return slices.Sorted(maps.Keys(a.apps)) }

// Lookup returns a setting of an app at a path below its name, and whether it is stated. What is not stated has the
// platform's default.
func (a *Apps) Lookup(name string, path values.Path) (any, bool) {
	app, ok := a.apps[name]
	if !ok {
		return nil, false
	}
	return values.Lookup(app.tree, path)
}

// Position returns the file, and the line and column from 1, of a setting, or of the deepest place on the way to it. It
// returns "" and zeros for an app that has no settings.
func (a *Apps) Position(name string, path values.Path) (file string, line, column int) {
	app, ok := a.apps[name]
	if !ok {
		return "", 0, 0
	}
	line, column = app.doc.Position(append(slices.Clip(app.at), path...))
	return app.doc.Name, line, column
}

// Tree returns what the file would hold: a map apps. It shares what Lookup returns and is not to be changed.
func (a *Apps) Tree() map[string]any {
	list := map[string]any{}
	for name, app := range a.apps {
		tree := app.tree
		if tree == nil {
			tree = map[string]any{}
		}
		list[name] = tree
	}
	return map[string]any{appsKey: list}
}
