package gitconfig_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// list is what git config --list shows, in order: "key=value", or "key" alone for a key without "=".
func list(t gittest.T, repo gittest.Repo, args ...string) ([]string, error) {
	t.Helper()
	out, err := repo.Try(nil, append([]string{"config", "--list", "-z"}, args...)...)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, item := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		if key, value, ok := strings.Cut(item, "\n"); ok {
			lines = append(lines, key+"="+value)
		} else if item != "" {
			lines = append(lines, item)
		}
	}
	return lines, nil
}

func lines(entries []gitconfig.Entry) []string {
	var out []string
	for _, e := range entries {
		if e.Implicit {
			out = append(out, e.Key)
		} else {
			out = append(out, e.Key+"="+e.Value)
		}
	}
	return out
}

func TestReadFileLikeGit(t *testing.T) {
	repo := gittest.New(t)
	path := filepath.Join(repo.Dir, "file")
	rapid.Check(t, func(t *rapid.T) {
		text := "[a]" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"\n", "\n", "\n[core]", "[Remote \"Or igin\"]", "[a.B]", "[x \"q\\\"\\\\y\"]", "[]", "[bad", "k", "Key", "k1-x", "=", " = ", "v", "\"", "\\n", "\\t", "\\\\",
			"\\\"", "\\\n", "\\q", " ", "\t", "#", ";", "\r\n", "https://u:p@example.com/r", "true", "1k", "é",
		}), 0, 14).Draw(t, "parts"), "")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		want, gitErr := list(t, repo, "-f", path)
		entries, err := gitconfig.ReadFile(path)
		if (gitErr != nil) != (err != nil) {
			t.Fatalf("of %q git says %v, we say %v", text, gitErr, err)
		}
		if err != nil && (!errors.Is(err, gitconfig.ErrSyntax) || strings.Contains(err.Error(), "u:p")) {
			t.Fatalf("error %q must be %v, and must not hold what the file holds", err, gitconfig.ErrSyntax)
		}
		if diff := cmp.Diff(want, lines(entries)); diff != "" {
			t.Fatalf("settings of %q (-git +ours):\n%s", text, diff)
		}
	})
}

func TestBoolLikeGit(t *testing.T) {
	repo := gittest.New(t)
	for _, value := range []string{"true", "YES", "on", "false", "No", "off", "", "0", "1", "-1", "2k", "0x10", "maybe", "1t", "99999999999", "tru", "k", "1 "} {
		repo.Env["GIT_CONFIG_COUNT"], repo.Env["GIT_CONFIG_KEY_0"], repo.Env["GIT_CONFIG_VALUE_0"] = "1", "a.b", value
		out, gitErr := repo.Try(nil, "config", "--type=bool", "a.b")
		got, err := gitconfig.Entry{Key: "a.b", Value: value}.Bool()
		if (gitErr != nil) != (err != nil) || err == nil && fmt.Sprintln(got) != out {
			t.Errorf("Bool(%q) = %t, %v; git says %q, %v", value, got, err, out, gitErr)
		}
	}
}

