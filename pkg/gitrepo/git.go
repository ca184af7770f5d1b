package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

const (
	// gitTime bounds a run of git. Hooks can take long, and so can a person who is asked for the passphrase of a key.
	gitTime = 10 * time.Minute
	// gitGrace is how long git has to clean up after itself when it is told to end, and how long we wait for what its hooks
	// have left in the background to close our pipes.
	gitGrace  = 3 * time.Second
	maxOutput = 256 << 20 // of git, that is read by us: a list of all files
	maxSaid   = 2000      // bytes of what git says that are shown
)

// call is one run of the git binary.
type call struct {
	args  []string
	input []byte
	env   []string // beside that of this process
	own   bool     // in the language of the person, whose hooks run; else in the one that is parsed
}

// gitError is a run of git that failed, and what it said, without credentials.
type gitError struct {
	command string
	err     error
	said    string
	out     []byte
	pid     int
}

// Error returns the command's name, how it ended and what it said.
func (e *gitError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %v: %s", e.command, e.err, e.said)
}

func (e *gitError) Unwrap() error { return e.err }

// exitCode returns how git ended, -1 when it was not git that failed.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// findGit returns the git binary of the PATH, "" when there is none or it must not be run.
func (r *Repo) findGit() string {
	if r.withoutGit {
		return ""
	}
	list, _ := r.env("PATH")
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue // a git in the work tree is not the person's
		}
		if path, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return path
		}
	}
	return ""
}

// git runs the git binary in the root of the work tree and returns what it prints. It has no terminal, so that it asks
// nothing; it ends with ctx, and with it whatever it has started. It holds our lock as long as it runs, also when this
// process is killed meanwhile.
func (r *Repo) git(ctx context.Context, c call) ([]byte, error) {
	path := r.findGit()
	if path == "" {
		return nil, &gitError{command: c.args[0], err: exec.ErrNotFound}
	}
	ctx, stop := context.WithTimeout(ctx, gitTime)
	defer stop()
	cmd := exec.CommandContext(ctx, path, c.args...)
	cmd.Dir = r.root
	cmd.Env = append(r.gitEnv(c.own), c.env...)
	cmd.Stdin = bytes.NewReader(c.input)
	out, said := &head{left: maxOutput}, &tail{}
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = gitGrace
	ownGroup(cmd)
	if r.held != nil && r.held.file != nil {
		cmd.ExtraFiles = []*os.File{r.held.file}
	}
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // git itself ended well
	}
	if ctx.Err() != nil {
		endGroup(cmd)
		if err != nil {
			err = ctx.Err()
		}
	}
	if err == nil && out.over {
		err = fmt.Errorf("it prints more than %d bytes", maxOutput)
	}
	if err != nil {
		return nil, &gitError{command: subcommand(c.args), err: err, said: r.shown(said.bytes()), out: out.data, pid: pidOf(cmd)}
	}
	return out.data, nil
}

// pidOf returns the process that git was, 0 when it did not start.
func pidOf(cmd *exec.Cmd) int {
	if cmd.Process == nil {
		return 0
	}
	return cmd.Process.Pid
}

// subcommand returns what git was to do, behind the options of git itself.
func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
			continue
		}
		return args[i]
	}
	return ""
}

// gitEnv returns the environment of git: that of this process, less what would make git look elsewhere, show more than it
// should, or ask.
func (r *Repo) gitEnv(own bool) []string {
	drop := map[string]bool{
		"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_COMMON_DIR": true, "GIT_PREFIX": true,
		"GIT_OBJECT_DIRECTORY": true, "GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_QUARANTINE_PATH": true,
		"GIT_NAMESPACE": true, "GIT_SHALLOW_FILE": true, "GIT_GRAFT_FILE": true, "GIT_REPLACE_REF_BASE": true,
		"GIT_LITERAL_PATHSPECS": true, "GIT_GLOB_PATHSPECS": true, "GIT_NOGLOB_PATHSPECS": true, "GIT_ICASE_PATHSPECS": true,
		"GIT_REFLOG_ACTION": true, "GIT_EXTERNAL_DIFF": true, "GIT_DIFF_OPTS": true, "GIT_CURL_VERBOSE": true,
		"GIT_EDITOR": true, "GIT_SEQUENCE_EDITOR": true, "GIT_PAGER": true, "GIT_TERMINAL_PROMPT": true, "GCM_INTERACTIVE": true,
	}
	var env []string
	for _, entry := range r.environ() {
		name, _, _ := strings.Cut(entry, "=")
		if drop[name] || strings.HasPrefix(name, "GIT_TRACE") || strings.HasPrefix(name, "GIT_INTERNAL") || !own && (name == "LC_ALL" || name == "LANGUAGE") {
			continue
		}
		env = append(env, entry)
	}
	if !own {
		env = append(env, "LC_ALL=C")
	}
	return append(env, "GIT_EDITOR=:", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never")
}

// shown returns the end of what git or a hook said, as it can be shown: without credentials, without what a terminal
// would obey, and not too much of it.
func (r *Repo) shown(said []byte) string {
	text := strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return c
		case c == '\r':
			return '\n'
		case !unicode.IsPrint(c):
			return ' '
		}
		return c
	}, strings.ToValidUTF8(r.redact(string(said)), "?"))
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, " "); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, "\n")
	if len(text) > maxSaid {
		text = "..." + strings.ToValidUTF8(text[len(text)-maxSaid:], "")
	}
	return text
}

// head keeps the beginning of what is written to it.
type head struct {
	data []byte
	left int
	over bool
}

func (h *head) Write(data []byte) (int, error) {
	n := min(len(data), h.left)
	h.data = append(h.data, data[:n]...)
	h.left -= n
	h.over = h.over || n < len(data)
	return len(data), nil
}

// tail keeps the end of what is written to it: errors come last. What it keeps is far more than is shown, so that a
// credential is not cut in two and shown by half.
type tail struct{ data []byte }

const maxTail = 64 << 10

func (t *tail) Write(data []byte) (int, error) {
	t.data = append(t.data, data...)
	if len(t.data) > 2*maxTail {
		t.data = bytes.Clone(t.data[len(t.data)-maxTail:])
	}
	return len(data), nil
}

func (t *tail) bytes() []byte { return t.data }

// oneID returns the object id that git printed.
func oneID(out []byte, err error) (string, error) {
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !isID(id) {
		return "", errors.New("git printed no object id")
	}
	return id, nil
}

// isID reports whether text is an object id, SHA-1 or SHA-256.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
