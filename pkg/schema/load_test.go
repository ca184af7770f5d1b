package schema_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// served are documents as a server has them. They refer to each other by relative names, one by a name of its own.
func served() map[string]string {
	return map[string]string{
		"/pod.json":        `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"port":{"type":"integer","maximum":65535},"name":{"$ref":"more/name.json"}}}`,
		"/more/name.json":  `{"$schema":"http://json-schema.org/draft-04/schema#","type":"string","minLength":1,"maxLength":5}`,
		"/named.json":      `{"$id":"https://elsewhere.example.test/x.json","$defs":{"a":{"const":"1"}},"properties":{"a":{"$ref":"#/$defs/a"}},"additionalProperties":false}`,
		"/plain.json":      `{"format":"ipv4","enum":["1.2.3.4","x",7]}`,
		"/loop.json":       `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"again":{"$ref":"loop.json"},"num":{"type":"integer"}},"additionalProperties":false}`,
		"/wrong.json":      `{"$schema":"http://json-schema.org/draft-07/schema#","type":"int"}`,
		"/no.json":         `{`,
		"/true.json":       `true`,
		"/a%20b/c%25.json": `{"type":"null"}`,
	}
}

// TestMirrorAgreesWithHelm holds schemas with local copies to Helm, which fetches the documents from a server.
func TestMirrorAgreesWithHelm(t *testing.T) {
	quietHelm(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := served()[r.URL.EscapedPath()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	host := strings.ReplaceAll(strings.TrimPrefix(server.URL, "http://"), ":", "_")
	copies := fstest.MapFS{}
	for path, text := range served() {
		plain, err := url.PathUnescape(path)
		if err != nil {
			t.Fatal(err)
		}
		copies[host+plain] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, c := range map[string]struct {
		reason string
		schema string // URL stands for the server
		values []string
	}{
		"a part":            {"a pointer into another document", `{"properties":{"a":{"$ref":"URL/pod.json#/definitions/port"}}}`, []string{"a: 80", "a: 65536", "a: x", "b: x"}},
		"further":           {"that refers to a third, of another draft", `{"properties":{"a":{"$ref":"URL/pod.json#/definitions/name"}}}`, []string{"a: web", "a: ''", "a: website", "a: 1"}},
		"twice":             {"one document is read once", `{"properties":{"a":{"$ref":"URL/pod.json#/definitions/port"},"b":{"$ref":"URL/pod.json#/definitions/port"}}}`, []string{"{a: 1, b: 2}", "{a: 1, b: 70000}"}},
		"a name of its own": {"references in it are by its $id", `{"properties":{"a":{"$ref":"URL/named.json"}}}`, []string{"a: {a: '1'}", "a: {a: 1}", "a: {a: 2}", "a: {b: 1}"}},
		"no draft":          {"it is of the latest, whatever refers to it: formats are not asserted, texts are like numbers", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"URL/plain.json"}}}`, []string{"a: x", "a: 1.2.3.4", "a: 7", "a: y"}},
		"a loop":            {"documents may be recursive", `{"properties":{"a":{"$ref":"URL/loop.json"}}}`, []string{"a: {again: {again: {num: 1}}}", "a: {again: {again: {num: x}}}", "a: {b: 1}"}},
		"wrong":             {"a document that is no schema is no schema", `{"properties":{"a":{"$ref":"URL/wrong.json"}}}`, []string{"a: 1", "b: 1"}},
		"no JSON":           {"nor is one that is no JSON", `{"properties":{"a":{"$ref":"URL/no.json"}}}`, []string{"a: 1"}},
		"true":              {"all is taken", `{"properties":{"a":{"$ref":"URL/true.json"}}}`, []string{"a: 1"}},
		"missing":           {"what nobody has is not fine", `{"properties":{"a":{"$ref":"URL/missing.json"}}}`, []string{"a: 1", "b: 1"}},
		"a missing part":    {"nor is a part that is not there", `{"properties":{"a":{"$ref":"URL/pod.json#/definitions/none"}}}`, []string{"a: 1", "b: 1"}},
		"encoded":           {"a path is read as it means", `{"properties":{"a":{"$ref":"URL/a%20b/c%25.json"}}}`, []string{"a: null", "a: 1"}},
		"beside":            {"what stands beside a reference counts by draft", `{"properties":{"a":{"$ref":"URL/pod.json#/definitions/port","minimum":10}}}`, []string{"a: 5", "a: 15"}},
		"a base":            {"an $id is what relative names are resolved by", `{"$id":"URL/here.json","properties":{"a":{"$ref":"pod.json#/definitions/port"}}}`, []string{"a: 5", "a: x"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(strings.ReplaceAll(c.schema, "URL", server.URL))
			s, err := schema.Compile("chart", text, schema.WithDocuments(copies))
			for _, v := range c.values {
				t.Log(c.reason, v)
				agree(t, text, s, err, parse(t, v))
			}
		})
	}
}

// TestReferencesToOtherDocuments is case D5, and what comes near it.
func TestReferencesToOtherDocuments(t *testing.T) {
	copies := fstest.MapFS{
		"schemas.example.test/pod.json": {Data: []byte(`{"definitions":{"x":{"type":"object","properties":{"num":{"type":"integer"}}}}}`)},
		"beside.json":                   {Data: []byte(`{"type":"string","minLength":3}`)},
		"folder/index.json":             {Data: []byte(`true`)},
		"bad.json":                      {Data: []byte(`{"type":`)},
		"long.json":                     {Data: make([]byte, schema.MaxSize+1)},
	}
	for name, c := range map[string]struct {
		reason  string
		ref     string
		kind    error
		message string // part of it
		next    string // part of it
		values  string
		want    []told
	}{
		"a copy": {
			reason: "the copy judges", ref: "https://schemas.example.test/pod.json#/definitions/x", values: "a: {num: x}",
			want: []told{{"a.num", "type", "expected integer, but got string", ""}},
		},
		"a file": {
			reason: "a relative name is a name in the folder", ref: "beside.json", values: "a: x",
			want: []told{{"a", "minLength", "length must be >= 3", ""}},
		},
		"no copy": {
			reason: "the next step says where to put one", ref: "https://schemas.example.test/more/x.json", kind: schema.ErrReference,
			message: "not fetched", next: "put a copy of it into a folder, as schemas.example.test/more/x.json,",
		},
		"a port":       {reason: "a port is part of the folder's name", ref: "http://h.example.test:81/x.json", kind: schema.ErrReference, message: "not fetched", next: "as h.example.test_81/x.json,"},
		"out of it":    {reason: "dots end at the root", ref: "../../../../beside.json", values: "a: long"},
		"encoded dots": {reason: "nothing leads out of the folder", ref: "https://schemas.example.test/%2e%2e/%2e%2e/etc/passwd", kind: schema.ErrReference, message: "not fetched"},
		"a folder":     {reason: "a folder is no document", ref: "folder", kind: schema.ErrReference, message: "no regular file"},
		"a query":      {reason: "a query has no file", ref: "https://schemas.example.test/pod.json?v=1", kind: schema.ErrReference, message: "not fetched"},
		"a password":   {reason: "an address with a user has no file", ref: "https://u:p@schemas.example.test/pod.json", kind: schema.ErrReference, message: "not fetched"},
		"ftp":          {reason: "other schemes have no copies", ref: "ftp://schemas.example.test/pod.json", kind: schema.ErrReference, message: "not fetched"},
		"bad":          {reason: "it is said what is wrong with the copy", ref: "bad.json", kind: schema.ErrReference, message: "its copy, bad.json, is of no use: it is no JSON", next: "correct the copy"},
		"too long":     {reason: "copies are bounded", ref: "long.json", kind: schema.ErrReference, message: "larger than 8 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":%q}}}`, c.ref)
			var alone schema.Cache
			if _, err := alone.Compile("chart", []byte(text)); !errors.Is(err, schema.ErrReference) {
				t.Errorf("%s: without copies got %v", c.reason, err)
			}
			s, err := schema.NewCache(copies).Compile("chart", []byte(text))
			if !errors.Is(err, c.kind) {
				t.Fatalf("%s: got %v, want %v", c.reason, err, c.kind)
			}
			var e *schema.Error
			if errors.As(err, &e) {
				if !strings.Contains(e.Message, c.message) || !strings.Contains(e.Next, c.next) {
					t.Errorf("%s: got %q, %q", c.reason, e.Message, e.Next)
				}
				return
			}
			report, err := s.Validate(parse(t, c.values))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, tell(report)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestManyDocuments bounds a chain of documents that has no end.
func TestManyDocuments(t *testing.T) {
	copies := fstest.MapFS{}
	for i := range 200 {
		copies[fmt.Sprintf("d%d.json", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"properties":{"a":{"$ref":"d%d.json"}}}`, i+1)}
	}
	_, err := schema.Compile("chart", []byte(`{"$ref":"d0.json"}`), schema.WithDocuments(copies))
	var e *schema.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "more than 100 documents") {
		t.Errorf("got %v", err)
	}
}
