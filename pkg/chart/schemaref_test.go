package chart_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// TestRenderFetchesNoSchema holds that a schema which refers to something outside of the chart is refused, before Helm's
// validation fetches it or reads it from this machine, and that all others are taken.
func TestRenderFetchesNoSchema(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte("{}")) // the test fails below if it is ever read
	}))
	t.Cleanup(server.Close)
	for name, tc := range map[string]struct {
		reason, schema string
		outside        bool
	}{
		"Http":       {"another host", `{"properties": {"a": {"$ref": "` + server.URL + `/a.json"}}}`, true},
		"File":       {"a file of this machine", `{"$ref": "file:///etc/hostname"}`, true},
		"Relative":   {"a file beside the schema, which Helm does not have", `{"allOf": [{"$ref": "other.json#/x"}]}`, true},
		"OnItsID":    {"relative to where the schema says it comes from", `{"$id": "` + server.URL + `/s.json", "items": {"$ref": "a.json"}}`, true},
		"Metaschema": {"a dialect that the validator does not bring", `{"$schema": "` + server.URL + `/dialect"}`, true},
		"Local":      {"a definition of its own", `{"$id": "https://example.test/s.json", "definitions": {"x": {}}, "properties": {"a": {"$ref": "#/definitions/x"}}}`, false},
		"Named":      {"a part that has a name", `{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.test/s.json", "definitions": {"x": {"$id": "x.json"}}, "properties": {"a": {"$ref": "x.json"}}}`, false},
		"Dialect":    {"dialects that the validator brings", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"$ref": "http://json-schema.org/draft-07/schema#"}}}`, false},
		"Urn":        {"which Helm lets pass", `{"properties": {"a": {"$ref": "urn:example:a"}}}`, false},
		"Data":       {"what only looks like a reference", `{"properties": {"$ref": {"default": {"$ref": "http://a.test/b"}}, "b": {"enum": [{"$ref": "http://a.test/b"}]}}}`, false},
	} {
		for _, sub := range []string{"", "charts/sub"} {
			t.Run(name+sub, func(t *testing.T) {
				c, err := chart.NewFolder(write(t, map[string]string{
					"web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "web/templates/a.yaml": "kind: A\n",
					"web/charts/sub/Chart.yaml":                 "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
					path.Join("web", sub, "values.schema.json"): tc.schema,
				})).Load("web")
				if err != nil {
					t.Fatal(err)
				}
				_, err = c.Render(t.Context(), chart.Rendering{Release: "r", Namespace: "n", KubeVersion: "1.34.0"})
				if refused := errors.Is(err, chart.ErrRender) && strings.Contains(err.Error(), "not fetched"); refused != tc.outside || err != nil && !tc.outside {
					t.Errorf("%s: %v", tc.reason, err)
				}
				if _, err := c.Render(t.Context(), chart.Rendering{Release: "r", Namespace: "n", KubeVersion: "1.34.0", SkipSchema: true}); err != nil {
					t.Errorf("without validation: %v", err)
				}
			})
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
}
