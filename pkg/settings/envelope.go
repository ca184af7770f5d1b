package settings

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// envelopeKind is what the platform calls an app's settings in env/apps.
const envelopeKind = "AplApp"

// File is a file of env/apps. Path is relative to the values repo's root.
type File struct {
	Path string
	Data []byte
}

// envelope is a file of env/apps that was read.
type envelope struct {
	name string
	file string
	doc  *values.Document
	spec map[string]any
}

// parseFinding is the finding for a text that values.Parse refuses.
func parseFinding(file string, err error) finding.Finding {
	f := finding.Finding{Rule: "settings-parse", Severity: finding.Error, File: file, Message: err.Error(), Next: "correct the YAML at this place"}
	var parse *values.Error
	if errors.As(err, &parse) {
		f.Line, f.Column, f.Message = parse.Line, parse.Column, parse.Message
	}
	return f
}

// readEnvelopes reads the files of env/apps, sorted by app. What is wrong with any is a finding; of two files for one app
// both are named, and the first counts, so that the rest can be looked at too.
func readEnvelopes(files []File) ([]*envelope, []finding.Finding) {
	var out []*envelope
	var findings []finding.Finding
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	first := map[string]*envelope{}
	for _, file := range files {
		if f, refused := refuseName(file.Path); refused {
			findings = append(findings, f)
		}
		if !isEnvelope(file.Path) {
			continue
		}
		e, found := readEnvelope(file)
		findings = append(findings, found...)
		if e == nil {
			continue
		}
		if other := first[e.name]; other != nil {
			line, column := e.doc.Position(values.Path{}.Key("metadata").Key("name"))
			findings = append(findings, finding.Finding{Rule: "settings-twice", Severity: finding.Error, File: e.file, Line: line, Column: column,
				Message: fmt.Sprintf("app %s stands here again; it is in %s too", e.name, other.file), Next: "keep one of the two files"})
			continue
		}
		first[e.name] = e
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b *envelope) int { return strings.Compare(a.name, b.name) })
	return out, findings
}

// SecretFile tells the files in which the platform keeps secrets: encrypted by SOPS, and the same decrypted, by their
// names.
func SecretFile(file string) bool {
	name := strings.ToLower(path.Base(file))
	return strings.HasPrefix(name, "secrets.") || strings.HasSuffix(name, ".dec")
}

// isEnvelope tells whether a file of env/apps is read.
func isEnvelope(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return !SecretFile(file) && path.Dir(file) == layout.AppsDir && (ext == ".yaml" || ext == ".yml")
}

// refuseName returns the finding for a file that cannot be read for what it is, by its name alone.
func refuseName(file string) (finding.Finding, bool) {
	f := finding.Finding{Severity: finding.Error, File: file}
	switch {
	case SecretFile(file):
		f.Rule = "settings-secret-file"
		f.Message = "a file of secrets: " + layout.AppsFile + " holds none, and the platform is not to lose these"
		f.Next = "move the secrets to SealedSecrets or ExternalSecrets, and remove the file"
	case isEnvelope(file) && !strings.HasSuffix(file, ".yaml"):
		f.Rule = "settings-file"
		f.Message = "the platform reads files that end in .yaml, so that this one has no effect today"
		f.Next = "rename it if it is to count, or remove it"
	case path.Dir(file) != layout.AppsDir && strings.HasSuffix(file, ".yaml"):
		f.Rule, f.Severity = "settings-file", finding.Warning
		f.Message = "the platform reads no folders below " + layout.AppsDir + ", so that this file has no effect today"
		f.Next = "move it up if it is to count"
	default:
		return f, false
	}
	return f, true
}

// readEnvelope reads one file. It returns nil where no app can be told.
func readEnvelope(file File) (*envelope, []finding.Finding) {
	doc, err := values.Parse(file.Path, file.Data)
	if err != nil {
		return nil, []finding.Finding{parseFinding(file.Path, err)}
	}
	r := &reader{doc: doc}
	r.warnings()
	if kind, ok := doc.Values["kind"].(string); !ok || kind != envelopeKind {
		r.add("settings-envelope", values.Path{}.Key("kind"), "the kind is not "+envelopeKind, "move what is no app out of "+layout.AppsDir+", or write kind: "+envelopeKind)
		return nil, r.findings
	}
	r.envelopeKeys()
	e := &envelope{file: file.Path, doc: doc, name: r.name(file.Path)}
	spec, ok := doc.Values["spec"].(map[string]any)
	if !ok && doc.Values["spec"] != nil {
		r.add("settings-envelope", values.Path{}.Key("spec"), "spec is no map", "write the app's settings as a map below spec")
	}
	e.spec = spec
	if e.name == "" {
		return nil, r.findings
	}
	r.flags(e.name, spec, values.Path{}.Key("spec"))
	return e, r.findings
}

// envelopeKeys finds what an envelope holds besides kind, name and spec: apps.yaml has no place for it.
func (r *reader) envelopeKeys() {
	for _, key := range slices.Sorted(maps.Keys(r.doc.Values)) {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec", "status"}, key) {
			r.unknown("settings-envelope", values.Path{}.Key(key), "an envelope has an unknown key; the platform does not read it there", "move it below spec, or remove it")
		}
	}
	metadata, _ := r.doc.Values["metadata"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if key != "name" {
			at := values.Path{}.Key("metadata").Key(key)
			r.unknown("settings-envelope", at, layout.AppsFile+" has no place for this, and it is not carried over", "nothing, unless something reads it")
			r.findings[len(r.findings)-1].Severity = finding.Warning
		}
	}
}

// name returns the app's name, "" for none. It has to be the file's, since the platform finds an app by both.
func (r *reader) name(file string) string {
	at := values.Path{}.Key("metadata").Key("name")
	value, _ := values.Lookup(r.doc.Values, at)
	name, ok := value.(string)
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	switch {
	case !ok || !namePattern.MatchString(name):
		r.add("settings-envelope", at, "the app has no name, or one that is not in lower-case letters, digits and hyphens", "name it in metadata.name as the file is called")
		return ""
	case name != stem:
		r.add("settings-name", at, fmt.Sprintf("the app is called %s, and its file %s", name, path.Base(file)), "give both the same name")
	}
	return name
}

// FromEnvApps returns the settings that env/apps holds, _rawValues apart, with their places there; and what is wrong with the
// files. It is what apps.yaml is made from.
func FromEnvApps(files []File) (*Apps, []finding.Finding) {
	list, findings := readEnvelopes(files)
	out := &Apps{apps: map[string]located{}}
	for _, e := range list {
		out.apps[e.name] = located{tree: e.kept(false), doc: e.doc, at: values.Path{}.Key("spec")}
	}
	return out, findings
}
