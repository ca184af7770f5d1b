package plugin_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// The scripts in testdata/script are what users type and what they see. One of them runs with
//
//	go test ./plugin -run 'TestScript/^NAME$'
//
// and what they expect to be printed or written is written anew, to be read before it is committed, with
//
//	go test ./plugin -run TestScript -update
var update = flag.Bool("update", false, "write what commands print and write into the scripts that expect it")

// recordedSecrets are the literal secrets of testdata/platform. No command may ever show one.
var recordedSecrets = []string{"otter-umbrella-83", "teapot-tulip-4711"}

// commands are what scripts can use beside testscript's own commands.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"conceals":  conceals,
	"digests":   digests,
	"examples":  examples,
	"exits":     exits,
	"migrate":   migrateRecorded,
	"paste":     paste,
	"platform":  platform,
	"replace":   replace,
	"same-data": sameData,
}

// TestMain makes the test binary the program kubectl-apl too, so that scripts run it as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kubectl": kubectl,
		"kubectl-apl": func() {
			os.Exit(plugin.Main(context.Background(), os.Args[1:],
				plugin.Streams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
				plugin.Env{Lookup: os.LookupEnv, Now: time.Now, Version: "v0.0.0-script"}))
		},
	})
}

func TestScript(t *testing.T) {
	recorded, err := filepath.Abs(filepath.Join("..", "testdata", "platform"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "testdata", "script"),
		Setup:               func(env *testscript.Env) error { return setup(env, recorded) },
		Cmds:                commands,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// setup isolates a script from the git configuration of whoever runs it, and fixes who commits, and when.
func setup(env *testscript.Env, recorded string) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	for _, v := range [][2]string{
		{"PLATFORM", recorded},
		{"HOME", home},
		{"XDG_CONFIG_HOME", filepath.Join(home, ".config")},
		{"XDG_CACHE_HOME", filepath.Join(home, ".cache")},
		{"GIT_CONFIG_GLOBAL", os.DevNull},
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_CEILING_DIRECTORIES", env.WorkDir},
		{"GIT_AUTHOR_NAME", "Ada"},
		{"GIT_AUTHOR_EMAIL", "ada@example.test"},
		{"GIT_AUTHOR_DATE", "2026-10-05T09:00:00+00:00"},
		{"GIT_COMMITTER_NAME", "Cleo"},
		{"GIT_COMMITTER_EMAIL", "cleo@example.test"},
		{"GIT_COMMITTER_DATE", "2026-10-05T09:30:00+00:00"},
		{"GIT_PAGER", "cat"},
		{"LC_ALL", "C"},
		{"TZ", "UTC"},
	} {
		env.Setenv(v[0], v[1])
	}
	return nil
}

// platform copies the recorded platform to platform/, and makes its values repo a git repository with one commit in
// values/.
func platform(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 0, "platform")
	recorded := ts.Getenv("PLATFORM")
	ts.Check(os.CopyFS(ts.MkAbs("platform"), os.DirFS(recorded)))
	ts.Check(os.CopyFS(ts.MkAbs("values"), os.DirFS(filepath.Join(recorded, "values-repo"))))
	for _, git := range [][]string{
		{"init", "-q", "-b", "main", "--template=", "values"},
		{"-C", "values", "add", "-A"},
		{"-C", "values", "commit", "-q", "-m", "The values repo as the platform left it"},
	} {
		ts.Check(ts.Exec("git", git...))
	}
}

// exits runs a program and demands its exit code, and of kubectl-apl what holds for each run of it: no stack trace, no
// recorded secret, and one line that begins with "error:" exactly when the code is 2.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) >= 2, "exits CODE PROGRAM [ARG...]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if args[1] != "kubectl-apl" {
		return
	}
	out, errOut := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if strings.Contains(out+errOut, "goroutine ") || strings.Contains(out+errOut, "panic:") {
		ts.Fatalf("a stack trace is shown")
	}
	for _, secret := range recordedSecrets {
		if holds(out+errOut, secret) {
			ts.Fatalf("a recorded secret is shown")
		}
	}
	if errorLines, failed := strings.Count("\n"+errOut, "\nerror: "), want == plugin.ExitFailed; failed != (errorLines == 1) || errorLines > 1 {
		ts.Fatalf("exit code %d with %d lines that begin with \"error: \"", want, errorLines)
	}
}

// migrateRecorded runs kubectl-apl migrate with the flags that name the recorded platform.
func migrateRecorded(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) >= 1, "migrate CODE [ARG...]")
	exits(ts, false, append([]string{
		args[0], "kubectl-apl", "migrate", "-f", "platform/live", "--releases", "platform/releases.json",
		"--managed", "platform/managed", "--charts", "platform", "--repo", "values",
	}, args[1:]...))
}

