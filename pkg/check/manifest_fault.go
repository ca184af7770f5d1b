package check

import (
	"bytes"
	"errors"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/stream"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// oddStarts begin what Argo CD reads otherwise than kubectl apl does, where they begin a line: the end of a document, a directive, a byte order
// mark further down, as files bring it along that were put together, and a comment right behind dashes.
func oddStarts() []string { return []string{"...", "%", "\ufeff", "---#"} }

// oddLine returns where the first such line begins, -1 for none.
func oddLine(text []byte) int {
	first := -1
	for _, start := range oddStarts() {
		at := bytes.Index(text, []byte("\n"+start)) + 1
		if bytes.HasPrefix(text, []byte(start)) {
			return 0
		}
		if at > 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// otherwise notes a file that Argo CD does not read as it was read here, by reading it as Argo CD does. It can be one with such a line, or one in
// which something follows JSON; unparted is where that is, 0 for none.
func (m *manifestReader) otherwise(unparted int) {
	text := bytes.TrimPrefix(m.text, []byte("\ufeff"))
	odd := oddLine(text)
	if m.lost || odd < 0 && unparted == 0 {
		return
	}
	read, whole := values.KubernetesDocuments(text)
	if whole && read == m.documented {
		return
	}
	at, next := position{unparted, 1}, "begin each document with a line ---"
	if odd >= 0 {
		at, next = positionAt(m.text, odd+len(m.text)-len(text)), next+", and remove this one"
	}
	message := "Argo CD does not read the file because of this line"
	if whole {
		message = "Argo CD, which parts documents at lines --- alone, does not read all of them"
	}
	m.lost = true
	m.fault(RuleManifest, finding.Error, at, message, next)
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
		next = "nothing renders templates here: write what it renders to. " + strings.ToUpper(next[:1]) + next[1:]
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
