package secret

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// payloads reports the data of Secret objects and returns the keys of m that it has judged. Structure decides here, not
// the look of a value: whatever a Secret holds is secret, down to a single byte. A stringData without a kind is judged
// alike, since nothing but a Secret has one.
func (w *walker) payloads(m map[string]any, depth int) (judged []string) {
	if isKind(m, "SecretList") {
		// The items of a typed list name no kind of their own.
		items, _ := m["items"].([]any)
		w.push(values.Step{Key: "items"})
		for i, item := range items {
			if object, ok := item.(map[string]any); ok && object["kind"] == nil {
				w.push(values.Step{Index: i, IsIndex: true})
				w.payload(object["data"], "data", depth)
				w.payload(object["stringData"], "stringData", depth)
				w.pop()
			}
		}
		w.pop()
	}
	for _, k := range []string{"data", "stringData"} {
		if m[k] == nil {
			continue
		}
		_, isMap := m[k].(map[string]any)
		if isKind(m, "Secret") || k == "stringData" && isMap && m["kind"] == nil && !w.inSchema() {
			w.payload(m[k], k, depth)
			judged = append(judged, k)
		}
	}
	return judged
}

// payload reports everything below the key that is no reference.
func (w *walker) payload(v any, key string, depth int) {
	w.key(key)
	defer w.pop()
	if m, ok := v.(map[string]any); ok && key == "data" && (m["metadata"] != nil || m["type"] != nil) {
		// A policy that generates a Secret has the object under data.
		if m["data"] != nil || m["stringData"] != nil {
			w.content(m["data"], "data", depth)
			w.content(m["stringData"], "stringData", depth)
			return
		}
	}
	w.contents(v, depth)
}

func (w *walker) content(v any, key string, depth int) {
	w.key(key)
	defer w.pop()
	w.label = label{name: key}
	w.contents(v, depth)
}

func (w *walker) contents(v any, depth int) {
	if depth > maxDepth {
		w.report(RuleUnscanned, literal)
		return
	}
	switch v := v.(type) {
	case string:
		judged := judgePayload(v)
		w.report(RuleObject, judged)
		if judged == clean {
			w.leak(v, nil) // beside an expression may stand a secret
		}
	case json.Number, float64, int64, int, uint64:
		w.report(RuleObject, literal)
	case []any:
		for i, item := range v {
			w.push(values.Step{Index: i, IsIndex: true})
			w.contents(item, depth+1)
			w.pop()
		}
	case map[string]any:
		for k, item := range v {
			w.content(item, k, depth+1)
		}
	}
}

// judgePayload takes templates and encrypted values for references, and nothing else: a path or a URL in a Secret is
// its data.
func judgePayload(s string) verdict {
	s = strings.TrimSpace(s)
	switch {
	case s == "", isReference(s):
		return clean
	case isPlaceholder(s):
		return placeholder
	default:
		return literal
	}
}

// isKind reports whether m is an object of the kind. A document that says kind twice has a list there.
func isKind(m map[string]any, kind string) bool {
	switch v := m["kind"].(type) {
	case string:
		return v == kind
	case []any:
		return slices.Contains(v, any(kind))
	}
	return false
}

// inSchema reports whether the walk stands in the properties of an OpenAPI schema, where stringData is a field's name.
func (w *walker) inSchema() bool {
	return len(w.path) > 0 && w.path[len(w.path)-1].Key == "properties"
}

// isSealed reports whether s is what kubeseal writes: base64 of a length-prefixed session key and its ciphertext.
func isSealed(s string) bool {
	const shortest = 100
	if len(s) < shortest {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}

// findObjects finds Secret objects in text that no parser takes, such as a manifest full of template expressions or
// commented out: a document with a line "kind: Secret" whose data or stringData has lines with a literal.
func findObjects(text string, report reporter) {
	if !strings.Contains(text, "Secret") {
		return
	}
	var o objectReader
	for offset, line := range lines(text) {
		if strings.HasPrefix(line, "---") {
			o.flush(report)
			continue
		}
		o.line(offset, line, report)
	}
	o.flush(report)
}

// objectReader reads a text line by line; the kind of an object may stand before or after its data.
type objectReader struct {
	open     bool // an object has begun, whose keys stand at column
	column   int
	isSecret bool
	payload  bool // the lines read are below data or stringData
	block    bool // and below a key whose text follows
	found    int
	worst    verdict
}

func (o *objectReader) line(offset int, line string, report reporter) {
	body := strings.TrimLeft(line, " \t")
	isItem := strings.HasPrefix(body, "- ")
	body = strings.TrimLeft(body, "- \t")
	column := len(line) - len(body)
	body = strings.TrimRight(body, " \t\r,")
	if body == "" || strings.HasPrefix(body, "{{") {
		return
	}
	key, value, isPair := strings.Cut(body, ":")
	key, value = unquote(key), strings.TrimSpace(value)
	if o.open && (column < o.column || isItem && column == o.column) {
		o.flush(report)
	}
	if o.payload && column > o.column {
		switch {
		case isPair && (value == "" || value[0] == '|' || value[0] == '>'):
			o.block = true
		case isPair:
			o.literal(offset, unquote(value))
		case o.block:
			o.literal(offset, body)
		}
		return
	}
	isKind, isData := isPair && key == "kind", isPair && (key == "data" || key == "stringData")
	switch {
	case !o.open && (isKind || isData || key == "apiVersion"):
		o.open, o.column = true, column
	case o.open && column > o.column, !o.open:
		return
	}
	o.payload, o.block = isData, false
	if isKind {
		o.isSecret = unquote(value) == "Secret"
	}
	if isData && strings.HasPrefix(value, "{") && !isReference(value) {
		_, inner, _ := strings.Cut(strings.Trim(value, "{} "), ":")
		o.literal(offset, unquote(inner))
	}
}

func (o *objectReader) literal(offset int, value string) {
	if v := judgePayload(value); v > o.worst {
		o.worst, o.found = v, offset
	}
}

func (o *objectReader) flush(report reporter) {
	if o.isSecret {
		report.found(RuleObject, o.found, o.worst)
	}
	*o = objectReader{}
}
