package gitrepo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// Every scenario is asked of git itself, which is told not to invent a name (user.useConfigOnly).
func TestIdentityLikeGit(t *testing.T) {
	const unset = "<unset>"
	for name, test := range map[string]struct {
		reason string
		env    map[string]string
		home   string   // ~/.gitconfig
		local  []string // key, value
		want   string   // "" for ErrNoIdentity
	}{
		"Environment":    {reason: "the environment stands above all", home: "[user]name=U\nemail=u@x\n", want: "Ann Author <ann@example.com> / Cid Committer <cid@example.com>"},
		"User":           {reason: "user.* is for both", env: map[string]string{"GIT_AUTHOR_NAME": unset, "GIT_AUTHOR_EMAIL": unset, "GIT_COMMITTER_NAME": unset, "GIT_COMMITTER_EMAIL": unset}, home: "[user]name=U\nemail=u@x\n", want: "U <u@x> / U <u@x>"},
		"Local":          {reason: "the repository stands above the user", env: map[string]string{"GIT_AUTHOR_NAME": unset, "GIT_AUTHOR_EMAIL": unset}, home: "[user]name=U\nemail=u@x\n", local: []string{"user.name", "L"}, want: "L <u@x> / Cid Committer <cid@example.com>"},
		"Role":           {reason: "author.* stands above user.*", env: map[string]string{"GIT_AUTHOR_NAME": unset, "GIT_AUTHOR_EMAIL": unset, "GIT_COMMITTER_NAME": unset}, home: "[user]name=U\nemail=u@x\n[author]name=A\nemail=a@x\n[committer]name=C\n", want: "A <a@x> / C <cid@example.com>"},
		"RoleEmpty":      {reason: "an empty author.name is passed over", env: map[string]string{"GIT_AUTHOR_NAME": unset}, home: "[user]name=U\n[author]name=\n", want: "U <ann@example.com> / Cid Committer <cid@example.com>"},
		"EMAILLast":      {reason: "user.email stands above it", env: map[string]string{"GIT_AUTHOR_EMAIL": unset, "EMAIL": "e@x"}, home: "[user]email=u@x\n", want: "Ann Author <u@x> / Cid Committer <cid@example.com>"},
		"NoName":         {reason: "no name is invented", env: map[string]string{"GIT_AUTHOR_NAME": unset}, home: "[user]email=u@x\n"},
		"NoEmail":        {reason: "no address is invented", env: map[string]string{"GIT_COMMITTER_EMAIL": unset}, home: "[user]name=U\n"},
		"Nothing":        {reason: "nothing is invented", env: map[string]string{"GIT_AUTHOR_NAME": unset, "GIT_AUTHOR_EMAIL": unset, "GIT_COMMITTER_NAME": unset, "GIT_COMMITTER_EMAIL": unset}},
		"EmptyName":      {reason: "a name that is set to nothing is none, whatever else is set", env: map[string]string{"GIT_AUTHOR_NAME": ""}, home: "[user]name=U\n"},
		"EmptyConfig":    {reason: "so in the configuration", env: map[string]string{"GIT_AUTHOR_NAME": unset}, home: "[user]name=\n"},
		"EmptyEmail":     {reason: "an address that is set to nothing is one", env: map[string]string{"GIT_AUTHOR_EMAIL": ""}, want: "Ann Author <> / Cid Committer <cid@example.com>"},
		"OnlyCrud":       {reason: "a name without a letter is none", env: map[string]string{"GIT_AUTHOR_NAME": " .,;<>\" "}},
		"Crud":           {reason: "what would end a name goes", env: map[string]string{"GIT_AUTHOR_NAME": " \"O'Brien\" <x>, ", "GIT_AUTHOR_EMAIL": "<ann\n@x>"}, want: "O'Brien\" x <ann@x> / Cid Committer <cid@example.com>"},
		"NotASCII":       {reason: "names are not only English", env: map[string]string{"GIT_AUTHOR_NAME": "Ärger Ünal"}, want: "Ärger Ünal <ann@example.com> / Cid Committer <cid@example.com>"},
		"IncludeIfLocal": {reason: "an identity for work", env: map[string]string{"GIT_AUTHOR_EMAIL": unset}, home: "[user]email=home@x\n[includeIf \"gitdir:~/repo/\"]path=work\n", want: "Ann Author <work@x> / Cid Committer <cid@example.com>"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Write(t, "../.gitconfig", "[user]useConfigOnly=true\n"+test.home)
			repo.Write(t, "../work", "[user]email=work@x\n")
			for key, value := range test.env {
				if repo.Env[key] = value; value == unset {
					delete(repo.Env, key)
				}
			}
			for i := 0; i < len(test.local); i += 2 {
				repo.Git(t, "config", test.local[i], test.local[i+1])
			}
			id, err := openTest(t, repo).Identity()
			if test.want == "" {
				wantError(t, test.reason, err, ErrNoIdentity)
			} else if err != nil {
				t.Fatalf("Identity: %v", err)
			} else {
				diff(t, test.reason, test.want, fmt.Sprintf("%s <%s> / %s <%s>", id.Author.Name, id.Author.Email, id.Committer.Name, id.Committer.Email))
			}
			_, gitErr := repo.Try(nil, "commit", "-q", "--allow-empty", "-m", "m")
			if (gitErr != nil) != (err != nil) {
				t.Fatalf("we say %v, git says %v", err, gitErr)
			}
			if gitErr == nil {
				diff(t, "git's own", test.want+"\n", repo.Git(t, "log", "-1", "--format=%an <%ae> / %cn <%ce>"))
			}
		})
	}
}