// digests writes to a file a line for each file below a folder, .git too: mode, SHA-256 and path.
func digests(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2, "digests DIR FILE")
	var b strings.Builder
	root := os.DirFS(ts.MkAbs(args[0]))
	ts.Check(fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%v %x %s\n", info.Mode(), sha256.Sum256(data), path)
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

// conceals demands that texts, as they are or in base64, stand in none of the files: "stdout", "stderr", or files and
// folders on disk.
func conceals(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) >= 2, "conceals TEXT FILE...")
	for _, name := range args[1:] {
		if name == "stdout" || name == "stderr" {
			if holds(ts.ReadFile(name), args[0]) {
				ts.Fatalf("%s holds the text", name)
			}
			continue
		}
		ts.Check(filepath.WalkDir(ts.MkAbs(name), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil && holds(string(data), args[0]) {
				return fmt.Errorf("%s holds the text", path)
			}
			return err
		}))
	}
}

// holds tells whether text holds a secret, as it is or in base64, wherever in the encoded bytes it begins.
func holds(text, secret string) bool {
	if strings.Contains(text, secret) {
		return true
	}
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-", shift) + secret))
		// The characters at both ends hold bits of the neighbours too.
		if part := strings.TrimRight(encoded, "=")[(shift*8+5)/6:]; strings.Contains(text, part[:len(part)-1]) {
			return true
		}
	}
	return false
}

// replace writes NEW for each OLD in a file, which must hold some. Both can hold escapes as Go's strings do.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 3, "replace FILE OLD NEW")
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	var pair [2]string
	for i, text := range args[1:] {
		pair[i], err = strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		ts.Check(err)
	}
	if !bytes.Contains(data, []byte(pair[0])) {
		ts.Fatalf("%s does not hold %q", args[0], pair[0])
	}
	ts.Check(os.WriteFile(file, bytes.ReplaceAll(data, []byte(pair[0]), []byte(pair[1])), 0o644))
}

// sameData demands that a JSON file and a YAML file say the same.
func sameData(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2, "same-data JSON YAML")
	var want, read, got any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &want))
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[1])), &read))
	again, err := json.Marshal(read) // numbers are of one type then
	ts.Check(err)
	ts.Check(json.Unmarshal(again, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("%s and %s differ (-json +yaml)\n%s", args[0], args[1], diff)
	}
}

// examples writes each example of a command's help to example-1.sh, example-2.sh and so on. An example begins with a line
// that is a comment.
func examples(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2, "examples COMMAND COUNT")
	root := plugin.NewCmdRoot(plugin.Streams{}, plugin.Env{})
	cmd, _, err := root.Find(strings.Fields(args[0]))
	ts.Check(err)
	var scripts []string
	for line := range strings.Lines(cmd.Example + "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			scripts = append(scripts, "")
		}
		scripts[len(scripts)-1] += line
	}
	if strconv.Itoa(len(scripts)) != args[1] {
		ts.Fatalf("%s has %d examples", args[0], len(scripts))
	}
	for i, script := range scripts {
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf("example-%d.sh", i+1)), []byte(script), 0o644))
	}
}

// TestEveryExampleRuns demands of each command an example, and a script that runs its examples.
func TestEveryExampleRuns(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range scripts {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, cmd := range plugin.NewCmdRoot(plugin.Streams{}, plugin.Env{}).Commands() {
		if !cmd.HasExample() || !strings.Contains(all.String(), "\nexamples "+cmd.Name()+" ") {
			t.Errorf("command %s: no example, or no script that runs it", cmd.Name())
		}
	}
}

func TestHolds(t *testing.T) {
	const secret = "warm-kettle-19"
	cases := map[string]struct {
		reason string
		text   string
		want   bool
	}{
		"Plain":   {reason: "as it is", text: "login: " + secret + "\n", want: true},
		"Nothing": {reason: "some other text", text: "login: cold-kettle-19"},
		"Base64":  {reason: "alone, as in a Secret", text: base64.StdEncoding.EncodeToString([]byte(secret)), want: true},
		"Inside1": {reason: "one byte into what is encoded", text: base64.StdEncoding.EncodeToString([]byte("x" + secret + "yy")), want: true},
		"Inside2": {reason: "two bytes into what is encoded", text: base64.StdEncoding.EncodeToString([]byte("xx" + secret + "y")), want: true},
		"Inside3": {reason: "three bytes into what is encoded", text: base64.StdEncoding.EncodeToString([]byte("xxx" + secret + "yyy")), want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := holds(tc.text, secret); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}

func usage(ts *testscript.TestScript, neg, ok bool, text string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", text)
	}
}
