package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkApplications checks the files of the folder of Application files, each by itself and against the files that it names.
func (r *run) checkApplications(ctx context.Context) error {
	r.valuesRepo = r.mostNamed()
	var list []*applicationFile
	for _, a := range r.applications {
		id := r.appOf(a)
		if _, excluded := r.in.Config.Excluded(id); excluded {
			continue
		}
		if u := r.unitOf(id); u != nil && u.selected || r.selected.touches(a.path) {
			list = append(list, a)
		}
		if u := r.unitOf(id); (u == nil || u.application != a) && r.selected.touches(a.path) {
			r.checked = append(r.checked, finding.Unit{App: name(id), File: a.path})
		}
	}
	return r.each(ctx, len(list), func(_ context.Context, i int) []finding.Finding { return r.checkApplication(list[i]) })
}

// checkApplication checks one file. Applications that are none of the platform's apps are left alone.
func (r *run) checkApplication(a *applicationFile) []finding.Finding {
	id := r.appOf(a)
	switch {
	case a.app == nil:
		return []finding.Finding{a.unusable(name(id))}
	case !a.bound:
		return nil
	}
	s := a.subject()
	secrets := r.secretsOf(a)
	list := slices.Concat(application(s), a.undeclared(), credentials(s, secrets), r.otherRepo(s), r.missingFiles(s), r.misplaced(a))
	if r.second[a.path] { // which says it all about names
		list = slices.DeleteFunc(list, func(p placed) bool { return p.at.Compare(keys("metadata", "name")) == 0 })
	}
	return slices.Concat(a.told(list, s.name()), secrets, a.written())
}

// told gives findings about the Application their app, and their places in the file.
func (a *applicationFile) told(list []placed, who string) []finding.Finding {
	var out []finding.Finding
	for _, p := range list {
		f := p.Finding
		f.App, f.File, f.Path = who, a.path, p.at.String()
		f.Line, f.Column = a.position(p.at)
		out = append(out, f)
	}
	return out
}

// appOf returns whose file it is: by its Application or else by its name, which one of the repo's apps has. It is the zero ID where
// nothing tells.
func (r *run) appOf(a *applicationFile) app.ID {
	if a.id != (app.ID{}) || a.app != nil {
		return a.id
	}
	for _, u := range r.units {
		if layout.ApplicationFile(u.id) == a.path {
			return u.id
		}
	}
	return app.ID{}
}

// unitOf returns the unit of an app, nil where the repo has none, or excludes it.
func (r *run) unitOf(id app.ID) *unit {
	i, there := slices.BinarySearchFunc(r.units, id, func(u *unit, id app.ID) int { return app.Compare(u.id, id) })
	if !there {
		return nil
	}
	return r.units[i]
}

func name(id app.ID) string {
	if id == (app.ID{}) {
		return ""
	}
	return id.String()
}

// unusable tells of a file that holds no Application which could be checked.
func (a *applicationFile) unusable(who string) finding.Finding {
	f := finding.Finding{Rule: RuleManifest, Severity: finding.Error, App: who, File: a.path,
		Next: "correct the file: Argo CD syncs nothing of its folder while one of the files cannot be read"}
	var at *values.Error
	switch {
	case errors.Is(a.err, errEmpty):
		f.Rule, f.Severity, f.Message = RuleShape, finding.Warning, "the file holds no Application, nor anything else"
		f.Next = "write the Application, or remove the file: git rm " + quoted(a.path)
	case a.object != nil:
		p := a.mistaken()
		f.Rule, f.Path, f.Message, f.Next = RuleShape, p.at.String(), p.Message, p.Next
		f.Line, f.Column = a.position(p.at)
	case errors.As(a.err, &at):
		f.Line, f.Column, f.Message = at.Line, at.Column, at.Message
	default:
		f.Message = fmt.Sprintf("the file cannot be read: %v", a.err)
	}
	return f
}

// mistaken says why an object that is meant for an Application is none.
func (a *applicationFile) mistaken() placed {
	version, _ := a.object["apiVersion"].(string)
	kind, _ := a.object["kind"].(string)
	metadata, _ := a.object["metadata"].(map[string]any)
	label, _ := metadata["name"].(string)
	switch {
	case a.object["items"] != nil:
		return found(keys("kind"), RuleShape, "the file holds a list of Applications, which is not looked into", "give each Application a file of its own")
	case kind != argocd.Kind:
		return found(keys("kind"), RuleShape, fmt.Sprintf("the kind %q is none that Argo CD has; an Application seems to be meant", kind), "write kind: "+argocd.Kind)
	case version != argocd.APIVersion:
		return found(keys("apiVersion"), RuleShape, fmt.Sprintf("the apiVersion %q is none that Argo CD has", version), "write apiVersion: "+argocd.APIVersion)
	case label == "":
		return found(keys("metadata", "name"), RuleShape, "the Application has no name", "write its name, as the file is called")
	}
	return found(keys("spec"), RuleShape, "the Application has no spec, or one that is no map", "write it anew: kubectl apl migrate does")
}

// written tells what is odd about the text: keys that stand twice, and further documents.
func (a *applicationFile) written() []finding.Finding {
	var out []finding.Finding
	tell := func(severity finding.Severity, line, column int, message, next string) {
		f := finding.Finding{Rule: RuleShape, Severity: severity, App: name(a.id), File: a.path, Line: line, Column: column, Message: message, Next: next}
		if len(out) < maxFaults {
			out = append(out, f)
		}
	}
	if len(a.more) > 0 {
		tell(finding.Error, a.more[0], 1, "a further document begins here, and is not looked into: reconcile and remove take the file for one Application", "give each object a file of its own")
	}
	if i := bytes.Index(a.text, []byte(skipMarker)); i >= 0 {
		at := positionAt(a.text, i)
		tell(finding.Error, at.line, at.column, "Argo CD does not read the file, since it holds "+skipMarker+": nothing of it comes to the cluster", "take this out")
	}
	if a.doc != nil {
		for _, w := range a.doc.Warnings {
			if w.Line > 0 {
				tell(finding.Warning, w.Line+a.above, w.Column, "this key stands here for the second time; only what stands last counts, whole", "remove one of both")
			}
		}
	}
	return out
}
