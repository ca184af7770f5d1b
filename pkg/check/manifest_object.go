package check

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// located is a document of a file that is read, with what tells places in it.
type located struct {
	*manifestReader
	doc      *values.Document // nil where nothing tells
	above    int              // the lines of the file above the document
	comments []scan.Comment   // those that no object had so far
}

// at returns the place of a path in the document, or of what begins at a line of the file.
func (l *located) at(path values.Path, line int) position {
	if l.doc == nil {
		return position{line, 1}
	}
	if found, column := l.doc.Position(path); found > 0 {
		return position{found + l.above, column}
	}
	return position{line, 1}
}

// headKey begins a line with a key that an object begins with.
var headKey = regexp.MustCompile(`^["']?(kind|apiVersion|metadata)["']?[ \t]*:`)

// warn tells of what parsers pass over in silence. Keys that an object begins with, at the line's start, are those of another object.
func (l *located) warn() {
	if l.doc == nil {
		return
	}
	warnings := l.doc.Warnings[:min(len(l.doc.Warnings), maxFaults)]
	for _, w := range warnings {
		if w.Column == 1 && headKey.Match(lineAt(l.text, w.Line+l.above)) {
			l.lost = true
			l.fault(RuleManifest, finding.Error, position{w.Line + l.above, 1}, "another object begins about here, so that of the one above nothing is left", "put a line --- between objects")
			return
		}
	}
	for _, w := range warnings {
		if w.Line > 0 {
			l.fault(RuleManifest, finding.Warning, position{w.Line + l.above, w.Column}, forKubernetes(w.Message), "keep one of them: parsers pass over the other")
		}
	}
}

// object reads an object of the document.
func (l *located) object(item stream.Item) {
	identity, err := artifact.Identify(item.Object)
	if err != nil {
		var no *artifact.IdentityError
		if kind, _ := item.Object["kind"].(string); errors.As(err, &no) {
			l.broken(l.at(join(item.At, no.At...), item.Line), strings.Replace(no.Message, " that begins here", "", 1), kind == "")
		}
		return
	}
	l.held = true
	o := &object{manifest: l.manifest, Identity: identity}
	metadata := join(item.At, values.Step{Key: "metadata"})
	o.begin, o.kind = l.at(item.At, item.Line), l.at(join(item.At, values.Step{Key: "kind"}), item.Line)
	o.name, o.namespace = l.at(metadata.Key("name"), item.Line), l.at(metadata.Key("namespace"), item.Line)
	switch o.groupKind() {
	case artifact.CRDKind():
		if kind, namespaced, err := artifact.Definition(item.Object); err == nil {
			o.defines, o.namespaced = kind, namespaced
		} // else it defines nothing, which the API server says
	case applicationKind():
		if a, err := argocd.New(item.Object); err == nil {
			class, _ := a.Class()
			o.platformApp = class == argocd.Platform || o.home() == argocd.Namespace && l.hasApp(a.Name())
		}
	}
	place := o.place()
	o.release = l.releaseOf(artifact.OwnerOf(item.Object), place, o.home())
	l.objects = append(l.objects, o)
	if l.application && o.groupKind() == applicationKind() {
		return
	}
	if _, excluded := l.in.Config.Excluded(o.release); !excluded && l.selected.touches(l.path) {
		l.secrets(o, item, place)
		o.searched = true
	}
}

// hasApp tells whether an app of the repo has a name. An Application that is called so is that app's, whatever its labels say.
func (r *run) hasApp(name string) bool {
	return slices.ContainsFunc(r.units, func(u *unit) bool { return u.id.Name() == name })
}

func (o *object) groupKind() artifact.GroupKind {
	return artifact.GroupKind{Group: o.ID.Group, Kind: o.ID.Kind}
}

// home is the namespace that the object names, or else that of its folder, where Argo CD puts it.
func (o *object) home() string {
	if o.ID.Namespace != "" {
		return o.ID.Namespace
	}
	return o.folder
}

// place names the object as the command that writes objects does, and .apl.yaml.
func (o *object) place() string {
	id := o.ID
	id.Namespace = o.home()
	return artifact.PlaceOf(id)
}

// whose says in an exception what it is about. Where nobody knows the object's release, any of its namespace's will do.
func (o *object) whose() string {
	if o.release != (app.ID{}) {
		return "app: " + o.release.String()
	}
	return "app: " + cmp.Or(o.home(), "<namespace>") + "/<release>"
}

// secrets looks for secret material in an object.
func (l *located) secrets(o *object, item stream.Item, place string) {
	if keys := artifact.SecretData(item.Object); len(keys) > 0 {
		message := "a Secret with data, which git must not hold"
		if l.scanner.Left(place) {
			message += "; .apl.yaml leaves it out of git, and git has it"
		}
		at := slices.MinFunc(l.places(item, keys), func(a, b position) int { return a.compare(b) })
		l.findings = append(l.findings, finding.Finding{Rule: RuleArtifactSecret, Severity: finding.Error, App: appOf(o.release), File: l.path, Line: at.line, Column: at.column,
			Path: place, Message: message, Next: "make it a SealedSecret or an ExternalSecret, and change what it holds: git keeps its history"})
		return
	}
	if l.doc == nil {
		return
	}
	part := scan.Part{Document: l.doc, Object: item.Object, At: item.At, Comments: l.commentsOf(item.At)}
	l.findings = append(l.findings, told(RuleArtifactSecret, l.path, o.whose(), l.above, l.scanner.Part(o.release, place, part))...)
}

// places returns those of top-level keys of an object.
func (l *located) places(item stream.Item, keys []string) []position {
	var out []position
	for _, key := range keys {
		out = append(out, l.at(item.At.Key(key), item.Line))
	}
	return out
}

// commentsOf takes the comments that are an object's: of an item of a list those up to the next item. What stands above the first item is the
// first's. Objects are asked for in their order.
func (l *located) commentsOf(at values.Path) []scan.Comment {
	end := len(l.comments)
	if len(at) > 0 {
		last := at[len(at)-1]
		from, _ := l.doc.Position(at)
		if to, _ := l.doc.Position(at[:len(at)-1].Index(last.Index + 1)); to > from {
			end = sort.Search(end, func(i int) bool { return l.comments[i].Line >= to })
		}
	}
	out := l.comments[:end]
	l.comments = l.comments[end:]
	return out
}

// releaseOf returns the release that an object is of, as far as anybody knows: its labels name it, without its namespace.
func (r *run) releaseOf(owner, place, namespace string) app.ID {
	if owner != "" && r.in.Registry != nil {
		var found []app.ID
		for release := range r.in.Registry.All() {
			if release.ID.Release == owner && !app.IsTeam(release.ID.Namespace) {
				found = append(found, release.ID)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	if id, ok := r.scanner.ReleaseOf(place); ok && (owner == "" || owner == id.Release) {
		return id
	}
	if id := (app.ID{Namespace: namespace, Release: owner}); id.Validate() == nil {
		return id
	}
	return app.ID{}
}

func join(path values.Path, steps ...values.Step) values.Path {
	return append(path[:len(path):len(path)], steps...)
}

// appOf names a release; "" for none.
func appOf(id app.ID) string {
	if id == (app.ID{}) {
		return ""
	}
	return id.String()
}
