package plugin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// packed packs a chart as Helm does.
func packed(t *testing.T, name string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	for file, text := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name + "/" + file, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSchemaDiffOfARepository compares two versions of a Helm repository, then again without the network, from what was kept.
func TestSchemaDiffOfARepository(t *testing.T) {
	packages := map[string][]byte{}
	index := "apiVersion: v1\nentries:\n  wiki:\n"
	for version, values := range map[string]string{"1.0.0": "pages: 10\n", "1.5.0": "pages: 20\n", "2.0.0": "pages: [10]\n"} {
		file := "/wiki-" + version + ".tgz"
		packages[file] = packed(t, "wiki", map[string]string{"Chart.yaml": "apiVersion: v2\nname: wiki\nversion: " + version + "\n", "values.yaml": values})
		index += fmt.Sprintf("    - {apiVersion: v2, name: wiki, version: %s, urls: [%q]}\n", version, strings.TrimPrefix(file, "/"))
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch data, ok := packages[r.URL.Path]; {
		case r.URL.Path == "/index.yaml":
			fmt.Fprint(w, index)
		case ok:
			_, _ = w.Write(data)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	cache := t.TempDir()
	t.Chdir(t.TempDir()) // no values repo here
	run := func(args ...string) (code int, out, errOut string) {
		var stdout, stderr bytes.Buffer
		env := plugin.Env{Lookup: func(string) (string, bool) { return "", false }, Now: time.Now}
		code = plugin.Main(context.Background(), append([]string{"schema", "diff", "--chart-repo", server.URL, "--charts-cache", cache}, args...),
			plugin.Streams{In: strings.NewReader(""), Out: &stdout, ErrOut: &stderr}, env)
		return code, stdout.String(), stderr.String()
	}
	for name, c := range map[string]struct {
		reason string
		args   []string
		code   int
		out    string // part of it
		errOut string // part of it
	}{
		"versions": {"two versions", []string{"wiki@1.0.0", "wiki@2.0.0", "--fail-on=breaking"}, plugin.ExitFinding, "wiki-1.0.0 to wiki-2.0.0: breaking", ""},
		"a range":  {"the highest that it allows", []string{"wiki@1.0.0", "wiki@^1.0.0"}, plugin.ExitDone, "wiki-1.0.0 to wiki-1.5.0: compatible", ""},
		"missing":  {"a version that is not there", []string{"wiki@1.0.0", "wiki@3.0.0"}, plugin.ExitFailed, "", "error: chart wiki of " + server.URL + " at 3.0.0: no chart"},
		"no chart": {"a chart that is not there", []string{"blog@1.0.0", "wiki@2.0.0"}, plugin.ExitFailed, "", "error: chart blog of "},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := run(c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.errOut) {
				t.Errorf("%s: exit code %d\n%s\n%s", c.reason, code, out, errOut)
			}
		})
	}
	asked = 0
	code, out, errOut := run("wiki@1.0.0", "wiki@^1.0.0", "--offline")
	if code != plugin.ExitDone || asked > 0 || !strings.Contains(out, "wiki-1.0.0 to wiki-1.5.0: compatible") || !strings.Contains(errOut, "warning: offline: ") {
		t.Errorf("offline, what was kept serves, and it is said that a range may mean something else by now: exit code %d, %d requests\n%s\n%s", code, asked, out, errOut)
	}
}