// The address that git takes last is one that it counts as invented: it cannot be asked under user.useConfigOnly.
func TestIdentityFromEMAIL(t *testing.T) {
	repo := gittest.New(t)
	delete(repo.Env, "GIT_AUTHOR_EMAIL")
	repo.Env["EMAIL"] = "e@example.com"
	id, err := openTest(t, repo).Identity()
	if err != nil {
		t.Fatalf("Identity: %v", err)
	}
	repo.Git(t, "commit", "-q", "--allow-empty", "-m", "m")
	diff(t, "as git has it", repo.Git(t, "log", "-1", "--format=%ae"), id.Author.Email+"\n")
}

func TestIdentityDates(t *testing.T) {
	for text, wanted := range map[string]bool{
		"1700000000 +0130": true, "@1 -0800": true, "1700000000": true, "@1700000000 +0000": true,
		"Thu, 07 Apr 2005 22:13:13 +0200": true, "7 Apr 2005 22:13:13 -0430": true,
		"2005-04-07T22:13:13": true, "2005-04-07 22:13:13 +0200": true, "2005-04-07T22:13:13Z": true, "2005-04-07T22:13:13+02:00": true,
		"nonsense": false, "1700000000 +1": false, "-5 +0000": false,
	} {
		t.Run(text, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Env["TZ"] = "UTC-2" // which is two hours east
			repo.Env["GIT_AUTHOR_DATE"] = text
			r := openTest(t, repo)
			id, err := r.Identity()
			if !wanted {
				if err == nil || errors.Is(err, ErrNoIdentity) || !strings.Contains(err.Error(), "GIT_AUTHOR_DATE") {
					t.Errorf("Identity: %v, want an error that names the variable", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("Identity: %v", err)
			}
			repo.Git(t, "commit", "-q", "--allow-empty", "-m", "m")
			diff(t, "git reads the same", repo.Git(t, "log", "-1", "--format=%ad", "--date=raw"), fmt.Sprintf("%d %s\n", id.Author.When.Unix(), id.Author.When.Format("-0700")))
			diff(t, "the clock is for what is not set", testTime.Format(time.RFC3339), id.Committer.When.Format(time.RFC3339))
		})
	}
}
