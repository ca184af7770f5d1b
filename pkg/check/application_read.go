package check

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// applicationFile is a file of the folder of Application files.
type applicationFile struct {
	path string
	text []byte
	// doc tells places within the document that holds the Application, which above lines stand above; nil where nothing tells.
	doc   *values.Document
	above int
	// object is what is meant for an Application. app is nil where it is none, or the file cannot be read; err says why.
	object map[string]any
	app    *argocd.Application
	err    error
	// bound tells that the rules hold for the Application, and id which app it is meant for: the zero ID where nothing tells.
	bound bool
	id    app.ID
	// first is the line of the first document that holds something, more are those of further ones.
	first int
	more  []int
	// other tells that no document is about an Application.
	other bool
}

// errEmpty is the err of a file that holds nothing.
var errEmpty = errors.New("the file holds nothing")

// maxMore bounds how many further documents of a file are told.
const maxMore = 20

// read reads the file and its Application, that of a platform app where there are several.
func (a *applicationFile) read(read func(string) ([]byte, error)) {
	if path.Ext(a.path) == ".jsonnet" { // which Argo CD evaluates
		a.other = true
		return
	}
	if a.text, a.err = read(a.path); a.err != nil {
		return
	}
	about := false
	err := documents(a.path, a.text, func(d stream.Document, object map[string]any, doc *values.Document) {
		about = a.document(d, object, doc) || about
	})
	switch {
	case err != nil: // one document that cannot be read keeps Argo CD from reading the others
		*a = applicationFile{path: a.path, text: a.text, err: err}
	case a.first == 0:
		a.err = errEmpty
	case !about:
		a.other = true
	}
}

// documents calls each for every document of a file that holds something, with what tells places in it; nil where nothing does. It stops at the first one that cannot be read, and returns why.
func documents(name string, text []byte, each func(stream.Document, map[string]any, *values.Document)) error {
	docs := stream.New(name, bytes.NewReader(text), values.MaxSize)
	for {
		d, err := docs.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case d.Blank():
			continue
		}
		object, doc, err := d.Parse()
		if err != nil {
			return err
		}
		if object != nil {
			each(d, object, doc)
		}
	}
}

// document takes a document of the file, and tells whether it is about an Application.
func (a *applicationFile) document(d stream.Document, object map[string]any, doc *values.Document) (about bool) {
	if a.first == 0 {
		a.first = d.First()
	} else if len(a.more) < maxMore {
		a.more = append(a.more, d.First())
	}
	if !likeApplication(object) {
		return false
	}
	application, err := argocd.New(object)
	bound := err == nil && Binds(application)
	if a.object != nil && (a.bound || !bound) {
		return true
	}
	a.object, a.app, a.err, a.bound = object, application, err, bound
	if bound {
		a.id, _ = meant(application) // a rule tells of one that nothing tells of
	}
	a.doc, a.above = doc, d.Line-1
	return true
}

// position returns the line and column in the file of a place in the Application.
func (a *applicationFile) position(at values.Path) (line, column int) {
	if a.doc == nil {
		return a.first, min(a.first, 1)
	}
	if line, column = a.doc.Position(at); line > 0 {
		line += a.above
	}
	return line, column
}

// likeApplication tells whether an object is an Application, or meant to be one: kind or apiVersion can be mistyped, or it can be a
// list of Applications.
func likeApplication(object map[string]any) bool {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if strings.HasSuffix(kind, "List") {
		items, _ := object["items"].([]any)
		return kind == argocd.Kind+"List" || slices.ContainsFunc(items, func(v any) bool {
			item, _ := v.(map[string]any)
			return item["kind"] == argocd.Kind
		})
	}
	group, _, _ := strings.Cut(version, "/")
	ours, _, _ := strings.Cut(argocd.APIVersion, "/")
	return schema.Nearest(kind, []string{"AppProject", argocd.Kind, "ApplicationSet"}) == argocd.Kind && schema.Nearest(group, []string{ours}) == ours
}

// handOver makes manifests like others of the files of the folder that are not about Applications.
func (r *run) handOver() {
	var kept []*applicationFile
	for _, a := range r.applications {
		if a.other {
			r.manifests = append(r.manifests, a.path)
			continue
		}
		kept = append(kept, a)
	}
	r.applications = kept
	slices.Sort(r.manifests)
}

// claim binds Applications that nothing but their file or their name tells to be an app's, whose values the repo has: one that has lost its
// label and its value files would deploy the chart's defaults, and no rule would look at it.
func (r *run) claim(units map[app.ID]*unit) {
	for _, a := range r.applications {
		if a.app == nil || a.bound {
			continue
		}
		var claims []app.ID
		for id, u := range units {
			called := a.app.Name() == id.Name() && a.app.Namespace() == argocd.Namespace
			if u.application == nil && (called || a.path == layout.ApplicationFile(id)) {
				claims = append(claims, id)
			}
		}
		if len(claims) > 0 {
			a.bound, a.id = true, slices.MinFunc(claims, app.Compare)
			units[a.id].application = a
		}
	}
}

// subject is the Application of the file, for the app that the file is bound to.
func (a *applicationFile) subject() *subject {
	s := newSubject(a.app)
	if a.id != (app.ID{}) {
		s.id, s.known = a.id, true
	}
	return s
}
