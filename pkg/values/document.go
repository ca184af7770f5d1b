package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
)

// MaxSize bounds the text of one document, in bytes. Kubernetes keeps an object under 1.5 MB and Helm a release
// under 1 MB, so that nothing a cluster holds comes near.
const MaxSize = 64 << 20

// Document is one text of values: what it means to Helm, and where everything stands in it.
type Document struct {
	// Name is how errors and findings name the text.
	Name string
	// Values is Helm's reading. Maps are map[string]any, lists []any, numbers json.Number. It is not to be changed.
	Values map[string]any
	// Warnings are what Helm accepts in silence: duplicate keys, further documents.
	Warnings []Warning
	// MoreDocuments tells that the text holds more than the first document. Helm 3 ignores them, Helm 4 merges them.
	MoreDocuments bool

	text   string         // UTF-8, LF, without a BOM; "" when the values come from a tree
	lines  []string       // text by line, without line ends, of the first document; nil when it cannot be cut by line
	origin map[string]any // what text says; other than Values once something was set
	last   int            // how many lines the first document has; 0 when it has no nodes
	root   *yamlv3.Node   // the mapping that text holds; nil when there is none or Values come from a tree
	lossy  bool           // text holds numbers with more digits than the tree can
	marks  map[int][]int  // ways into long lines
	keys   keyIndex       // ways into wide mappings

	document *yamlv3.Node // what holds root, and comments that stand apart from it
}

// Parse reads one text of values as Helm 3 reads a file given with -f: the first document counts; empty text,
// comments alone and null are no values; of duplicate keys the last wins; keys that are numbers or booleans become
// text. name is how errors name the text.
//
// It returns an *Error for what Helm refuses, and for what Helm takes but reads by chance or not as written: text
// that is not UTF-8, and two keys of one map that differ only by type, such as 8080 and "8080".
func Parse(name string, text []byte) (*Document, error) {
	clean, err := normalise(name, text)
	if err != nil {
		return nil, err
	}
	document, lookErr := firstDocument(clean)
	if err := checkAliases(name, clean, document); err != nil {
		return nil, err
	}
	meaning := map[string]any{}
	if err := decode([]byte(clean), &meaning); err != nil {
		return nil, parserError(name, clean, err)
	}
	if meaning == nil { // the text null
		meaning = map[string]any{}
	}
	doc := &Document{Name: name, Values: meaning, origin: meaning, text: clean, document: document}
	if lookErr != nil && !errors.Is(lookErr, io.EOF) {
		doc.Warnings = append(doc.Warnings, Warning{Message: "comments and quotes of this text cannot be kept"})
	}
	if err := doc.locate(); err != nil {
		return nil, err
	}
	return doc, nil
}

// firstDocument reads a text into nodes, for positions and looks. It returns an error, io.EOF for a text without a
// document, where it cannot: then only the looks are lost, since what the text means is for Helm's parser to say.
func firstDocument(text string) (*yamlv3.Node, error) {
	var document yamlv3.Node
	if err := yamlv3.NewDecoder(strings.NewReader(text)).Decode(&document); err != nil {
		return nil, err
	}
	return &document, nil
}

// Text returns the text that was read, with a line end at its end, in LF and without a BOM; "" for values that come
// from a tree. Parse reads it as the same values: where a last line end would be content, there is none.
func (d *Document) Text() string {
	if d.text == "" || strings.HasSuffix(d.text, "\n") {
		return d.text
	}
	if again, err := Parse(d.Name, []byte(d.text+"\n")); err != nil || !Equal(again.Values, d.origin) {
		return d.text
	}
	return d.text + "\n"
}

// FromTree returns the values that tree, a JSON object, becomes when Argo CD hands it to Helm as a file
// (valuesObject: its ValuesYAML converts the JSON with sigs.k8s.io/yaml). Such a document has no text to keep.
func FromTree(name string, tree map[string]any) (*Document, error) {
	encoded, err := encodeJSON(tree)
	if err != nil {
		return nil, &Error{Name: name, Message: "the values are not JSON"}
	}
	doc, err := Parse(name, encoded)
	if err != nil {
		return nil, err
	}
	return &Document{Name: name, Values: doc.Values, Warnings: doc.Warnings}, nil
}