// Each scenario is read by git itself too: files, includes, conditions and the environment must come out alike.
func TestLoadLikeGit(t *testing.T) {
	for name, test := range map[string]struct {
		reason string
		files  map[string]string // relative to the home folder; the repository is in "repo"
		env    map[string]string
		branch string
		want   string // the value of t.x
	}{
		"UserOverXDG":     {reason: "~/.gitconfig stands above the XDG file", files: map[string]string{".config/git/config": "[t]x=xdg", ".gitconfig": "[t]x=home"}, want: "home"},
		"XDGVariable":     {reason: "XDG_CONFIG_HOME moves the XDG file", files: map[string]string{"xdg/git/config": "[t]x=1"}, env: map[string]string{"XDG_CONFIG_HOME": "$HOME/xdg"}, want: "1"},
		"GlobalVariable":  {reason: "GIT_CONFIG_GLOBAL replaces both", files: map[string]string{".gitconfig": "[t]x=no", "g": "[t]x=g"}, env: map[string]string{"GIT_CONFIG_GLOBAL": "$HOME/g"}, want: "g"},
		"SystemVariable":  {reason: "GIT_CONFIG_SYSTEM names the system's file", files: map[string]string{"s": "[t]x=s"}, env: map[string]string{"GIT_CONFIG_SYSTEM": "$HOME/s", "GIT_CONFIG_NOSYSTEM": "0"}, want: "s"},
		"LocalLast":       {reason: "the repository stands above the user", files: map[string]string{".gitconfig": "[t]x=home", "repo/.git/config": "[t]x=repo"}, want: "repo"},
		"Include":         {reason: "an include counts where it stands", files: map[string]string{".gitconfig": "[t]x=1\n[include]path=inc\n", "inc": "[t]x=2"}, want: "2"},
		"IncludeHome":     {reason: "~ is the home folder", files: map[string]string{".gitconfig": "[include]path=~/d/inc", "d/inc": "[t]x=2"}, want: "2"},
		"IncludeMissing":  {reason: "a missing include is no error", files: map[string]string{".gitconfig": "[t]x=1\n[include]path=none"}, want: "1"},
		"GitDir":          {reason: "includeIf gitdir with a folder and all below", files: map[string]string{".gitconfig": "[includeIf \"gitdir:~/repo/\"]path=inc", "inc": "[t]x=2"}, want: "2"},
		"GitDirOther":     {reason: "another folder does not match", files: map[string]string{".gitconfig": "[includeIf \"gitdir:~/other/\"]path=inc", "inc": "[t]x=2"}},
		"GitDirName":      {reason: "a bare name matches at any depth", files: map[string]string{".gitconfig": "[includeIf \"gitdir:repo/\"]path=inc", "inc": "[t]x=2"}, want: "2"},
		"GitDirFold":      {reason: "gitdir/i ignores case", files: map[string]string{".gitconfig": "[includeIf \"gitdir/i:REPO/\"]path=inc", "inc": "[t]x=2"}, want: "2"},
		"GitDirRelative":  {reason: "./ is the folder of the file", files: map[string]string{".gitconfig": "[includeIf \"gitdir:./repo/.git\"]path=inc", "inc": "[t]x=2"}, want: "2"},
		"OnBranch":        {reason: "onbranch compares the branch", files: map[string]string{".gitconfig": "[includeIf \"onbranch:ma*\"]path=inc", "inc": "[t]x=2"}, branch: "main", want: "2"},
		"OnBranchOther":   {reason: "another branch does not match", files: map[string]string{".gitconfig": "[includeIf \"onbranch:feature/\"]path=inc", "inc": "[t]x=2"}, branch: "main"},
		"HasConfig":       {reason: "hasconfig looks at all remote URLs", files: map[string]string{".gitconfig": "[includeIf \"hasconfig:remote.*.url:https://*.example/**\"]path=inc", "inc": "[t]x=2", "repo/.git/config": "[remote \"o\"]url=https://git.example/team/values"}, want: "2"},
		"UnknownIf":       {reason: "a condition that git does not know is not met", files: map[string]string{".gitconfig": "[includeIf \"moon:full\"]path=inc", "inc": "[t]x=2"}},
		"EnvironmentLast": {reason: "GIT_CONFIG_COUNT stands above files", files: map[string]string{"repo/.git/config": "[t]x=repo"}, env: map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "T.X", "GIT_CONFIG_VALUE_0": "env"}, want: "env"},
		"Parameters":      {reason: "git -c reaches its children", env: map[string]string{"GIT_CONFIG_PARAMETERS": "'t.x'='it'\\''s' 'A.b.C'='' 'q.r=old'"}, want: "it's"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			home := repo.Env["HOME"]
			for path, text := range test.files {
				full := filepath.Join(home, path)
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(path, ".git/config") {
					text = "[core]\nrepositoryformatversion = 0\n" + text
				}
				if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for key, value := range test.env {
				repo.Env[key] = strings.ReplaceAll(value, "$HOME", home)
			}
			gitDir := filepath.Join(repo.Dir, ".git")
			got, err := gitconfig.Load(repo.Lookup, gitconfig.Place{GitDir: gitDir, CommonDir: gitDir, Branch: test.branch})
			if err != nil {
				t.Fatalf("Load: %v", err)
			}
			if diff := cmp.Diff(test.want, got.String("t.x")); diff != "" {
				t.Errorf("%s\nt.x: -want +got:\n%s", test.reason, diff)
			}
			want, err := list(t, repo)
			if err != nil {
				t.Fatalf("git config: %v", err)
			}
			if diff := cmp.Diff(want, lines(got.All())); diff != "" {
				t.Errorf("%s\nall settings (-git +ours):\n%s", test.reason, diff)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	const secret = "S3cr3tTok"
	for name, test := range map[string]struct {
		reason string
		files  map[string]string
		env    map[string]string
	}{
		"Syntax":     {reason: "a file that git refuses", files: map[string]string{".gitconfig": "[remote \"o\"]\nurl = https://bot:" + secret + "@example.com\\q\n"}},
		"Loop":       {reason: "includes that include one another end", files: map[string]string{".gitconfig": "[include]path=.gitconfig"}},
		"Relative":   {reason: "a relative include in the environment is relative to nothing", env: map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": "x"}},
		"Count":      {reason: "the count must be one", env: map[string]string{"GIT_CONFIG_COUNT": "-1"}},
		"CountShort": {reason: "each key that is counted must be there", env: map[string]string{"GIT_CONFIG_COUNT": "1"}},
		"Parameters": {reason: "what git did not write is not guessed at", env: map[string]string{"GIT_CONFIG_PARAMETERS": "'http.extraheader'='" + secret}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			for path, text := range test.files {
				if err := os.WriteFile(filepath.Join(repo.Env["HOME"], path), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for key, value := range test.env {
				repo.Env[key] = value
			}
			gitDir := filepath.Join(repo.Dir, ".git")
			_, err := gitconfig.Load(repo.Lookup, gitconfig.Place{GitDir: gitDir, CommonDir: gitDir})
			if !errors.Is(err, gitconfig.ErrSyntax) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s\nLoad: %v, want %v without any value", test.reason, err, gitconfig.ErrSyntax)
			}
		})
	}
}
