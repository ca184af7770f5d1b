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
	applied  bool
	silent   bool
	objects  []*object
	findings []finding.Finding
}

// object is an object of a manifest: what it says it is, and where it says so.
type object struct {
	*manifest
	artifact.Identity
	release app.ID // the zero ID where nobody knows whose it is
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
	text   []byte
	held   bool // whether an object was read
	lost   bool // whether something was found that cannot be read
	faults int
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
		m.fault(RuleStray, finding.Info, position{}, "jsonnet: Argo CD evaluates it, and nothing here looks at it", "")
	case m.skipped(), !m.applied && m.unapplied(), m.json():
		m.documents()
	}
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
	for !m.done {
		d, err := documents.Next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.Is(err, stream.ErrDocument):
			m.unreadable(err)
		case err != nil:
			return // not reached: bytes do not fail
		case !d.Blank():
			m.document(d)
		}
	}
}

// document reads one document.
func (m *manifestReader) document(d stream.Document) {
	tree, err := d.Decode()
	if err != nil {
		m.unreadable(err)
		return
	}
	if tree == nil {
		return
	}
	doc, err := values.Parse("", d.Text)
	if err != nil {
		doc = nil // Kubernetes' parser takes it all the same: two keys of which one is a number and one its text
	}
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

// dashes finds lines that part documents for Argo CD, and for nobody else.
func (m *manifestReader) dashes(d stream.Document) {
	if d.JSON || !bytes.Contains(d.Text, []byte("---")) {
		return
	}
	line := d.Line - 1
	for text := range bytes.Lines(d.Text) {
		line++
		rest, ok := bytes.CutPrefix(text, []byte("---"))
		if rest = bytes.TrimSpace(rest); !ok || len(rest) == 0 || rest[0] == '#' {
			continue
		}
		m.lost = true
		m.fault(RuleManifest, finding.Error, position{line, 1}, "Argo CD parts documents at every line that begins with ---, and takes nothing but a comment behind it",
			"put what stands there on a line of its own, or indent it")
		return
	}
}

// unreadable notes a document that cannot be read.
func (m *manifestReader) unreadable(err error) {
	var at *values.Error
	if !errors.As(err, &at) {
		at = &values.Error{Line: 1, Column: 1, Message: err.Error()} // not reached
	}
	m.broken(position{at.Line, at.Column}, at.Message, true)
}

// broken notes what is wrong at a place. unread tells that Argo CD stops reading there: it syncs nothing of the folder then; but a file whose first
// document it cannot read, and that does not look like a manifest, it passes over (its getObjsFromYAMLOrJSON). Where the layout has an object, that
// object then goes.
func (m *manifestReader) broken(at position, message string, unread bool) {
	if unread && m.lost || m.faults >= maxFaults {
		return // the first can be the cause of the second
	}
	m.lost = m.lost || unread
	next := "correct it: until then Argo CD syncs nothing of its folder"
	if unread && !m.held && !looksLikeManifest(m.path, m.text) {
		m.done = true
		if _, laid := layout.Parse(m.path); !laid {
			m.fault(RuleStray, finding.Warning, position{}, "it is no manifest: Argo CD passes it over", "move it out of "+layout.ManifestsDir)
			return
		}
		next = "correct it: Argo CD passes over such a file, and removes what it held before"
	}
	if bytes.Contains(lineAt(m.text, at.line), []byte("{{")) {
		next = "write what the template renders to, since nothing renders it here; " + next
	}
	m.fault(RuleManifest, finding.Error, at, forKubernetes(message), next)
}

// forKubernetes returns what pkg/values says of a text, which Kubernetes reads by Helm's parser.
func forKubernetes(message string) string { return strings.ReplaceAll(message, "Helm", "Kubernetes") }

// looksLikeManifest tells whether Argo CD refuses a file that it cannot read.
func looksLikeManifest(file string, text []byte) bool {
	for _, word := range []string{"apiVersion:", "kind:", "metadata:"} {
		if !bytes.Contains(text, []byte(word)) {
			return strings.HasSuffix(file, ".json")
		}
	}
	return true
}

// fault notes what is wrong with the file, unless others do.
func (m *manifestReader) fault(rule string, severity finding.Severity, at position, message, next string) {
	if m.silent {
		return
	}
	if m.faults++; m.faults > maxFaults {
		return
	}
	m.findings = append(m.findings, finding.Finding{Rule: rule, Severity: severity, File: m.path, Line: at.line, Column: at.column, Message: message, Next: next})
	if m.faults == maxFaults {
		m.findings[len(m.findings)-1].Message += "; what else is wrong with this file is not told"
	}
}