func encodeJSON(tree any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(tree)
	return b.Bytes(), err
}

// DecodeObject reads one YAML or JSON document that is an object (a Kubernetes manifest) with the parser that Helm
// and kubectl use. Numbers become json.Number. It returns nil for a document without content, and an *Error, which
// quotes no value, for one that does not parse or is no object.
func DecodeObject(name string, text []byte) (map[string]any, error) {
	if !utf8.Valid(text) {
		return nil, invalidUTF8(name, string(text))
	}
	if all := string(text); mayHold(all, '&') && mayHold(all, '*') {
		document, _ := firstDocument(all) // what Helm's parser cannot read either, it says below
		if err := checkAliases(name, all, document); err != nil {
			return nil, err
		}
	}
	var object map[string]any
	if err := decode(text, &object); err != nil {
		return nil, parserError(name, string(text), err)
	}
	return object, nil
}

// normalise returns text as UTF-8 without a BOM and with LF line ends. YAML reads CR LF as one line break, so that
// this changes no value.
func normalise(name string, text []byte) (string, error) {
	if len(text) > MaxSize {
		return "", &Error{Name: name, Message: fmt.Sprintf("the text is larger than %d MiB", MaxSize>>20)}
	}
	if !utf8.Valid(text) {
		return "", invalidUTF8(name, string(text))
	}
	clean := strings.TrimPrefix(string(text), "\ufeff")
	if strings.HasPrefix(clean, "\ufeff") {
		return "", errorAt(name, 1, 1, "the text begins with two byte order marks, which parsers read differently: remove them")
	}
	if strings.Count(clean, "\r") == strings.Count(clean, "\r\n") { // a CR that stands alone is a line break of its own
		clean = strings.ReplaceAll(clean, "\r\n", "\n")
	}
	return clean, nil
}

func invalidUTF8(name, text string) *Error {
	line, column := 1, 1
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		text = text[size:]
	}
	return errorAt(name, line, column, "the text is not UTF-8; save it as UTF-8")
}

// otherBreaks are line breaks of YAML 1.1 besides LF: parsers count lines by them too, so that a text that has one
// cannot be cut by LF lines.
const otherBreaks = "\r\u0085\u2028\u2029"

// locate finds the text's lines and its root, and collects the warnings.
func (d *Document) locate() error {
	d.lines = strings.Split(strings.TrimSuffix(d.text, "\n"), "\n")
	if d.document == nil {
		return nil
	}
	if d.document.Kind == yamlv3.DocumentNode && len(d.document.Content) == 1 && d.document.Content[0].Kind == yamlv3.MappingNode {
		d.root = d.document.Content[0]
	}
	d.endFirstDocument(d.document.Line)
	d.last = len(d.lines)
	if strings.ContainsAny(d.text, otherBreaks) {
		d.lines = nil
	}
	d.marks = marksOf(d.lines)
	return d.inspect(d.root, 0)
}

// endFirstDocument drops the lines after the first document, and warns when there is something.
func (d *Document) endFirstDocument(start int) {
	from := max(start, 1)
	if d.root != nil {
		from = d.root.Line
	}
	for i := from; i < len(d.lines); i++ {
		line := d.lines[i]
		if !separator(line) {
			continue
		}
		for rest := i; rest < len(d.lines); rest++ {
			content := strings.TrimSpace(strings.TrimLeft(d.lines[rest], "-."))
			if content != "" && content[0] != '#' {
				d.MoreDocuments = true
				d.Warnings = append(d.Warnings, Warning{Line: rest + 1, Column: 1, Message: "a further document starts here; Helm 3 reads the first one only"})
				break
			}
		}
		d.lines = d.lines[:i]
		return
	}
}

func separator(line string) bool {
	mark := strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
	return mark && (len(line) == 3 || line[3] == ' ' || line[3] == '\t')
}
