package release_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// stub is a helmfile binary in a folder of its own: a shell script whose cases are the commands.
func stub(t *testing.T, script string) (environ []string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "helmfile"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HELMFILE_ENVIRONMENT=prod", "ENV_DIR=/env"}
}

// values writes what helmfile write-values would, to where --output-file-template says.
const values = `
write() { to=$(printf %s "$3" | sed "s/{{ .Release.Namespace }}-{{ .Release.Name }}/$1/"); printf "$2" > "$to"; }
`

const twoReleases = `[{"name":"gitea","namespace":"gitea","enabled":true,"installed":true,"labels":"","chart":"../charts/gitea","version":""},
{"name":"loki","namespace":"monitoring","enabled":true,"installed":false,"labels":"","chart":"../charts/loki","version":""}]`

func TestHelmfile(t *testing.T) {
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	environ := stub(t, values+`
echo "$PWD $HELMFILE_ENVIRONMENT $ENV_DIR $*" >> '`+log+`'
echo "$TMPDIR" > '`+log+`.tmp'
stat -c %a "$(dirname "$TMPDIR")" >> '`+log+`.tmp'
echo "building dependency" >&2
case $1 in
list) cat <<'EOF'
`+twoReleases+`
EOF
;;
write-values) write gitea-gitea "replicas: 2\n" "$3";;
esac
`)
	var stages []string
	h := release.NewHelmfile(dir, release.WithEnviron(environ), release.WithStage(func(_ context.Context, name string) func() {
		stages = append(stages, name)
		return func() { stages = append(stages, "over") }
	}))
	registry, managed, err := h.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if registry.Len() != 2 {
		t.Errorf("the registry has %d releases", registry.Len())
	}
	data, name, err := managed.Read(id("gitea", "gitea"))
	if err != nil || string(data) != "replicas: 2\n" || name != "gitea-gitea.yaml" {
		t.Errorf("managed values: %q, %s, %v", data, name, err)
	}
	if _, _, err := managed.Read(id("monitoring", "loki")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a release without values: %v", err)
	}
	said, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 2 || lines[0] != real+" prod /env list --output json" ||
		!strings.HasPrefix(lines[1], real+" prod /env write-values --output-file-template /") || !strings.HasSuffix(lines[1], "/{{ .Release.Namespace }}-{{ .Release.Name }}.yaml") {
		t.Errorf("helmfile was run as\n%s", said)
	}
	temp, err := os.ReadFile(log + ".tmp")
	if err != nil {
		t.Fatal(err)
	}
	scratch, mode, _ := strings.Cut(strings.TrimSpace(string(temp)), "\n")
	if _, err := os.Stat(filepath.Dir(scratch)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder with secrets stays: %v", err)
	}
	if mode != "700" {
		t.Errorf("the folder with secrets has mode %s", mode)
	}
	if diff := cmp.Diff([]string{"helmfile list", "over", "helmfile write-values", "over"}, stages); diff != "" {
		t.Errorf("stages: (-want +got)\n%s", diff)
	}
}

