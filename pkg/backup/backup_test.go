package backup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
)

// live is an Application as a cluster has it: with what a server assigns, what controllers leave, and values that YAML could
// lose: a null, an empty map, a number beyond float64, text that looks like something else.
const live = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web-web
  namespace: argocd
  uid: u-1
  resourceVersion: "7"
  generation: 3
  creationTimestamp: "2026-01-01T00:00:00Z"
  finalizers: [resources-finalizer.argocd.argoproj.io]
  labels: {otomi.io/app: managed}
  ownerReferences: [{apiVersion: v1, kind: Thing, name: x, uid: u-2}]
  annotations:
    note: "yes"
    argocd.argoproj.io/tracking-id: root:argoproj.io/Application:argocd/web-web
    argocd.argoproj.io/refresh: normal
    kubectl.kubernetes.io/last-applied-configuration: "{}"
    apl.io/backup: '{"uid":"of-another-time"}'
  managedFields: [{manager: apl-operator, operation: Apply, fieldsV1: {"f:spec": {"f:source": {}}}}]
spec:
  project: default
  destination: {namespace: web, server: https://kubernetes.default.svc}
  source:
    repoURL: https://charts.example.test
    chart: web
    targetRevision: 1.2.3
    helm:
      releaseName: web
      valuesObject: {absent: null, empty: {}, long: 9007199254740993, float: 1.0, text: "0777", on: "on"}
status: {health: {status: Healthy}}
operation: {sync: {}}
`

// declared is the same, less what nobody declared.
const declared = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web-web
  namespace: argocd
  finalizers: [resources-finalizer.argocd.argoproj.io]
  labels: {otomi.io/app: managed}
  annotations: {note: "yes"}
spec:
  project: default
  destination: {namespace: web, server: https://kubernetes.default.svc}
  source:
    repoURL: https://charts.example.test
    chart: web
    targetRevision: 1.2.3
    helm:
      releaseName: web
      valuesObject: {absent: null, empty: {}, long: 9007199254740993, float: 1.0, text: "0777", on: "on"}
`

func read(t *testing.T, text string) []backup.Entry {
	t.Helper()
	entries, err := backup.Decode("x.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestBackupReadsBack(t *testing.T) {
	a := read(t, live)[0].Application
	want := &backup.Record{
		UID: "u-1", SourceOwners: []argocd.Manager{{Name: "apl-operator", Operation: "Apply"}}, TrackedBy: "root", RootApp: "gitops-ns-argocd",
		Files: map[string]string{"env/x": "1"},
	}
	entries := []backup.Entry{{Application: a, Record: want}, {Application: a}}
	data, err := backup.Encode(entries, time.Date(2026, 10, 5, 11, 0, 0, 0, time.FixedZone("", 7200)), "v1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "# Written by kubectl apl v1 on 2026-10-05T09:00:00Z, before it moved what is below to git.\n") {
		t.Errorf("it says what it is: %.200s", data)
	}
	got := read(t, string(data))
	if len(got) != 2 || got[1].Record != nil {
		t.Fatalf("an entry without a record has none: %+v", got)
	}
	if diff := cmp.Diff(want, got[0].Record); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	object := read(t, declared)[0].Application.Object()
	if diff := cmp.Diff(object, got[0].Application.Declared()); diff != "" {
		t.Errorf("the declared form, to the letter: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(object, got[1].Application.Object()); diff != "" {
		t.Errorf("and nothing else: (-want +got)\n%s", diff)
	}
}

// A file that was cut off (a disk that was full, a copy that broke) can be YAML still, and its values then lack their end.
func TestDecodeRefusesWhatWasCutOff(t *testing.T) {
	data, err := backup.Encode([]backup.Entry{read(t, live)[0], read(t, strings.ReplaceAll(live, "web-web", "web-two"))[0]}, time.Unix(0, 0), "v1")
	if err != nil {
		t.Fatal(err)
	}
	for at := strings.Index(string(data), "\n---\n"); at < len(data)-1; at++ {
		if _, err := backup.Decode("x.yaml", strings.NewReader(string(data[:at]))); err == nil {
			t.Fatalf("cut off after %d of %d bytes, and read: ...%q", at, len(data), data[max(0, at-60):at])
		}
	}
	for reason, text := range map[string]string{
		"its last line break":                      strings.TrimSuffix(string(data), "\n"),
		"two backups in one file":                  string(data) + string(data),
		"edited by a program that drops comments":  string(data[strings.Index(string(data), "---\n"):strings.LastIndex(string(data), "#")]),
		"saved by an editor of another line break": strings.ReplaceAll(string(data), "\n", "\r\n"),
	} {
		if _, err := backup.Decode("x.yaml", strings.NewReader(text)); err != nil {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if _, err := backup.Decode("x.yaml", strings.NewReader(string(data[:len(data)-22]))); !errors.Is(err, backup.ErrCutOff) || !strings.HasPrefix(err.Error(), "x.yaml: ") {
		t.Errorf("got %v", err)
	}
}

func TestDecodeRefusesAnotherRecord(t *testing.T) {
	_, err := backup.Decode("x.yaml", strings.NewReader(strings.Replace(live, `'{"uid":"of-another-time"}'`, `otter-umbrella-83`, 1)))
	if !errors.Is(err, backup.ErrRecord) || !strings.HasPrefix(err.Error(), "x.yaml:2: ") || strings.Contains(err.Error(), "otter") {
		t.Errorf("got %v", err)
	}
}

func TestDigest(t *testing.T) {
	cases := map[string]struct {
		reason string
		a, b   string
		same   bool
	}{
		"Comments": {"a comment and the order of keys say nothing", "a: 1 # x\nb: [2]\n", "b: [2]\na: 1\n", true},
		"Value":    {"another value does", "a: 1\n", "a: 2\n", false},
		"Digits":   {"so does a digit that a float64 does not have", "a: 9007199254740993\n", "a: 9007199254740992\n", false},
		"Null":     {"so does a null", "a: null\n", "{}\n", false},
		"Broken":   {"what means nothing is told apart by its bytes", "a: [", "a: [ ", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := backup.Digest("f", []byte(tc.a)) == backup.Digest("f", []byte(tc.b)); got != tc.same {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "er", "b.yaml")
	if err := backup.Create(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): os.ModeDir | 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, want %v: %v", name, info.Mode(), want, err)
		}
	}
	if err := backup.Create(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup is never overwritten: %v", err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := backup.Create(filepath.Join(dir, "link"), []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("nor is a link followed: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "one" {
		t.Errorf("got %q, %v", data, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("a temporary file is left: %v, %v", entries, err)
	}
}

func TestOutside(t *testing.T) {
	dir := t.TempDir()
	repo := filepath.Join(dir, "values")
	for _, folder := range []string{repo + "/env", repo + "-2", dir + "/other/.git"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"in": repo + "/env", "out": dir, "lost": dir + "/nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason, path string
		want         error
		fails        bool
	}{
		"Beside":     {reason: "a folder whose name begins alike is another", path: "values-2/b.yaml"},
		"New":        {reason: "folders that are not there yet", path: "a/b/c.yaml"},
		"Inside":     {reason: "in the repo", path: "values/b.yaml", want: backup.ErrInRepo},
		"InsideNew":  {reason: "in a folder of the repo that is not there yet", path: "values/a/b.yaml", want: backup.ErrInRepo},
		"DotDot":     {reason: "by a detour", path: "values-2/../values/b.yaml", want: backup.ErrInRepo},
		"LinkIn":     {reason: "a link that leads into it", path: "in/b.yaml", want: backup.ErrInRepo},
		"LinkAround": {reason: "a link around it", path: "out/values/new/b.yaml", want: backup.ErrInRepo},
		"Git":        {reason: "git's own folder", path: "values/.git/b.yaml", want: backup.ErrInRepo},
		"Lost":       {reason: "a link that leads nowhere yet", path: "lost/b.yaml", fails: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := backup.Outside(filepath.Join(dir, filepath.FromSlash(tc.path)), repo)
			if tc.fails != (err != nil && tc.want == nil) || !tc.fails && !errors.Is(err, tc.want) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
	if tree, err := backup.WorkTree(filepath.Join(dir, "other", "new", "b.yaml")); err != nil || filepath.Base(tree) != "other" {
		t.Errorf("got %q, %v", tree, err)
	}
}

func TestFolder(t *testing.T) {
	cases := map[string]struct {
		reason string
		env    map[string]string
		want   string
	}{
		"State":    {"the state folder", map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/kubectl-apl/backups"},
		"Home":     {"below home by default", map[string]string{"HOME": "/h"}, "/h/.local/state/kubectl-apl/backups"},
		"Relative": {"a relative one does not count", map[string]string{"XDG_STATE_HOME": "s", "HOME": "/h"}, "/h/.local/state/kubectl-apl/backups"},
		"None":     {"nowhere", nil, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := backup.Folder(func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok })
			if got != filepath.FromSlash(tc.want) || (err == nil) != (tc.want != "") {
				t.Errorf("%s: got %q, %v", tc.reason, got, err)
			}
		})
	}
	if got := backup.Name("/a/values", time.Date(2026, 10, 5, 9, 0, 0, 0, time.UTC), []byte("x")); got != "values-20261005T090000Z-2d711642.yaml" {
		t.Errorf("got %s", got)
	}
}
