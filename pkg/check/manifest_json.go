package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// json tells whether the file can be read on. Of a file that is called .json Argo CD reads one JSON value, and nothing may stand behind it.
func (m *manifestReader) json() bool {
	if !strings.HasSuffix(m.path, ".json") {
		return true
	}
	text := bytes.TrimPrefix(m.text, []byte("\ufeff"))
	mark := len(m.text) - len(text)
	decoder := json.NewDecoder(bytes.NewReader(text))
	var first json.RawMessage
	if err := decoder.Decode(&first); err != nil {
		at := len(text)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = max(int(syntax.Offset)-1, 0)
		}
		m.fault(RuleManifest, finding.Error, positionAt(m.text, mark+at), "it is no JSON, as its name says: "+err.Error(), "correct it, or call it .yaml")
		return false
	}
	if !decoder.More() {
		return true
	}
	at := int(decoder.InputOffset())
	at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
	m.fault(RuleManifest, finding.Error, positionAt(m.text, mark+at), "something stands behind the object: Argo CD reads one from a .json file, and refuses more",
		"put each object into a file of its own, or into a list")
	return false
}