func TestHelmfileFails(t *testing.T) {
	mask := func(text string) string { return strings.ReplaceAll(text, "warm-kettle-19", "***") }
	cases := map[string]struct {
		reason string
		script string
		err    error
		says   []string
	}{
		"Exit": {
			reason: "what helmfile says is shown at the end, masked, with its exit code",
			script: `i=0; while [ $i -lt 100 ]; do echo "line $i" >&2; i=$((i+1)); done; printf 'password: warm-kettle-19\033[2J\n' >&2; exit 3`,
			err:    release.ErrHelmfile, says: []string{"helmfile list", "exit status 3", "line 99", "password: ***", "ENV_DIR"},
		},
		"Silent":     {reason: "nothing is said at all", script: `exit 1`, err: release.ErrHelmfile, says: []string{"it says nothing"}},
		"NoOutput":   {reason: "an empty list of another kind is no registry", script: `exit 0`, err: release.ErrHelmfile, says: []string{"prints nothing"}},
		"Garbage":    {reason: "a list that is none", script: `echo NAME NAMESPACE`, err: release.ErrRegistry},
		"ValuesExit": {reason: "the second command fails", script: `[ $1 = list ] && echo '` + twoReleases + `' && exit 0; echo 'no helm' >&2; exit 1`, err: release.ErrHelmfile, says: []string{"helmfile write-values", "no helm"}},
		"NoValues":   {reason: "releases are installed, and none has values", script: `[ $1 = list ] && echo '` + twoReleases + `'; exit 0`, err: release.ErrHelmfile, says: []string{"writes nothing"}},
		"Link":       {reason: "a values file that is elsewhere", script: values + `[ $1 = list ] && echo '` + twoReleases + `' && exit 0; ln -s /etc/passwd "$(dirname "$3")/gitea-gitea.yaml"`, err: release.ErrHelmfile, says: []string{"no regular file"}},
		"Hangs":      {reason: "what does not end is ended, and all that it started", script: `sleep 600 & echo $! > "$ENV_LOG"; wait`, err: release.ErrHelmfile, says: []string{"did not end within"}},
		"Stubborn":   {reason: "what does not want to end is ended too", script: `trap '' TERM; sleep 600 & echo $! > "$ENV_LOG"; while :; do sleep 1; done`, err: release.ErrHelmfile, says: []string{"did not end within"}},
		"Left":       {reason: "what is left in the background is ended, and no failure", script: values + `sleep 600 & echo $! > "$ENV_LOG"; [ $1 = list ] && echo '` + twoReleases + `' && exit 0; write gitea-gitea x "$3"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pid := filepath.Join(t.TempDir(), "pid")
			h := release.NewHelmfile(t.TempDir(), release.WithEnviron(append(stub(t, tc.script), "ENV_LOG="+pid)), release.WithMask(mask),
				release.WithTimeout(map[bool]time.Duration{true: time.Second, false: time.Minute}[len(tc.says) > 0 && tc.says[0] == "did not end within"]))
			_, _, err := h.Read(t.Context())
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			for _, want := range tc.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: the error does not say %q: %v", tc.reason, want, err)
				}
			}
			if err != nil && (strings.Contains(err.Error(), "kettle") || strings.Contains(err.Error(), "\033") || strings.Contains(err.Error(), "line 50")) {
				t.Errorf("%s: the error shows too much: %v", tc.reason, err)
			}
			if data, err := os.ReadFile(pid); err == nil {
				gone(t, strings.TrimSpace(string(data)))
			}
		})
	}
}

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	for range 100 {
		state, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %s is still there", pid)
}

func TestHelmfileWithoutMask(t *testing.T) {
	h := release.NewHelmfile(t.TempDir(), release.WithEnviron(stub(t, `echo anything >&2; exit 1`)))
	if _, _, err := h.Read(t.Context()); err == nil || strings.Contains(err.Error(), "anything") {
		t.Errorf("without a mask nothing of what it says is shown: %v", err)
	}
}

func TestHelmfileMissing(t *testing.T) {
	relative := t.TempDir()
	t.Chdir(relative)
	if err := os.WriteFile("helmfile", []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", ".", "/none"} {
		_, _, err := release.NewHelmfile(".", release.WithEnviron([]string{"PATH=" + path})).Read(t.Context())
		if !errors.Is(err, release.ErrNoHelmfile) || !strings.Contains(err.Error(), "--releases") {
			t.Errorf("PATH=%s: %v", path, err)
		}
	}
}

func TestHelmfileInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := release.NewHelmfile(t.TempDir(), release.WithEnviron(stub(t, `sleep 600`)), release.WithStage(func(context.Context, string) func() {
		time.AfterFunc(200*time.Millisecond, cancel)
		return func() {}
	}))
	began := time.Now()
	if _, _, err := h.Read(ctx); !errors.Is(err, context.Canceled) || time.Since(began) > 30*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}

// TestRealHelmfile runs the real one on a platform of two releases.
func TestRealHelmfile(t *testing.T) {
	for _, binary := range []string{"helmfile", "helm"} {
		if _, err := exec.LookPath(binary); err != nil {
			t.Skipf("no %s is on the PATH: that the real helmfile behaves as its stub is not shown", binary)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"helmfile.yaml.gotmpl": "releases:\n" +
			"- {name: web, namespace: web, chart: ./chart, labels: {app: core}, values: [base.yaml, {replicas: 2, greeting: '{{ env \"GREETING\" }}'}]}\n" +
			"- {name: off, namespace: web, chart: ./chart, installed: false, values: [base.yaml]}\n",
		"base.yaml":        "replicas: 1\nimage: {tag: \"1.0\"}\n",
		"chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 0.1.0\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	environ := append(os.Environ(), "GREETING=hello", "HOME="+t.TempDir(), "HELMFILE_UPGRADE_NOTICE_DISABLED=1")
	registry, managed, err := release.NewHelmfile(dir, release.WithEnviron(environ), release.WithMask(func(s string) string { return s })).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	web, ok := registry.Get(id("web", "web"))
	if off, there := registry.Get(id("web", "off")); !ok || !there || !web.Present() || off.Present() || web.Labels["app"] != "core" {
		t.Errorf("the registry has %+v and %+v", web, off)
	}
	data, _, err := managed.Read(id("web", "web"))
	if err != nil || !strings.Contains(string(data), "replicas: 2") || !strings.Contains(string(data), "greeting: hello") || !strings.Contains(string(data), `tag: "1.0"`) {
		t.Errorf("managed values: %s, %v", data, err)
	}
	if _, _, err := managed.Read(id("web", "off")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a release that is not installed has values: %v", err)
	}
}
