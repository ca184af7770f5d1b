package check

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// manifest is a file of manifests that was read.
type manifest struct {
	path string
	// folder is the namespace in whose folder the file is, "" for one that is in none.
	folder string
	// applied tells that Argo CD applies what is in the file, silent that others report its faults: here it is searched for secrets alone.
	applied bool
	silent  bool
	// lost tells that something of the file is not read, so that what it holds is not all known.
	lost     bool
	objects  []*object
	findings []finding.Finding
}

// object is an object of a manifest: what it says it is, and where it says so.
type object struct {
	*manifest
	artifact.Identity
	release app.ID // the zero ID where nobody knows whose it is
	// searched tells that it was searched for secrets.
	searched bool
	// platformApp tells that it is the Application of a platform app.
	platformApp bool
	// defines is the kind that the object defines, and namespaced where that lives; no kind where it defines none.
	defines    artifact.GroupKind
	namespaced bool

	begin, kind, name, namespace position
}

// manifestReader reads one file.
type manifestReader struct {
	*run
	*manifest
	text []byte
	held bool // whether an object was read
	// documented counts the documents that hold something.
	documented int
	faults     int
	// application tells that another searches the file's Application for secrets.
	application bool
	done        bool
}

// readManifest reads a file of manifests.
func (r *run) readManifest(file string) *manifest {
	m := &manifestReader{run: r, manifest: &manifest{path: file}}
	m.takeIn()
	return m.manifest
}

// takeIn reads the file.
func (m *manifestReader) takeIn() {
	name, folder := argocd.FolderAppOf(m.path)
	m.applied = name != ""
	m.folder, _ = layout.DecodeName(folder)
	var err error
	m.text, err = m.in.Read(m.path)
	switch { // the last case: what Argo CD does not apply is searched for secrets all the same
	case err != nil:
		m.fault(RuleManifest, finding.Error, position{}, "it cannot be read: "+err.Error(), "see that it is a regular file of UTF-8 text")
	case path.Ext(m.path) == ".jsonnet":
		m.jsonnet()
	case m.parameters():
	case m.skipped(), !m.applied && m.unapplied(), m.json():
		m.documents()
	}
}

// jsonnet tells of a file that Argo CD evaluates. Of what it comes to nothing is known; a secret can stand in its text.
func (m *manifestReader) jsonnet() {
	m.fault(RuleStray, finding.Warning, position{}, "jsonnet: Argo CD evaluates it, and nothing here looks at what it comes to", "write what it comes to, as YAML")
	if rule := m.secretOf(m.text[:min(len(m.text), maxStray)], anyRule); rule != "" {
		m.fault(RuleArtifactSecret, finding.Error, position{}, rule+": the file holds a secret, which git must not hold", "take it out, and change it: git keeps its history")
	}
}

// parameters tells of a file from which Argo CD takes parameters of the Application that applies the folder, such as which of its files count
// (mergeSourceParameters, in reposerver/repository): at the root of the folder by its name, and in no sub-folder.
func (m *manifestReader) parameters() bool {
	dir, name := path.Split(m.path)
	root := dir == layout.GlobalDir+"/" || path.Dir(path.Clean(dir)) == layout.NamespacesDir
	if !root || name != ".argocd-source.yaml" && !(strings.HasPrefix(name, ".argocd-source-") && strings.HasSuffix(name, ".yaml")) {
		return false
	}
	m.fault(RuleStray, finding.Error, position{}, "Argo CD takes it for parameters of the Application of this folder: they can leave out what is in it, which is then removed", "remove it")
	return true
}

// skipMarker is what Argo CD looks for in a file to pass it over (3.2, in reposerver/repository).
const skipMarker = "+argocd:skip-file-rendering"

// skipped notes that Argo CD passes the file over, since the file says so.
func (m *manifestReader) skipped() bool {
	if !bytes.Contains(m.text, []byte(skipMarker)) {
		return false
	}
	m.fault(RuleStray, finding.Info, position{}, "Argo CD does not read it, since it holds "+skipMarker, "")
	m.applied, m.silent = false, true
	return true
}

// unapplied notes that no Application applies the file.
func (m *manifestReader) unapplied() bool {
	m.fault(RuleStray, finding.Warning, position{}, "no Application applies it: each applies a folder below "+layout.NamespacesDir+", or "+layout.GlobalDir,
		"move it below "+layout.NamespacesDir+"/<namespace>/<kind>/ or "+layout.GlobalDir+"/<kind>/")
	m.silent = true
	return true
}

// documents reads the documents one by one.
func (m *manifestReader) documents() {
	documents := stream.New("", bytes.NewReader(m.text), values.MaxSize)
	json, unparted := false, 0 // whether the last document is JSON, and the first one that follows such
	for !m.done {
		d, err := documents.Next()
		switch {
		case errors.Is(err, io.EOF):
			m.otherwise(unparted)
			return
		case errors.Is(err, stream.ErrDocument):
			m.unreadable(err)
		case err != nil:
			return // not reached: bytes do not fail
		default:
			if json && unparted == 0 && !d.Blank() {
				unparted = d.First()
			}
			json = d.JSON
			m.document(d) // a blank one too: what looks blank can be a character that no parser takes
		}
	}
}

// document reads one document.
func (m *manifestReader) document(d stream.Document) {
	tree, doc, err := d.Parse()
	if err != nil {
		m.unreadable(err)
		return
	}
	if tree == nil {
		return
	}
	m.documented++
	l := &located{manifestReader: m, doc: doc, above: d.Line - 1}
	if doc != nil && m.selected.touches(m.path) {
		l.comments = scan.Comments(doc)
	}
	l.warn()
	m.dashes(d)
	_ = d.Objects(tree, func(item stream.Item) error { // neither returns an error
		l.object(item)
		return nil
	}, func(bad *values.Error) error {
		m.fault(RuleManifest, finding.Error, position{bad.Line, bad.Column}, bad.Message, "write the list's items as objects")
		return nil
	})
}
